#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A sweep over three networks that is killed goes on where it was, and ends with the table of one that was not.

    kill_test.py local|cluster [POINTS]

local: `cox sweep` gets SIGKILL twice. cluster: a scheduler and workers in processes of their own; every two seconds a worker gets SIGKILL and
another one starts, and `cox sweep` is killed once. About POINTS points (default 90).
"""
import os
import pathlib
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from sweep_support import COX, DIGITS, ROOT, cox, small_networks

LIMIT = 900  # seconds


def sweep_text(points, odd, functions):
    """Three networks on points / 3 settings each, of which those with two cores and rows are infeasible for some."""
    return f"""
[sweep]
title = "Killed"
objectives = ["cycles", "l2_mib"]
[tasks.digits]
network = "{DIGITS}"
[tasks.odd]
network = "{odd}"
[tasks.functions]
network = "{functions}"
[axes]
l2_mib = {{ from = 1, to = 8, scale = "doubling" }}
wl0_units = [64, 1024, 20480]
doorbell_latency = {{ from = 0, to = 500 }}
dram_bytes_per_cycle = {{ from = 8, to = 64 }}
[search]
method = "latin_hypercube"
points = {points // 3}
seed = 5
"""


def results_in(path):
    """When each key got its result; empty before there is a file."""
    if not path.exists():
        return {}
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            return dict(database.execute("SELECT key, finished FROM outcomes"))
    except sqlite3.OperationalError:  # not yet prepared
        return {}


class Running:
    """`cox sweep` in a process group of its own."""

    def __init__(self, folder, *options):
        self.log = (folder / "sweep.log").open("a")
        self.process = subprocess.Popen([COX, "sweep", "killed.toml", *options], cwd=folder, stdout=self.log, stderr=self.log, start_new_session=True)

    def kill_at(self, path, count):
        """Kills the sweep as soon as its file has so many results. Returns them."""
        end = time.monotonic() + LIMIT
        while len(results_in(path)) < count:
            if self.process.poll() is not None or time.monotonic() > end:
                sys.exit(f"the sweep ended with {self.process.poll()} before it had {count} results")
            time.sleep(0.02)
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        return results_in(path)


def check_kept(before, after):
    """Each result that was in the file is still there, and its item did not run again."""
    for key, finished in before.items():
        if after.get(key) != finished:
            sys.exit(f"{key} ran again: {finished}, {after.get(key)}")


def killed_twice(folder, points, options, path):
    for share in (0.3, 0.65):
        before = results_in(path)
        after = Running(folder, *options, "-o", path.name).kill_at(path, int(points * share))
        check_kept(before, after)
        if len(after) >= points:
            sys.exit("the sweep was through before it was killed")
    return results_in(path)


class Cluster:
    """A scheduler and two workers. A thread kills a worker every two seconds and starts another one."""

    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self.folder, self.deaths, self.processes = folder, 0, []
        self.environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "20"}
        self.start("dask_scheduler", "--port", self.address.rpartition(":")[2], "--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")
        self.workers = [self.worker() for _ in range(2)]
        self.ends = threading.Event()
        self.killer = threading.Thread(target=self.kill_workers)
        self.killer.start()

    def start(self, module, *arguments):
        with (self.folder / f"{module}{len(self.processes)}.log").open("w") as log:
            command = ["/usr/bin/python3", "-m", f"distributed.cli.{module}", *arguments]
            self.processes.append(subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=log, stderr=log))
        return self.processes[-1]

    def worker(self):
        return self.start("dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self.folder))

    def kill_workers(self):
        chosen = random.Random(1)
        while not self.ends.wait(2):
            number = chosen.randrange(len(self.workers))
            self.workers[number].kill()
            self.deaths += 1
            self.workers[number] = self.worker()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ends.set()
        self.killer.join()
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()


def table(folder, options, path, name):
    cox("sweep", "killed.toml", *options, "-o", path.name, "--table", name, "-q", folder=folder)
    return (folder / name).read_text()


def compare(folder, options, path, points, kills):
    expected = table(folder, [], folder / "whole.results", "whole.csv")
    lines = expected.splitlines()
    if len(lines) != points + 1:
        sys.exit(f"{len(lines) - 1} points, not {points}")
    feasible = sum(",done," in line for line in lines)
    if not 0.3 * points < feasible < points:
        sys.exit(f"{feasible} feasible points of {points}: the sweep should have both")
    before = kills(folder, points, options, path)
    got = table(folder, options, path, "killed.csv")
    check_kept(before, results_in(path))
    if got != expected:
        differ = next(i for i, pair in enumerate(zip(got.splitlines(), lines)) if pair[0] != pair[1])
        sys.exit(f"the tables differ in line {differ + 1}:\n{got.splitlines()[differ]}\n{lines[differ]}")
    return feasible


def main():
    where, points = sys.argv[1], int(sys.argv[2]) // 3 * 3 if len(sys.argv) > 2 else 90
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "killed.toml").write_text(sweep_text(points, *small_networks(folder)))
        path = folder / "killed.results"
        if where == "local":
            feasible = compare(folder, [], path, points, killed_twice)
            print(f"{points} points, {feasible} feasible; killed twice: the same table")
            return
        with Cluster(folder) as cluster:
            feasible = compare(folder, ["--scheduler", cluster.address], path, points, killed_twice)
            if cluster.deaths < 2:
                sys.exit(f"only {cluster.deaths} workers were killed")
            print(f"{points} points, {feasible} feasible; {cluster.deaths} workers and two sweeps killed: the same table")


if __name__ == "__main__":
    main()
