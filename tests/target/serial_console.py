# SPDX-License-Identifier: MIT
"""The console of a firmware on its first serial port, which QEMU connects to standard input and output."""
import subprocess
import threading

SECONDS = 60  # no run of a test takes nearly as long


class SerialConsole:
    """Boots a machine. The test types on its console and reads it, until the end of the case at the latest."""

    def __init__(self, case, command):
        self.case = case
        self.qemu = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        limit = threading.Timer(SECONDS, self.qemu.kill)
        limit.start()
        case.addCleanup(limit.cancel)
        case.addCleanup(self.end)

    def end(self):
        self.qemu.kill()
        self.qemu.communicate()

    def type(self, keys):
        self.qemu.stdin.write(keys)
        self.qemu.stdin.flush()

    def read_until(self, text):
        heard = b""
        while text.encode() not in heard:
            byte = self.qemu.stdout.read(1)
            self.case.assertTrue(byte, f"the console ended without '{text}': {heard!r}")
            heard += byte
        return heard.decode()

    def answer(self, command):
        """Returns the lines between the echo of a command and the next prompt."""
        self.type(command.encode() + b"\r")
        self.read_until(command + "\r\n")
        return self.read_until("> ")[: -len("> ")].splitlines()
