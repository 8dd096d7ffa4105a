#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cox doctor on installations that are whole, and on such that lack parts or have wrong ones.

    doctor.py BUILD FOLDER
"""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import first_task

BUILD, FOLDER = Path(), Path()
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("COX_QEMU", "COX_MODEL", "COX_FIRMWARE")}
QEMU = """#!/bin/sh
case "$1" in
  --version) echo "QEMU emulator version 7.2.0" ;;
  *) printf 'Supported machines are:\\n%s\\n' "npu-soc  a machine" ;;
esac
"""


def record(board, version):
    """The version record of an image (base/image_version.h)."""
    major, minor, patch = (int(part) for part in version.split("."))
    numbers = b"".join(number.to_bytes(2, "little") for number in (1, 128, major, minor, patch, 0))
    return b"coxswain.version" + numbers + bytes(4) + b"coxswain".ljust(32, b"\0") + b"0b4a48a91234".ljust(32, b"\0") + board.encode().ljust(32, b"\0")


class Doctor(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        first_task.install(BUILD, FOLDER / "installed")
        cls.version = re.match(r"cox ([0-9.]+)", subprocess.run([FOLDER / "installed/bin/cox", "--version"], capture_output=True, text=True, check=True).stdout)[1]

    def setUp(self):
        """An installation with a QEMU and images that only `cox doctor` can use."""
        self.prefix = FOLDER / "copy"
        shutil.rmtree(self.prefix, ignore_errors=True)
        shutil.copytree(FOLDER / "installed", self.prefix)
        self.private = self.prefix / "lib/coxswain"
        (self.private / "qemu-system-arm").write_text(QEMU)
        (self.private / "qemu-system-arm").chmod(0o755)
        for board in (self.private / "boards").iterdir():
            (board / "coxswain.elf").write_bytes(b"\x7fELF" + bytes(512) + record(board.name, self.version))

    def examine(self, **variables):
        done = subprocess.run([self.prefix / "bin/cox", "doctor", "--json"], env=ENVIRONMENT | variables, capture_output=True, text=True, check=False)
        found = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0 if found["runs"] else 4, done.stderr)
        return found["runs"], {part["part"]: part for part in found["parts"]}

    def refused(self, part, state, text, **variables):
        runs, parts = self.examine(**variables)
        self.assertFalse(runs)
        self.assertEqual(parts[part]["state"], state)
        self.assertIn(text, parts[part]["detail"])
        self.assertTrue(parts[part]["mend"])

    def test_finds_everything(self):
        runs, parts = self.examine()
        self.assertTrue(runs, parts)
        for part in ("QEMU", "machine npu-soc", "accelerator model", "image of qemu-npu-soc", "board.json of qemu-npu-soc", "completion"):
            self.assertEqual(parts[part]["state"], "ok", parts[part])
        self.assertEqual(parts["machine npu-small"]["state"], "wrong")  # the board needs it, the default board does not

    def test_dask_is_sought_in_the_interpreter_of_sweeps(self):
        runs, parts = self.examine(COX_PYTHON="/absent/python3")
        self.assertTrue(runs)
        self.assertEqual(parts["Dask"]["state"], "absent")
        self.assertIn("python3-dask", parts["Dask"]["mend"])
        self.assertEqual(self.examine()[1]["Dask"]["state"], "ok")

    def test_text_names_the_same_parts(self):
        done = subprocess.run([self.prefix / "bin/cox", "doctor"], env=ENVIRONMENT, capture_output=True, text=True, check=True)
        for part in self.examine()[1]:
            self.assertIn(f" {part} ", done.stdout)
        self.assertIn("The board qemu-npu-soc has all that it needs.", done.stdout)

    def test_misses_qemu(self):
        (self.private / "qemu-system-arm").unlink()
        self.refused("QEMU", "missing", "qemu-system-arm' does not exist")

    def test_notices_a_qemu_that_does_not_run(self):
        (self.private / "qemu-system-arm").write_text("#!/bin/sh\nexit 1\n")
        self.refused("QEMU", "wrong", "does not run")

    def test_notices_a_qemu_without_the_machine(self):
        (self.private / "qemu-system-arm").write_text(QEMU.replace("npu-soc", "virt"))
        self.refused("machine npu-soc", "wrong", "lacks the machine of the board qemu-npu-soc")

    def test_misses_the_model(self):
        (self.private / "libcox_model.so").unlink()
        self.refused("accelerator model", "missing", "libcox_model.so' does not exist")

    def test_notices_a_model_that_is_none(self):
        (self.private / "libcox_model.so").write_text("no library")
        self.refused("accelerator model", "wrong", "libcox_model.so'")

    def test_misses_the_image(self):
        (self.private / "boards/qemu-npu-soc/coxswain.elf").unlink()
        self.refused("image of qemu-npu-soc", "missing", "coxswain.elf' does not exist")

    def test_notices_an_image_of_another_version(self):
        image = self.private / "boards/qemu-npu-soc/coxswain.elf"
        image.write_bytes(b"\x7fELF" + record("qemu-npu-soc", "99.0.1"))
        self.refused("image of qemu-npu-soc", "wrong", f"it has version 99.0.1, this cox has {self.version}")
        image.write_bytes(b"\x7fELF" + record("qemu-npu-small", self.version))
        self.refused("image of qemu-npu-soc", "wrong", "it is an image of the board qemu-npu-small")
        image.write_bytes(b"\x7fELF" + bytes(100))
        self.refused("image of qemu-npu-soc", "wrong", "it has no version record")

    def test_notices_board_files_of_another_version(self):
        (self.private / "boards/qemu-npu-soc/board.json").write_text("{}")
        (self.private / "boards/qemu-npu-small/board.json").unlink()
        runs, parts = self.examine()
        self.assertTrue(runs)
        self.assertEqual(parts["board.json of qemu-npu-soc"]["state"], "wrong")
        self.assertEqual(parts["board.json of qemu-npu-small"]["state"], "absent")

    def test_says_which_variable_is_wrong(self):
        self.refused("QEMU", "missing", "'/nowhere/qemu' does not exist", COX_QEMU="/nowhere/qemu")


if __name__ == "__main__":
    build, folder = sys.argv[1:]
    BUILD, FOLDER = Path(build), Path(folder).resolve()
    FOLDER.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=[sys.argv[0], "-v"])
