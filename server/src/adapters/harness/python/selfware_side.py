"""One side of a comparison: loads the old or the new code, and answers calls, one line of JSON each.

Started by `selfware_compare.py` with a file that says what to load. What a call would do outside of the process (write
a file, start a process, connect) is refused, and told.
"""

import collections
import contextlib
import datetime
import decimal
import fractions
import hashlib
import importlib
import importlib.machinery
import io
import json
import os
import pathlib
import random
import re
import signal
import sys
import time
import types
import warnings

from selfware_lines import Recorder
from selfware_recorded import expression_of, raised_by
from selfware_shapes import Shapes, Unsupported
from selfware_values import ADDRESS, MAX_ITEMS, Canon, Opaque, Yielded, finished, is_plain, left_in, shown, state_of

CALL_SECONDS = 1.0
SEVERAL_SECONDS = 8.0
MAX_OUTPUT = 100_000
MEMORY = 2 * 1024**3
OUTSIDE = re.compile(
    r"^(?:os\.(?:remove|rename|rmdir|mkdir|link|symlink|chmod|chown|truncate|utime|putenv|unsetenv|lockf)"
    r"|os\.(?:system|exec|fork|forkpty|posix_spawn|spawn|kill|killpg|chdir)"
    r"|socket\.(?:connect|bind|getaddrinfo|sendto|gethostby\w+)"
    r"|(?:shutil|tempfile|ftplib|smtplib)\.\w+"
    r"|subprocess\.Popen|webbrowser\.open|sqlite3\.connect|urllib\.Request|pty\.spawn|signal\.pthread_kill)$"
)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
NAMES = {
    "Decimal": decimal.Decimal,
    "Fraction": fractions.Fraction,
    "Path": pathlib.Path,
    "date": datetime.date,
    "datetime": datetime.datetime,
    "deque": collections.deque,
    "re": re,
    "time": datetime.time,
    "timedelta": datetime.timedelta,
    "timezone": datetime.timezone,
}


# Matches the lines of a traceback, which change with the place of the code.
TRACEBACK = re.compile(r"(?<=Traceback \(most recent call last\):\n)(?:[ \t].*\n)*")


class OutOfTime(BaseException):
    pass


class Refused(PermissionError):
    pass


class Watch:
    """Refuses what reaches outside of the process while a call runs."""

    def __init__(self):
        self.active = False
        self.reached = None

    def on_event(self, event, arguments):
        if not self.active:
            return
        writes = event == "open" and (
            (isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"))
            or (isinstance(arguments[2], int) and arguments[2] & WRITING)
        )
        if writes or OUTSIDE.match(event):
            self.reached = "writes a file" if writes else "reaches outside of the process (`%s`)" % event
            raise Refused("Not allowed while code is compared.")


class Side:
    def __init__(self, order):
        self.texts = {os.path.realpath(path): text for path, text in order["texts"]}
        self.modules = {}
        self.watch = Watch()
        self.recorder = Recorder({os.path.realpath(path): set(lines) for path, lines in order["lines"]})
        self.hints = order["hints"]
        # Only results that a test shall record are asked for with it.
        self.recorded_root = order.get("recordedRoot")
        self.random_seed = order.get("randomSeed", 0)
        self.bindings = {}
        sys.path[:0] = order["roots"]

    def load(self, modules):
        serve_texts(self.texts)
        tell_warnings_alike()
        sys.addaudithook(self.watch.on_event)
        self.recorder.start()
        for path, name in modules:
            try:
                self.modules[path] = importlib.import_module(name)
            except BaseException as error:
                return "%s cannot be loaded: %s: %s" % (path, type(error).__name__, str(error)[:200])
            file = getattr(self.modules[path], "__file__", None) or ""
            if os.path.realpath(file) != os.path.realpath(path):
                return "%s is not the file that `import %s` loads." % (path, name)
        # No input has reached what ran while the modules were loaded.
        self.recorder.taken()
        return None

    def shapes(self, target):
        module = self.modules[target["path"]]
        shapes = Shapes(names_for_hints(module, self.hints.get(target["path"], [])))
        owner, function = resolve(module, target["name"])
        kind = target["kind"]
        own = None
        if kind in ("method", "property", "init"):
            own = shapes.class_of(owner, 0)
        first = kind == "method"
        parameters = [] if kind in ("property", "init") else shapes.parameters_of(function, skip_first=first)
        return {"parameters": parameters, "self": own, "bindings": shapes.bindings}

    def state(self, path):
        """The variables of a module that calls may have changed, as far as they can be compared."""
        found = {}
        for name, value in vars(self.modules[path]).items():
            if (
                not name.startswith("__")
                and not isinstance(value, (types.ModuleType, type))
                and not callable(value)
            ):
                found[name] = left_in(value)
        return found

    def call(self, order):
        names = dict(NAMES)
        for name, (module, qualname) in order["bindings"].items():
            names[name] = resolve(importlib.import_module(module), qualname)[1]
        random.seed(self.random_seed)
        self.watch.reached = None
        out, errors = io.StringIO(), io.StringIO()
        told = {}
        signal.setitimer(signal.ITIMER_REAL, CALL_SECONDS)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
                self.watch.active = True
                told = self.perform(order, names)
        except OutOfTime:
            told = {"outcome": "timeout"}
        except MemoryError:
            told = {"outcome": "memory"}
        except RecursionError:
            told = {"outcome": "raised", "text": "RecursionError", "value": "RecursionError"}
        except Opaque as error:
            told = {"outcome": "opaque", "text": str(error)}
        except BaseException as error:
            told = raised(error)
        finally:
            self.watch.active = False
            signal.setitimer(signal.ITIMER_REAL, 0)
        told["printed"], told["errors"] = whole(out.getvalue()), whole(TRACEBACK.sub("", errors.getvalue()))
        told["reached"] = self.watch.reached
        return told

    def several(self, orders):
        """The calls, each with the lines that it runs; those after the time count as not answered."""
        answers, end = [], time.monotonic() + SEVERAL_SECONDS
        for order in orders:
            if time.monotonic() > end:
                answers.append({"outcome": "timeout"})
                continue
            self.recorder.taken()
            told = self.call(order)
            answers.append({**told, "lines": [list(line) for line in self.recorder.taken()]})
        return answers

    def perform(self, order, names):
        """Makes the arguments, then the call. What the call leaves in its arguments counts, also if it raises."""
        given = []
        try:
            value = self.value_of_call(order, names, given)
        except (OutOfTime, MemoryError, RecursionError):
            raise
        except BaseException as error:
            told = raised(error)
            return {
                **told,
                **self.recorded_error(error),
                "value": [*told["value"], left_in(error), [left_in(one) for one in given]],
                "left": state_text(given),
            }
        left = [left_in(one) for one in given]
        return {
            "outcome": "returned",
            "text": shown(value),
            "value": [Canon().of(value, 0), left],
            "left": state_text(given),
            "test": repr(value) if is_plain(value) else None,
            **self.recorded(value),
        }

    def recorded(self, value):
        if self.recorded_root is None:
            return {}
        if not isinstance(value, Yielded):
            return {"recorded": expression_of(value), "form": "value"}
        whole = len(value.items) < MAX_ITEMS
        return {"recorded": expression_of(value.items) if whole else None, "form": "items"}

    def recorded_error(self, error):
        if self.recorded_root is None:
            return {}
        classes = {"classes": [one.__name__ for one in type(error).__mro__ if one.__module__ == "builtins"]}
        own = raised_by(error, self.recorded_root)
        return classes if own is None else {**classes, "recorded": own[0], "message": own[1], "form": "error"}

    def value_of_call(self, order, names, given):
        """`given` receives the object and the arguments, as soon as they are made."""

        def value_of(expression):
            return eval(compile(expression, "<call>", "eval"), {"__builtins__": __builtins__, **names})

        kind = order["kind"]
        instance = None if order["instance"] is None else value_of(order["instance"])
        words = [(name, value_of(expression)) for name, expression in order["words"]]
        positional = [one for name, one in words if name is None]
        named = {name: one for name, one in words if name is not None}
        given += [instance, *positional, *named.values()]
        function = getattr(instance, order["member"]) if kind == "method" else None
        if kind in ("function", "static"):
            function = resolve(self.modules[order["path"]], order["name"])[1]
        if kind == "init":
            return instance
        if kind == "property":
            return finished(getattr(instance, order["member"]))
        return finished(function(*positional, **named))


def whole(text):
    """A text that is equal for equal outputs, however long they are."""
    if len(text) <= MAX_OUTPUT:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return "%s… (%d characters, SHA-256 %s)" % (text[:MAX_OUTPUT], len(text), digest)


def state_text(given):
    return ", ".join(shown(state_of(one)) for one in given if one is not None)[:300]


def raised(error):
    try:
        message = ADDRESS.sub("0x", str(error))[:500]
    except BaseException:
        message = "?"
    name = type(error).__qualname__
    # The class may be defined in a module of either side, so its name counts.
    text = name if message == "" else "%s: %s" % (name, message)
    own = getattr(error, "__dict__", None)
    text += " (with %s)" % shown(own) if own else ""
    return {"outcome": "raised", "text": text, "value": [type(error).__module__, name, message]}


def resolve(module, qualname):
    """The owner and the value of a dotted name."""
    owner, value = None, module
    for name in qualname.split(".") if qualname else []:
        owner, value = value, getattr(value, name)
    return owner, value


def names_for_hints(module, imports):
    """The names of a module, and those that it has only for type checkers."""
    names = dict(vars(module))
    for text in imports:
        try:
            exec(compile(text, "<hints>", "exec"), names)
        except BaseException:
            continue
    return names


def serve_texts(texts):
    """Loads the texts of the order, which for the old side are not those on disk."""
    loader = importlib.machinery.SourceFileLoader
    original = loader.get_code

    def get_code(self, name):
        file = self.get_filename(name)
        text = texts.get(os.path.realpath(file))
        if text is None:
            return original(self, name)
        return compile(text.lstrip("\ufeff"), file, "exec", dont_inherit=True)

    loader.get_code = get_code


def tell_warnings_alike():
    """Makes warnings comparable: they name no line, and do not depend on whether the same warning came before."""

    def show(message, category, filename, lineno, file=None, line=None):
        (file or sys.stderr).write("%s: %s\n" % (category.__name__, message))

    warnings.showwarning = show
    warnings.defaultaction = "always"


def shift_clock(seconds):
    """Sets another time for code that is loaded later."""
    moment, day, elapsed = datetime.datetime, datetime.date, datetime.timedelta(seconds=seconds)
    now, gmtime, localtime = time.time, time.gmtime, time.localtime
    time.time = lambda: now() + seconds
    time.gmtime = lambda at=None: gmtime(time.time() if at is None else at)
    time.localtime = lambda at=None: localtime(time.time() if at is None else at)

    class SameInstances(type):
        def __instancecheck__(cls, one):
            return isinstance(one, cls.__bases__[0])

    class Moment(moment, metaclass=SameInstances):
        @classmethod
        def now(cls, tz=None):
            return moment.now(tz) + elapsed

        @classmethod
        def utcnow(cls):
            return moment.now(datetime.timezone.utc).replace(tzinfo=None) + elapsed

        @classmethod
        def today(cls):
            return moment.now() + elapsed

    class Day(day, metaclass=SameInstances):
        @classmethod
        def today(cls):
            return day.today() + elapsed

    datetime.datetime, datetime.date = Moment, Day


def limit():
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def on_alarm(number, frame):
    raise OutOfTime()


def main():
    # Code under comparison may read its input and write its output: the channel is moved away from both.
    reading = os.fdopen(os.dup(0), "r", encoding="utf-8")
    writing = os.fdopen(os.dup(1), "w", encoding="utf-8")
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    limit()
    signal.signal(signal.SIGALRM, on_alarm)
    with open(sys.argv[1], encoding="utf-8") as file:
        order = json.load(file)
    if order.get("clockShift"):
        shift_clock(order["clockShift"])
    side = Side(order)

    def tell(message):
        writing.write(json.dumps(message) + "\n")
        writing.flush()

    tell({"obstacle": side.load(order["modules"])})
    for line in reading:
        asked = json.loads(line)
        if asked["ask"] == "shapes":
            try:
                tell(side.shapes(asked["target"]))
            except Unsupported as error:
                tell({"refused": str(error)})
            except Exception as error:
                tell({"refused": "its types cannot be read (%s)" % type(error).__name__})
        elif asked["ask"] == "call":
            tell(side.call(asked))
        elif asked["ask"] == "several":
            tell({"answers": side.several(asked["calls"])})
        elif asked["ask"] == "state":
            tell(side.state(asked["path"]))
        else:
            tell({"lines": [list(line) for line in side.recorder.seen]})


if __name__ == "__main__":
    main()
