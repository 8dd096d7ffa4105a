#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the manual pages of cox and its completion in bash, zsh and fish with --help, and tries them in the programs that read them.

    help.py COX
"""
import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

COX = ""


def cox(*words):
    return subprocess.run([COX, *words], capture_output=True, text=True, check=True).stdout


def commands():
    """The names of the subcommands, from --help; the empty name is cox itself."""
    text = cox("--help").split("\nSubcommands:\n")[1]
    return [""] + re.findall(r"^  ([a-z][a-z-]*)", text.split("\n\n")[0], re.MULTILINE)


def options(command):
    """The names of a command's options, from --help."""
    text = cox(*command.split(), "--help").split("\nOptions:\n")[1].split("\n\n")[0]
    return [name for names in re.findall(r"^  (-[-\w,]+)", text, re.MULTILINE) for name in names.split(",")]


def man_page(command):
    return cox("help", *command.split(), "--format", "man")


def bash_completes(script, *words):
    """What bash proposes for the last of the words, when the user has typed the others."""
    program = f"{script}\nCOMP_WORDS=({shlex.join(['cox', *words])})\nCOMP_CWORD={len(words)}\n_cox\n" + 'printf "%s\\n" "${COMPREPLY[@]}"'
    return subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True).stdout.split()


class ManualPages(unittest.TestCase):
    def test_have_the_options_of_help(self):
        for command in commands():
            section = man_page(command).split("\n.SH OPTIONS\n")[1].split("\n.SH ")[0]
            named = [name.replace("\\-", "-") for line in re.findall(r"^\.TP\n(.*)$", section, re.MULTILINE) for name in re.findall(r"\\fB(.*?)\\fR", line)]
            self.assertEqual(named, options(command), command)

    def test_name_every_subcommand(self):
        section = man_page("").split("\n.SH COMMANDS\n")[1].split("\n.SH ")[0]
        named = [name.replace("\\-", "-") for name in re.findall(r"^\.TP\n\\fB(.*?)\\fR$", section, re.MULTILINE)]
        self.assertEqual([""] + named, commands())

    def test_have_the_date_of_the_build(self):
        done = subprocess.run([COX, "help", "--format", "man"], env=os.environ | {"SOURCE_DATE_EPOCH": "86400"}, capture_output=True, text=True, check=True)
        self.assertIn(" 1970-01-02 ", done.stdout.splitlines()[0])

    def check(self, *reader):
        if shutil.which(reader[0]) is None:
            self.skipTest(f"there is no {reader[0]}")
        for command in commands():
            with tempfile.NamedTemporaryFile("w", suffix=".1") as page:
                page.write(man_page(command))
                page.flush()
                done = subprocess.run([*reader, page.name], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""), command + done.stdout)

    def test_are_read_by_man(self):
        self.check("man", "--warnings", "-l")

    def test_are_read_by_mandoc(self):
        self.check("mandoc", "-T", "lint", "-W", "warning")


class Text(unittest.TestCase):
    def test_is_that_of_the_option(self):
        for command in commands():
            self.assertEqual(cox("help", *command.split()), cox(*command.split(), "--help"))


class Bash(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.script = cox("help", "--format", "bash")

    def test_completes_the_options_of_help(self):
        for command in commands():
            self.assertEqual(bash_completes(self.script, *command.split(), "-"), options(command), command)

    def test_completes_subcommands(self):
        self.assertEqual([""] + bash_completes(self.script, ""), commands())
        self.assertEqual(bash_completes(self.script, "ti"), ["timeline"])

    def test_completes_values(self):
        boards = bash_completes(self.script, "run", "--board", "")
        self.assertIn("native", boards)
        self.assertIn("qemu-npu-soc", boards)
        self.assertEqual(bash_completes(self.script, "run", "x.cxt", "--board", "=", "nat"), ["native"])
        self.assertEqual(bash_completes(self.script, "help", "di"), ["dis"])
        self.assertEqual(bash_completes(self.script, "run", "--svg", "-"), [], "the value of --svg is a file")

    def test_completes_in_a_terminal(self):
        """A user types a part of each word and the tabulator key; bash completes it, files among them."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "network file.cxt").touch()
            Path(folder, "completion").write_text(self.script)
            child, terminal = pty.fork()
            if child == 0:
                os.chdir(folder)
                os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], os.environ | {"TERM": "dumb", "HOME": folder, "INPUTRC": "/dev/null"})
            try:
                os.write(terminal, b"source ./completion; cox() { printf '<%s>' \"$@\"; echo; }; bind 'set enable-bracketed-paste off'\n")
                self.read(terminal, 1, "")
                os.write(terminal, b"cox ru\t--boa\tnativ\tnetw\t--in image=netw\t\n")
                said = self.read(terminal, 20, "cxt>\r\n")
            finally:
                os.close(terminal)
                os.waitpid(child, 0)
        self.assertIn("<run><--board><native><network file.cxt><--in><image=network file.cxt>", said)

    @staticmethod
    def read(terminal, seconds, end):
        """Returns what bash prints until `end`, or within the given time."""
        text, limit = "", time.monotonic() + seconds
        while time.monotonic() < limit and not (end and end in text):
            if select.select([terminal], [], [], 0.1)[0]:
                text += os.read(terminal, 4096).decode(errors="replace")
            elif not end and text:
                break
        return text


class Zsh(unittest.TestCase):
    def test_has_the_options_of_help(self):
        script = cox("help", "--format", "zsh")
        self.assert_options(script.split("'*::argument:->argument'")[0], "")
        for command in commands()[1:]:
            part = re.search(rf"^      {command}\)\n(.*?);;$", script, re.MULTILINE | re.DOTALL).group(1)
            self.assert_options(part, command)

    def assert_options(self, part, command):
        named = re.findall(r"^        '(?:\*|\([^)]*\))(-[-\w]+)=?\[", part, re.MULTILINE)
        self.assertEqual(named, options(command), command)

    def test_is_read_by_zsh(self):
        if shutil.which("zsh") is None:
            self.skipTest("there is no zsh")
        script = cox("help", "--format", "zsh")
        subprocess.run(["zsh", "-f", "-c", f"autoload -U compinit && compinit -D -u && eval {shlex.quote(script)} && [[ $_comps[cox] == _cox ]]"], check=True)


class Fish(unittest.TestCase):
    def test_has_the_options_of_help(self):
        script = cox("help", "--format", "fish")
        for command in commands():
            condition = f"__fish_seen_subcommand_from {command}'" if command else "__fish_use_subcommand'"
            lines = [line for line in script.splitlines() if f"-n '{condition}" in line]
            named = [name for line in lines for name in re.findall(r" -(?:s (\w)|l ([-\w]+))", line.split(" -d '")[0])]
            self.assertEqual([f"-{short}" if short else f"--{long}" for short, long in named], options(command), command)

    def test_completes_in_fish(self):
        if shutil.which("fish") is None:
            self.skipTest("there is no fish")
        for typed, expected in (("run --boa", "--board"), ("run --board nat", "native"), ("time", "timeline"), ("help di", "dis")):
            program = f'{cox("help", "--format", "fish")}\ncomplete -C "cox {typed}"'
            done = subprocess.run(["fish", "--no-config", "-c", program], capture_output=True, text=True, check=True)
            self.assertEqual([line.split("\t")[0] for line in done.stdout.splitlines()], [expected], typed)


if __name__ == "__main__":
    COX = sys.argv.pop(1)
    unittest.main(verbosity=2)
