"""Writes tests that record what some calls do now, in the style of the existing tests: what to add, and where."""

import ast
import io
import keyword
import os
import re
import tokenize

from selfware_calls import FUNCTIONS, parametrized
from selfware_imports import Imports, defines, imported_names

WIDTH = 88
COMMENT = "# Records what the code does now; nobody has said that it is right."
# Classes and modules that expressions may name without an import of the repository.
KNOWN = {
    "Decimal": ("decimal", "Decimal"),
    "Fraction": ("fractions", "Fraction"),
    "Path": ("pathlib", "Path"),
    "deque": ("collections", "deque"),
    "date": ("datetime", "date"),
    "time": ("datetime", "time"),
    "datetime": ("datetime", "datetime"),
    "timedelta": ("datetime", "timedelta"),
    "timezone": ("datetime", "timezone"),
    "re": ("re", ""),
}


def write_test(file, node, calls):
    """A dictionary with the path, the added text and splices of lines, or with `refused`."""
    target = target_of(file, node.name)
    if target is None:
        return {"refused": "No test file is there to follow the style of, or to write beside."}
    test, is_new = target
    writer = Writer(file, node, test, is_new)
    return writer.write(calls)


class NewTest:
    """A test file that does not exist yet."""

    def __init__(self, shown):
        self.path, self.shown, self.text, self.tree = shown, shown, "", ast.parse("")


def target_of(file, name):
    """The test file that calls the function, else the one named after the module, else a new one."""
    tests = [one for one in file.tests if one.tree is not None]
    for one in tests:
        imports = Imports(one.tree, one.path, file)
        if any(calls_it(function, imports, name) for function in functions_in(one.tree)):
            return one, False
    stem = file.module.split(".")[-1].strip("_").lower()
    for one in tests:
        words = re.split(r"[^a-z0-9]+", os.path.splitext(os.path.basename(one.shown))[0].lower())
        if stem in words:
            return one, False
    if not tests:
        return None
    if len(tests) == 1:
        return tests[0], False
    shown = os.path.join(os.path.dirname(tests[0].shown), "test_%s.py" % stem)
    return None if os.path.exists(os.path.join(file.search.order["root"], shown)) else (NewTest(shown), True)


def functions_in(tree):
    return [one for one in ast.walk(tree) if isinstance(one, FUNCTIONS) and one.name.startswith("test")]


def calls_it(function, imports, name):
    return any(
        isinstance(one, ast.Call) and imports.is_function(one.func, name) for one in ast.walk(function)
    )


class Writer:
    def __init__(self, file, node, test, is_new):
        self.file, self.node, self.test, self.is_new = file, node, test, is_new
        self.lines = test.text.splitlines()
        self.splices, self.added = [], []
        self.quote = '"' if test.text.count('"') >= test.text.count("'") else "'"
        self.imports = Imports(test.tree, test.path, file)
        self.own = [one for one in functions_in(test.tree) if calls_it(one, self.imports, node.name)]
        self.last = self.own[-1] if self.own else None
        self.owner = self.class_of(self.last)
        self.is_unittest = self.owner is not None and any("TestCase" in ast.unparse(one) for one in self.owner.bases)
        self.imported = imported_names(test.tree.body)
        self.new_imports = {}

    def write(self, calls):
        try:
            return self.written(calls)
        except Refusal as refusal:
            return {"refused": str(refusal)}

    def written(self, calls):
        self.reference = self.reference_to_function()
        for call in calls:
            for name, place in needed_by(call).items():
                self.need(name, place)
        rest = self.add_rows(calls)
        if rest:
            self.add_functions(rest)
        if not self.splices:
            raise Refusal("The calls do not fit into lines of %d characters." % WIDTH)
        self.add_imports()
        self.check()
        return {
            "path": self.test.shown,
            "isNew": self.is_new,
            "added": "\n".join(self.added) + "\n",
            "splices": sorted(self.splices, key=lambda one: one["from"]),
        }

    def class_of(self, function):
        for one in ast.walk(self.test.tree):
            if isinstance(one, ast.ClassDef) and function in one.body:
                return one
        return None

    def reference_to_function(self):
        """The expression by which the tests name the function. Adds an import if they do not."""
        name = self.node.name
        for function in reversed(self.own):
            for one in ast.walk(function):
                if isinstance(one, ast.Call) and self.is_subject(one.func):
                    root = one.func
                    while isinstance(root, ast.Attribute):
                        root = root.value
                    if isinstance(root, ast.Name) and root.id in self.imported:
                        return ast.unparse(one.func)
        if name in self.imported and self.is_subject(ast.Name(name, ast.Load())):
            return name
        for module in self.imported:
            # A module that the tests have imported already, as in `from shop import prices`.
            member = ast.Attribute(ast.Name(module, ast.Load()), name, ast.Load())
            if self.is_subject(member):
                return ast.unparse(member)
        if self.is_taken(name):
            # An import under this name would replace what the tests use.
            name = "%s_%s" % (self.file.module.split(".")[-1], name)
            if self.is_taken(name):
                raise Refusal("The test file uses the name `%s` for something else." % self.node.name)
        self.new_imports[name] = (self.file.module, self.node.name)
        return name

    def is_taken(self, name):
        return name in self.imported or defines(self.test.tree, name)

    def need(self, name, place):
        known = self.imported.get(name)
        if known == place:
            return
        if known is not None or defines(self.test.tree, name):
            raise Refusal("The test file uses the name `%s` for something else." % name)
        self.new_imports[name] = place

    # Rows of a parametrized test.

    def add_rows(self, calls):
        """Adds rows to a table of the tests; returns the calls that do not fit into one."""
        left = []
        rows = {}
        for call in calls:
            for at, table in enumerate(self.tables()):
                row = table.row_for(call)
                if row is not None:
                    rows.setdefault(at, []).append(row)
                    break
            else:
                left.append(call)
        for at, texts in rows.items():
            self.splice_rows(self.tables()[at], texts)
        return left

    def tables(self):
        tables = [table_of(one, self.is_subject) for one in self.own]
        return [table for table in tables if table and self.stands_row_by_row(table)]

    def is_subject(self, called):
        return self.imports.is_function(called, self.node.name)

    def stands_row_by_row(self, table):
        """True if a row can be added without changing a line."""
        last = table.rows[-1]
        line = self.lines[last.end_lineno - 1].encode()
        after = line[last.end_col_offset :].decode().strip()
        starts = self.lines[last.lineno - 1].strip()
        return starts.startswith(("(", "[")) and re.fullmatch(r",\s*(?:#.*)?", after) is not None

    def splice_rows(self, table, rows):
        last = table.rows[-1]
        indent = re.match(r"\s*", self.lines[last.lineno - 1]).group()
        texts = [indent + COMMENT] + [indent + self.styled(row) + "," for row in rows]
        self.insert(last.end_lineno, texts)

    # Functions.

    def add_functions(self, calls):
        values = [call for call in calls if call.answer["form"] != "error"]
        errors = [call for call in calls if call.answer["form"] == "error"]
        blocks = []
        if len(values) > 1 and self.uses_tables() and (table := self.new_table(values)):
            blocks.append(table)
        elif values:
            blocks.append(self.function("results", [self.assertion(call) for call in values]))
        if errors:
            blocks.append(self.function("errors", [self.raising(call) for call in errors]))
        blocks = [one for one in blocks if one]
        if not blocks:
            return
        gap = [""] if self.owner is not None else ["", ""]
        place = self.last.end_lineno if self.last is not None else self.end()
        lines = []
        for block in blocks:
            lines += (gap if place > 0 or lines else []) + block
        self.insert(place, lines)

    def end(self):
        """The number of lines before `if __name__ == "__main__"`, or of all lines."""
        body = self.test.tree.body
        last = body[-1] if body else None
        if isinstance(last, ast.If) and "__main__" in ast.unparse(last.test):
            body = body[:-1]
        return body[-1].end_lineno if body else 0

    def uses_tables(self):
        return not self.is_unittest and "mark.parametrize" in self.test.text and "pytest" in self.imported

    def function(self, suffix, statements):
        statements = [one for one in statements if one is not None]
        if not statements:
            return None
        indent = "    " if self.owner is not None else ""
        receiver = "self" if self.owner is not None else ""
        head = "def %s(%s)%s:" % (self.name(suffix), receiver, " -> None" if self.is_annotated() else "")
        lines = [indent + head, indent + "    " + COMMENT]
        return lines + [indent + "    " + line for one in statements for line in one]

    def new_table(self, calls):
        shapes = {(len(call.words), tuple(name for name, _ in call.words), call.answer["form"]) for call in calls}
        if len(shapes) != 1 or any(keyword.iskeyword(name or "") for name, _ in calls[0].words):
            return None
        names = parameter_names(self.node, calls[0])
        if names is None or len(set(names)) < len(names) or "expected" in names or self.is_annotated():
            return None
        words = ", ".join(
            name if word is None else "%s=%s" % (word, name) for name, (word, _) in zip(names, calls[0].words)
        )
        result = "%s(%s)" % (self.reference, words)
        if calls[0].answer["form"] == "items":
            result = "list(%s)" % result
        rows = [
            "    (%s)," % ", ".join([text for _, text in call.texts()] + [call.answer["recorded"]]) for call in calls
        ]
        indent = "    " if self.owner is not None else ""
        parameters = (["self"] if self.owner is not None else []) + names + ["expected"]
        lines = [
            COMMENT,
            "@pytest.mark.parametrize(",
            "    %s," % self.styled(repr(", ".join(names + ["expected"]))),
            "    [",
            *["    " + self.styled(row) for row in rows],
            "    ],",
            ")",
            "def %s(%s):" % (self.name("results"), ", ".join(parameters)),
            "    assert %s == expected" % result,
        ]
        lines = [indent + line for line in lines]
        return lines if all(len(line) <= WIDTH for line in lines) else None

    def call_text(self, call):
        words = ", ".join(text if name is None else "%s=%s" % (name, text) for name, text in call.texts())
        text = "%s(%s)" % (self.reference, words)
        return "list(%s)" % text if call.answer["form"] == "items" else text

    def assertion(self, call):
        text, value = self.styled(self.call_text(call)), self.styled(call.answer["recorded"])
        is_fixed = value in ("True", "False", "None")
        if self.is_unittest:
            line = "self.assertIs(%s, %s)" if is_fixed else "self.assertEqual(%s, %s)"
        else:
            line = "assert %s is %s" if is_fixed else "assert %s == %s"
        one = self.fitting([line % (text, value)])
        return one or self.fitting(["expected = %s" % value, line % (text, "expected")])

    def raising(self, call):
        name, message = call.answer["recorded"], self.styled(pattern_text(call.answer["message"]))
        call_line = "    " + self.styled(self.call_text(call))
        if self.is_unittest:
            return self.fitting(["with self.assertRaisesRegex(%s, %s):" % (name, message), call_line])
        if "pytest" not in self.imported:
            self.new_imports["pytest"] = ("pytest", "")
        return self.fitting(["with pytest.raises(%s, match=%s):" % (name, message), call_line])

    def fitting(self, lines):
        return lines if all(len(line) <= WIDTH - 8 for line in lines) else None

    def name(self, suffix):
        taken = {one.name for one in ast.walk(self.test.tree) if isinstance(one, FUNCTIONS)}
        base = "test_%s_%s" % (self.node.name.lower(), suffix)
        name, number = base, 2
        while name in taken:
            name, number = "%s_%d" % (base, number), number + 1
        return name

    def is_annotated(self):
        functions = functions_in(self.test.tree)
        return bool(functions) and all(one.returns is not None for one in functions)

    # Lines.

    def insert(self, line, lines):
        self.splices.append({"from": line, "to": line, "lines": lines})
        self.added += lines

    def styled(self, text):
        return requoted(text, self.quote)

    def add_imports(self):
        """Extends an import of the same module, or adds one after the last."""
        body = self.test.tree.body
        imports = [one for one in body if isinstance(one, (ast.Import, ast.ImportFrom))]
        lines, named = [], {}
        for name, (module, inner) in sorted(self.new_imports.items()):
            same = [one for one in imports if isinstance(one, ast.ImportFrom) and one.module == module]
            if inner and same and self.extend(same[-1], name, inner):
                continue
            if not inner:
                lines.append("import %s" % module if name == module else "import %s as %s" % (module, name))
            else:
                named.setdefault(module, []).append(inner if inner == name else "%s as %s" % (inner, name))
        for module, names in named.items():
            line = "from %s import %s" % (module, ", ".join(names))
            fits = len(line) <= WIDTH
            lines += [line] if fits else ["from %s import %s" % (module, one) for one in names]
        if not lines:
            return
        if imports:
            place = imports[-1].end_lineno
        else:
            place = body[0].end_lineno if body and is_text(body[0]) else 0
        gap = ["", ""] if place == 0 else []
        self.splices.append({"from": place, "to": place, "lines": sorted(lines) + gap})
        self.added = sorted(lines) + ["", ""] + self.added

    def extend(self, statement, name, inner):
        """Adds a line to an import in brackets that has a name on each line."""
        last = statement.names[-1]
        if getattr(last, "lineno", statement.lineno) in (statement.lineno, statement.end_lineno):
            return False
        line = self.lines[last.lineno - 1]
        if not line.rstrip().endswith(","):
            return False
        indent = re.match(r"\s*", line).group()
        fresh = "%s%s," % (indent, inner if inner == name else "%s as %s" % (inner, name))
        self.splices.append({"from": last.lineno, "to": last.lineno, "lines": [fresh]})
        self.added = [fresh] + self.added
        return True

    def check(self):
        """Checks that the text with the splices is valid Python."""
        lines = list(self.lines)
        for one in sorted(self.splices, key=lambda one: one["from"], reverse=True):
            lines[one["from"] : one["to"]] = one["lines"]
        try:
            ast.parse("\n".join(lines).lstrip("\ufeff") + "\n")
        except SyntaxError:
            raise Refusal("The tests could not be put into %s." % self.test.shown) from None


class Refusal(Exception):
    pass


class Table:
    """A test that compares a call of its parameters with the last of them."""

    def __init__(self, function, names, rows, words, star, expected):
        self.function, self.names, self.rows = function, names, rows
        self.words, self.star, self.expected = words, star, expected

    def row_for(self, call):
        """The row that makes this call, as text; None if it does not fit."""
        if call.answer["form"] != "value":
            return None
        texts = call.texts()
        if self.star is not None:
            if any(name is not None for name, _ in texts):
                return None
            inner = ", ".join(text for _, text in texts)
            brackets = "[%s]" if is_list_row(self.rows[-1], self.names.index(self.star)) else "(%s)"
            given = {self.star: brackets % (inner + "," if len(texts) == 1 and brackets == "(%s)" else inner)}
        elif [name for name, _ in texts] != [name for name, _ in self.words]:
            return None
        else:
            given = {own: text for (_, own), (_, text) in zip(self.words, texts)}
        given[self.expected] = call.answer["recorded"]
        if set(given) != set(self.names):
            return None
        inner = ", ".join(given[name] for name in self.names)
        row = ("[%s]" if isinstance(self.rows[-1], ast.List) else "(%s)") % inner
        return row if len(row) <= WIDTH - 10 else None


def is_list_row(row, at):
    return isinstance(row.elts[at], ast.List)


def table_of(function, is_subject):
    if len(function.decorator_list) != 1:
        return None
    names, rows = parametrized(function.decorator_list[0])
    if not names or len(names) < 2 or not rows:
        return None
    if not all(isinstance(one, (ast.Tuple, ast.List)) and len(one.elts) == len(names) for one in rows):
        return None
    body = [one for one in function.body if not is_text(one)]
    check = body[0] if len(body) == 1 else None
    if not isinstance(check, ast.Assert) or not isinstance(check.test, ast.Compare) or len(check.test.ops) != 1:
        return None
    if not isinstance(check.test.ops[0], ast.Eq):
        return None
    sides = [check.test.left, check.test.comparators[0]]
    call = next((one for one in sides if isinstance(one, ast.Call)), None)
    expected = next((one.id for one in sides if isinstance(one, ast.Name)), None)
    if call is None or expected not in names or not is_subject(call.func):
        return None
    return table_for(function, names, rows, call, expected)


def table_for(function, names, rows, call, expected):
    if len(call.args) == 1 and isinstance(call.args[0], ast.Starred) and not call.keywords:
        star = getattr(call.args[0].value, "id", None)
        if star not in names:
            return None
        return Table(function, names, rows, [], star, expected)
    words = [(None, one) for one in call.args] + [(one.arg, one.value) for one in call.keywords]
    own = [(name, getattr(value, "id", None)) for name, value in words]
    if any(value not in names for _, value in own):
        return None
    return Table(function, names, rows, own, None, expected)


def needed_by(call):
    """The imports that the arguments of a call need."""
    known = {**KNOWN, **call.imports}
    nodes = [one for _, value in call.words for one in ast.walk(value)]
    return {one.id: known[one.id] for one in nodes if isinstance(one, ast.Name) and one.id in known}


def parameter_names(node, call):
    """Names for the columns of a table: those of the parameters."""
    positional = [one.arg for one in node.args.posonlyargs + node.args.args]
    names = []
    for at, (name, _) in enumerate(call.words):
        if name is None and at >= len(positional):
            return None
        names.append(name or positional[at])
    return names


def is_text(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def pattern_of(message):
    """A pattern that finds the message: its first words without values, if it begins with some."""
    words = re.match(r"[A-Za-z ,;:'_-]*(?=[ ])|[A-Za-z ,;:'_-]*$", message)
    start = words.group().rstrip(" ,;:'") if words else ""
    if len(start) >= 8 and "'" not in start:
        return start
    return re.sub(r"\\([ \-'\"`:,=!<>/&#%@~])", r"\1", re.escape(message))


def pattern_text(message):
    """A literal of that pattern; a raw one if it needs escapes."""
    pattern = pattern_of(message)
    return "r%s" % repr(pattern).replace("\\\\", "\\") if "\\" in pattern else repr(pattern)


def requoted(text, quote):
    """An expression with the other quotes, where its strings allow it."""
    if quote == "'":
        return text
    found = []
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return text
    for token in tokens:
        if token.type != tokenize.STRING or not re.fullmatch(r"[rb]?'[^\"']*'", token.string) or "\\'" in token.string:
            continue
        found.append((token.start[1], token.end[1], token.string.replace("'", '"')))
    for start, end, fresh in reversed(found):
        text = text[:start] + fresh + text[end:]
    return text
