"""What a test can record of a result or an error: an expression for it, or the class and the message."""

import builtins
import linecache
import os

LONGEST = 68
LONGEST_MESSAGE = 200
MAX_ITEMS = 20


def expression_of(value):
    """An expression that makes an equal value of the same type; None if there is no short and plain one."""
    text = expressed(value)
    return text if text is not None and len(text) <= LONGEST else None


def expressed(value):
    kind = type(value)
    if value is None or kind in (bool, int, str, bytes):
        return repr(value)
    if kind is float:
        text = repr(value)
        return text if text.strip("-")[0].isdigit() else None
    if kind not in (list, tuple, set, dict) or len(value) > MAX_ITEMS:
        return None
    if kind is dict:
        pairs = [(expressed(key), expressed(one)) for key, one in value.items()]
        if any(None in pair for pair in pairs):
            return None
        return "{%s}" % ", ".join("%s: %s" % pair for pair in pairs)
    items = [expressed(one) for one in value]
    if None in items:
        return None
    if kind is set:
        return "{%s}" % ", ".join(sorted(items)) if items else "set()"
    if kind is tuple:
        return "(%s)" % (items[0] + "," if len(items) == 1 else ", ".join(items))
    return "[%s]" % ", ".join(items)


def raised_by(error, root):
    """The class and the message of an error that a `raise` of the repository made; None for any other."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return None
    file = os.path.realpath(last.tb_frame.f_code.co_filename)
    line = linecache.getline(file, last.tb_lineno).strip()
    if not file.startswith(os.path.realpath(root) + os.sep) or not line.startswith("raise"):
        return None
    name = type(error).__name__
    if getattr(builtins, name, None) is not type(error):
        return None
    message = str(error)
    return [name, message] if "\n" not in message and "0x" not in message and len(message) <= LONGEST_MESSAGE else None
