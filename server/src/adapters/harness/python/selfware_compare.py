"""Compares the old and the new code of Python files on generated calls, each side in a process of its own.

The argument names an order. The last line of the output is the report, after a mark. This process parses the code of
the repository and never runs it.
"""

import json
import os
import sys
import tempfile
import time

from selfware_inputs import HypothesisDraw, Inputs, RandomDraw
from selfware_outline import outlines
from selfware_process import Died, Process
from selfware_texts import said, test_for

MARK = "@@selfware-report@@"
MAX_TARGETS = 16
# Minimum number of inputs; with fewer, a comparison that ran out of time shows nothing.
MIN_INPUTS = 40
NOTHING = {"outcome": "unknown", "counterexample": None, "inputs": 0, "answered": 0}


class Comparison:
    def __init__(self, order, outline, folder):
        self.order = order
        self.outline = outline
        self.until = time.time() + order["budgetMs"] / 1000
        self.inputs = Inputs(outline.numbers, outline.texts)
        common = {"root": order["root"], "roots": outline.roots, "modules": outline.modules}
        old = {
            **common,
            "texts": outline.before,
            "lines": outline.lines_before,
            "hints": outline.hints_before,
        }
        new = {**common, "texts": outline.after, "lines": outline.watched_after, "hints": outline.hints_after}
        self.old = Process(old, folder, "old")
        self.new = Process(new, folder, "new")

    def start(self):
        try:
            obstacle = self.old.start()
            if obstacle is not None:
                return obstacle
            obstacle = self.new.start()
            return None if obstacle is None else "With the change, %s" % obstacle
        except Died:
            return "The code did not load in time, or ended the process."

    def restart(self):
        try:
            if self.old.restart() is None and self.new.restart() is None:
                return
        except Died:
            pass
        raise Died()

    def target(self, target, seconds):
        report = {**named(target), **NOTHING, "reason": None}
        try:
            shapes = self.old.ask({"ask": "shapes", "target": target})
        except Died:
            self.restart()
            return {**report, "reason": "its module ended the process."}
        if "refused" in shapes:
            return {**report, "reason": sentence(shapes["refused"])}
        # Only calls that the new signature allows can be compared; others are seen as a difference.
        trial = Trial(self, {**target, **shapes}, time.time() + seconds)
        trial.run(self.order["seed"], self.order["runs"])
        return trial.report(report)


class Trial:
    """The calls of one function, and what they have shown."""

    def __init__(self, comparison, target, until):
        self.comparison = comparison
        self.target = target
        self.until = until
        self.inputs = self.answered = 0
        self.best = None
        self.answers = set()
        self.doubt = None
        self.is_late = False

    def run(self, seed, runs):
        draw = RandomDraw(seed)
        for size in range(min(runs, 60)):
            draw.size = size
            if self.differs(self.made(draw)) or self.doubt:
                break
        if self.doubt is None and not self.is_late:
            self.run_hypothesis(seed, runs) or self.run_random(draw, runs)
        if self.best is not None:
            self.confirm()
        elif self.doubt is None:
            self.compare_state()

    def run_random(self, draw, runs):
        for size in range(60, runs):
            if self.best is not None or self.doubt is not None or self.is_late:
                return
            draw.size = size
            self.differs(self.made(draw))

    def run_hypothesis(self, seed, runs):
        """Searches with Hypothesis. False if it is not installed."""
        try:
            import hypothesis
            import hypothesis.strategies as st
        except ImportError:
            return False
        phases = (hypothesis.Phase.generate, hypothesis.Phase.shrink)

        @hypothesis.seed(seed)
        @hypothesis.settings(
            max_examples=runs,
            deadline=None,
            database=None,
            phases=phases,
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        @hypothesis.given(st.composite(lambda draw: self.made(HypothesisDraw(draw, st)))())
        def check(call):
            if not self.is_late and self.doubt is None:
                assert not self.differs(call)

        try:
            with open(os.devnull, "w") as null:
                stdout, sys.stdout = sys.stdout, null
                try:
                    check()
                finally:
                    sys.stdout = stdout
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
        return True

    def made(self, draw):
        return self.comparison.inputs.call(self.target, draw)

    def differs(self, call):
        if time.time() > self.until:
            self.is_late = True
            return False
        try:
            old, new = self.ask(call)
        except Died:
            self.doubt = "`%s` ended the process, or did not return." % call["text"]
            self.comparison.restart()
            return False
        self.inputs += 1
        if old["outcome"] in ("timeout", "memory") and new["outcome"] == old["outcome"]:
            return False
        for side in (old, new):
            if side.get("reached"):
                self.doubt = "it %s." % side["reached"]
                return False
        for side in (old, new):
            if side["outcome"] == "opaque":
                self.doubt = "it returns %s." % side["text"]
                return False
        if "timeout" in (old["outcome"], new["outcome"]) or "memory" in (old["outcome"], new["outcome"]):
            self.doubt = "`%s` takes too long or too much memory on one side." % call["text"]
            return False
        if old["outcome"] == "returned":
            self.answered += 1
            self.answers.add(json.dumps(old["value"][0]))
        if sign(old) == sign(new):
            return False
        if self.best is None or len(call["text"]) <= len(self.best[0]["text"]):
            self.best = (call, old, new)
        return True

    def ask(self, call):
        target = {key: self.target[key] for key in ("path", "name", "kind", "member", "bindings")}
        message = {"ask": "call", **target, "instance": call["instance"], "words": call["words"]}
        return self.comparison.old.ask(message), self.comparison.new.ask(message)

    def compare_state(self):
        """Compares the variables of both sides, which have made the same calls."""
        asked = {"ask": "state", "path": self.target["path"]}
        try:
            old, new = self.comparison.old.ask(asked), self.comparison.new.ask(asked)
        except Died:
            self.doubt = "the variables of its module cannot be compared."
            self.comparison.restart()
            return
        different = [name for name in old if name in new and old[name] != new[name]]
        if different:
            self.doubt = "the calls leave another value in `%s`." % different[0]

    def confirm(self):
        """Makes the call twice in new processes, because only a difference that repeats counts."""
        call = self.best[0]
        expression = call["text"]
        try:
            self.comparison.restart()
            first = self.ask(call)
            self.comparison.restart()
            second = self.ask(call)
        except Died:
            self.doubt, self.best = "`%s` ended the process." % expression, None
            return
        if sign(first[0]) != sign(second[0]) or sign(first[1]) != sign(second[1]):
            self.doubt, self.best = "`%s` does not answer the same twice." % expression, None
        elif sign(first[0]) == sign(first[1]):
            self.doubt, self.best = "`%s` differs only after other calls." % expression, None
        else:
            self.best = (call, *first)

    def report(self, report):
        report = {**report, "inputs": self.inputs, "answered": self.answered}
        if self.best is not None:
            call, old, new = self.best
            expression = call["text"]
            return {
                **report,
                "outcome": "different",
                "counterexample": {
                    "call": expression,
                    "before": said(old, new),
                    "after": said(new, old),
                    "expected": None,
                    "imported": None,
                    "test": test_for(self.target, expression, old, new),
                },
            }
        if self.doubt is not None:
            return {**report, "reason": self.doubt}
        if self.is_late and self.inputs < MIN_INPUTS:
            return {**report, "reason": "the time was up after %d inputs." % self.inputs, "outOfTime": True}
        if self.answered == 0:
            return {**report, "reason": "every generated call ends in an error or takes too long."}
        # One answer to everything says little: a check may refuse all that is generated.
        has_inputs = self.target["parameters"] or self.target["self"]
        if has_inputs and len(self.answers) == 1 and self.answers != {json.dumps(["NoneType", "None"])}:
            return {**report, "reason": "every generated call that ends gets the same answer."}
        return {**report, "outcome": "same"}


def sign(answer):
    return [answer["outcome"], answer.get("value"), answer.get("printed"), answer.get("errors")]


def named(target):
    return {"path": target["shown"], "name": target["name"]}


def sentence(text):
    return text if text.endswith(".") else text + "."


def compare(order):
    outline = outlines(order)
    report = {
        "obstacle": None,
        "targets": [],
        "unreached": [],
        "identical": outline.identical,
        "gaps": outline.gaps,
    }
    report["hypothesis"] = has_hypothesis()
    if not outline.targets:
        return report
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(order, outline, folder)
        try:
            report["obstacle"] = comparison.start()
            if report["obstacle"] is None:
                compare_targets(comparison, outline.targets, report)
        finally:
            comparison.old.stop()
            comparison.new.stop()
        leave_unreached(comparison, report)
        is_settled = report["obstacle"] is None and all(one["outcome"] == "same" for one in report["targets"])
        if is_settled:
            report["unreached"] = unreached(comparison)
    return report


def compare_targets(comparison, targets, report):
    if len(targets) > MAX_TARGETS:
        report["gaps"].append(
            "%d of %d touched functions are left out." % (len(targets) - MAX_TARGETS, len(targets))
        )
    chosen = targets[:MAX_TARGETS]
    for index, target in enumerate(chosen):
        left = comparison.until - time.time()
        if left <= 0:
            report["targets"].append(late(target))
            continue
        try:
            report["targets"].append(comparison.target(target, left / (len(chosen) - index)))
        except Died:
            report["targets"].append({**late(target), "reason": "its module could not be loaded again."})
            break


def late(target):
    return {**named(target), **NOTHING, "reason": "no time was left for it.", "outOfTime": True}


def leave_unreached(comparison, report):
    """Marks functions as unknown if inputs missed a line: a touched line may show its effect only in later lines."""
    text_of = dict(comparison.outline.after)
    targets = {(one["shown"], one["name"]): one for one in comparison.outline.targets}
    for one in report["targets"]:
        target = targets[(one["path"], one["name"])]
        real = os.path.realpath(target["path"])
        missing = [line for line in target["lines"] if (real, line) not in comparison.new.seen]
        touched_lines = dict(comparison.outline.lines_after)[target["path"]]
        if one["outcome"] == "same" and missing and not set(missing) & set(touched_lines):
            line = text_of[target["path"]].splitlines()[missing[0] - 1].strip()
            one.update(outcome="unknown", reason="no input reached its line `%s`." % line)


def unreached(comparison):
    outline, found = comparison.outline, []
    new = (comparison.new, outline.lines_after, outline.after)
    sides = (new, (comparison.old, outline.lines_before, outline.before))
    for process, lines, texts in sides:
        text_of = dict(texts)
        for path, numbers in lines:
            real = os.path.realpath(path)
            for number in sorted(numbers):
                if (real, number) not in process.seen:
                    text = text_of[path].splitlines()[number - 1].strip()
                    found.append({"path": os.path.relpath(path, comparison.order["root"]), "text": text})
    return found


def has_hypothesis():
    try:
        import hypothesis

        return hypothesis.__version__
    except ImportError:
        return None


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        order = json.load(file)
    print(MARK + json.dumps(compare(order)))


if __name__ == "__main__":
    main()
