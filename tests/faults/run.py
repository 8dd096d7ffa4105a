#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fault plans under QEMU. Twenty: digits through `cox run`, digits on MX and a product on the matrix unit through their applications. Twenty
more: products on the PIM cores through their self-test. Twenty more: a TensorFlow Lite model on the Unity units through their self-test.

Each run ends with the bytes of a run without a plan, or with an error that names the fault. CMakeLists.txt has the environment variables."""
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "examples" / folder) for folder in ("machine", "digits_mx", "digits")]
sys.dont_write_bytecode = True

import demo  # noqa: E402
import machine  # noqa: E402

IMAGES = 4
INJECTED = r"injected at (\d+)"
FAILED = 4  # exit status of cox if a run fails
# Each plan, and the error message of a run without retries, or None if the result is right nevertheless. NOW stands for a time within the
# first run.
TILE = (
    ("bus_error queue=LD core=0 access=3", "bus_error"),
    ("stuck queue=PE core=0 instruction=2", "time_limit"),
    ("stuck queue=ST core=0 instruction=1 cycles=3000000", None),
    ("completion corrupt queue=0 count=5 bit=20", "completion"),
    ("completion lost queue=0 count=4", "completion"),
    ("doorbell lost queue=VP core=0 count=1", None),
    ("interrupt lost line=0 count=2", None),
    ("interrupt spurious line=1 at=NOW", None),
    ("slow factor=50 at=NOW cycles=1000000", None),
    ("flip memory=wl0 core=0 address=64 bits=1 at=NOW", None),
    ("clock core=0 at=NOW cycles=2000000", None),
    ("reset core=0 at=NOW", "core reset"),
)
MX = (
    ("bus_error queue=MX access=9", "device_fault"),
    ("stuck queue=MX instruction=7", "timeout"),
    ("completion lost queue=4 count=2", "device_fault: completion"),
    ("doorbell lost queue=MX count=3", None),
)
CUBE = (
    ("bus_error queue=CUBE access=5", "device_fault"),
    ("stuck queue=CUBE instruction=3", "timeout"),
    ("completion corrupt queue=5 count=1 bit=3", "completion"),
    ("interrupt lost line=0 count=1", None),
)
assert len(TILE + MX + CUBE) == 20
# The self-test of the PIM kernels runs four programs that are right, and one with a fault. NOW stands for a time within the first one.
PIM = (
    ("bus_error queue=PIM access=1", "device_fault"),
    ("bus_error queue=PIM access=2", "device_fault"),
    ("bus_error queue=PIM access=3", "device_fault"),
    ("bus_error queue=PIM access=5", "device_fault"),
    ("stuck queue=PIM instruction=1", "timeout"),
    ("stuck queue=PIM instruction=2", "timeout"),
    ("stuck queue=PIM instruction=1 cycles=100000", None),
    ("stuck queue=PIM instruction=2 cycles=30000", None),
    ("completion corrupt queue=6 count=1 bit=3", "completion"),
    ("completion corrupt queue=6 count=2 bit=40", "completion"),
    ("completion lost queue=6 count=1", "completion"),
    ("completion doubled queue=6 count=1", None),
    ("doorbell lost queue=PIM count=1", None),
    ("doorbell lost queue=PIM count=2", None),
    ("interrupt lost line=0 count=1", None),
    ("interrupt doubled line=0 count=1", None),
    ("interrupt spurious line=1 at=NOW", None),
    ("slow factor=50 at=NOW cycles=100000", None),
    ("clock engine=PIM at=NOW cycles=100000", None),
    ("reset engine=PIM at=NOW", "device_fault"),
)
assert len(PIM) == 20
# The self-test of the Unity units runs the model twice, then a program with a fault, and that program without it. The device reads
# descriptor and container in the first two accesses; those of operand tables, sources and results follow.
UNITY = (
    ("bus_error queue=UNITY access=1", "device_fault"),
    ("bus_error queue=UNITY access=2", "device_fault"),
    ("bus_error queue=UNITY access=3", "device_fault"),
    ("bus_error queue=UNITY access=4", "device_fault"),
    ("bus_error queue=UNITY access=9", "device_fault"),
    ("stuck queue=UNITY instruction=1", "timeout"),
    ("stuck queue=UNITY instruction=2", "timeout"),
    ("stuck queue=UNITY instruction=1 cycles=100000", None),
    ("stuck queue=UNITY instruction=2 cycles=30000", None),
    ("completion corrupt queue=7 count=1 bit=3", "completion"),
    ("completion corrupt queue=7 count=2 bit=40", "completion"),
    ("completion lost queue=7 count=1", "completion"),
    ("completion doubled queue=7 count=1", None),
    ("doorbell lost queue=UNITY count=1", None),
    ("doorbell lost queue=UNITY count=2", None),
    ("interrupt lost line=0 count=1", None),
    ("interrupt doubled line=0 count=1", None),
    ("slow factor=50 at=NOW cycles=100000", None),
    ("clock engine=UNITY at=NOW cycles=100000", None),
    ("reset engine=UNITY at=NOW", "device_fault"),
)
assert len(UNITY) == 20


class Faults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def plan(self, text):
        path = self.folder / "plan.txt"
        path.write_text(text + "\n")
        return path


class Tile(Faults):
    def run_digits(self, *options):
        image = self.folder / "image.bin"
        per_image = (ROOT / "examples/digits/images.bin").stat().st_size // (ROOT / "examples/digits/labels.bin").stat().st_size
        image.write_bytes((ROOT / "examples/digits/images.bin").read_bytes()[: IMAGES * per_image])
        out = self.folder / "logits.bin"
        out.unlink(missing_ok=True)
        words = [os.environ["COX"], "run", os.environ["COX_DIGITS"], "--in", f"image={image}", "--out", f"logits={out}", "--verbose"]
        words += ["--time-limit", "50000", "--max-host-seconds", "60", *options]
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
        return done, out.read_bytes() if out.exists() else b""

    def test_plans(self):
        done, right = self.run_digits()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(any(right))
        # This plan loses only the first doorbell. The message about the fault tells when the first run began.
        done, _ = self.run_digits("--option", f"faults={self.plan('doorbell lost queue=LD core=0 count=1')}")
        now = int(re.search(INJECTED, done.stdout + done.stderr)[1]) + 5000
        for number, (line, error) in enumerate(TILE):
            plan = self.plan(line.replace("NOW", str(now)))
            # If `number` is even, a plan that causes an error has no retries, and the run must report the error. All other runs have two
            # retries and must succeed.
            retries = 2 if error is None or number % 2 else 0
            with self.subTest(plan=line, retries=retries):
                done, logits = self.run_digits("--option", f"faults={plan}", "--retries", str(retries))
                self.assertRegex(done.stdout + done.stderr, INJECTED)
                if error is None or retries:
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(logits, right)
                else:
                    self.assertEqual(done.returncode, FAILED, done.stderr)
                    self.assertIn(error, done.stderr)


class Applications(Faults):
    def test_mx(self):
        images = np.linspace(0, 1, IMAGES * 64, dtype=np.float32).reshape(IMAGES, 8, 8, 1)
        weights = demo.packed_weights()
        right = None
        for line, error in (("", None), *MX):
            with self.subTest(plan=line):
                dram = self.folder / "dram.bin"
                dram.unlink(missing_ok=True)
                logits, _ = demo.lay_out(dram, images, weights)
                status, console = machine.run(machine.target_image("digits_mx.elf"), dram, {"faults": str(self.plan(line))}, seconds=60)
                self.assertEqual(bool(re.search(INJECTED, console)), bool(line), console)
                if error:
                    self.assertEqual(status, 1, console)
                    self.assertIn(error, console)
                    continue
                self.assertEqual(status, 0, console)
                answer = machine.Dram(dram).read(*logits)
                right = right or answer
                self.assertEqual(answer, right)

    def test_cube(self):
        right = None
        for line, error in (("", None), *CUBE):
            with self.subTest(plan=line):
                status, console = machine.run(machine.target_image("first_gemm_cpp.elf"), options={"faults": str(self.plan(line))}, seconds=60)
                self.assertEqual(bool(re.search(INJECTED, console)), bool(line), console)
                lines = [text for text in console.splitlines() if text.startswith("c[")]
                if error:
                    self.assertNotEqual(status, 0, console)
                    self.assertIn(error, console)
                    continue
                self.assertEqual(status, 0, console)
                right = right or lines
                self.assertTrue(right)
                self.assertEqual(lines, right)

    def test_pim(self):
        image = machine.target_image("kernels_pim_selftest.elf")
        now = None
        for line, error in (("", None), ("doorbell lost queue=PIM count=1", None), *PIM):
            with self.subTest(plan=line):
                plan = self.plan(line.replace("NOW", str(now)))
                status, console = machine.run(image, options={"faults": str(plan)}, seconds=100)
                injected = re.search(INJECTED, console)
                self.assertEqual(bool(injected), bool(line), console)
                if line and now is None:
                    now = int(injected[1]) + 3000
                # Whatever the plan is, the last program is right.
                self.assertIn("once more: ok", console)
                if error:
                    self.assertNotEqual(status, 0, console)
                    self.assertIn(error, console)
                else:
                    self.assertEqual(status, 0, console)

    def test_unity(self):
        image = machine.target_image("kernels_unity_selftest.elf")
        subprocess.run([machine.host_program("unity_model_cases"), self.folder], check=True)
        now = None
        for line, error in (("", None), ("doorbell lost queue=UNITY count=1", None), *UNITY):
            with self.subTest(plan=line):
                plan = self.plan(line.replace("NOW", str(now)))
                dram = self.lay_out_model()
                status, console = machine.run(image, dram, {"faults": str(plan)}, seconds=100)
                injected = re.search(INJECTED, console)
                self.assertEqual(bool(injected), bool(line), console)
                if line and now is None:
                    now = int(injected[1]) + 300
                # Whatever the plan is, the last program is right.
                self.assertIn("fault: ok", console)
                if error:
                    self.assertNotEqual(status, 0, console)
                    self.assertIn(error, console)
                else:
                    self.assertEqual(status, 0, console)

    def lay_out_model(self):
        """DRAM for the self-test: the model, its inputs and outputs, twice."""
        path = self.folder / "dram.bin"
        dram = machine.Dram(path, 16)
        layout = machine.Layout(4096)
        words = []
        for kind in ("tflite", "inputs", "outputs"):
            data = (self.folder / f"all_operators.{kind}").read_bytes()
            address, _ = layout.region(len(data))
            dram.write(address, data)
            words += [address - machine.DRAM_BASE, len(data)]
        dram.write(machine.DRAM_BASE, struct.pack(f"<{1 + 2 * len(words)}I", 2, *words, *words))
        return path


if __name__ == "__main__":
    try:
        for name in ("coxswain.elf", "digits_mx.elf", "first_gemm_cpp.elf", "kernels_pim_selftest.elf", "kernels_unity_selftest.elf"):
            machine.target_image(name)
        machine.host_program("digits_mx_pack_weights")
        machine.host_program("unity_model_cases")
        machine.built("COX_QEMU", "build/qemu/bin/qemu-system-arm", "make qemu")
        machine.built("COX_MODEL", "build/host/lib/libcox_model.so", "make host")
    except machine.Missing as missing:
        print(f"skipped: {missing}")
        sys.exit(77)
    unittest.main()
