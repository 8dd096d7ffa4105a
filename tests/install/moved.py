#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs cox, moves the installation, and takes parts of it away (docs/install.md).

    moved.py CASE BUILD FOLDER

whole: README.md's first task runs natively from the moved installation, and under QEMU if it has been built.
alone: cox without its files runs tasks natively, and says what is missing for other boards.
"""
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import first_task

BUILD, FOLDER = Path(), Path()
BOARD = "qemu-npu-soc"
# The variables that would lead cox to files outside of the installation.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("COX_QEMU", "COX_MODEL", "COX_FIRMWARE")}


def cox(executable, *words, **variables):
    return subprocess.run([executable, *words], cwd=FOLDER / "task", env=ENVIRONMENT | variables, capture_output=True, text=True, check=False)


def cox_commands(executable):
    text = subprocess.run([executable, "--help"], capture_output=True, text=True, check=True).stdout.split("\nSubcommands:\n")[1]
    return re.findall(r"^  ([a-z][a-z-]*)", text.split("\n\n")[0], re.MULTILINE)


class Whole(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        first_task.install(BUILD, FOLDER / "first")
        shutil.rmtree(FOLDER / "moved here", ignore_errors=True)
        (FOLDER / "first").rename(FOLDER / "moved here")
        cls.prefix = FOLDER / "moved here"

    def test_runs_natively(self):
        self.assertEqual(first_task.run(self.prefix / "bin/cox", "native", FOLDER / "task", ENVIRONMENT), "")

    def test_runs_under_qemu(self):
        for file in ("qemu-system-arm", f"boards/{BOARD}/coxswain.elf"):
            if not (self.prefix / "lib/coxswain" / file).exists():
                self.skipTest(f"the build has no {file}")
        self.assertEqual(first_task.run(self.prefix / "bin/cox", BOARD, FOLDER / "task", ENVIRONMENT), "")

    def test_sweeps(self):
        network = self.prefix / "share/coxswain/examples/digits/network.json"
        (FOLDER / "task/sweep.toml").write_text(f'[tasks.digits]\nnetwork = "{network}"\n[axes]\nl2_mib = [1, 8]\n')
        (FOLDER / "task/sweep.results").unlink(missing_ok=True)
        done = cox(self.prefix / "bin/cox", "sweep", "sweep.toml", "--workers", "1")
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (0, "sweep.results: 2 done"), done.stderr)

    def test_runs_through_a_link(self):
        link = FOLDER / "link"
        link.unlink(missing_ok=True)
        link.symlink_to(self.prefix / "bin/cox")
        self.assertEqual(first_task.run(link, "native", FOLDER / "task", ENVIRONMENT), "")

    def test_has_manual_pages_and_completion(self):
        share = self.prefix / "share"
        pages = sorted((share / "man/man1").iterdir())
        self.assertEqual(len(pages), 1 + len(cox_commands(self.prefix / "bin/cox")))
        for file in ("bash-completion/completions/cox", "zsh/site-functions/_cox", "fish/vendor_completions.d/cox.fish"):
            self.assertIn(f" {BOARD}", (share / file).read_text())

    def test_needs_nothing_of_the_build(self):
        files = [self.prefix / "bin/cox", self.prefix / "lib/coxswain/libcox_model.so"]
        said = subprocess.run(["ldd", *files], capture_output=True, text=True, check=True).stdout
        libraries = re.findall(r" => (.*)", said)
        self.assertGreater(len(libraries), 4, said)
        for library in libraries:
            self.assertNotIn(str(BUILD), library)
            self.assertNotIn("not found", library)


class Alone(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        first_task.install(BUILD, FOLDER / "second")
        cls.alone = FOLDER / "alone/bin/cox"
        cls.alone.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(FOLDER / "second/bin/cox", cls.alone)

    def test_runs_natively(self):
        self.assertEqual(first_task.run(self.alone, "native", FOLDER / "task", ENVIRONMENT), "")

    def refused(self, executable, text, **variables):
        first_task.run(self.alone, "native", FOLDER / "task", ENVIRONMENT)
        done = cox(executable, "run", "first.jsonl", "--in", "in=in.bin", "--out", "out=out.bin", **variables)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn(text, done.stderr)
        self.assertIn("`--board native` runs without it", done.stderr)
        return done.stderr

    def test_says_that_qemu_is_missing(self):
        path = FOLDER / "alone/lib/coxswain/qemu-system-arm"
        said = self.refused(self.alone, f"cox: the board {BOARD} needs QEMU with the machine npu-soc: '{path}' does not exist.")
        self.assertIn("If cox was moved, move the whole folder", said)
        self.assertIn("set COX_QEMU", said)

    def test_says_that_the_model_is_missing(self):
        path = FOLDER / "alone/lib/coxswain/libcox_model.so"
        self.refused(self.alone, f"needs the accelerator model: '{path}' does not exist.", COX_QEMU="/bin/true")

    def test_says_that_the_image_is_missing(self):
        path = FOLDER / f"alone/lib/coxswain/boards/{BOARD}/coxswain.elf"
        self.refused(self.alone, f"needs the firmware image: '{path}' does not exist.", COX_QEMU="/bin/true", COX_MODEL="/bin/true")

    def test_names_a_variable_that_is_wrong(self):
        self.refused(self.alone, "'/nowhere/qemu' does not exist. COX_QEMU names this file: mend or unset it", COX_QEMU="/nowhere/qemu")


if __name__ == "__main__":
    case, build, folder = sys.argv[1:]
    BUILD, FOLDER = Path(build), Path(folder).resolve()
    FOLDER.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=[sys.argv[0], case.capitalize(), "-v"])
