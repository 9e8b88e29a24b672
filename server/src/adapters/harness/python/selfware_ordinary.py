"""Decides whether a maintainer would write the arguments of a call: values like those of the tests, none that are
empty, no negative numbers unless the tests or the code have some, and relations that all known calls keep."""

import ast
import re

from selfware_relations import find_relations, is_kept

# Words that any test may use.
PLAIN_TEXTS = ("foo", "bar", "foo bar")
# Number of texts that show how texts are written at a place; with fewer, those of other places count, too.
ENOUGH_TEXTS = 4
# Larger numbers have to occur in the code or its tests.
MAX_NUMBER = 1000
# Maximum number of signs in a text that has fewer letters and digits than these.
MAX_SIGNS = 4
# Maximum number of texts of the tests that are used as arguments of a function.
MAX_TEXTS = 12
TOKENS = re.compile(r"[^\W\d_]+|\d+|\s+|(.)\1*", re.S)
WORD_PARTS = re.compile(r"[A-Z]?[a-zà-ÿ]+|[A-Z]+")
# Code that distinguishes negative numbers: a comparison with 0, or a negative literal.
SIGNED = re.compile(r"[<>]=?\s*0\b|(?:[=(,:\[]|\breturn)\s*-\d")
MAKERS = frozenset("list dict set tuple frozenset str bytes bytearray".split())
EMPTY, NULL, OTHER = "empty", "null", "other"


class Ordinary:
    """What the tests and the code show of the arguments of a function. `seeds`: the calls of tests and documentation;
    `trees`: the code of the tests and of the module."""

    def __init__(self, node, seeds, trees):
        self.positional = [one.arg for one in node.args.posonlyargs + node.args.args]
        self.seen = {key_of(*leaf) for call in seeds for leaf in self.leaves(call)}
        self.here = {}
        for call in seeds:
            for place, kind, value in self.leaves(call):
                self.here.setdefault(place, []).append(value)
        constants = [one.value for tree in trees for one in ast.walk(tree) if isinstance(one, ast.Constant)]
        self.numbers = {one for one in constants if type(one) in (int, float)}
        self.own_texts = [one for values in self.here.values() for one in values if isinstance(one, str)]
        self.texts = {one for one in constants if isinstance(one, str) and len(one) <= 200}
        self.words = {word for one in self.texts.union(PLAIN_TEXTS) for word in words_of(one)}
        written = [one for one in self.texts if re.search(r"\w\w", one)]
        self.pairs = pairs_in([*self.own_texts, *written])
        code = ast.unparse(node)
        self.is_signed = SIGNED.search(code) is not None
        annotated = [one for one in node.args.posonlyargs + node.args.args + node.args.kwonlyargs if one.annotation]
        self.fractions = {one.arg for one in annotated if "float" in ast.unparse(one.annotation)}
        seeded = [[(place, value) for place, value in self.arguments(call)] for call in seeds]
        in_code = [list(self.named(one)) for tree in trees for one in ast.walk(tree) if is_call_of(one, node.name)]
        self.relations = find_relations(self.positional, [measured(one) for one in seeded + in_code], code)

    def is_usual(self, call):
        if not all(self.is_usual_leaf(*leaf) for leaf in self.leaves(call)):
            return False
        return is_kept(self.relations, measured(self.arguments(call)))

    def strangeness(self, call):
        """Number of values that no test passes at their place."""
        return sum(1 for leaf in self.leaves(call) if key_of(*leaf) not in self.seen)

    def texts_of_tests(self):
        """Texts that the tests pass to the function, as seeds of other arguments."""
        return list(dict.fromkeys(one for one in self.own_texts if 0 < len(one) <= 24))[:MAX_TEXTS]

    def arguments(self, call):
        """The arguments with the names of their parameters."""
        for at, (name, value) in enumerate(call.words):
            yield self.place_of(at, name), value

    def named(self, node):
        words = [(None, one) for one in node.args] + [(one.arg, one.value) for one in node.keywords]
        for at, (name, value) in enumerate(words):
            yield self.place_of(at, name), value

    def place_of(self, at, name):
        if name is not None:
            return name
        return self.positional[at] if at < len(self.positional) else "*"

    def leaves(self, call):
        return [leaf for place, value in self.arguments(call) for leaf in leaves_of(place, value)]

    def is_usual_leaf(self, place, kind, value):
        if kind == OTHER or key_of(place, kind, value) in self.seen:
            return True
        if kind in (EMPTY, NULL):
            return False
        if isinstance(value, bool):
            return True
        if isinstance(value, (int, float)):
            return self.is_usual_number(place, value)
        if isinstance(value, bytes):
            value = value.decode("latin-1")
        return not isinstance(value, str) or self.is_usual_text(place, value)

    def is_usual_number(self, place, value):
        here = [one for one in self.here.get(place, []) if type(one) in (int, float)]
        if value < 0 and not self.is_signed and not any(one < 0 for one in here):
            return False
        if value in self.numbers or -value in self.numbers:
            return True
        if not float(value).is_integer():
            # A type says that there are fractions, too.
            expected = place.split("[")[0] in self.fractions and float(value * 2).is_integer()
            return abs(value) <= MAX_NUMBER and (expected or any(not float(one).is_integer() for one in here))
        return abs(value) <= MAX_NUMBER

    def is_usual_text(self, place, text):
        here = [one for one in self.here.get(place, []) if isinstance(one, str)]
        if text.strip() == "":
            return False
        if len(text) == 1 and not (any(len(one) == 1 for one in here) if here else text in self.texts):
            return False
        signs = sum(1 for one in text if not (one.isalnum() or one in "_ "))
        if signs > MAX_SIGNS and signs > (len(text) - signs) * 2:
            return False
        if not any(one.isalnum() for one in text) or not all(word in self.words for word in words_of(text)):
            return False
        if len(set(here)) >= ENOUGH_TEXTS:
            pairs = pairs_in(here)
        elif len(set(self.own_texts)) >= ENOUGH_TEXTS:
            pairs = pairs_in(self.own_texts)
        else:
            pairs = self.pairs
        return all(pair in pairs for pair in pairs_of(text))


def leaves_of(place, value):
    """The values that hold no others, and empty ones: place, kind and value."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub) and isinstance(value.operand, ast.Constant):
        if type(value.operand.value) in (int, float):
            return [(place, "value", -value.operand.value)]
    if isinstance(value, ast.Constant):
        return [(place, NULL if value.value is None else "value", value.value)]
    if isinstance(value, (ast.List, ast.Tuple, ast.Set)):
        inner = [leaf for one in value.elts for leaf in leaves_of(place + "[]", one)]
        return inner if value.elts else [(place, EMPTY, None)]
    if isinstance(value, ast.Dict):
        inner = [leaf for one in value.keys if one is not None for leaf in leaves_of(place + "[key]", one)]
        inner += [leaf for one in value.values for leaf in leaves_of(place + "[value]", one)]
        return inner if value.values else [(place, EMPTY, None)]
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        if value.func.id in MAKERS and not value.args and not value.keywords:
            return [(place, EMPTY, None)]
        if value.func.id == "float" and isinstance(value.args[0] if value.args else None, ast.Constant):
            return [(place, NULL, ast.unparse(value))]
        words = value.args + [one.value for one in value.keywords]
        return [leaf for one in words for leaf in leaves_of("%s[%s]" % (place, value.func.id), one)]
    return [(place, OTHER, None)]


def key_of(place, kind, value):
    return (place, kind, type(value).__name__, repr(value))


def words_of(text):
    """The words of a text in lower case, those in camel case apart."""
    return [one.lower() for one in WORD_PARTS.findall(text)]


def pairs_in(texts):
    return {pair for one in [*texts, *PLAIN_TEXTS] for pair in pairs_of(one)}


def pairs_of(text):
    """The pairs of neighbours in a text, its start and its end included. Words are alike, and so are numbers."""
    tokens = [one.group() for one in TOKENS.finditer(text)]
    kinds = ["word" if one[0].isalpha() else "number" if one[0].isdigit() else one for one in tokens]
    return list(zip(["start"] + kinds, kinds + ["end"]))


def is_call_of(node, name):
    if not isinstance(node, ast.Call) or any(isinstance(one, ast.Starred) for one in node.args):
        return False
    return name == (node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None))


def measured(arguments):
    """The numbers, and the elements of the lists, among these arguments."""
    found = {}
    for place, value in arguments:
        number = number_of(value)
        if number is not None:
            found[place] = number
        elif isinstance(value, (ast.List, ast.Tuple)):
            found[place] = [number_of(one) for one in value.elts]
    return found


def number_of(value):
    leaves = leaves_of("", value) if isinstance(value, (ast.Constant, ast.UnaryOp)) else []
    return leaves[0][2] if leaves and type(leaves[0][2]) in (int, float) else None
