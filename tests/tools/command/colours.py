#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Colours of cox: on a terminal, elsewhere, and as --color and NO_COLOR want them.

    colours.py COX
"""
import os
import pty
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

COX = ""
RED, YELLOW, PLAIN = "\x1b[1;31m", "\x1b[1;33m", "\x1b[0m"
# A task whose check has an error: the tokens do not balance.
BAD_TASK = '["ct_st", {}, {"Prev_Insts": [], "Next_Insts": ["LD"]}]\n["ct_ed", {}, {"Prev_Insts": [], "Next_Insts": []}]\n'
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}


def on_terminal(words, folder, **variables):
    """Runs cox with a terminal as its output; returns what it prints."""
    reader, terminal = pty.openpty()
    child = subprocess.Popen([COX, *words], cwd=folder, env=ENVIRONMENT | variables, stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal)
    os.close(terminal)
    text = b""
    while True:
        try:
            part = os.read(reader, 4096)
        except OSError:  # the end of a terminal, on Linux
            break
        if not part:
            break
        text += part
    os.close(reader)
    child.wait(60)
    return text.decode()


def elsewhere(words, folder, **variables):
    return subprocess.run([COX, *words], cwd=folder, env=ENVIRONMENT | variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout


class Colours(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        (cls.folder / "bad.jsonl").write_text(BAD_TASK)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_messages(self):
        for words, head in ((["chekc"], "cox:"), (["check", "--strct"], "cox check:"), (["check", "absent.jsonl"], "cox:")):
            self.assertIn(f"{RED}{head}{PLAIN} ", on_terminal(words, self.folder))
            self.assertTrue(elsewhere(words, self.folder).startswith(head), words)

    def test_reports(self):
        self.assertIn(f"{RED}error:{PLAIN} ", on_terminal(["check", "bad.jsonl"], self.folder))
        plain = elsewhere(["check", "bad.jsonl"], self.folder)
        self.assertIn("error: ", plain)
        self.assertNotIn("\x1b", plain)

    def test_never(self):
        for words, variables in ((["check", "bad.jsonl", "--color", "never"], {}), (["check", "--color=never", "absent.jsonl"], {}), (["check", "bad.jsonl"], {"NO_COLOR": "1"})):
            self.assertNotIn("\x1b", on_terminal(words, self.folder, **variables), words)

    def test_always(self):
        self.assertIn(RED, elsewhere(["check", "bad.jsonl", "--color", "always"], self.folder, NO_COLOR="1"))
        self.assertIn(RED, elsewhere(["--color=always", "chekc"], self.folder))

    def test_an_empty_variable_means_nothing(self):
        self.assertIn(RED, on_terminal(["chekc"], self.folder, NO_COLOR=""))

    def test_json_has_none(self):
        self.assertNotIn("\x1b", on_terminal(["check", "--json", "bad.jsonl"], self.folder))
        self.assertNotIn("\x1b", elsewhere(["check", "--json", "--color", "always", "bad.jsonl"], self.folder))

    def test_mistyped_value(self):
        self.assertIn("--color: 'nevr' is not one of auto, always, never; did you mean \"never\"?", elsewhere(["check", "--color", "nevr", "bad.jsonl"], self.folder))

    def test_warnings(self):
        (self.folder / "plan.txt").write_text("bus_error queue=LD core=0 access=2\n")
        (self.folder / "nothing.jsonl").write_text('["ct_st", {}, {"Prev_Insts": [], "Next_Insts": []}]\n["ct_ed", {}, {"Prev_Insts": [], "Next_Insts": []}]\n')
        words = ["run", "nothing.jsonl", "--board", "native", "--option", "faults=plan.txt"]
        self.assertIn(f"{YELLOW}cox:{PLAIN} ", on_terminal(words, self.folder))


if __name__ == "__main__":
    COX = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
