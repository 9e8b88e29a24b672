"""A side of a comparison as a process that answers in lines of JSON."""

import json
import os
import select
import subprocess
import sys
import time

REPLY_SECONDS = 20.0
LOAD_SECONDS = 60.0
HERE = os.path.dirname(os.path.abspath(__file__))


class Died(Exception):
    pass


class Process:
    """A side, which can be started again after it died."""

    def __init__(self, order, folder, name):
        self.file = os.path.join(folder, name + ".json")
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump(order, file)
        self.root = order["root"]
        self.environment = order.get("environment", {})
        self.seen = set()
        self.child = None
        self.rest = b""

    def start(self):
        environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        environment.update(self.environment)
        self.child = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "selfware_side.py"), self.file],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.root,
            env=environment,
        )
        self.rest = b""
        return self.reply(LOAD_SECONDS)["obstacle"]

    def ask(self, message):
        try:
            self.child.stdin.write(json.dumps(message).encode() + b"\n")
            self.child.stdin.flush()
        except OSError as error:
            raise Died() from error
        return self.reply(REPLY_SECONDS)

    def reply(self, seconds):
        end = time.time() + seconds
        output = self.child.stdout.fileno()
        while b"\n" not in self.rest:
            left = end - time.time()
            if left <= 0 or not select.select([output], [], [], left)[0]:
                raise Died()
            chunk = os.read(output, 65536)
            if not chunk:
                raise Died()
            self.rest += chunk
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def stop(self):
        if self.child is None:
            return
        try:
            self.seen |= {tuple(line) for line in self.ask({"ask": "lines"})["lines"]}
        except (Died, KeyError, ValueError):
            pass
        self.child.kill()
        self.child.wait()
        self.child = None

    def restart(self):
        self.stop()
        return self.start()
