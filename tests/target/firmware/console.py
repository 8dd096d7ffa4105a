#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The firmware's console under QEMU. The test types and reads over the UART while there are no jobs."""

import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from serial_console import SerialConsole  # noqa: E402: in the folder above

QEMU = os.environ.get("COX_QEMU", "")
MODEL = os.environ.get("COX_MODEL", "")
FIRMWARE = os.environ.get("COX_FIRMWARE", "")


class Console(unittest.TestCase):
    """Each case boots once."""

    def setUp(self):
        command = [QEMU, "-machine", f"npu-soc,model={MODEL}", "-icount", "shift=1,sleep=off", "-kernel", FIRMWARE]
        command += ["-display", "none", "-monitor", "none", "-serial", "stdio"]
        self.console = SerialConsole(self, command)
        self.banner = self.console.read_until("MHz, DRAM").splitlines()
        self.answer = self.console.answer

    def test_commands(self):
        self.assertIn("tasks   task slots: name, owner, instructions, runs, failures", self.answer("help"))
        self.assertEqual(self.answer("tasks"), ["no task is loaded"])
        queues = self.answer("queues")
        self.assertEqual([line.split()[0] for line in queues], ["queue", "CT", "LD", "LW", "PE", "VP", "DT", "ST", "SI", "SO"])
        self.assertEqual(self.answer("tokens"), ["no task runs"])
        self.assertEqual(self.answer("jobs"), ["submitted 0, taken 0, completed 0"])
        self.assertEqual(self.answer("owners"), ["nobody has used the device"])
        self.assertEqual(self.answer("faults"), ["no fault since power-on"])
        self.assertRegex(self.answer("clocks")[0], r"^tile core 0   (on|off), had it for \d+ of \d+ cycles \(\d+\.\d %\)$")
        self.assertEqual(self.answer("engines")[0], "MX            MX engine, queue 36, completion queue 4, in flight 0")
        stats = self.answer("stats")
        self.assertEqual(stats[0], "jobs 0, runs 0, failures 0")
        self.assertRegex(stats[-1], r"^control core asleep \d+\.\d % of \d+ us$")
        self.assertEqual(["coxswain: " + line for line in self.answer("version")], self.banner[:2])
        self.assertEqual(self.answer("reboot"), ["unknown command: reboot (help lists what there is)"])
        self.assertEqual(self.answer(""), [])

    def test_rub_out(self):
        self.console.type(b"tasts\b\b")
        self.console.read_until("tasts\b \b\b \b")
        self.console.type(b"ks\r")
        self.console.read_until("no task is loaded\r\n> ")


if __name__ == "__main__":
    for name in ("COX_QEMU", "COX_MODEL", "COX_FIRMWARE"):
        if not os.path.exists(os.environ.get(name, "")):
            print(f"{name}: there is no such file: {os.environ.get(name)!r}")
            sys.exit(77)
    unittest.main()
