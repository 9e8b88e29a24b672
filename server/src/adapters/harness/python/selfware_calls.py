"""Finds and makes calls of a function whose arguments are plain expressions.

They come from its tests, its documentation, and the types and names of its parameters.
"""

import ast
import builtins
import copy
import doctest
import random
import sys

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
STANDARD = getattr(sys, "stdlib_module_names", frozenset(sys.builtin_module_names))
LONGEST = 60
MAX_SEEDS = 40
MAX_CALLS = 320
MAX_CONSTANTS = 24
# Builtins that reach nothing outside of the process, and whose values are the same on every machine.
BUILTINS = frozenset(
    "abs all any ascii bin bool bytearray bytes chr complex dict divmod enumerate filter float frozenset hex int"
    " isinstance iter len list map max min next oct ord pow range repr reversed round set slice sorted str sum tuple"
    " zip ArithmeticError AttributeError Exception IndexError KeyError LookupError TypeError ValueError"
    " ZeroDivisionError".split()
)
# Standard modules whose values are the same on every machine and in every process.
STEADY = frozenset(
    "collections dataclasses datetime decimal enum fractions functools itertools math operator re string".split()
)
NODES = (
    ast.Constant,
    ast.List,
    ast.Tuple,
    ast.Set,
    ast.Dict,
    ast.UnaryOp,
    ast.BinOp,
    ast.Compare,
    ast.Call,
    ast.keyword,
    ast.Lambda,
    ast.arguments,
    ast.arg,
    ast.Attribute,
    ast.Subscript,
    ast.Slice,
    ast.Name,
    ast.Starred,
    ast.ListComp,
    ast.GeneratorExp,
    ast.comprehension,
    ast.expr_context,
    ast.operator,
    ast.unaryop,
    ast.cmpop,
)
INTEGERS = ("0", "1", "2", "3", "10", "-1")
TEXTS = ("''", "'foo'", "'foo bar'", "'Foo'", "'bar'", "'a'", "'ab'", "'a b'", "'Ab'", "'1'")
LISTS = ("[]", "[1]", "[1, 2, 3]", "[3, 1, 2]", "[1, 1, 2]")
# Values for parameters without a type, by the names that parameters of this kind usually have.
BY_NAME = {
    "n num number count size length limit width depth index i k year month day": INTEGERS,
    "x y a b value amount total": INTEGERS + ("1.5", "-2.5"),
    "s string text word name title sentence line prefix suffix sep separator delimiter phrase": TEXTS,
    "seq sequence iterable items values lst list l it xs elements src": LISTS,
    "d dct mapping dictionary": ("{}", "{'a': 1}", "{'a': 1, 'b': 2}"),
    "func function f key predicate pred": ("str", "bool", "(lambda x: x)", "(lambda x: x > 1)"),
}
KINDS = {name: values for names, values in BY_NAME.items() for name in names.split()}


class Call:
    """`words`: pairs of a name (None: positional) and the tree of an expression. A lower rank is more natural."""

    def __init__(self, words, rank, imports):
        self.words = words
        self.rank = rank
        self.imports = imports  # name → module and the name in it ("": the module itself)

    def texts(self):
        return [[name, ast.unparse(value)] for name, value in self.words]


class Source:
    """The tree of a test file, or of an example in documentation, with its imports."""

    def __init__(self, tree, package):
        self.tree = tree
        self.imports = {}
        self.all_imports = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for one in node.names:
                    name = one.asname or one.name.split(".")[0]
                    self.add(name, one.name if one.asname else name, "", package)
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                for one in node.names:
                    self.add(one.asname or one.name, node.module, one.name, package)

    def add(self, name, module, inner, package):
        self.all_imports.add(name)
        top = module.split(".")[0]
        if top in STEADY or top == package:
            self.imports[name] = (module, inner)


def parsed(text):
    try:
        return ast.parse(text.lstrip("\ufeff"))
    except (SyntaxError, ValueError, RecursionError):
        return None


def expression(text):
    return ast.parse(text, mode="eval").body


def is_name(value, kind):
    return isinstance(value, ast.Name) and isinstance(value.ctx, kind)


def calls_in(source, name):
    """The calls of a function in a source whose arguments are plain."""
    found = []
    constants = assigned_once(source.tree.body)
    for scope in [source.tree] + [one for one in ast.walk(source.tree) if isinstance(one, FUNCTIONS)]:
        known = dict(constants)
        if isinstance(scope, FUNCTIONS):
            known.update(assigned_once(scope.body))
        rows = rows_of(scope) or [{}]
        for node in own_calls(scope):
            if is_call_of(node, name, source):
                for row in rows[:12]:
                    call = call_of(node, {**known, **row}, source)
                    if call is not None:
                        found.append(call)
    return found


def own_calls(scope):
    """Calls in a scope, without those in the functions inside it."""
    pending, found = list(ast.iter_child_nodes(scope)), []
    while pending:
        node = pending.pop(0)
        if isinstance(node, FUNCTIONS):
            continue
        if isinstance(node, ast.Call):
            found.append(node)
        pending += ast.iter_child_nodes(node)
    return found


def is_call_of(node, name, source):
    function = node.func
    if isinstance(function, ast.Name):
        return function.id == name
    return (
        isinstance(function, ast.Attribute)
        and function.attr == name
        and isinstance(function.value, ast.Name)
        and function.value.id in source.all_imports
    )


def assigned_once(body):
    """The values of names that are assigned exactly once in a body, by name."""
    found, twice = {}, set()
    for statement in body:
        for node in ast.walk(statement):
            if not is_name(node, ast.Store):
                continue
            if node.id in found:
                twice.add(node.id)
            found.setdefault(node.id, None)
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name):
                found[target.id] = statement.value
    return {name: value for name, value in found.items() if value is not None and name not in twice}


def rows_of(scope):
    """The values of the parameters of a parametrized test, by name, row by row."""
    rows = []
    for decorator in getattr(scope, "decorator_list", []):
        names, values = parametrized(decorator)
        if names is None:
            continue
        for row in values:
            items = row.elts if isinstance(row, (ast.Tuple, ast.List)) and len(names) > 1 else [row]
            if len(items) == len(names):
                rows.append(dict(zip(names, items)))
    return rows


def parametrized(decorator):
    """The names and the rows of `pytest.mark.parametrize`; None and None for another decorator."""
    if not isinstance(decorator, ast.Call) or not ast.unparse(decorator.func).endswith("mark.parametrize"):
        return None, None
    if len(decorator.args) != 2 or decorator.keywords or not isinstance(decorator.args[1], (ast.List, ast.Tuple)):
        return None, None
    try:
        names = ast.literal_eval(decorator.args[0])
    except ValueError:
        return None, None
    if isinstance(names, str):
        names = [one.strip() for one in names.split(",") if one.strip()]
    return list(names), decorator.args[1].elts


class Inlined(ast.NodeTransformer):
    def __init__(self, known):
        self.known = known

    def visit_Name(self, node):
        return copy.deepcopy(self.known.get(node.id, node))


def call_of(node, known, source):
    words = []
    for argument in node.args:
        if not isinstance(argument, ast.Starred):
            words.append((None, argument))
            continue
        row = known.get(getattr(argument.value, "id", None))
        if not isinstance(row, (ast.List, ast.Tuple)):
            return None
        words += [(None, one) for one in row.elts]
    for keyword in node.keywords:
        if keyword.arg is None:
            return None
        words.append((keyword.arg, keyword.value))
    inlined = []
    imports = {}
    for name, value in words:
        for _ in range(3):
            value = Inlined(known).visit(copy.deepcopy(value))
        needed = names_in(value, source)
        if needed is None or len(ast.unparse(value)) > LONGEST:
            return None
        imports.update(needed)
        inlined.append((name, value))
    return Call(inlined, 0, imports)


def names_in(value, source):
    """The imports that an expression needs; None for one that is not plain."""
    own = {one.id for one in ast.walk(value) if is_name(one, ast.Store)}
    own |= {one.arg for one in ast.walk(value) if isinstance(one, ast.arg)}
    needed = {}
    for node in ast.walk(value):
        if not isinstance(node, NODES):
            return None
        if not is_name(node, ast.Load) or node.id in own:
            continue
        if node.id in source.imports:
            needed[node.id] = source.imports[node.id]
        elif node.id not in BUILTINS:
            return None
    return needed


def documented_calls(node, name, package):
    text = ast.get_docstring(node) or ""
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return []
    lines = [one.source for one in examples]
    tree = parsed("".join(lines))
    if tree is None:
        return []
    return calls_in(Source(tree, package), name)


def guessed_calls(node, module):
    """Calls by the names and defaults of parameters; None if one of them has neither."""
    arguments = node.args
    if arguments.kwonlyargs and any(one is None for one in arguments.kw_defaults):
        return []
    positional = arguments.posonlyargs + arguments.args
    required = positional[: len(positional) - len(arguments.defaults)]
    pools = [KINDS.get(one.arg.lower()) for one in required]
    if not required or any(pool is None for pool in pools):
        return []
    count = max(len(pool) for pool in pools)
    return [
        Call([(None, expression(pool[(at * step) % len(pool)])) for step, pool in enumerate(pools, 1)], 2, {})
        for at in range(count)
    ]


def constants_in(*nodes):
    found = []
    for node in nodes:
        for one in ast.walk(node):
            if not isinstance(one, ast.Constant) or isinstance(one.value, bool):
                continue
            is_plain = type(one.value) in (int, float) or (type(one.value) is str and 0 < len(one.value) <= 12)
            if is_plain and one.value not in found and len(found) < MAX_CONSTANTS:
                found.append(one.value)
    return found


def neighbours(value, constants):
    """Other values of the same type, the nearest first."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        near = [value + 1, value - 1, 0, 1, -value, 2, 10]
        for one in constants:
            if isinstance(one, (int, float)):
                near += [one, one + 1, one - 1]
        return near
    if isinstance(value, float):
        return [-value, 0.0, value + 0.5, value * 10] + [one for one in constants if isinstance(one, (int, float))]
    if isinstance(value, str):
        near = ["", value.upper(), value.lower(), value[:1], value[:-1], value + value[:1], " " + value, value + " "]
        texts = [one for one in constants if isinstance(one, str)]
        return near + texts + [value + one for one in texts] + [one + value for one in texts] + ["é", "a b"]
    if isinstance(value, bytes):
        return [b"", value[:1], value + b"a", value[:-1]]
    return []


def arrangements(node):
    """Other lists of the same items."""
    items = node.elts
    others = [[], items[:-1], items[1:], items[::-1], items[:1] + items, items + items]
    return [type(node)(**{**vars(node), "elts": other}) for other in others if other != items]


def variations(call, node, constants, draw):
    """Calls that differ from a call in one place."""
    found = []
    for at, (name, value) in enumerate(call.words):
        for other in varied(value, constants):
            words = call.words[:at] + [(name, other)] + call.words[at + 1 :]
            found.append(Call(words, call.rank + 1, call.imports))
    given = {name for name, _ in call.words if name}
    positional = [one.arg for one in node.args.posonlyargs + node.args.args]
    given |= set(positional[: sum(1 for name, _ in call.words if name is None)])
    found += [
        Call(call.words + [(name, value)], call.rank + 1, call.imports)
        for name, default in defaults_of(node)
        if name not in given
        for value in varied(default, constants)
    ]
    draw.shuffle(found)
    return found


def defaults_of(node):
    arguments = node.args
    positional = arguments.args
    pairs = list(zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults))
    pairs += zip(arguments.kwonlyargs, arguments.kw_defaults)
    return [(one.arg, default) for one, default in pairs if default is not None]


def varied(value, constants):
    """An expression with one constant or list in it replaced."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub) and isinstance(value.operand, ast.Constant):
        if isinstance(value.operand.value, (int, float)):
            value = ast.Constant(-value.operand.value)
    inner = [one for one in ast.walk(value) if isinstance(one, (ast.Constant, ast.List, ast.Tuple))]
    found = []
    for one in inner[:8]:
        if isinstance(one, ast.Constant):
            others = [ast.Constant(other) for other in neighbours(one.value, constants)]
        else:
            others = arrangements(one)
        found += [replaced(value, one, other) for other in others]
    return found


def replaced(value, old, new):
    if value is old:
        return new

    class Replace(ast.NodeTransformer):
        def visit(self, node):
            return new if node is old else self.generic_visit(node)

    # The copy shares the node to replace, so that it can be recognised by identity.
    return Replace().visit(copy.deepcopy(value, {id(old): old}))


def all_calls(seeds, node, constants, seed, is_usual):
    """The calls of a function to try, natural ones first, each once, without those that nobody would write."""
    draw = random.Random(seed)
    chosen, texts = [], set()

    def take(calls):
        for call in calls:
            text = str(call.texts())
            if text in texts or len(text) > 3 * LONGEST or len(chosen) >= MAX_CALLS:
                continue
            texts.add(text)
            if is_usual(call):
                chosen.append(call)

    take(seeds)
    first = chosen[:MAX_SEEDS]
    changed = [variations(one, node, constants, draw) for one in first]
    for turn in range(max((len(one) for one in changed), default=0)):
        take([one[turn] for one in changed if turn < len(one)])
    twice = [variations(draw.choice(chosen), node, constants, draw)[:3] for _ in range(60 if chosen else 0)]
    take([one for some in twice for one in some])
    return chosen


def is_builtin(name):
    return hasattr(builtins, name)
