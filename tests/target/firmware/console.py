#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The firmware's console under QEMU. The test types and reads over the UART while there are no jobs."""

import os
import subprocess
import sys
import threading
import unittest

QEMU = os.environ.get("COX_QEMU", "")
MODEL = os.environ.get("COX_MODEL", "")
FIRMWARE = os.environ.get("COX_FIRMWARE", "")

SECONDS = 60  # no run here takes nearly as long


class Console(unittest.TestCase):
    """Each case boots once."""

    def setUp(self):
        command = [QEMU, "-machine", f"npu-soc,model={MODEL}", "-icount", "shift=1,sleep=off", "-kernel", FIRMWARE]
        command += ["-display", "none", "-monitor", "none", "-serial", "stdio"]
        self.qemu = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        limit = threading.Timer(SECONDS, self.qemu.kill)
        limit.start()
        self.addCleanup(limit.cancel)
        self.addCleanup(self.end)
        self.banner = self.read_until("MHz, DRAM").splitlines()

    def end(self):
        self.qemu.kill()
        self.qemu.communicate()

    def read_until(self, text):
        heard = b""
        while text.encode() not in heard:
            byte = self.qemu.stdout.read(1)
            self.assertTrue(byte, f"the console ended without '{text}': {heard!r}")
            heard += byte
        return heard.decode()

    def answer(self, command):
        """The text between the echo of a command and the next prompt."""
        self.qemu.stdin.write(command.encode() + b"\r")
        self.qemu.stdin.flush()
        self.read_until(command + "\r\n")
        return self.read_until("> ")[: -len("> ")].splitlines()

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
        self.qemu.stdin.write(b"tasts\b\b")
        self.qemu.stdin.flush()
        self.read_until("tasts\b \b\b \b")
        self.qemu.stdin.write(b"ks\r")
        self.qemu.stdin.flush()
        self.read_until("no task is loaded\r\n> ")


if __name__ == "__main__":
    for name in ("COX_QEMU", "COX_MODEL", "COX_FIRMWARE"):
        if not os.path.exists(os.environ.get(name, "")):
            print(f"{name}: there is no such file: {os.environ.get(name)!r}")
            sys.exit(77)
    unittest.main()
