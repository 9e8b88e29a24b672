"""What a call returned, as plain data that is equal for equal values of two processes, and as text for a person."""

import ast
import collections
import collections.abc
import dataclasses
import enum
import io
import json
import re
import types

MAX_ITEMS = 200
MAX_NODES = 20_000
DEPTH = 12
ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
# Modules of classes whose text contains the whole value.
TELLING = ("datetime", "decimal", "fractions", "pathlib", "uuid", "ipaddress", "builtins")
VIEWS = (collections.abc.KeysView, collections.abc.ValuesView, collections.abc.ItemsView)
# Classes written in C that hold nothing besides their attributes.
OPEN = (object, types.SimpleNamespace, ast.AST)
BASES = (list, set, frozenset, tuple, str, bytes, int, float)


class Opaque(Exception):
    """A value that cannot be compared."""


def state_of(value):
    """The attributes of a value whose class defines no text, otherwise the value: what a person is shown."""
    return vars(value) if type(value).__repr__ is object.__repr__ and hasattr(value, "__dict__") else value


def left_in(value):
    """The state of an argument after the call; None for one that cannot be compared."""
    try:
        return Canon().of(value, 0)
    except Opaque:
        return None


def finished(value):
    """The result of a coroutine, and a list of what an iterator yields."""
    if isinstance(value, types.CoroutineType):
        import asyncio

        return finished(asyncio.run(value))
    if isinstance(value, collections.abc.Iterator) and not isinstance(value, io.IOBase):
        items = []
        for item in value:
            items.append(item)
            if len(items) >= MAX_ITEMS:
                break
        return Yielded(items)
    return value


class Yielded:
    def __init__(self, items):
        self.items = items


def shown(value):
    text = "yields %s" % short(value.items) if isinstance(value, Yielded) else short(value)
    return ADDRESS.sub("0x", text)


def short(value):
    try:
        text = repr(value)
    except BaseException as error:
        text = "<%s whose repr raises %s>" % (type(value).__name__, type(error).__name__)
    return text if len(text) <= 300 else text[:299] + "…"


def is_plain(value):
    """True if the text of the value is an expression for it."""
    if value is None or isinstance(value, (bool, int, str, bytes)):
        return type(value) in (type(None), bool, int, str, bytes) and len(repr(value)) < 300
    if type(value) is float:
        return repr(value).strip("-")[0].isdigit()
    if type(value) in (list, tuple):
        return len(value) < 20 and all(is_plain(one) for one in value)
    if type(value) is dict:
        return len(value) < 20 and all(is_plain(one) for pair in value.items() for one in pair)
    return False


class Canon:
    """Plain data that is equal for equal values of either side. Raises Opaque for a value that cannot be compared."""

    def __init__(self):
        self.nodes = 0
        self.open = {}

    def of(self, value, depth):
        self.nodes += 1
        if self.nodes > MAX_NODES or depth > DEPTH:
            raise Opaque("a value that is too large to compare")
        kind = type(value)
        if value is None or kind in (bool, int):
            return [kind.__name__, str(value)] if kind is not int else ["int", hex(value)]
        if kind in (float, complex):
            return [kind.__name__, repr(value)]
        if kind is str:
            return ["str", value.encode("utf-8", "surrogatepass").hex() if not value.isascii() else value]
        if kind in (bytes, bytearray):
            return [kind.__name__, bytes(value).hex()]
        if id(value) in self.open:
            return ["again", self.open[id(value)]]
        self.open[id(value)] = len(self.open)
        try:
            return self.of_parts(value, kind, depth + 1)
        finally:
            del self.open[id(value)]

    def of_parts(self, value, kind, depth):
        name = "%s.%s" % (kind.__module__, kind.__qualname__)
        if isinstance(value, Yielded):
            return ["yielded", [self.of(one, depth) for one in value.items]]
        if isinstance(value, enum.Enum):
            return [name, value.name]
        if isinstance(value, type):
            return ["type", "%s.%s" % (value.__module__, value.__qualname__)]
        if kind in (list, tuple) or (isinstance(value, tuple) and hasattr(value, "_fields")):
            return [name, [self.of(one, depth) for one in value]]
        if isinstance(value, collections.deque):
            return [name, [self.of(one, depth) for one in value], value.maxlen, self.state(value, depth)]
        if kind in (set, frozenset):
            return [name, sorted(json.dumps(self.of(one, depth)) for one in value)]
        if isinstance(value, dict):
            items = [[self.of(key, depth), self.of(one, depth)] for key, one in value.items()]
            made = self.made_by(value.default_factory, depth) if isinstance(value, collections.defaultdict) else None
            return [name, items, self.state(value, depth), made]
        if kind is re.Match:
            return [name, self.of([value.string, value.regs, value.groupdict()], depth)]
        if kind is re.Pattern:
            return [name, self.of([value.pattern, value.flags], depth)]
        if isinstance(value, VIEWS):
            return [name, self.of(list(value), depth)]
        if kind is types.MappingProxyType:
            return [name, self.of(dict(value), depth)]
        if isinstance(value, BaseException):
            arguments = [ADDRESS.sub("0x", one) if type(one) is str else one for one in value.args]
            return [name, self.of(arguments, depth), self.state(value, depth)]
        if kind.__module__ in TELLING:
            text = repr(value)
            if ADDRESS.search(text):
                raise Opaque("a `%s`, which cannot be compared" % kind.__name__)
            return [name, text]
        if dataclasses.is_dataclass(value) and not has_hidden_data(kind):
            names = [one.name for one in dataclasses.fields(value)]
            return [name, [[one, self.of(getattr(value, one, None), depth)] for one in names]]
        if isinstance(value, BASES):
            base = next(one for one in BASES if isinstance(value, one))
            return [name, self.of(base(value), depth), self.state(value, depth)]
        state = self.state(value, depth)
        if state is None or callable(value) or has_hidden_data(kind):
            raise Opaque("a `%s`, which cannot be compared" % kind.__name__)
        return [name, state]

    def made_by(self, factory, depth):
        """What a factory of missing values makes; its own name may move with any change."""
        if factory is None or isinstance(factory, type):
            return self.of(factory, depth)
        try:
            return ["made", self.of(factory(), depth)]
        except Exception as error:
            raise Opaque("a `defaultdict` whose factory fails") from error

    def state(self, value, depth):
        """The attributes of an object; None = it has none that are known."""
        names = [one for cls in type(value).__mro__ for one in slots_of(cls)]
        if not hasattr(value, "__dict__") and not names:
            return None
        found = dict(getattr(value, "__dict__", {}))
        for one in names:
            try:
                found[one] = getattr(value, one)
            except AttributeError:
                continue
        return [
            [key, self.of(one, depth)] for key, one in sorted(found.items(), key=lambda pair: str(pair[0]))
        ]


def has_hidden_data(kind):
    """True for a class that inherits from one that is written in C: its attributes are not all that it holds."""
    return any(
        isinstance(one.__dict__.get("__new__"), types.BuiltinFunctionType)
        for one in kind.__mro__
        if one not in OPEN
    )


def slots_of(cls):
    """The attributes that a class reserves, under the names by which they are read."""
    slots = cls.__dict__.get("__slots__", ())
    names = [slots] if isinstance(slots, str) else list(slots)
    return [mangled(cls, one) for one in names if one not in ("__dict__", "__weakref__")]


def mangled(cls, name):
    is_private = name.startswith("__") and not name.endswith("__")
    return "_%s%s" % (cls.__name__.lstrip("_"), name) if is_private else name
