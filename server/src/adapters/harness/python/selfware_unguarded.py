"""Searches for calls of functions whose results a mutant changes, and writes tests that record the results.

The argument names an order. This process parses the code of the repository and never runs it; each version of a file
is loaded by a process of its own. The last line of the output is the report, after a mark.
"""

import ast
import json
import os
import re
import sys
import tempfile
import time

from selfware_calls import (
    Call,
    Source,
    all_calls,
    calls_in,
    constants_in,
    documented_calls,
    expression,
    guessed_calls,
    parsed,
)
from selfware_inputs import Inputs, RandomDraw
from selfware_ordinary import Ordinary, PLAIN_TEXTS
from selfware_outline import is_overload, module_of
from selfware_process import Died, Process
from selfware_tests import pattern_of, write_test

MARK = "@@selfware-report@@"
PROGRESS = "@@selfware-progress@@"
TYPED_CALLS = 120
MAX_SLOW = 3
# Number of calls in one message.
AT_ONCE = 40
# Maximum number of characters of a call, so that it fits into a line of a test.
MAX_CALL_LENGTH = 52
# Number of characters of reports after which progress within a file is no longer reported.
MAX_PROGRESS = 8_000_000
# Share of the time of a file that is kept for confirming its calls.
CONFIRM_SHARE = 0.25
# Number of calls that show one mutant after which no more are searched.
ENOUGH = 40
YEAR = 400 * 24 * 3600 + 5000
NOTHING_TO_CALL = "No test, no documentation and no type shows what it takes."
ENDED = "A call of it ended the process."
NOBODY_WRITES = "Only calls that nobody would write could be made."
UNCERTAIN = "Its results depend on earlier calls, time, chance or the machine, or cannot be recorded."


class Search:
    def __init__(self, order, folder):
        self.order = order
        self.folder = folder
        self.until = time.time() + order["budgetMs"] / 1000
        self.waiting, self.printed = [], 0
        self.report = {"obstacle": None, "found": [], "leftOut": [], "functions": 0, "inputs": 0, "undone": []}

    def run(self):
        files = self.order["files"]
        for at, file in enumerate(files):
            # Files count as undone until they are searched: any report may turn out to be the last one.
            self.waiting = [one["shown"] for one in files[at:]]
            left = self.until - time.time()
            if left <= 0:
                self.report["undone"] += self.waiting
                return
            try:
                File(self, file, left / (len(files) - at)).run()
            except Exception as error:
                reason = "The search broke down (%s)." % type(error).__name__
                self.leave_out(file["shown"], "all of it", reason)
                self.not_done(file["shown"])
            self.waiting = self.waiting[1:]
            self.tell()

    def tell(self):
        undone = list(dict.fromkeys(self.report["undone"] + self.waiting))
        text = PROGRESS + json.dumps({**self.report, "undone": undone})
        self.printed += len(text)
        print(text, flush=True)

    def tell_in_between(self):
        if self.printed < MAX_PROGRESS:
            self.tell()

    def not_done(self, path):
        if path not in self.report["undone"]:
            self.report["undone"].append(path)

    def leave_out(self, path, name, reason):
        self.report["leftOut"].append({"path": path, "name": name, "reason": reason})


class File:
    """The functions of one file, and its mutants."""

    def __init__(self, search, file, seconds):
        self.search = search
        self.end = time.time() + seconds
        # The end of the time for calls and mutants; the rest is for confirming.
        self.until = self.end - CONFIRM_SHARE * seconds
        self.path, self.shown, self.text = file["path"], file["shown"], file["text"]
        self.mutants = [Mutant(*one) for one in file["mutants"]]
        self.tests = [Test(path, search.order["root"]) for path in file["tests"]]
        self.root, self.module = module_of(self.path)
        self.package = self.module.split(".")[0]
        self.sources = {}
        for one in self.tests:
            if one.tree is not None:
                self.sources[one] = Source(one.tree, self.package)

    def run(self):
        tree = parsed(self.text)
        if tree is None:
            return self.search.leave_out(self.shown, "all of it", "This Python cannot parse it.")
        functions = [one for one in tree.body if is_subject(one)]
        now = self.side(self.text, "now")
        try:
            obstacle = now.start()
            if obstacle is not None:
                return self.search.leave_out(self.shown, "all of it", obstacle)
            tried = [Tried(self, now, node, tree) for node in functions]
            for one in tried:
                if time.time() > self.until:
                    self.search.not_done(self.shown)
                    break
                obstacle = self.call(one, now)
                if obstacle is not None:
                    return self.search.leave_out(self.shown, "all of it", obstacle)
                self.search.tell_in_between()
        except Died:
            return self.search.leave_out(self.shown, "all of it", "It ended the process that loaded it.")
        finally:
            now.stop()
        self.try_mutants(tried)
        self.confirm(tried)

    def call(self, one, side):
        """Calls a function; returns why its module cannot be loaded again after a call ended the process, or None."""
        try:
            one.call_as_it_is()
        except Died:
            one.good = []
            one.leave_out(ENDED)
            return side.restart()
        return None

    def side(self, text, name, **more):
        order = {
            "root": self.search.order["root"],
            "roots": [self.root],
            "modules": [[self.path, self.module]],
            "texts": [[self.path, text]],
            "lines": [[self.path, sorted({line for one in self.mutants for line in one.lines})]],
            "hints": {},
            "recordedRoot": self.search.order["root"],
            **more,
        }
        return Process(order, self.search.folder, name)

    def try_mutants(self, tried):
        """For each mutant, makes the calls that reach it with the mutant in the code."""
        for mutant in self.mutants:
            reaching = [(one, call) for one in tried for call in one.good if call.lines & mutant.lines]
            if not reaching:
                continue
            if time.time() > self.until:
                self.search.not_done(self.shown)
                return
            side = self.side(mutant.put_in(self.text), "mutant")
            try:
                if side.start() is not None:
                    continue
                told = 0
                for some in chunks(reaching):
                    if told >= ENOUGH or time.time() > self.until:
                        break
                    answers = side.ask({"ask": "several", "calls": [one.question(call) for one, call in some]})
                    for (_, call), answer in zip(some, answers["answers"]):
                        if differs(call.answer, answer):
                            call.tells[mutant.number] = words_for(answer)
                            told += 1
            except Died:
                continue
            finally:
                side.stop()

    def confirm(self, tried):
        """The chosen calls in fresh processes, the last one at another time and place, with other random numbers."""
        most = self.search.order["most"]
        for one in tried:
            one.choose(most * 3)
        chosen = [one for one in tried if one.chosen]
        other = {"PYTHONHASHSEED": "77", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"}
        elsewhere = {"environment": other, "randomSeed": 7, "clockShift": YEAR}
        for one in self.confirmed(self.confirmed(chosen, {}), elsewhere):
            one.choose(most)
            one.tell()
            self.search.tell_in_between()

    def confirmed(self, tried, more):
        """The functions whose calls answer as before, one by one, all in one process."""
        tried = list(tried)
        side = self.side(self.text, "again", **more)
        try:
            for one in tried:
                if time.time() > self.end:
                    self.search.not_done(self.shown)
                    return
                if one.is_same(answers_of(side, one.twice())):
                    yield one
                else:
                    # What it left in the process must not help the next one.
                    side.stop()
        finally:
            side.stop()


class Mutant:
    def __init__(self, number, start, end, text, first, last):
        self.number, self.start, self.end, self.replacement = number, start, end, text
        self.lines = frozenset(range(first, last + 1))

    def put_in(self, text):
        return text[: self.start] + self.replacement + text[self.end :]


class Test:
    """A test file."""

    def __init__(self, path, root):
        self.path, self.shown = path, os.path.relpath(path, root)
        try:
            with open(path, encoding="utf-8") as file:
                self.text = file.read()
        except (OSError, UnicodeDecodeError):
            self.text = ""
        self.tree = parsed(self.text) if self.text else None


class Tried:
    """The calls of one function."""

    def __init__(self, file, side, node, tree):
        self.file, self.side, self.node, self.tree = file, side, node, tree
        self.good, self.chosen = [], []

    def question(self, call):
        names = {name: list(place) for name, place in call.imports.items()}
        asked = {"path": self.file.path, "name": self.node.name, "kind": "function", "member": None}
        return {**asked, "bindings": names, "instance": None, "words": call.texts()}

    def leave_out(self, reason):
        self.file.search.leave_out(self.file.shown, self.node.name, reason)

    def seeds(self):
        file = self.file
        seeds = [call for source in file.sources.values() for call in calls_in(source, self.node.name)]
        seeds += documented_calls(self.node, self.node.name, file.package)
        return seeds

    def typed_calls(self, ordinary):
        """Calls that the types allow, without those that nobody would write."""
        asked = {"path": self.file.path, "name": self.node.name, "kind": "function"}
        shapes = self.side.ask({"ask": "shapes", "target": asked})
        if "refused" in shapes or not shapes["parameters"]:
            return []
        numbers = [one for one in self.constants() if not isinstance(one, str)]
        inputs, draw = Inputs(numbers, [*ordinary.texts_of_tests(), *PLAIN_TEXTS]), RandomDraw(7)
        found = []
        for turn in range(4 * TYPED_CALLS):
            if len(found) >= TYPED_CALLS:
                break
            draw.size = turn // 4
            words = inputs.call({**asked, **shapes, "self": None}, draw)["words"]
            if any("lambda" in text for _, text in words):
                continue
            places = {name: tuple(place) for name, place in shapes["bindings"].items()}
            call = Call([(name, expression(text)) for name, text in words], 3, places)
            if ordinary.is_usual(call):
                found.append(call)
        return found

    def constants(self):
        return constants_in(self.node)

    def call_as_it_is(self):
        natural = self.seeds()
        trees = [one.tree for one in self.file.sources.values()] + [self.tree]
        ordinary = Ordinary(self.node, natural, trees)
        typed = self.typed_calls(ordinary)
        seeds = natural + typed[: 40 if natural else TYPED_CALLS] or guessed_calls(self.node, self.tree)
        if not seeds:
            return self.leave_out(NOTHING_TO_CALL)
        constants = list(dict.fromkeys(self.constants() + ordinary.texts_of_tests()))
        calls = all_calls(seeds, self.node, constants, 7, ordinary.is_usual)
        if not calls:
            return self.leave_out(NOBODY_WRITES)
        for call in calls:
            call.rank = min(call.rank, ordinary.strangeness(call))
        search = self.file.search
        search.report["functions"] += 1
        slow = 0
        for some in chunks(calls):
            if slow >= MAX_SLOW or time.time() > self.file.until:
                break
            answers = self.side.ask({"ask": "several", "calls": [self.question(call) for call in some]})["answers"]
            search.report["inputs"] += len(answers)
            slow += sum(one["outcome"] in ("timeout", "memory") for one in answers)
            for call, answer in zip(some, answers):
                call.answer, call.tells = answer, {}
                call.lines = {line for _, line in answer.get("lines", [])}
                fits = len(self.node.name) + len(written_words(call)) <= MAX_CALL_LENGTH
                if fits and is_recordable(answer, search.order["root"]):
                    self.good.append(call)
        if not self.good:
            self.leave_out(UNCERTAIN)

    def choose(self, most):
        """Chooses few calls that together tell many mutants, short and natural ones first."""
        left = {number for call in self.good for number in call.tells}
        self.chosen = []
        calls = [call for call in self.good if call.tells]
        while left and calls and len(self.chosen) < most:
            best = max(calls, key=lambda call: (len(left & set(call.tells)), -cost(call)))
            news = left & set(best.tells)
            if not news:
                break
            self.chosen.append(best)
            left -= news

    def twice(self):
        """The chosen calls in another order, each twice: the second answer shows what the first call left behind."""
        return [self.question(call) for call in reversed(self.chosen) for _ in range(2)]

    def is_same(self, answers):
        """True if these answers to `twice` equal the earlier ones; otherwise leaves the function out."""
        twice = [call for call in reversed(self.chosen) for _ in range(2)]
        is_other = any(sign(new) != sign(call.answer) for call, new in zip(twice, answers))
        # The first call in a process may do what later ones need not do again.
        if len(answers) < len(twice) or is_other or any(one.get("reached") for one in answers):
            self.good, self.chosen = [], []
            self.leave_out(UNCERTAIN)
            return False
        # Only these have been repeated.
        self.good = self.chosen
        return True

    def tell(self):
        if not self.chosen:
            return
        node, file = self.node, self.file
        self.chosen.sort(key=lambda call: min(call.tells))
        calls = [written(self.node.name, call) for call in self.chosen]
        file.search.report["found"].append(
            {
                "path": file.shown,
                "name": node.name,
                "startLine": node.lineno,
                "endLine": node.end_lineno,
                "startColumn": name_column(node),
                "calls": calls,
                "test": write_test(file, node, self.chosen),
            }
        )


def answers_of(side, questions):
    """Starts the process if none runs; none runs after it died."""
    try:
        if side.child is None and side.start() is not None:
            return []
        return side.ask({"ask": "several", "calls": questions})["answers"]
    except Died:
        side.stop()
        return []


def chunks(items):
    return [items[at : at + AT_ONCE] for at in range(0, len(items), AT_ONCE)]


def name_column(node):
    return node.col_offset + len("def ") + 1


def is_subject(node):
    return isinstance(node, ast.FunctionDef) and not node.name.startswith(("_", "test")) and not is_overload(node)


def is_recordable(answer, root):
    if answer.get("recorded") is None or answer["printed"] or answer["errors"] or answer["reached"]:
        return False
    return root not in answer["recorded"] and answer["outcome"] in ("returned", "raised")


def sign(answer):
    """The parts of an answer that a test can check."""
    return [answer["outcome"], answer.get("form"), answer.get("recorded"), answer.get("message")]


def differs(old, new):
    """True if a test that records the old answer fails with the new one."""
    if new["outcome"] not in ("returned", "raised", "opaque"):
        return False
    if old["outcome"] != new["outcome"]:
        return True
    if old["form"] == "error":
        # `pytest.raises` accepts subclasses.
        if old["recorded"] not in new.get("classes", []):
            return True
        return re.search(pattern_of(old["message"]), new["value"][2]) is None
    if new.get("recorded") is None:
        return new.get("form") is not None and old["value"][0] != new["value"][0]
    one, other = literal(old["recorded"]), literal(new["recorded"])
    return one != other or (type(one) in (bool, type(None)) and type(one) is not type(other))


def literal(text):
    return set() if text == "set()" else ast.literal_eval(text)


def words_for(answer):
    return ("raises " if answer["outcome"] == "raised" else "returns ") + shortened(answer.get("text", "?"))


def shortened(text):
    return text if len(text) <= 120 else text[:119] + "…"


def written_words(call):
    return ", ".join(text if word is None else "%s=%s" % (word, text) for word, text in call.texts())


def written(name, call):
    answer = call.answer
    return {
        "call": "%s(%s)" % (name, written_words(call)),
        "now": words_for(answer),
        "value": answer["recorded"],
        "raises": answer.get("message") if answer["form"] == "error" else None,
        "tells": [{"mutant": number, "then": then} for number, then in sorted(call.tells.items())],
    }


def cost(call):
    """A rank of a call, lower for calls that a person might have chosen."""
    text = str(call.texts())
    odd = sum(1 for one in text if not one.isascii()) * 25 + (40 if "\\" in text else 0)
    raised = 15 if call.answer["form"] == "error" else 0
    length = len(written_words(call)) + len(call.answer["recorded"])
    return length + 12 * call.rank + odd + raised + big(text) + (20 if is_empty(call) else 0)


def is_empty(call):
    """True if all arguments are empty or blank texts, or empty lists and the like: such a call says little."""
    words = [text for _, text in call.texts()]
    return bool(words) and all(re.fullmatch(r"[rbu]?(['\"])\s*\1|\[\]|\(\)|\{\}|None", text) for text in words)


def big(text):
    return 20 if any(len(one) > 6 and one.isdigit() for one in text.replace("-", " ").split()) else 0


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        order = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        search = Search(order, folder)
        if sys.version_info < (3, 9):
            search.report["obstacle"] = "Missing tests are searched with Python 3.9 or newer."
        else:
            search.run()
    print(MARK + json.dumps(search.report))


if __name__ == "__main__":
    main()
