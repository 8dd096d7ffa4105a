#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program (threads, preemption) on a machine (native, qemu), and checks what it prints. Runs preemption also with faults."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True

import boot  # noqa: E402  It also finds examples/machine.
import machine  # noqa: E402

THREADS = "mx: right\ncube: right\nat the same time: right\ntick in a critical section: right\n"
PREEMPTION = "mx: right\ntile: right\ncube: right\npreempted: right\nfailed rounds: mx {n}, tile {n}, cube {n}\n"
NESTED = "tick in a handler: right\n"
FAULTS = """bus_error queue=MX access=37
bus_error queue=LD core=0 access=50
bus_error queue=CUBE access=301
completion lost queue=4 count=60
interrupt lost line=0 count=44
interrupt lost line=0 count=45
"""
MEBIBYTES = 64


def expect(result, expected):
    status, console = result
    print(console)
    if status != 0 or not re.fullmatch(expected, console.replace("\r", "")):
        sys.exit(f"exit status {status}, expected 0 and:\n{expected}")


def preempt(where, image, dram, plan=None):
    if where == "native":
        done = subprocess.run([machine.host_program("preemption"), image, *([plan] if plan else [])], capture_output=True, text=True, timeout=50, check=False)
        return done.returncode, done.stdout + done.stderr
    machine.Dram(dram, MEBIBYTES).write(machine.DRAM_BASE, image.read_bytes())
    return machine.run(machine.target_image("preemption.elf"), dram, {"faults": str(plan)} if plan else {}, seconds=50)


def main():
    program, where = sys.argv[1:]
    if program == "threads":
        expect(machine.run(machine.target_image("threads.elf"), seconds=50), THREADS)
        return
    expected = PREEMPTION + (NESTED if where == "qemu" else "")
    with tempfile.TemporaryDirectory() as folder:
        image, dram, plan = (Path(folder) / name for name in ("copy.cxt", "dram.bin", "plan.txt"))
        subprocess.run([machine.host_program("cox"), "as", boot.ROOT / "examples/three_engines/copy.jsonl", "-o", image], check=True)
        expect(preempt(where, image, dram), expected.replace("{n}", "0"))
        plan.write_text(FAULTS)
        expect(preempt(where, image, dram, plan), "(?:.*injected.*\n)*" + expected.replace("{n}", "[1-9][0-9]*"))


if __name__ == "__main__":
    try:
        main()
    except machine.Missing as missing_file:
        print(f"skipped: {missing_file}")
        sys.exit(boot.SKIPPED)
