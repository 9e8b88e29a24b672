"""Records which lines of some files are executed, by the trace function of the interpreter."""

import dis
import os
import sys
import threading


class Recorder:
    """Records which of the wanted lines are executed."""

    def __init__(self, wanted):
        self.wanted = wanted  # real path → set of lines
        self.seen = set()
        self.files = {}
        self.codes = {}

    def start(self):
        sys.settrace(self.on_call)
        threading.settrace(self.on_call)

    def stop(self):
        sys.settrace(None)
        threading.settrace(None)

    def taken(self):
        seen, self.seen = self.seen, set()
        return seen

    def on_call(self, frame, event, arg):
        code = frame.f_code
        # Equal functions of two files have equal code.
        key = (code.co_filename, code)
        lines = self.codes.get(key)
        if lines is None:
            lines = self.codes[key] = self.lines_of(code)
        if not lines:
            return None
        path = self.files[code.co_filename]

        def on_line(frame, event, arg):
            if frame.f_lineno in lines:
                self.seen.add((path, frame.f_lineno))
            return on_line

        return on_line

    def lines_of(self, code):
        name = code.co_filename
        if name not in self.files:
            self.files[name] = os.path.realpath(name)
        wanted = self.wanted.get(self.files[name])
        if not wanted:
            return ()
        return frozenset(line for _, line in dis.findlinestarts(code) if line in wanted)
