#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows that the tests on memory that is not coherent (docs/hal.md) find defects. Puts each defect of DEFECTS into a copy of the sources,
builds a test program and runs it with each seed. Fails if a test fails without a defect, or if no seed finds a defect."""
import argparse
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

LIMIT = 120  # seconds for a test, which takes less than one
# Each defect: a name, the file, texts of the file with what stands there instead, the program, and the tests that find the defect.
DEFECTS = [
    (
        "the header's counts of submitter and firmware in one cache line",
        "firmware/job/job_queue.h",
        {
            "  std::uint32_t reserved[10];\n": "  std::uint32_t completed;\n  std::uint32_t reserved[9];\n",
            "  std::uint32_t completed;       ///<": "  std::uint32_t gap;  ///<",
        },
        "firmware_test",
        "JobsTest.TheCountOfSubmittedJobsStays",
    ),
    (
        "the state done in memory before the outcome",
        "firmware/job/ring.cpp",
        {
            "  hal::clean_cache(job.error_what, end - offsetof(Outcome, error_what));\n": "",
            "  publish(job.state, State::done);\n": "  publish(job.state, State::done);\n  hal::clean_cache(job.error_what, end - offsetof(Outcome, error_what));\n",
        },
        "firmware_test",
        "JobsTest.AnOutcomeIsInMemoryBeforeItsStateSaysSo",
    ),
    (
        "outputs of cox_start() not cleaned before the run",
        "firmware/coxswain.cpp",
        {"    if (!window.write) continue;\n": "    continue;\n"},
        "firmware_model_test",
        "ApplicationTest.SeesTheOutputsOfEachRun",
    ),
    (
        "biases and multipliers of convolutions not cleaned",
        "kernels/unity/tflite_kernels.cpp",
        {"    hal::clean_cache(memory_.data(), memory_.size());\n": ""},
        "model_run_test",
        "ModelRunTest.RepeatsOneInput",
    ),
]


def write(path, contents):
    """Writes a file, unless it has these contents already, so that the build compiles it only if it changes."""
    if path.exists() and path.read_bytes() == contents:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(contents)


def copy_sources(tree):
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
    for name in filter(None, names):
        source, copy = ROOT / name, tree / name
        if source.is_file():
            write(copy, source.read_bytes())
            copy.chmod(source.stat().st_mode)


def quietly(command, **arguments):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **arguments)
    if done.returncode != 0:
        raise SystemExit(f"{done.stdout[-20000:]}\n{' '.join(map(str, command))}: exit status {done.returncode}")


def failing_seeds(build, program, tests, seeds):
    quietly(["ninja", "-C", build, program])
    command = [build / "bin" / program, f"--gtest_filter={tests}"]
    failing = []
    for seed in range(1, seeds + 1):
        environment = dict(os.environ, COX_CACHE_SEED=str(seed))
        try:
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            failing.append(seed)
            continue
        if "[  PASSED  ] 0 tests." in done.stdout and "FAILED" not in done.stdout:
            raise SystemExit(f"{program} has no test {tests}")
        if done.returncode != 0:
            failing.append(seed)
    return failing


def with_defect(file, changes):
    """Returns the file's text with the changes."""
    text = (ROOT / file).read_text()
    for old, new in changes.items():
        if text.count(old) != 1:
            raise SystemExit(f"{file} has {text.count(old)} times, not once: {old}")
        text = text.replace(old, new)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/defects", help="for the copy and its build")
    parser.add_argument("--seeds", type=int, default=20, help="number of seeds, from 1")
    parser.add_argument("options", nargs="*", help="options of cmake, behind --")
    parser.add_argument("--check", action="store_true", help="only check that the defects can still be put into the sources")
    arguments = parser.parse_args()
    if arguments.check:
        for _, file, changes, _, _ in DEFECTS:
            with_defect(file, changes)
        return 0
    tree, build = arguments.folder / "tree", arguments.folder / "build"
    copy_sources(tree)
    quietly(["cmake", "-S", tree, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *arguments.options])

    bad = 0
    for name, file, changes, program, tests in DEFECTS:
        without = failing_seeds(build, program, tests, arguments.seeds)
        write(tree / file, with_defect(file, changes).encode())
        found = failing_seeds(build, program, tests, arguments.seeds)
        write(tree / file, (ROOT / file).read_bytes())
        print(f"{name}: found with {len(found)} of {arguments.seeds} seeds; without it {len(without)} fail", flush=True)
        bad += not found or bool(without)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
