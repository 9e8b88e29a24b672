"""Finds what has changed between two texts of Python files: which functions to compare, and what cannot be compared."""

import ast
import builtins
import difflib
import dis
import os
import sys
import types

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
MAX_CONSTANTS = 60
STANDARD = getattr(sys, "stdlib_module_names", frozenset(sys.builtin_module_names))


class Outlines:
    """All files together. Paths are absolute."""

    def __init__(self):
        self.roots, self.modules, self.targets, self.gaps, self.identical = [], [], [], [], []
        self.before, self.after = [], []
        self.lines_before, self.lines_after = [], []
        self.watched_after = []
        self.hints_before, self.hints_after = {}, {}
        self.numbers, self.texts = [], []


class Module:
    """The definitions of one text by their dotted names, and what else it does."""

    def __init__(self, text):
        self.text = text
        self.tree = ast.parse(text.lstrip("\ufeff"))
        self.keeps_docs = "__doc__" in text or "getdoc" in text
        self.functions, self.classes = {}, {}
        self.constants, self.imports, self.loose, self.hints = {}, set(), [], []
        self.body(self.tree.body, "")

    def body(self, statements, prefix):
        for statement in without_doc(statements):
            if isinstance(statement, FUNCTIONS):
                if not is_overload(statement):
                    # A setter has the name of its property.
                    name = prefix + statement.name
                    known = self.functions.get(name)
                    self.functions[name] = (known or []) + [statement]
            elif isinstance(statement, ast.ClassDef):
                name = prefix + statement.name
                head = [
                    ast.dump(one) for one in statement.bases + statement.keywords + statement.decorator_list
                ]
                self.classes[name] = (head, [self.dump(one) for one in self.plain(statement.body)])
                self.body(
                    [one for one in statement.body if isinstance(one, FUNCTIONS + (ast.ClassDef,))],
                    name + ".",
                )
            elif isinstance(statement, (ast.Import, ast.ImportFrom)):
                self.imports |= set(imported(statement))
            elif is_for_checkers(statement):
                text = self.text.lstrip("\ufeff")
                self.hints += [ast.get_source_segment(text, one) or "" for one in statement.body]
            elif (name := assigned(statement)) is not None:
                self.constants[name] = self.constants.get(name, []) + [statement]
            elif not is_idle(statement):
                self.loose.append(ast.dump(statement))

    def plain(self, statements):
        plain = [one for one in without_doc(statements) if not isinstance(one, FUNCTIONS + (ast.ClassDef,))]
        return [one for one in plain if not is_idle(one)]

    def dump(self, node):
        if not isinstance(node, FUNCTIONS) or self.keeps_docs or node.decorator_list:
            return ast.dump(node)
        copy = type(node)(**{field: getattr(node, field, None) for field in node._fields})
        copy.body = without_doc(node.body) or [ast.Pass()]
        return ast.dump(copy)

    def dumps(self, name):
        return [self.dump(one) for one in self.functions[name]]


def outlines(order):
    found = Outlines()
    for path, before, after in order["files"]:
        shown = os.path.relpath(path, order["root"])
        try:
            old, new = Module(before), Module(after)
        except (SyntaxError, ValueError, RecursionError):
            found.gaps.append("%s cannot be parsed by this Python." % shown)
            continue
        add_file(found, path, shown, old, new, order["root"])
    for path in order["created"]:
        if not found.targets:
            found.gaps.append("%s is new, and nothing that is compared reaches it." % path)
    for path in order["deleted"]:
        found.gaps.append("%s is gone." % path)
    for one in found.targets:
        one["modules"] = found.modules
    return found


def add_file(found, path, shown, old, new, root):
    if without_docs(old) == without_docs(new):
        found.identical.append(shown)
        return
    gaps = gaps_between(old, new, shown)
    changed = [name for name in old.functions if name in new.functions and old.dumps(name) != new.dumps(name)]
    if not changed and not gaps:
        found.gaps.append(
            "%s has new definitions, another order or other documentation, which no call compares." % shown
        )
        return
    found.gaps += gaps
    source_root, module = module_of(path)
    if source_root not in found.roots:
        found.roots.append(source_root)
    found.modules.append([path, module])
    found.before.append([path, old.text])
    found.after.append([path, new.text])
    lines_old, lines_new = touched(old.text, new.text)
    bodies = {name: body_lines(new, name) for name in changed}
    lines_new_of = {name: code_lines(new.text, path, body) for name, body in bodies.items()}
    found.lines_before.append([path, code_lines(old.text, path, lines_old)])
    found.lines_after.append([path, code_lines(new.text, path, lines_new)])
    watched = set(found.lines_after[-1][1]).union(*lines_new_of.values())
    found.watched_after.append([path, sorted(watched)])
    found.hints_before[path], found.hints_after[path] = old.hints, new.hints
    for name in changed:
        if decoration_of(old, name) != decoration_of(new, name):
            found.gaps.append("`%s` has other decorators, or other types below one." % name)
        kind = kind_of(old, name)
        if kind is None:
            found.gaps.append("`%s` is set or deleted through a property, which is not compared." % name)
            continue
        member = name.rsplit(".", 1)[-1]
        lines = lines_new_of[name]
        found.targets.append(
            {"path": path, "shown": shown, "name": name, "kind": kind, "member": member, "lines": lines}
        )
        for side in (old, new):
            for node in side.functions.get(name, []):
                add_constants(found, node)


def gaps_between(old, new, shown):
    gaps = []
    if old.loose != new.loose:
        gaps.append("What %s does when it is loaded has changed." % shown)
    others = [name for name in old.imports ^ new.imports if name.split(".")[0].split(":")[0] not in STANDARD]
    if others:
        gaps.append("What %s imports has changed." % shown)
    gaps += other_bindings(old, new)
    for name, one in old.classes.items():
        if name in new.classes and new.classes[name] != one:
            gaps.append("The class `%s` has other bases, decorators or attributes." % name)
    for name in list(old.functions) + list(old.classes):
        if name in new.functions or name in new.classes:
            continue
        if (
            name.rsplit(".", 1)[-1].startswith("_")
            and not name.endswith("__")
            and not mentions(new.tree, name)
        ):
            continue
        gaps.append("`%s` is gone; whether other code uses it was not checked." % name)
    for name in old.constants:
        if name not in new.constants and not (name.startswith("_") and not mentions(new.tree, name)):
            gaps.append("`%s` is gone; whether other code uses it was not checked." % name)
    for name in list(new.functions) + list(new.classes) + list(new.constants):
        owner, _, last = name.rpartition(".")
        if name in old.functions or name in old.classes or name in old.constants:
            continue
        if owner in old.classes and (old.classes[owner][0] or last.startswith("__")):
            gaps.append("`%s` is new, and may replace what its class inherits." % name)
        elif name == "__all__" or hasattr(builtins, name):
            gaps.append("`%s` is new, and hides what had this name." % name)
    for name, statements in old.constants.items():
        if name in new.constants and dumps_of(statements) != dumps_of(new.constants[name]):
            gaps.append("The value of `%s` has changed, which other code may read." % name)
    return gaps


def other_bindings(old, new):
    """Imported names that may stand for something else than before."""
    gaps = []
    before, after = bound(old.imports), bound(new.imports)
    for name in sorted(set(before) | set(after)):
        is_defined = any(
            name in one for side in (old, new) for one in (side.functions, side.classes, side.constants)
        )
        is_replaced = before.get(name, after.get(name)) != after.get(name, before.get(name))
        hides = name not in before and (name == "*" or hasattr(builtins, name))
        if is_defined or is_replaced or hides:
            gaps.append("What the imported name `%s` stands for may have changed." % name)
    return gaps


def without_docs(module):
    """All code in its order; with the documentation where the code may read it."""
    tree = ast.parse(module.text.lstrip("\ufeff"))
    if not module.keeps_docs:
        strip(tree)
    return ast.dump(tree)


def strip(node):
    """Removes documentation and idle statements, except below a decorator, which may read them."""
    if getattr(node, "decorator_list", []):
        return
    if isinstance(node, FUNCTIONS + (ast.ClassDef, ast.Module)):
        node.body = [one for one in without_doc(node.body) if not is_idle(one)]
    for one in ast.iter_child_nodes(node):
        strip(one)


def dumps_of(statements):
    return [ast.dump(one) for one in statements]


def mentions(tree, name):
    word = name.rsplit(".", 1)[-1]
    return any(
        getattr(node, "id", None) == word
        or getattr(node, "attr", None) == word
        or getattr(node, "value", None) == word
        for node in ast.walk(tree)
    )


def kind_of(module, name):
    nodes = module.functions[name]
    words = [getattr(one, "id", getattr(one, "attr", "")) for node in nodes for one in node.decorator_list]
    if len(nodes) > 1 or "setter" in words or "deleter" in words:
        return None
    if "." not in name:
        return "function"
    if "staticmethod" in words or "classmethod" in words:
        return "static"
    if "property" in words or "cached_property" in words:
        return "property"
    return "init" if name.endswith(".__init__") else "method"


def decoration_of(module, name):
    """Decorators, and the types that a decorator may read."""
    told = []
    for node in module.functions[name]:
        types_of = [ast.dump(one) for one in ast.walk(node.args) if isinstance(one, ast.arg)]
        told += [ast.dump(one) for one in node.decorator_list]
        told += types_of + [ast.dump(node.returns or ast.Pass())] if node.decorator_list else []
    return told


def body_lines(module, name):
    """The lines of a function, without those that raise."""
    lines = set()
    for node in module.functions[name]:
        lines |= set(range(node.body[0].lineno, node.end_lineno + 1))
        for one in ast.walk(node):
            if isinstance(one, ast.Raise):
                lines -= set(range(one.lineno, one.end_lineno + 1))
    return lines


def module_of(path):
    """The folder from which the module is imported, and its name."""
    folder, file = os.path.split(path)
    parts = [] if file == "__init__.py" else [os.path.splitext(file)[0]]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        parts.insert(0, name)
    return folder, ".".join(parts)


def touched(before, after):
    old, new = before.splitlines(), after.splitlines()
    removed, added = set(), set()
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            removed |= set(range(a + 1, b + 1))
            added |= set(range(c + 1, d + 1))
    return removed, added


def code_lines(text, path, lines):
    """Those of the lines that hold code of a function."""
    found = set()

    def visit(code):
        is_function = code.co_flags & 1
        if is_function:
            found.update(
                line for _, line in dis.findlinestarts(code) if line in lines and line != code.co_firstlineno
            )
        for one in code.co_consts:
            if isinstance(one, types.CodeType):
                visit(one)

    visit(compile(text.lstrip("\ufeff"), path, "exec", dont_inherit=True))
    return sorted(found)


def add_constants(found, node):
    for one in ast.walk(node):
        if not isinstance(one, ast.Constant):
            continue
        value = one.value
        known = found.numbers if type(value) in (int, float) else found.texts
        is_text = type(value) is str and len(value) <= 40
        if (is_text or known is found.numbers) and value not in known and len(known) < MAX_CONSTANTS:
            known.append(value)


def without_doc(statements):
    first = statements[0] if statements else None
    value = getattr(first, "value", None) if isinstance(first, ast.Expr) else None
    is_doc = isinstance(value, ast.Constant) and isinstance(value.value, str)
    return statements[1:] if is_doc else statements


def is_idle(statement):
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Pass)


def is_overload(node):
    return any(getattr(one, "id", getattr(one, "attr", "")) == "overload" for one in node.decorator_list)


def is_for_checkers(statement):
    if not isinstance(statement, ast.If):
        return False
    is_named = getattr(statement.test, "id", getattr(statement.test, "attr", "")) == "TYPE_CHECKING"
    return is_named and not statement.orelse


def imported(statement):
    """`os.path:`, `re:compile`, `.text:slug`, with the name under which it is known."""
    if isinstance(statement, ast.Import):
        return ["%s:%s" % (one.name, one.asname or "") for one in statement.names]
    module = "." * statement.level + (statement.module or "")
    return ["%s:%s:%s" % (module, one.name, one.asname or "") for one in statement.names]


def bound(imports):
    """What each imported name may stand for."""
    found = {}
    for module, *rest in (one.split(":") for one in imports):
        if len(rest) == 2:
            found.setdefault(rest[1] or rest[0], set()).add((module, rest[0]))
        else:
            top = module.split(".")[0]
            found.setdefault(rest[0] or top, set()).add((module if rest[0] else top, None))
    return found


def assigned(statement):
    """The only name that an assignment gives a value; None for other statements."""
    if (
        isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and isinstance(statement.targets[0], ast.Name)
    ):
        return statement.targets[0].id
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return statement.target.id
    return None
