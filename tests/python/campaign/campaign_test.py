#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whole campaigns over programs that do what a test wants."""
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

import fake

from coxswain.campaign import campaign, kinds, plan
from coxswain.campaign.options import parse
from coxswain.work import ExitCode, WorkError


class PlanTest(unittest.TestCase):
    KIND = kinds.Kind("tasks", "", "task_trials", "", batch=10)

    def seeds(self, first, count, done):
        items = list(plan.batches(self.KIND, pathlib.Path("/p"), "r", first, count, done))
        self.assertEqual(len(items), plan.length(self.KIND, first, count, done))
        self.assertEqual(len({item.key for item in items}), len(items))
        return [(item.payload["first"], item.payload["count"]) for item in items]

    def test_batches(self):
        self.assertEqual(self.seeds(1, 25, set()), [(1, 10), (11, 10), (21, 5)])
        self.assertEqual(self.seeds(1, 25, {3, 4, 30}), [(1, 2), (5, 10), (15, 10), (25, 1)])
        self.assertEqual(self.seeds(5, 3, {4, 5, 6, 7, 8}), [])

    def test_a_huge_count_costs_nothing_until_it_runs(self):
        self.assertEqual(plan.length(self.KIND, 1, 10**12, {7}), 1 + 10**11)
        endless = plan.in_turn([plan.batches(self.KIND, pathlib.Path("/p"), "r", 1, 0, set()), iter(())])
        self.assertEqual([next(endless).payload["first"] for _ in range(3)], [1, 11, 21])

    def test_keys_depend_on_seeds_and_revision_but_not_on_the_folder(self):
        def key(path="/p", revision="r", first=1):
            return plan.item_of(plan.payload_of(self.KIND, pathlib.Path(path), revision, first, 10)).key

        self.assertEqual(key(), key(path="/q"))
        self.assertEqual(len({key(), key(revision="s"), key(first=2)}), 3)


class CampaignTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.programs = self.folder / "build/host/bin"
        fake.write_program(self.programs, "task_trials")
        fake.set_plan(self.folder)

    def run_campaign(self, **options):
        """Returns the exit status and what the campaign said."""
        values = {"kinds": ["tasks"], "count": 120, "output": str(self.folder / "campaign.db"), "reproducers": str(self.folder / "reproducers"),
                  "programs": str(self.programs), "revision": "r1", "quiet": True, **options}  # fmt: skip
        said = []
        status = campaign.conduct(parse(values), said.append)
        return status, "\n".join(said)

    def refused(self, code, **options):
        with self.assertRaises(WorkError) as caught:
            self.run_campaign(**options)
        self.assertEqual(caught.exception.code, code, str(caught.exception))
        return str(caught.exception)

    def reproducers(self):
        return sorted((self.folder / "reproducers").glob("*"))

    def test_runs_each_seed_once(self):
        self.assertEqual(self.run_campaign(first=7)[0], ExitCode.OK)
        self.assertEqual(sorted(fake.seeds_run(self.folder)), list(range(7, 127)))
        self.assertEqual(self.reproducers(), [])

    def test_goes_on_where_it_ended(self):
        self.run_campaign(first=20, count=30)
        status, said = self.run_campaign(first=1, count=200)
        self.assertEqual(status, ExitCode.OK)
        self.assertEqual(sorted(fake.seeds_run(self.folder)), list(range(1, 201)))
        self.assertIn("tasks: 200 seeds, 0 failed", said)

    def test_another_revision_is_tested_anew(self):
        self.run_campaign(count=50)
        self.assertIn("revision r1", self.refused(ExitCode.BAD_INPUT, count=50, revision="r2"))
        self.run_campaign(count=50, revision="r2", accept_revision=True)
        self.assertEqual(len(fake.seeds_run(self.folder)), 100)

    def test_the_programs_of_another_build_are_tested_anew(self):
        self.run_campaign(count=50)
        other = fake.write_program(self.folder / "other/host/bin", "task_trials")
        fake.set_plan(self.folder, wrong={"5": "byte 3 is wrong"})
        self.assertEqual(self.run_campaign(count=50, programs=str(other.parent))[0], ExitCode.OK)  # a copy
        other.write_text(other.read_text() + "# changed\n")
        status, said = self.run_campaign(count=50, programs=str(other.parent))
        self.assertEqual(status, ExitCode.FOUND)
        self.assertIn("tasks: 1 of 50 seeds", said)
        self.assertEqual(self.run_campaign(count=50)[0], ExitCode.OK)  # the first build has its own results
        self.assertEqual(len(fake.seeds_run(self.folder)), 100)

    def test_a_batch_without_a_result_counts_until_its_seeds_have_one(self):
        (self.programs / "task_trials").chmod(0o644)
        self.assertEqual(self.run_campaign(count=50)[0], ExitCode.FAILED)
        (self.programs / "task_trials").chmod(0o755)
        self.assertEqual(self.run_campaign(count=30)[0], ExitCode.FAILED)
        status, said = self.run_campaign(count=50)
        self.assertEqual(status, ExitCode.OK, said)

    def test_a_picture_that_cannot_be_written_is_refused_before_anything_runs(self):
        self.assertIn("absent/a.svg: cannot be written", self.refused(ExitCode.BAD_OUTPUT, picture=str(self.folder / "absent/a.svg")))
        self.assertIn("is the file of results, too", self.refused(ExitCode.USAGE, picture=str(self.folder / "campaign.db")))
        self.assertEqual(fake.seeds_run(self.folder), [])

    def test_files_the_same_failure_once_and_minimised(self):
        fake.set_plan(self.folder, wrong={"5": "byte 3 is wrong", "9": "byte 77 is wrong", "60": "deadlock"})
        status, said = self.run_campaign()
        self.assertEqual(status, ExitCode.FOUND)
        places = self.reproducers()
        self.assertEqual(len(places), 2)
        (text,) = [text for text in ((place / "README.md").read_text() for place in places) if "deadlock" not in text]
        self.assertIn("byte 3 is wrong", text)
        self.assertIn("| seeds | 5, 9 |", text)
        self.assertIn("| revision | r1 |", text)
        self.assertIn("tasks: 2 of 120 seeds: byte 3 is wrong", said)
        for place in places:
            self.assertEqual(len((place / "input.txt").read_text().splitlines()), 3)
            shown = subprocess.run([place / "reproduce"], stdout=subprocess.PIPE, text=True)
            self.assertEqual(shown.returncode, 1)
        fake.set_plan(self.folder)
        for place in places:
            self.assertEqual(subprocess.run([place / "reproduce", self.programs / "task_trials"], stdout=subprocess.DEVNULL).returncode, 0)

    def test_a_failure_is_minimised_once(self):
        fake.set_plan(self.folder, wrong={"5": "byte 3 is wrong"})
        self.run_campaign()
        before = (self.reproducers()[0] / "input.txt").read_text()
        fake.set_plan(self.folder)  # a second minimisation would now say that the input does not fail
        self.assertEqual(self.run_campaign()[0], ExitCode.FOUND)
        self.assertEqual((self.reproducers()[0] / "input.txt").read_text(), before)

    def test_the_best_of_several_inputs_is_filed(self):
        results = {1: {"fails": False, "lines": 1, "of": 9}, 2: {"fails": True, "lines": 0, "of": 0}, 3: {"fails": True, "lines": 5, "of": 9},
                   4: {"fails": True, "lines": 2, "of": 9}, 5: {"fails": True, "lines": 2, "of": 7}}  # fmt: skip
        self.assertEqual(campaign.smallest(results), 4)
        self.assertEqual(campaign.smallest({7: {"fails": True}, 8: {"fails": True}}), 7)

    def test_a_crash_is_minimised_too(self):
        fake.set_plan(self.folder, crash=[8])
        status, _ = self.run_campaign(count=50)
        self.assertEqual(status, ExitCode.FOUND)
        (place,) = self.reproducers()
        self.assertEqual(len((place / "input.txt").read_text().splitlines()), 3)
        self.assertIn("it crashed with SIGABRT", (place / "README.md").read_text())
        self.assertNotEqual(subprocess.run([place / "reproduce"], stderr=subprocess.DEVNULL).returncode, 0)

    def test_a_crash_that_needs_other_seeds_is_filed_with_them(self):
        fake.set_plan(self.folder, after=[13])
        self.assertEqual(self.run_campaign(first=10, count=20)[0], ExitCode.FOUND)
        (place,) = self.reproducers()
        self.assertIn("--trials --first 10 --count 4", (place / "reproduce").read_text())
        self.assertNotEqual(subprocess.run([place / "reproduce"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode, 0)

    def test_a_kill_loses_nothing_and_leaves_nothing(self):
        fake.set_plan(self.folder, hang=[1500])
        options = {"kinds": ["tasks"], "count": 2000, "output": "campaign.db", "programs": str(self.programs), "revision": "r1"}
        words = [fake.sys.executable, "-m", "coxswain.campaign", json.dumps(options)]
        environment = {**os.environ, "PYTHONPATH": str(fake.ROOT / "python")}
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder, env=environment) as killed:
            while 1500 not in fake.seeds_run(self.folder):
                time.sleep(0.05)
            killed.kill()
        before = fake.seeds_run(self.folder)
        fake.set_plan(self.folder)
        status, said = self.run_campaign(count=2000)
        self.assertEqual(status, ExitCode.OK)
        self.assertIn("tasks: 2000 seeds, 0 failed", said)
        after = fake.seeds_run(self.folder)[len(before) :]
        self.assertEqual(set(before) | set(after), set(range(1, 2001)))
        self.assertLess(len(after), 2000)
        time.sleep(0.2)
        self.assertEqual(fake.processes_of(self.programs), [])

    def test_a_batch_without_a_result_runs_again(self):
        program = self.programs / "task_trials"
        good = program.read_text()
        program.write_text("#!/gone/interpreter\n")
        status, said = self.run_campaign(count=20)
        self.assertEqual(status, ExitCode.FAILED)
        self.assertIn("1 work items have no result, and the same command runs them again", said)
        program.write_text(good)
        self.assertEqual(self.run_campaign(count=20)[0], ExitCode.OK)
        self.assertEqual(len(fake.seeds_run(self.folder)), 20)

    def test_an_unknown_kind(self):
        self.assertIn('there is no kind \'taks\'; did you mean "tasks"?', self.refused(ExitCode.USAGE, kinds=["taks"]))
        self.assertIn("the kinds are faults, tasks", self.refused(ExitCode.USAGE, kinds=["zzzzzz"]).lower())

    def test_a_group_of_kinds(self):
        self.assertEqual([kind.name for kind in kinds.choose(["soak"])], ["soak.digits", "soak.jobs"])
        self.assertGreater(len(kinds.choose(["fuzz"])), 10)

    def test_a_program_that_is_not_built(self):
        message = self.refused(ExitCode.BAD_INPUT, kinds=["faults"])
        self.assertIn(f"faults: {self.programs}/fault_campaign is not built (ninja -C build/host fault_campaign)", message)
        self.assertIn("has no program of any kind", self.refused(ExitCode.BAD_INPUT, kinds=[], programs=str(self.folder / "gone")))
        status, said = self.run_campaign(kinds=[], count=20)
        self.assertEqual(status, ExitCode.OK)
        self.assertIn("faults: left out, not built (ninja -C build/host fault_campaign)", said)
        self.assertRegex(said, "fuzz.stream, .*fuzz.task.*: left out, not built \\(make fuzz\\)")
        self.assertIn("tasks: 20 seeds, 0 failed", said)

    def test_bad_results_files(self):
        output = self.folder / "campaign.db"
        output.write_text("not a database, but a text that is long enough to be taken for one\n" * 20)
        self.assertIn("campaign.db", self.refused(ExitCode.BAD_INPUT))
        self.refused(ExitCode.BAD_OUTPUT, output=str(self.folder / "gone/campaign.db"))

    def test_a_reproducer_that_cannot_be_written_keeps_the_results(self):
        fake.set_plan(self.folder, wrong={"5": "byte 3 is wrong"})
        (self.folder / "reproducers").write_text("a file in the way")
        self.assertIn("the same command files the failure", self.refused(ExitCode.BAD_OUTPUT, count=20))
        (self.folder / "reproducers").unlink()
        self.assertEqual(self.run_campaign(count=20)[0], ExitCode.FOUND)
        self.assertEqual(len(fake.seeds_run(self.folder)), 20)
        self.assertEqual(len(self.reproducers()), 1)

    def test_options_out_of_range(self):
        for options in ({"count": -1}, {"count": 0}, {"first": -1}, {"seconds": -1}, {"workers": 0}):
            self.refused(ExitCode.USAGE, **options)

    def test_a_limit_of_time(self):
        status, _ = self.run_campaign(count=0, seconds=1)
        self.assertEqual(status, ExitCode.OK)
        self.assertGreater(len(fake.seeds_run(self.folder)), 50)

    def test_picture(self):
        picture = self.folder / "coverage.svg"
        self.run_campaign(picture=str(picture))
        self.assertIn("flip", picture.read_text())
        self.refused(ExitCode.BAD_OUTPUT, picture=str(self.folder / "gone/coverage.svg"))

    def command(self, **options):
        words = [fake.sys.executable, "-m", "coxswain.campaign", json.dumps({"programs": str(self.programs), **options})]
        return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder, env={**os.environ, "PYTHONPATH": str(fake.ROOT / "python")})

    def test_command(self):
        done = self.command(kinds=["taks"])
        self.assertEqual(done.returncode, ExitCode.USAGE)
        self.assertIn('cox campaign: there is no kind \'taks\'; did you mean "tasks"?', done.stderr)
        fake.set_plan(self.folder, wrong={"2": "byte 3 is wrong"})
        done = self.command(kinds=["tasks"], count=30)
        self.assertEqual(done.returncode, ExitCode.FOUND, done.stderr)
        self.assertIn("dashboard: http", done.stderr)
        self.assertIn("tasks: 30 seeds, 1 failed", done.stdout)
        self.assertIn("flip", done.stdout)


if __name__ == "__main__":
    unittest.main()
