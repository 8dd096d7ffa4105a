#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Batches of seeds whose program crashes, hangs or is wrong; what makes two failures the same; libFuzzer and GoogleTest programs."""
import base64
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import fake

from coxswain.campaign import process
from coxswain.campaign.failure import Failure, group_of, short_name
from coxswain.campaign.fuzz import minimise as minimise_fuzz
from coxswain.campaign.shrink import shrink
from coxswain.campaign.trial import run_batch

FUZZ = """#!{python}
import pathlib, sys
prefix = next((word.split("=")[1] for word in sys.argv if word.startswith("-artifact_prefix=")), "")
small = next((word.split("=")[1] for word in sys.argv if word.startswith("-exact_artifact_path=")), "")
if small:
    pathlib.Path(small).write_bytes(b"!")
    sys.exit(77)
if "-seed=7" in sys.argv:
    pathlib.Path(prefix + "crash-0123").write_bytes(b"ab!cd")
    print("SUMMARY: AddressSanitizer: heap-buffer-overflow table.cpp:31 in read", file=sys.stderr)
    sys.exit(77)
"""
GTEST = """#!{python}
import os, sys
if os.environ["SEED"] != "5":
    sys.exit(0)
print("[ RUN      ] Jobs.All\\njobs.cpp:70: Failure\\nExpected equality of these values:\\n  answers\\n    Which is: 31\\n  32\\njobs.cpp:75: Failure\\nValue of: done\\n\\n[  FAILED  ] Jobs.All (3 ms)\\n 1 FAILED TEST")
sys.exit(1)
"""


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def script(self, text):
        program = self.folder / "program"
        program.write_text(text.format(python=sys.executable))
        program.chmod(0o755)
        return program


class TrialTest(Folder):
    def run_seeds(self, first, count, limit=20.0, **plan):
        program = fake.write_program(self.folder, "task_trials")
        fake.set_plan(self.folder, **plan)
        payload = {"form": "trials", "program": str(program), "arguments": [], "limit": limit, "first": first, "count": count}
        values = run_batch(payload)["values"]
        return [Failure.from_json(each) for each in values["failures"]], values["coverage"]

    def test_counts_coverage(self):
        failures, coverage = self.run_seeds(1, 5)
        self.assertEqual(failures, [])
        self.assertEqual(coverage, [["flip", "mx", "corrected", 2], ["flip", "mx", "retried", 3]])

    def test_a_wrong_seed_does_not_stop_the_others(self):
        failures, _ = self.run_seeds(1, 5, wrong={"2": "byte 7 is wrong"})
        self.assertEqual(failures, [Failure(2, "byte 7 is wrong")])
        self.assertEqual(fake.seeds_run(self.folder), [1, 2, 3, 4, 5])

    def test_a_crash_is_told_from_the_other_seeds(self):
        failures, coverage = self.run_seeds(1, 6, crash=[3, 5], wrong={"6": "wrong"})
        self.assertEqual([(failure.seed, failure.state) for failure in failures], [(3, "crash"), (5, "crash"), (6, "wrong")])
        self.assertEqual(failures[0].what, "it crashed with SIGABRT: assertion failed")
        self.assertEqual(sum(count for *_, count in coverage), 4)

    def test_a_crash_of_the_last_seed(self):
        failures, _ = self.run_seeds(1, 2, crash=[2])
        self.assertEqual([(failure.seed, failure.state) for failure in failures], [(2, "crash")])

    def test_a_crash_that_needs_the_seeds_before(self):
        failures, coverage = self.run_seeds(1, 4, after=[3])
        self.assertEqual([(failure.seed, failure.state) for failure in failures], [(3, "batch")])
        self.assertIn("after the seeds from 1 on; alone it passes", failures[0].what)
        self.assertEqual(failures[0].first, 1)
        self.assertEqual(sum(count for *_, count in coverage), 4)

    def test_a_hang_ends_at_the_limit(self):
        with mock.patch.object(process, "START_SECONDS", 1.0):
            failures, coverage = self.run_seeds(1, 3, limit=0.5, hang=[2])
        self.assertEqual(failures, [Failure(2, "it did not end within 0.5 s", "hang")])
        self.assertEqual(sum(count for *_, count in coverage), 2)

    def test_a_program_that_cannot_start_is_no_failure_of_a_seed(self):
        payload = {"form": "trials", "program": str(self.folder / "gone"), "arguments": [], "limit": 1.0, "first": 1, "count": 1}
        with self.assertRaises(OSError):
            run_batch(payload)

    def test_shrinks_to_the_lines_that_matter(self):
        program = fake.write_program(self.folder, "task_trials")
        fake.set_plan(self.folder, wrong={"4": "byte 12 is wrong"})
        payload = {"form": "trials", "program": str(program), "arguments": [], "limit": 20.0, "first": 4, "group": group_of("wrong", "byte 99 is wrong")}
        values = shrink(payload)["values"]
        self.assertTrue(values["fails"])
        self.assertEqual((values["lines"], values["of"]), (2, 20))
        self.assertEqual(values["input"].splitlines()[:2], ["! seed 4", "value=3"])
        other = shrink({**payload, "group": "wrong: something else"})["values"]
        self.assertFalse(other["fails"])
        self.assertEqual(other["lines"], 20)


class OtherFormsTest(Folder):
    def test_fuzz(self):
        payload = {"form": "fuzz", "program": str(self.script(FUZZ)), "arguments": ["-runs=10"], "limit": 20.0, "first": 6, "count": 2}
        values = run_batch(payload)["values"]
        self.assertEqual([(each["seed"], each["state"]) for each in values["failures"]], [(7, "crash")])
        self.assertIn("heap-buffer-overflow table.cpp:31", values["failures"][0]["what"])
        self.assertEqual(base64.b64decode(values["inputs"]["7"]), b"ab!cd")
        self.assertEqual(minimise_fuzz({**payload, "input": values["inputs"]["7"]}), b"!")

    def test_gtest(self):
        payload = {"form": "gtest", "program": str(self.script(GTEST)), "arguments": ["--gtest_filter=*"], "environment": {"SEED": "{seed}"}, "limit": 20.0,
                   "first": 4, "count": 3}  # fmt: skip
        failures = run_batch(payload)["values"]["failures"]
        self.assertEqual(failures, [{"seed": 5, "what": "Expected equality of these values:; answers; Which is: 31; 32", "state": "wrong", "first": -1}])
        group = group_of("wrong", failures[0]["what"])
        self.assertTrue(shrink({**payload, "first": 5, "group": group})["values"]["fails"])
        self.assertFalse(shrink({**payload, "first": 4, "group": group})["values"]["fails"])


class GroupTest(unittest.TestCase):
    def test_numbers_make_no_difference(self):
        self.assertEqual(group_of("wrong", "window 2, byte 1327 is 0x5A"), group_of("wrong", "window 0, byte 3 is 0xff"))
        self.assertEqual(group_of("wrong", "is <5A-00>"), group_of("wrong", "is <00-1F>"))
        self.assertEqual(group_of("hang", "not within 0.5 s"), group_of("hang", "not within 60 s"))

    def test_words_and_states_do(self):
        self.assertNotEqual(group_of("wrong", "a"), group_of("crash", "a"))
        self.assertNotEqual(group_of("wrong", "inference 3: timeout"), group_of("wrong", "inference 3: wrong bytes"))
        self.assertNotEqual(short_name("mx", "a"), short_name("cube", "a"))


if __name__ == "__main__":
    unittest.main()
