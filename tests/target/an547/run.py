#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The images of the board mps3-an547, and those of both security states. The first argument is the case:

    stock     coxswain.elf on the distribution's own QEMU: no accelerator, the console
    ours      the same file on our QEMU: the accelerator
    security  coxswain-nonsecure.elf on both and on the board qemu-npu-soc, coxswain-service.elf with its application on both boards
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "target"))
from serial_console import SECONDS, SerialConsole  # noqa: E402: in the folder above

STOCK = os.environ.get("COX_STOCK_QEMU", "")
OURS = os.environ.get("COX_QEMU", "")
MODEL = os.environ.get("COX_MODEL", "")
COX = os.environ.get("COX_COMMAND", "")
AN547 = os.environ.get("COX_AN547", "")
SOC = os.environ.get("COX_SOC", "")

ABSENT = "coxswain: no accelerator at 0x44000000: console only"
QUIET = ["-display", "none", "-monitor", "none", "-serial", "stdio"]
COUNTED = ["-icount", "shift=1,sleep=off"]
STOCK_MACHINE = [STOCK, "-machine", "mps3-an547"] + QUIET
OUR_MACHINE = [OURS, "-machine", f"mps3-an547-npu,model={MODEL}"] + COUNTED + QUIET


def needs(*paths):
    for path in paths:
        if not os.path.exists(path):
            raise unittest.SkipTest(f"there is no such file: {path!r}")


class Console(unittest.TestCase):
    def without_accelerator(self, image):
        boot = SerialConsole(self, STOCK_MACHINE + ["-kernel", image])
        boot.read_until(ABSENT)
        commands = [line.split()[0] for line in boot.answer("help")]
        self.assertIn("faults", commands)
        self.assertNotIn("tasks", commands)
        self.assertEqual(boot.answer("faults"), ["no fault since power-on"])
        for command in ("tasks", "queues", "tokens", "jobs", "owners", "clocks", "engines", "stats"):
            self.assertEqual(boot.answer(command), [f"{command} needs the accelerator, which this board does not have"])
        self.assertEqual(boot.answer("reboot"), ["unknown command: reboot (help lists what there is)"])

    def with_accelerator(self, image, machine=OUR_MACHINE):
        boot = SerialConsole(self, machine + ["-kernel", image])
        boot.read_until("MHz, DRAM 256 MiB")
        self.assertEqual(boot.answer("jobs"), ["submitted 0, taken 0, completed 0"])
        self.assertEqual(boot.answer("engines")[0], "MX            MX engine, queue 36, completion queue 4, in flight 0")


class Stock(Console):
    def test_console(self):
        needs(STOCK, f"{AN547}/coxswain.elf")
        self.without_accelerator(f"{AN547}/coxswain.elf")


class Ours(Console):
    def test_the_same_image_without_accelerator(self):
        needs(OURS, f"{AN547}/coxswain.elf")
        boot = SerialConsole(self, [OURS, "-machine", "mps3-an547"] + QUIET + ["-kernel", f"{AN547}/coxswain.elf"])
        boot.read_until(ABSENT)

    def test_console(self):
        needs(OURS, MODEL, f"{AN547}/coxswain.elf")
        self.with_accelerator(f"{AN547}/coxswain.elf")

    def test_wrong_dram(self):
        needs(OURS, MODEL)
        run = subprocess.run(OUR_MACHINE + ["-m", "64M"], capture_output=True, text=True, timeout=SECONDS, check=False)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("Invalid RAM size, should be 256 MiB", run.stderr)


class Security(Console):
    def test_the_firmware_is_non_secure(self):
        needs(STOCK, OURS, MODEL, f"{AN547}/coxswain-nonsecure.elf")
        self.without_accelerator(f"{AN547}/coxswain-nonsecure.elf")
        self.with_accelerator(f"{AN547}/coxswain-nonsecure.elf")

    def test_the_firmware_is_non_secure_on_the_other_board(self):
        image = f"{SOC}/coxswain-nonsecure.elf"
        needs(OURS, MODEL, image)
        self.with_accelerator(image, [OURS, "-machine", f"npu-soc,model={MODEL}"] + COUNTED + QUIET)

    def test_a_non_secure_task_on_the_accelerator(self):
        for board, images in (("mps3-an547", AN547), ("qemu-npu-soc", SOC)):
            with self.subTest(board=board):
                self.run_non_secure(board, f"{images}/coxswain-nonsecure.elf")

    def run_non_secure(self, board, image):
        needs(OURS, MODEL, COX, image)
        with tempfile.TemporaryDirectory() as folder:
            task = self.copy_task(folder)
            data = bytes(i * 7 % 251 for i in range(65536))
            source, result = pathlib.Path(folder, "in"), pathlib.Path(folder, "out")
            source.write_bytes(data)
            command = [COX, "run", task, "--in", f"in={source}", "--out", f"out={result}", "--board", board]
            environment = os.environ | {"COX_FIRMWARE": image, "COX_QEMU": OURS, "COX_MODEL": MODEL}
            run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertEqual(result.read_bytes(), data)

    def test_non_secure_code_cannot_read_the_secure_boot_image(self):
        image = f"{AN547}/secure_access.elf"
        needs(OURS, MODEL, image)
        machine = OUR_MACHINE + ["-semihosting-config", "enable=on,target=native"]
        run = subprocess.run(machine + ["-kernel", image], capture_output=True, text=True, timeout=SECONDS, check=False)
        self.assertIn("reading the secure code\n*** SecureFault: an access from the non-secure state to secure memory", run.stdout.replace("\r", "").replace("\n\n", "\n"))
        self.assertEqual(run.returncode, 70)

    def copy_task(self, folder):
        example = ROOT / "examples" / "three_engines"
        task = os.path.join(folder, "copy.cxt")
        subprocess.run([COX, "as", example / "copy.jsonl", "--bindings", example / "copy.bindings.json", "-o", task], check=True)
        return task

    def service(self, machine, images, dram, secret):
        """Boots the secure firmware and the application, which reads the address `secret` at its end, unless that is 0."""
        needs(OURS, MODEL, COX, f"{images}/coxswain-service.elf", f"{images}/trustzone_application.elf")
        with tempfile.TemporaryDirectory() as folder:
            command = [OURS, "-machine", f"{machine},model={MODEL}"] + COUNTED + QUIET + ["-semihosting-config", "enable=on,target=native"]
            command += ["-kernel", f"{images}/coxswain-service.elf", "-device", f"loader,file={images}/trustzone_application.elf"]
            command += ["-device", f"loader,file={self.copy_task(folder)},addr={dram:#x},force-raw=on"]
            command += ["-device", f"loader,addr={dram + 0x100000:#x},data={secret:#x},data-len=4"]
            return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)

    def test_the_application_is_served(self):
        for machine, images, dram in (("mps3-an547-npu", AN547, 0x68000000), ("npu-soc", SOC, 0x68000000)):
            with self.subTest(machine=machine):
                run = self.service(machine, images, dram, 0)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                self.assertIn("65536 bytes are copied\n", run.stdout)
                self.assertIn("load of a secure image: invalid_argument\n", run.stdout)
                self.assertIn("run with secure windows: invalid_argument\n", run.stdout)
                self.assertIn("all as expected\n", run.stdout)

    def test_the_application_cannot_read_secure_memory(self):
        for machine, images, dram, secret in (("mps3-an547-npu", AN547, 0x68000000, 0x21000000), ("npu-soc", SOC, 0x68000000, 0x20000000)):
            with self.subTest(machine=machine):
                run = self.service(machine, images, dram, secret)
                self.assertIn("*** SecureFault: an access from the non-secure state to secure memory", run.stdout)
                self.assertNotIn("from secure memory\n", run.stdout.split("SecureFault")[0].split("all as expected")[1])
                self.assertEqual(run.returncode, 70)

    def test_without_the_application(self):
        needs(OURS, MODEL, f"{AN547}/coxswain-service.elf")
        command = OUR_MACHINE + ["-semihosting-config", "enable=on,target=native", "-kernel", f"{AN547}/coxswain-service.elf"]
        run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        self.assertIn("security: there is no vector table at the beginning of the non-secure code memory", run.stdout)
        self.assertEqual(run.returncode, 1)


if __name__ == "__main__":
    case = {"stock": Stock, "ours": Ours, "security": Security}[sys.argv[1]]
    result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(case))
    sys.exit(1 if not result.wasSuccessful() else 77 if len(result.skipped) == result.testsRun else 0)
