#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A list of jobs on two cores, one of which loses its clock for ever, through `cox run --jobs`.

Each job ends in bounded time with the right bytes or with an error that names the fault. Jobs that may be retried all end well. CMakeLists.txt has the
environment variables."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "examples/machine")]
sys.dont_write_bytecode = True

import machine  # noqa: E402

ENTRIES, RUNS = 8, 2
TASK_OUTPUT = "logits"
LIMIT_US = 5000
# The longest time in cycles that a lost core costs. A run takes its time limit, a tick until the firmware notices, 20 ms to stop and
# another tick (docs/scheduler.md). The firmware tries the core twice (docs/faults.md, The plan).
LOST = 2 * (LIMIT_US + 10000 + 20000 + 10000) * 1000
FAULT = re.compile(r"time_limit|cancelled: tile core")
INJECTED = r"injected at (\d+)"


class Jobs:
    board = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        images = (ROOT / "examples/digits/images.bin").read_bytes()
        per_image = len(images) // (ROOT / "examples/digits/labels.bin").stat().st_size
        for entry in range(ENTRIES):
            first = entry * RUNS * per_image
            (self.folder / f"{entry}.images").write_bytes(images[first : first + RUNS * per_image])

    def run_jobs(self, plan, retries):
        """The runs as in `--stats`, the outputs of each entry (None: not written), and the messages."""
        entries = []
        for entry in range(ENTRIES):
            (self.folder / f"{entry}.logits").unlink(missing_ok=True)
            entries.append({
                "task": os.environ["COX_DIGITS"],
                "owner": entry,
                "retries": retries,
                "time_limit_us": LIMIT_US,
                "inputs": {"image": f"{entry}.images"},
                "outputs": {TASK_OUTPUT: f"{entry}.logits"},
            })
        (self.folder / "jobs.json").write_text(json.dumps(entries))
        (self.folder / "plan.txt").write_text(plan + "\n")
        words = [os.environ["COX"], "run", "--board", self.board, "--jobs", self.folder / "jobs.json", "--cores", "2", "--verbose"]
        words += ["--stats", self.folder / "stats.json", "--option", f"faults={self.folder / 'plan.txt'}"]
        if self.board != "native":
            words += ["--max-host-seconds", "60"]
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, check=False)
        said = done.stdout + done.stderr
        self.assertIn(f"{ENTRIES * RUNS} jobs, ", said)
        outputs = [self.folder / f"{entry}.logits" for entry in range(ENTRIES)]
        runs = json.loads((self.folder / "stats.json").read_text())["jobs"]
        self.assertEqual(len(runs), ENTRIES * RUNS)
        self.assertEqual(done.returncode == 0, not any(run["error"] for run in runs), said)
        return runs, [path.read_bytes() if path.exists() else None for path in outputs], said

    def test_a_core_without_its_clock(self):
        # This plan loses only the first doorbell, and the firmware rings again at the next tick. The message has the cycle of the loss.
        undisturbed, right, said = self.run_jobs("doorbell lost queue=LD core=0 count=1", 0)
        self.assertNotIn(None, right)
        self.assertEqual(len(set(right)), ENTRIES)
        one_by_one = sum(run["end_cycle"] - run["start_cycle"] for run in undisturbed)
        stop = int(re.search(INJECTED, said)[1]) + 2000
        for retries in (0, 1):
            with self.subTest(retries=retries):
                runs, outputs, said = self.run_jobs(f"clock core=0 at={stop} cycles=forever", retries)
                self.assertRegex(said, INJECTED)
                failed = {run["entry"] for run in runs if run["error"]}
                for run in runs:
                    if run["error"]:
                        self.assertRegex(run["error"], FAULT)
                for entry in range(ENTRIES):
                    self.assertEqual(outputs[entry], None if entry in failed else right[entry], entry)
                # The runs on the lost core fail or are retried. The scheduler sends no further run there if the other core has room.
                self.assertTrue(any(run["error"] or run["retried"] for run in runs), said)
                if retries:
                    self.assertFalse(failed, said)
                after = [run for run in runs if not run["error"] and run["end_cycle"] > stop + LIMIT_US * 1000]
                self.assertTrue(after)
                self.assertEqual({run["first_core"] for run in after}, {1}, said)
                ends = [run["end_cycle"] for run in runs]
                self.assertLess(max(ends) - stop, LOST + one_by_one)


class Native(Jobs, unittest.TestCase):
    board = "native"


class Qemu(Jobs, unittest.TestCase):
    board = "qemu"

    def setUp(self):
        try:
            machine.target_image("coxswain.elf")
            machine.built("COX_QEMU", "build/qemu/bin/qemu-system-arm", "make qemu")
        except machine.Missing as missing:
            self.skipTest(str(missing))
        super().setUp()


if __name__ == "__main__":
    program = unittest.main(exit=False)
    skipped = len(program.result.skipped) == program.result.testsRun
    sys.exit(77 if skipped else not program.result.wasSuccessful())
