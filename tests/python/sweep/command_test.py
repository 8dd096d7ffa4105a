#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`cox sweep` itself: what it measures, what it keeps, and what it says when something is wrong."""
import csv
import io
import json
import os
import pathlib
import resource
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

from sweep_support import COX, DIGITS, ROOT, cox, small_networks
from processes import command_lines

SWEEP = f"""
[sweep]
title = "Digits"
cost = "l2_mib + 1"
metrics = ["cycles", "macs", "dram_bytes", "peak_dram_bytes_per_cycle"]
[tasks.digits]
network = "{DIGITS}"
[axes]
l2_mib = [1, 8]
dram_bytes_per_cycle = [8, 64]
wl0_units = [64, 20480]
"""
COPY = """
["ct_st", {}, {"Prev_Insts": [], "Next_Insts": []}]
["ct_bc", {}, {"BCS": 0, "BufCut": [0, 8191, 0, 0, 0, 0, 0, 0], "Prev_Insts": [], "Next_Insts": ["LD"]}]
["lda_cfg", {}, {"SME": 1, "RS": 0, "BAS": 0, "DF": "INT8", "STile": [8, 1, 4], "DTile": [8, 1, 4]}]
["lda_mov", {}, {"RS": 0, "DBSG": 0, "STaddr": 0, "DTaddr": 64, "Tile": [1, 8, 1, 4], "Prev_Insts": ["CT"], "Next_Insts": ["ST"]}]
["sta_cfg", {}, {"SME": 1, "RS": 0, "BAS": 1, "DF": "INT8", "STile": [8, 1, 4], "DTile": [8, 1, 4]}]
["sta_mov", {}, {"RS": 0, "SBSG": 0, "STaddr": 64, "DTaddr": 128, "Tile": [1, 8, 1, 4], "Prev_Insts": ["LD"], "Next_Insts": ["CT"]}]
["ct_ed", {}, {"Prev_Insts": ["ST"], "Next_Insts": []}]
"""


class Command(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)

    def tearDown(self):
        self._folder.cleanup()

    def sweep(self, *options, text=SWEEP, code=0, **more):
        (self.folder / "sweep.toml").write_text(text)
        return cox("sweep", "sweep.toml", *options, folder=self.folder, code=code, **more)

    def rows(self, *options, **more):
        return list(csv.DictReader(io.StringIO(self.sweep("--table", "-", "-q", *options, **more).stdout)))

    def by_hand(self, l2_mib, bytes_per_cycle):
        """Statistics of the same point, by the commands that a person would give."""
        device = ["--option", f"geometry.l2_mib={l2_mib}", "--option", f"geometry.dram_bytes_per_1024_cycles={1024 * bytes_per_cycle}"]
        cox("lower", DIGITS, "-o", "hand.jsonl", *device, folder=self.folder)
        cox("as", "hand.jsonl", "-o", "hand.cxt", *device, folder=self.folder)
        image = self.folder / "image"
        image.write_bytes(bytes(128))
        cox("run", "hand.cxt", "--board", "native", "-q", "--stats", "hand.json", "--in", f"image={image}", *device, folder=self.folder)
        return json.loads((self.folder / "hand.json").read_text())

    def test_the_table_has_what_the_same_runs_give_by_hand(self):
        rows = self.rows()
        self.assertEqual(len(rows), 8)
        for row in rows:
            if row["wl0_units"] == "64":
                self.assertEqual(row["status"], "infeasible")
                self.assertIn("network.json: layer conv", row["message"])
                self.assertEqual(row["cycles"], "")
                continue
            statistics = self.by_hand(int(row["l2_mib"]), int(row["dram_bytes_per_cycle"]))
            self.assertEqual(row["status"], "done")
            self.assertEqual(int(row["cycles"]), statistics["end_cycle"])
            self.assertEqual(int(row["macs"]), statistics["multiply_accumulates"])
            self.assertEqual(int(row["dram_bytes"]), statistics["dram_bytes"])
            self.assertEqual(float(row["peak_dram_bytes_per_cycle"]), int(row["dram_bytes_per_cycle"]))
            self.assertEqual(float(row["cost"]), int(row["l2_mib"]) + 1)
        cycles = {(row["l2_mib"], row["dram_bytes_per_cycle"]): row["cycles"] for row in rows if row["status"] == "done"}
        self.assertNotEqual(cycles["8", "8"], cycles["8", "64"])

    def test_results_do_not_run_again_and_new_points_do(self):
        self.rows()
        def finished():
            with sqlite3.connect(self.folder / "sweep.results") as database:
                return dict(database.execute("SELECT key, rowid || ' ' || finished || ' ' || seconds FROM outcomes"))

        before = finished()
        again = self.sweep()
        self.assertEqual(finished(), before)
        self.assertIn("sweep.results: 4 done, 4 infeasible", again.stdout)
        rows = self.rows(text=SWEEP.replace("l2_mib = [1, 8]", "l2_mib = [1, 2, 8]"))
        self.assertEqual(len(rows), 12)
        self.assertEqual({key: value for key, value in finished().items() if key in before}, before)
        self.assertEqual(len(finished()), 12)

    def test_no_run_shows_what_there_is(self):
        rows = self.rows("--no-run")
        self.assertEqual({row["status"] for row in rows}, {"open"})
        self.assertFalse((self.folder / "sweep.results").exists())

    def test_no_run_changes_nothing_and_reads_while_another_command_writes(self):
        text = SWEEP.replace("[64, 20480]", "[20480]")
        self.rows(text=text)
        before = (self.folder / "sweep.results").read_bytes()
        with subprocess.Popen(["flock", "--no-fork", "sweep.results", "sleep", "60"], cwd=self.folder) as holder:
            while subprocess.run(["flock", "-n", "sweep.results", "true"], cwd=self.folder, check=False).returncode == 0:
                pass
            rows = self.rows("--no-run", text=text.replace("Digits", "Another title"))
            holder.kill()
        self.assertEqual({row["status"] for row in rows}, {"done"})
        self.assertEqual((self.folder / "sweep.results").read_bytes(), before)

    def test_a_plan_of_faults_that_changes_runs_again(self):
        plan = self.folder / "plan.txt"
        text = f'[sweep]\nmetrics = ["cycles", "retries"]\n[tasks.digits]\nnetwork = "{DIGITS}"\n[axes]\nfaults = ["plan.txt"]\nretries = [3]\n'
        plan.write_text("bus_error queue=LD core=0 access=1\n")
        first = self.sweep("--table", "-", "-q", text=text).stdout.splitlines()
        self.assertEqual(first[0], "task,faults,retries,cycles,retries,status,message")
        self.assertRegex(first[1], r",3,\d+,1,done,$")  # the axis has the setting, and the metric what happened
        plan.write_text("# none\n")
        second = self.sweep("--table", "-", "-q", text=text).stdout.splitlines()
        self.assertRegex(second[1], r",3,\d+,0,done,$")
        (self.folder / "moved").mkdir()
        plan.rename(self.folder / "moved/plan.txt")
        said = self.sweep(text=text.replace("plan.txt", "moved/plan.txt")).stderr
        self.assertNotIn("0 of 1 points have results", said)

    def test_the_cost_has_the_settings_of_the_task(self):
        text = SWEEP.replace("[axes]\nl2_mib = [1, 8]", "l2_mib = 4\n[fixed]\nl2_mib = 1\n[axes]").replace("[64, 20480]", "[20480]")
        self.assertEqual({row["cost"] for row in self.rows(text=text)}, {"5.0"})

    def test_outputs_do_not_take_the_place_of_other_files(self):
        self.rows()
        before = (self.folder / "sweep.results").read_bytes()
        self.assertIn("is the file of results, too", self.sweep("--table", "sweep.results", code=2).stderr)
        self.assertIn("is the sweep file, too", self.sweep("--report", "./sweep.toml", code=2).stderr)
        self.assertIn("is the file of --table, too", self.sweep("--table", "x", "--report", "x", code=2).stderr)
        self.assertEqual((self.folder / "sweep.results").read_bytes(), before)
        (self.folder / "sweep.toml").write_text(SWEEP)
        with open("/dev/full", "w", encoding="utf-8") as full:
            told = subprocess.run([COX, "sweep", "sweep.toml", "-q", "--table", "-"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((told.returncode, told.stderr), (5, "cox sweep: -: No space left on device\n"))

    def test_programs_run_and_models_of_other_kinds_are_refused(self):
        (self.folder / "copy.jsonl").write_text(COPY)
        text = '[tasks.copy]\nprogram = "copy.jsonl"\n[axes]\nload_setup_cycles = [21, 121]\n[sweep]\nmetrics = ["cycles", "energy_pj"]'
        first, second = self.rows(text=text)
        self.assertEqual(int(second["cycles"]) - int(first["cycles"]), 100)
        self.assertEqual(first["energy_pj"], "")

    def test_expected_outputs_are_compared(self):
        images, logits = ROOT / "examples/digits/images.bin", self.folder / "logits"
        cox("lower", DIGITS, "-o", "hand.jsonl", folder=self.folder)
        cox("run", "hand.jsonl", "--board", "native", "-q", "--in", f"image={images}", "--out", f"logits={logits}", folder=self.folder)
        text = SWEEP.replace("[axes]", f'inputs = {{ image = "{images}" }}\nexpected = {{ logits = "logits" }}\n[axes]').replace("[64, 20480]", "[20480]")
        self.assertEqual({row["status"] for row in self.rows(text=text)}, {"done"})
        values = bytearray(logits.read_bytes())
        values[-1] ^= 1
        logits.write_bytes(values)
        rows = self.rows(text=text, code=4)
        self.assertEqual({row["status"] for row in rows}, {"failed"})
        self.assertIn("output logits differs from", rows[0]["message"])

    def test_halving_runs_later_tasks_on_survivors(self):
        odd, functions = small_networks(self.folder)
        text = f"""
[sweep]
metrics = ["cycles"]
objectives = ["cycles", "l2_mib"]
[tasks.odd]
network = "{odd}"
[tasks.functions]
network = "{functions}"
[axes]
l2_mib = [1, 2, 4, 8]
doorbell_latency = [0, 100, 200, 400]
[search]
method = "halving"
points = 16
keep = 0.25
"""
        rows = self.rows(text=text)
        first = [row for row in rows if row["task"] == "odd"]
        second = [row for row in rows if row["task"] == "functions"]
        self.assertEqual((len(first), len(second)), (16, 4))
        best = min(int(row["cycles"]) for row in first if row["l2_mib"] == "1")
        kept = {(row["l2_mib"], row["doorbell_latency"]) for row in second}
        fastest = next((row["l2_mib"], row["doorbell_latency"]) for row in first if row["l2_mib"] == "1" and int(row["cycles"]) == best)
        self.assertIn(fastest, kept)
        self.assertEqual(rows, self.rows("-o", "other.results", text=text))

    def test_the_time_limit_of_a_command_fails_its_point_which_runs_again(self):
        (self.folder / "copy.jsonl").write_text(COPY)
        text = '[sweep]\nseconds = 0.5\nmetrics = ["cycles"]\n[tasks.copy]\nprogram = "copy.jsonl"\n[axes]\nrepeat = [1, 1000000]'
        one, million = self.rows(text=text, code=4)
        self.assertEqual((one["status"], million["status"]), ("done", "failed"))
        self.assertIn("cox run took more than 0.5 s", million["message"])
        short = self.rows(text=text.replace("1000000", "100").replace("0.5", "60"))
        self.assertEqual([row["status"] for row in short], ["done", "done"])

    def test_failed_points_run_again(self):
        text = SWEEP.replace("[64, 20480]", "[20480]")
        self.rows(text=text)
        with sqlite3.connect(self.folder / "sweep.results") as database:
            database.execute("UPDATE outcomes SET status = 'failed', output = '{}' WHERE rowid % 2 = 0")
        self.assertIn("failed", {row["status"] for row in self.rows("--no-run", text=text, code=4)})
        self.assertEqual({row["status"] for row in self.rows(text=text)}, {"done"})

    def test_plan_and_axes_run_nothing(self):
        plan = self.sweep("--plan").stdout
        self.assertIn("8 points: method grid", plan)
        self.assertIn("geometry.l2_mib=1", plan)
        self.assertFalse((self.folder / "sweep.results").exists())
        axes = cox("sweep", "--axes", folder=self.folder).stdout
        self.assertRegex(axes, r"l2_mib +1 to 8 +8 ")
        self.assertIn("control_core_share", axes)

    def test_the_example_of_the_page(self):
        page = (ROOT / "docs/sweep.md").read_text()
        text = page.split("```toml\n")[1].split("```")[0].replace("examples/digits", str(ROOT / "examples/digits"))
        self.assertIn("48 points", self.sweep("--plan", text=text).stdout)
        self.assertIn("48 devices", page)

    def test_a_results_file_of_another_revision_is_refused(self):
        self.rows()
        with sqlite3.connect(self.folder / "sweep.results") as database:
            database.execute("UPDATE provenance SET value = 'cox 0.0.0, revision old' WHERE name = 'revision'")
        told = self.sweep(code=3).stderr
        self.assertIn("sweep.results: has results of revision cox 0.0.0, revision old", told)
        self.assertIn("--accept-revision", told)
        self.sweep("--accept-revision")

    def test_files_that_are_no_results_are_refused_and_kept(self):
        (self.folder / "text").write_text("this is a text, and longer than a hundred bytes" * 9)
        self.assertIn("text: is no file of results", self.sweep("-o", "text", code=3).stderr)
        self.assertTrue((self.folder / "text").read_text().startswith("this is a text"))
        with sqlite3.connect(self.folder / "database") as database:
            database.execute("CREATE TABLE other (value)")
        self.assertIn("not one of results", self.sweep("-o", "database", code=3).stderr)
        self.sweep("-o", ":memory:")
        self.assertGreater((self.folder / ":memory:").stat().st_size, 0)
        content = (self.folder / ":memory:").read_bytes()
        (self.folder / "spoilt").write_bytes(content[:8192] + b"\xff" * (len(content) - 8192))
        self.assertIn("spoilt: is no file of results", self.sweep("-o", "spoilt", code=3).stderr)
        self.assertIn("cannot be written", self.sweep("-o", "absent/x", code=5).stderr)
        self.assertIn("absent/x.csv: cannot be written", self.sweep("--table", "absent/x.csv", code=5).stderr)

    def test_one_command_at_a_time_writes_a_file(self):
        self.rows()
        holder = subprocess.Popen(["flock", "--no-fork", "sweep.results", "sleep", "60"], cwd=self.folder)
        try:
            while subprocess.run(["flock", "-n", "sweep.results", "true"], cwd=self.folder, check=False).returncode == 0:
                pass
            self.assertIn("another process writes this file", self.sweep(code=5).stderr)
        finally:
            holder.kill()
            holder.wait()

    def test_a_full_disk_loses_nothing(self):
        self.rows(text=SWEEP.replace("[64, 20480]", "[20480]"))

        def few_bytes():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            size = (self.folder / "sweep.results").stat().st_size
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 8192, size + 8192))

        many = SWEEP.replace("l2_mib = [1, 8]", "l2_mib = [1, 2, 3, 4, 5, 8]\ndoorbell_latency = [50, 60]")
        told = self.sweep(text=many, code=5, preexec_fn=few_bytes).stderr
        self.assertIn("the disk is full or fails", told)
        self.assertIn("the same command goes on", told)
        rows = self.rows("--no-run", text=SWEEP)
        self.assertEqual([row["status"] for row in rows].count("done"), 4)
        self.assertEqual({row["status"] for row in self.rows(text=many)}, {"done", "infeasible"})

    def test_an_interrupt_keeps_what_arrived(self):
        (self.folder / "sweep.toml").write_text(SWEEP.replace("l2_mib = [1, 8]", "l2_mib = [1, 2, 3, 4, 5, 6, 7, 8]\ndoorbell_latency = [1, 2, 3, 4, 5, 6]"))
        running = subprocess.Popen([COX, "sweep", "sweep.toml"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        while self.count_of_results() < 10:
            self.assertIsNone(running.poll())
        os.killpg(running.pid, signal.SIGINT)
        _, told = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 4)
        self.assertIn("interrupted. All results that arrived are kept", told)
        self.assertNotIn("Traceback", told)
        self.assertGreaterEqual(self.count_of_results(), 10)

    def test_a_sweep_that_is_killed_leaves_nothing_running(self):
        (self.folder / "copy.jsonl").write_text(COPY)
        (self.folder / "sweep.toml").write_text('[sweep]\nmetrics = ["cycles"]\n[tasks.copy]\nprogram = "copy.jsonl"\n[axes]\nrepeat = [1000000, 999999]')
        running = subprocess.Popen([COX, "sweep", "sweep.toml", "--workers", "2"], cwd=self.folder, stderr=subprocess.DEVNULL)

        def children():
            """Command lines of the runs of this test."""
            return [line for line in command_lines() if line.startswith(f"{COX} run {self.folder}")]

        self.assertTrue(self.soon(lambda: len(children()) == 2))
        running.kill()
        running.wait()
        self.assertTrue(self.soon(lambda: not children()))

    @staticmethod
    def soon(condition):
        end = time.monotonic() + 20
        while not condition() and time.monotonic() < end:
            time.sleep(0.05)
        return condition()

    def count_of_results(self):
        if not (self.folder / "sweep.results").exists():
            return 0
        with sqlite3.connect(f"file:{self.folder / 'sweep.results'}?mode=ro", uri=True) as database:
            if not database.execute("SELECT count(*) FROM sqlite_master WHERE name = 'outcomes'").fetchone()[0]:
                return 0
            return database.execute("SELECT count(*) FROM outcomes WHERE status = 'done'").fetchone()[0]

    def test_a_scheduler_that_does_not_answer(self):
        told = self.sweep("--scheduler", "tcp://127.0.0.1:1", code=4).stderr
        self.assertIn("tcp://127.0.0.1:1: no scheduler answers there", told)
        for address in ("nonsense", "http://localhost:8787", "tcp://localhost", "tcp://:x"):
            self.assertIn(f"{address}: is no address", self.sweep("--scheduler", address, code=2).stderr)

    def test_usage(self):
        self.assertIn("a sweep file is missing", cox("sweep", folder=self.folder, code=2).stderr)
        self.assertIn("--report -: only a table", self.sweep("--report", "-", code=2).stderr)
        self.assertIn("takes no sweep file", self.sweep("--axes", code=2).stderr)
        self.assertIn("did you mean", self.sweep(text=SWEEP.replace("l2_mib =", "l2_mb ="), code=2).stderr)
        environment = {**os.environ, "COX_PYTHON": "/absent/python3"}
        self.assertIn("'/absent/python3' cannot be started", self.sweep(code=4, env=environment).stderr)

    def test_the_report_is_written(self):
        self.sweep("--report", "sweep.html")
        self.assertIn("<svg", (self.folder / "sweep.html").read_text())


if __name__ == "__main__":
    unittest.main()
