#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A sweep of 48 points through examples/slurm on a Slurm of one node, while `scancel` ends one of its two workers. Its table must be that of
the local cluster. Ends with status 77 (skipped) if Slurm is not installed or does not start.

The environment variable COXSWAIN_COX names the program cox."""
from __future__ import annotations

import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

from one_node_slurm import NoSlurm, OneNodeSlurm

ROOT = pathlib.Path(__file__).resolve().parents[3]
POINTS = 48
SWEEP = f"""\
[sweep]
title = "Digits"
metrics = ["cycles", "dram_bytes"]

[tasks.digits]
network = "{ROOT / 'examples/digits/network.json'}"

[axes]
cores = [1, 2, 3, 4]
l2_mib = [1, 2, 4]
dram_bytes_per_cycle = [8, 16, 32, 64]

[search]
method = "grid"
"""


def workers_of(results: pathlib.Path) -> list[str]:
    """The worker of each outcome that a results file has so far."""
    if not results.exists():
        return []
    try:
        with sqlite3.connect(f"file:{results}?mode=ro", uri=True) as database:
            return [worker for (worker,) in database.execute("SELECT worker FROM outcomes")]
    except sqlite3.OperationalError:  # the tables are not there yet
        return []


def wait_for(condition, sweep: subprocess.Popen[str], what: str) -> None:
    end = time.monotonic() + 120
    while not condition():
        if sweep.poll() is not None or time.monotonic() > end:
            sys.exit(f"{what} did not happen; sweep.sh: {sweep.communicate(timeout=10)[0] if sweep.poll() is not None else 'still runs'}")
        time.sleep(0.02)


def run_on_slurm(slurm: OneNodeSlurm, folder: pathlib.Path) -> None:
    environment = {**slurm.environment, "COX_SCHEDULER_OPTIONS": "--host 127.0.0.1 --no-dashboard", "COX_WORKER_OPTIONS": "--host 127.0.0.1",
                   "COX_SBATCH_OPTIONS": "--cpus-per-task=1"}  # fmt: skip
    command = [ROOT / "examples/slurm/sweep.sh", "2", "sweep.toml", "--output", "slurm.results", "--table", "slurm.csv"]
    results = folder / "slurm.results"
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as sweep:
        wait_for(lambda: len(set(workers_of(results))) == 2, sweep, "a point of each worker")
        before = len(workers_of(results))
        slurm.ask("scancel", slurm.ask("squeue", "--noheader", "--array", "--states=RUNNING", "--format=%i").split()[0])
        try:
            output, _ = sweep.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            sweep.terminate()
            sys.exit(f"the sweep still runs after 300 s: {sweep.communicate()[0]}")
    if sweep.returncode != 0:
        sys.exit(f"sweep.sh: exit status {sweep.returncode}\n{output}")
    if before >= POINTS:
        sys.exit(f"all {before} points had results before the worker ended")
    print(f"{before} of {POINTS} points had results when a worker ended")


def main() -> None:
    cox = os.environ.get("COXSWAIN_COX")
    if not cox:
        sys.exit("COXSWAIN_COX should name the program cox")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "sweep.toml").write_text(SWEEP)
        try:
            with OneNodeSlurm(processors=2) as slurm:
                run_on_slurm(slurm, folder)
                left = slurm.ask("squeue", "--noheader", "--states=PENDING,RUNNING")
        except NoSlurm as reason:
            print(f"skipped: {reason}")
            sys.exit(77)
        if left:
            sys.exit(f"jobs are left in the queue:\n{left}")
        subprocess.run([cox, "sweep", "sweep.toml", "--output", "local.results", "--table", "local.csv", "--quiet"], cwd=folder, check=True)
        ours, theirs = ((folder / f"{kind}.csv").read_text() for kind in ("slurm", "local"))
        if len(ours.splitlines()) != POINTS + 1 or ours != theirs:
            sys.exit(f"the tables differ:\n{ours}\n{theirs}")


if __name__ == "__main__":
    main()
