"""Describes the parameters of a function by shapes: plain data from which `selfware_inputs` makes expressions."""

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import fractions
import inspect
import numbers
import os
import pathlib
import re
import types
import typing

DEPTH = 3


class Unsupported(Exception):
    """Says what cannot be generated, as the end of a sentence."""


def text_of(*expressions):
    return {"kind": "text", "of": list(expressions)}


INT, FLOAT, STR, ANY = ({"kind": kind} for kind in ("int", "float", "str", "any"))
PLAIN = {
    int: INT,
    float: FLOAT,
    bool: {"kind": "bool"},
    str: STR,
    bytes: {"kind": "bytes"},
    object: ANY,
    typing.Any: ANY,
    None: text_of("None"),
    type(None): text_of("None"),
    complex: text_of("0j", "1j", "(1.5-2j)"),
    bytearray: text_of('bytearray(b"")', 'bytearray(b"a")', 'bytearray(b"\\x00\\xff")'),
    memoryview: text_of('memoryview(b"ab")'),
    numbers.Number: FLOAT,
    numbers.Complex: FLOAT,
    numbers.Real: FLOAT,
    numbers.Integral: INT,
    typing.SupportsFloat: FLOAT,
    typing.SupportsInt: FLOAT,
    typing.SupportsIndex: INT,
    typing.SupportsAbs: FLOAT,
    typing.SupportsRound: FLOAT,
    collections.abc.Hashable: ANY,
    collections.abc.Sized: STR,
    decimal.Decimal: text_of('Decimal("0")', 'Decimal("1.50")', 'Decimal("-3")', 'Decimal("1E+5")'),
    fractions.Fraction: text_of("Fraction(0)", "Fraction(1, 3)", "Fraction(-7, 2)"),
    datetime.date: text_of("date(2000, 2, 29)", "date(1970, 1, 1)", "date(2024, 12, 31)"),
    datetime.datetime: text_of(
        "datetime(2000, 2, 29, 12, 30)",
        "datetime(1970, 1, 1)",
        "datetime(2024, 12, 31, 23, 59, 59, tzinfo=timezone.utc)",
    ),
    datetime.time: text_of("time(0, 0)", "time(23, 59, 59)"),
    datetime.timedelta: text_of(
        "timedelta(0)",
        "timedelta(seconds=1)",
        "timedelta(seconds=-1)",
        "timedelta(minutes=59, seconds=59)",
        "timedelta(hours=23)",
        "timedelta(days=1)",
        "timedelta(days=30)",
        "timedelta(days=364)",
        "timedelta(days=400, microseconds=5)",
        "timedelta(microseconds=999)",
    ),
    datetime.tzinfo: text_of("timezone.utc"),
    datetime.timezone: text_of("timezone.utc"),
    pathlib.Path: text_of('Path("a/b.txt")', 'Path(".")', 'Path("/x")'),
    pathlib.PurePath: text_of('Path("a/b.txt")', 'Path(".")', 'Path("/x")'),
    os.PathLike: text_of('Path("a/b.txt")', 'Path("/x")'),
    re.Pattern: text_of('re.compile("a")', 're.compile("[0-9]+")'),
    type: text_of("int", "str"),
}
LISTS = {
    list: "%s",
    collections.abc.Sequence: "%s",
    collections.abc.MutableSequence: "%s",
    collections.abc.Iterable: "%s",
    collections.abc.Collection: "%s",
    collections.abc.Reversible: "%s",
    collections.abc.Container: "%s",
    collections.abc.Iterator: "iter(%s)",
    collections.abc.Generator: "iter(%s)",
    set: "set(%s)",
    collections.abc.Set: "set(%s)",
    collections.abc.MutableSet: "set(%s)",
    frozenset: "frozenset(%s)",
    collections.deque: "deque(%s)",
}
DICTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
CALLABLES = text_of("(lambda *a, **k: a[0] if a else None)", "(lambda *a, **k: 0)", "(lambda *a, **k: True)")


class Shapes:
    """`bindings` collects the classes that expressions name."""

    def __init__(self, names):
        self.names = names  # further names for annotations
        self.bindings = {}

    def parameters_of(self, function, skip_first=False, depth=0):
        try:
            signature = inspect.signature(function)
            hints = typing.get_type_hints(inspect.unwrap(function), localns=self.names)
        except Exception as error:
            raise Unsupported("its types cannot be read (%s)" % type(error).__name__) from error
        found = []
        for index, parameter in enumerate(signature.parameters.values()):
            if skip_first and index == 0:
                continue
            if parameter.kind is parameter.VAR_KEYWORD:
                raise Unsupported("the parameter `**%s` takes any names" % parameter.name)
            optional = parameter.default is not parameter.empty
            if parameter.name not in hints:
                raise Unsupported("the parameter `%s` has no type" % parameter.name)
            kind = {
                parameter.POSITIONAL_ONLY: "positional",
                parameter.POSITIONAL_OR_KEYWORD: "either",
                parameter.VAR_POSITIONAL: "rest",
                parameter.KEYWORD_ONLY: "named",
            }[parameter.kind]
            try:
                shape = self.shape(hints[parameter.name], depth)
            except Unsupported as error:
                raise Unsupported("the parameter `%s`: %s" % (parameter.name, error)) from error
            found.append({"name": parameter.name, "kind": kind, "optional": optional, "shape": shape})
        return found

    def shape(self, hint, depth=0):
        origin = typing.get_origin(hint)
        arguments = typing.get_args(hint)
        if getattr(typing, "Annotated", None) is not None and hasattr(hint, "__metadata__"):
            return self.shape(arguments[0], depth)
        try:
            if hint in PLAIN:
                return PLAIN[hint]
        except TypeError:
            pass
        if origin is typing.Union or origin is getattr(types, "UnionType", ()):
            return {"kind": "union", "of": self.possible(arguments, depth)}
        if origin is typing.Literal:
            return text_of(*[self.literal(one) for one in arguments])
        if origin is tuple or hint is tuple:
            return self.tuple_of(arguments, depth)
        bare = origin or hint
        if isinstance(bare, type) or bare in LISTS or bare in DICTS:
            found = self.container(bare, arguments, depth)
            if found is not None:
                return found
        if isinstance(hint, typing.TypeVar):
            if hint.__constraints__:
                return {"kind": "union", "of": self.possible(hint.__constraints__, depth)}
            return self.shape(hint.__bound__, depth) if hint.__bound__ is not None else INT
        if hasattr(hint, "__supertype__"):
            return self.shape(hint.__supertype__, depth)
        if isinstance(bare, type):
            return self.class_of(bare, depth)
        raise Unsupported("values of `%s` cannot be generated" % shortened(hint))

    def possible(self, hints, depth):
        found, refused = [], None
        for hint in hints:
            try:
                found.append(self.shape(hint, depth))
            except Unsupported as error:
                refused = error
        # With a part of a union left out, the comparison would be silent about it.
        if refused is not None:
            raise refused
        return found

    def literal(self, value):
        return self.member(value) if isinstance(value, enum.Enum) else repr(value)

    def member(self, value):
        return "%s.%s" % (self.bind(type(value)), value.name)

    def tuple_of(self, arguments, depth):
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return {"kind": "list", "form": "tuple(%s)", "of": self.shape(arguments[0], depth)}
        if not arguments:
            return {"kind": "list", "form": "tuple(%s)", "of": ANY}
        return {"kind": "tuple", "of": [self.shape(one, depth) for one in arguments if one != ()]}

    def container(self, bare, arguments, depth):
        if bare in LISTS:
            return {
                "kind": "list",
                "form": LISTS[bare],
                "of": self.shape(arguments[0], depth) if arguments else ANY,
            }
        if bare in DICTS:
            key, value = arguments if len(arguments) == 2 else (str, typing.Any)
            return {"kind": "dict", "key": self.shape(key, depth), "value": self.shape(value, depth)}
        if bare is collections.abc.Callable:
            return CALLABLES
        if bare is type or bare in PLAIN:
            return PLAIN[bare]
        return None

    def class_of(self, one, depth):
        if depth > DEPTH:
            raise Unsupported("`%s` is nested too deeply" % one.__qualname__)
        if issubclass(one, enum.Enum):
            if not list(one):
                raise Unsupported("`%s` has no members" % one.__qualname__)
            return text_of(*[self.member(value) for value in one])
        if hasattr(one, "__total__") and issubclass(one, dict):
            hints = typing.get_type_hints(one, localns=self.names)
            required = getattr(one, "__required_keys__", set(hints))
            fields = [
                {"name": name, "optional": name not in required, "shape": self.shape(hint, depth + 1)}
                for name, hint in hints.items()
            ]
            return {"kind": "fields", "fields": fields}
        if getattr(one, "_is_protocol", False) or inspect.isabstract(one):
            raise Unsupported("`%s` is abstract" % one.__qualname__)
        return {"kind": "make", "name": self.bind(one), "parameters": self.constructor_of(one, depth + 1)}

    def constructor_of(self, one, depth):
        if dataclasses.is_dataclass(one) or isinstance(one.__dict__.get("__init__"), types.FunctionType):
            return self.parameters_of(one.__init__, skip_first=True, depth=depth)
        if issubclass(one, tuple) and hasattr(one, "_fields"):
            return self.parameters_of(one.__new__, skip_first=True, depth=depth)
        init = one.__init__
        if isinstance(init, types.FunctionType):
            return self.parameters_of(init, skip_first=True, depth=depth)
        if init is object.__init__ and one.__new__ is object.__new__:
            return []
        raise Unsupported("values of `%s` cannot be generated" % one.__qualname__)

    def bind(self, one):
        if "<locals>" in one.__qualname__:
            raise Unsupported("`%s` is defined in a function" % one.__name__)
        place = (one.__module__, one.__qualname__)
        name = one.__name__
        while self.bindings.get(name, place) != place:
            name += "_"
        self.bindings[name] = place
        return name


def shortened(hint):
    text = hint.__name__ if isinstance(hint, type) else repr(hint)
    return text if len(text) <= 60 else text[:59] + "…"
