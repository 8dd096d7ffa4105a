# SPDX-License-Identifier: MIT
"""The time of the builds in `make test`, as a multiple of the time for 100 compilations of a fixed file on the same machine."""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FIXED_FILE = pathlib.Path(__file__).resolve().parent / "fixed_file.cpp"
REPETITIONS = 100


def environment():
    """The environment of this process without a compiler cache."""
    launchers = ("CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER")
    inherited = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")
    return {name: value for name, value in os.environ.items() if name not in launchers + inherited} | {"CCACHE_DISABLE": "1"}


def call(command, log):
    with open(log, "ab") as out:
        result = subprocess.run([str(part) for part in command], cwd=ROOT, env=environment(), stdout=out, stderr=subprocess.STDOUT, check=False)
    if result.returncode != 0:
        sys.exit(f"run_bench: exit status {result.returncode}: {' '.join(str(part) for part in command)}; its output is in {log}")


def build_seconds(out, jobs):
    """Wall time of the host build and the sanitizer build, which run at the same time in fresh folders."""
    folder, log = out / "builds", out / "builds.log"
    shutil.rmtree(folder, ignore_errors=True)
    log.unlink(missing_ok=True)
    start = time.monotonic()
    call(["make", "-j2", f"JOBS={jobs}", f"BUILD={folder}", "host", "host-asan"], log)
    seconds = time.monotonic() - start
    shutil.rmtree(folder)
    return seconds


def fixed_file_seconds(out, jobs):
    """Wall time of 100 compilations of the fixed file, with as many jobs as the builds have."""
    log = out / "fixed_file.log"
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-O1", "-c", FIXED_FILE, "-o", os.devnull]
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for finished in [pool.submit(call, command, log) for _ in range(REPETITIONS)]:
            finished.result()
    return time.monotonic() - start


def measure(out):
    """Returns the times of the builds and of the fixed file in seconds."""
    jobs = os.cpu_count() or 1
    return build_seconds(out, jobs), fixed_file_seconds(out, jobs)
