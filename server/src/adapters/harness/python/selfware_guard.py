"""Tries mutants inside one run of pytest, each in a process forked after the tests were collected.

pytest loads this module by `-p`. The order names the mutants; one line of JSON for each mutant is appended to the
results. A mutant that this run cannot judge gets the fate `own`: it needs a separate run of the tests.
"""

import gc
import importlib.machinery
import json
import os
import select
import signal
import sys
import time
import types

import pytest
from selfware_lines import Recorder

ORDER_VARIABLE = "SELFWARE_IN_TESTS"
OPTIMISED = 0x1  # inspect.CO_OPTIMIZED: the code of a function, as opposed to that of a module or class body.
# On Linux, each forked process gets its own session, by which it is ended. On other systems, the sandbox ends the whole
# run by its process group, which no process may leave.
IS_LINUX = sys.platform == "linux"
# The time limit with a mutant: TIME_FACTOR times the duration without one, plus EXTRA_SECONDS.
TIME_FACTOR = 3
EXTRA_SECONDS = 5.0
# Audit events by which a test starts a process. Lines that run there are not recorded here.
PROCESSES = {
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.fork",
    "os.forkpty",
}


class Mutant:
    def __init__(self, number, path, text, mutated, lines):
        self.number = number
        self.path = path
        self.text = text
        self.mutated = mutated
        self.lines = lines


class Order:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            order = json.load(file)
        self.until = order["until"] / 1000
        self.results = order["results"]
        texts = {os.path.realpath(path): text for path, text in order["files"]}
        self.mutants = []
        for number, path, start, end, text, first, last in order["mutants"]:
            real = os.path.realpath(path)
            mutated = texts[real][:start] + text + texts[real][end:]
            self.mutants.append(Mutant(number, real, texts[real], mutated, range(first, last + 1)))

    def wanted(self):
        wanted = {}
        for mutant in self.mutants:
            wanted.setdefault(mutant.path, set()).update(mutant.lines)
        return wanted

    def tell(self, mutant, fate, by=None):
        line = {"mutant": mutant.number, "fate": fate}
        if by is not None:
            line["by"] = by
        with open(self.results, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


class Plugin:
    def __init__(self, order):
        self.order = order
        self.recorder = Recorder(order.wanted())
        self.failed = None
        self.shared = set()
        self.recording = False
        self.spawned = False
        self.untraced = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        # If something has replaced the trace function, it is unknown which lines ran until now.
        self.untraced = sys.gettrace() != self.recorder.on_call
        self.recorder.stop()
        at_collection = self.recorder.taken()
        if session.testsfailed or not session.items:
            return None
        session.config.option.maxfail = 0
        self.judge(session.items, at_collection)
        return True

    def pytest_runtest_logreport(self, report):
        if report.failed and self.failed is None:
            self.failed = report.nodeid

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef, request):
        before = set(self.recorder.seen) if self.recording else None
        yield
        # All tests that use the fixture count as reaching the lines that it runs.
        if before is not None and fixturedef.scope != "function":
            self.shared |= self.recorder.seen - before

    def judge(self, items, at_collection):
        order = self.order
        judged = []
        for mutant in order.mutants:
            if compiles_alike(mutant):
                order.tell(mutant, "invalid")
            else:
                judged.append(mutant)
        control = in_child(lambda: self.run_control(items), max(1.0, order.until - time.time()))
        if control is None or not any(one["ok"] for one in control["items"]):
            return
        runs = [
            (item, one["seconds"], {tuple(line) for line in one["lines"]})
            for item, one in zip(items, control["items"])
            if one["ok"]
        ]
        shared = {tuple(line) for line in control["shared"]}
        confirmed = set()
        for mutant in judged:
            if time.time() > order.until:
                break
            places = {(mutant.path, line) for line in mutant.lines}
            reaching = runs if places & shared else [run for run in runs if run[2] & places]
            is_sure = not (places & at_collection or control["spawned"] or self.untraced)
            if not reaching:
                order.tell(mutant, "unreached" if is_sure else "own")
                continue
            fate, by = self.fate_of(mutant, reaching, confirmed)
            order.tell(mutant, "own" if fate == "survived" and not is_sure else fate, by)

    def fate_of(self, mutant, reaching, confirmed):
        items = [item for item, _, _ in reaching]
        seconds = EXTRA_SECONDS + TIME_FACTOR * sum(one for _, one, _ in reaching)
        started = time.time()
        answer = in_child(lambda: self.run_mutant(mutant, items), seconds)
        if answer is None:
            return ("stopped" if time.time() - started >= seconds else "own"), None
        if answer["fate"] != "noticed":
            return answer["fate"], None
        # The test may depend on tests that did not run: then it fails without the mutant as well.
        until = answer["at"] + 1
        key = tuple(item.nodeid for item in items[:until])
        if key not in confirmed:
            again = in_child(lambda: self.run_items(items[:until]), seconds)
            if again is None or again["by"] is not None:
                return "own", None
            confirmed.add(key)
        return "noticed", answer["by"]

    def run_control(self, items):
        def on_event(event, _):
            if event in PROCESSES:
                self.spawned = True

        sys.addaudithook(on_event)
        self.watch_fork_exec()
        self.recording = True
        items_run = []
        for index, item in enumerate(items):
            self.failed = None
            started = time.time()
            self.recorder.start()
            run_one(items, index)
            self.recorder.stop()
            seconds = time.time() - started
            items_run.append({"ok": self.failed is None, "seconds": seconds, "lines": list(self.recorder.taken())})
        return {"items": items_run, "shared": list(self.shared), "spawned": self.spawned}

    def watch_fork_exec(self):
        """multiprocessing starts processes by this function, without an audit event."""
        import _posixsubprocess

        original = _posixsubprocess.fork_exec

        def fork_exec(*arguments):
            self.spawned = True
            return original(*arguments)

        _posixsubprocess.fork_exec = fork_exec

    def run_mutant(self, mutant, items):
        if not put_in(mutant):
            return {"fate": "own"}
        answer = self.run_items(items)
        return {"fate": "survived"} if answer["by"] is None else {"fate": "noticed", **answer}

    def run_items(self, items):
        for index in range(len(items)):
            self.failed = None
            run_one(items, index)
            if self.failed is not None:
                return {"by": self.failed, "at": index}
        return {"by": None, "at": -1}


def run_one(items, index):
    item = items[index]
    following = items[index + 1] if index + 1 < len(items) else None
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def in_child(work, seconds):
    """The JSON value that `work` returns in a forked process; None: the process ended without one, or was ended."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.close(reading)
            if IS_LINUX:
                os.setsid()
            own = os.getpid()
            data = json.dumps(work()).encode() + b"\n"
            # A process that a test forked may come here as well.
            while data and os.getpid() == own:
                data = data[os.write(writing, data) :]
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    chunks = []
    end = time.time() + seconds
    complete = False
    while True:
        left = end - time.time()
        if left <= 0 or not select.select([reading], [], [], left)[0]:
            break
        chunk = os.read(reading, 65536)
        if not chunk:
            break
        chunks.append(chunk)
        # A process that a test left behind keeps the pipe open.
        if chunk.endswith(b"\n"):
            complete = True
            break
    os.close(reading)
    end_group(pid)
    os.waitpid(pid, 0)
    return json.loads(b"".join(chunks)) if complete else None


def end_group(pid):
    """Ends a child, and on Linux also the processes that it has left behind."""
    os.kill(pid, signal.SIGKILL)
    if IS_LINUX:
        try:
            os.killpg(pid, signal.SIGKILL)
        except OSError:
            pass


def compiled(text, name):
    return compile(text.lstrip("\ufeff"), name, "exec", dont_inherit=True)


def compiles_alike(mutant):
    """True for a mutant that does not compile, or compiles to the same code."""
    try:
        return compiled(mutant.mutated, mutant.path) == compiled(mutant.text, mutant.path)
    except (SyntaxError, ValueError):
        return True


def put_in(mutant):
    """Gives the functions of the module the mutant's code. False: it changes other code, which has run already."""
    old = compiled(mutant.text, mutant.path)
    new = compiled(mutant.mutated, mutant.path)
    hook_loader(mutant.path, mutant.mutated)
    if not is_loaded(mutant.path):
        return True
    pairs = {}
    if not pair(old, new, pairs):
        return False
    live = [
        one
        for one in gc.get_objects()
        if type(one) is types.FunctionType
        and one.__code__ in pairs
        and is_same_file(one.__code__, mutant.path)
    ]
    try:
        for function in live:
            function.__code__ = pairs[function.__code__]
    except ValueError:
        return False
    return len(live) > 0


def pair(old, new, pairs):
    """Collects the changed functions by their old code. False: other code than that of functions is changed."""
    is_function = old.co_flags & OPTIMISED
    if not is_function and shallow(old) != shallow(new):
        return False
    if is_function and old != new:
        pairs[old] = new
    olds, news = nested(old), nested(new)
    if len(olds) != len(news):
        return bool(is_function)
    return all(one == other or pair(one, other, pairs) for one, other in zip(olds, news))


def nested(code):
    return [one for one in code.co_consts if isinstance(one, types.CodeType)]


def shallow(code):
    consts = [(type(one), repr(one)) for one in code.co_consts if not isinstance(one, types.CodeType)]
    return (code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, consts)


def is_loaded(path):
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and os.path.realpath(file) == path:
            return True
    return False


def is_same_file(code, path):
    return os.path.realpath(code.co_filename) == path


def hook_loader(path, text):
    """A module that is imported later, or in a process that a test forks, is compiled from the mutant's text."""
    loader = importlib.machinery.SourceFileLoader
    original = loader.get_code

    def get_code(self, name):
        file = self.get_filename(name)
        return compiled(text, file) if os.path.realpath(file) == path else original(self, name)

    loader.get_code = get_code


def begin():
    path = os.environ.get(ORDER_VARIABLE)
    if path is None or not hasattr(os, "fork"):
        return None
    # Processes that a test starts try no mutants.
    del os.environ[ORDER_VARIABLE]
    os.environ.pop("PYTEST_ADDOPTS", None)
    plugin = Plugin(Order(path))
    plugin.recorder.start()
    return plugin


PLUGIN = begin()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    if PLUGIN is not None and not config.pluginmanager.has_plugin("selfware_guard_run"):
        config.pluginmanager.register(PLUGIN, "selfware_guard_run")


@pytest.hookimpl(hookwrapper=True)
def pytest_load_initial_conftests(early_config):
    # Coverage would replace the trace function of this module.
    if PLUGIN is not None and hasattr(early_config.known_args_namespace, "cov_source"):
        early_config.known_args_namespace.cov_source = []
    yield


@pytest.hookimpl(hookwrapper=True)
def pytest_cmdline_main(config):
    if PLUGIN is not None:
        if hasattr(config.option, "cov_source"):
            config.option.cov_source = []
        # xdist would hand the tests to other processes.
        if hasattr(config.option, "numprocesses"):
            config.option.numprocesses = None
            config.option.dist = "no"
            config.option.tx = []
    yield
