#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs examples/copies on the host (native) or under QEMU (qemu), also with faults, or dma_selftest.elf (cost), and checks what they print."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True

import boot  # noqa: E402  It also finds examples/machine.
import machine  # noqa: E402

EXPECTED = """part of the picture: right
weights: right
other work meanwhile: yes
refused: window_overlap: copies, index 0
"""
# A plan of faults, and what the program prints with it.
FAULTS = (
    ("bus_error queue=dma0 access=2", "wait: device_fault: bus_read, index 1, value 1, limit 0\n"),
    ("stuck queue=dma0 instruction=1 cycles=1000000000", "wait: timeout: wait, index -1, "),
    ("doorbell lost queue=dma0 count=1", EXPECTED),
)
MEASURED = ("core", "core_of_16", "engine", "engine_of_16")


def run(where, plan=None):
    """Returns the exit status and what the program prints."""
    if where == "qemu":
        return machine.run(machine.target_image("copies.elf"), options={"faults": str(plan)} if plan else {}, seconds=30)
    done = subprocess.run([machine.host_program("copies"), *([plan] if plan else [])], capture_output=True, text=True, timeout=30, check=False)
    return done.returncode, done.stdout


def copies(where):
    status, console = run(where)
    print(console)
    if status != 0 or console.replace("\r", "") != EXPECTED:
        sys.exit(f"exit status {status}, expected 0 and:\n{EXPECTED}")
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder) / "plan.txt"
        for line, expected in FAULTS:
            plan.write_text(line + "\n")
            status, console = run(where, plan)
            print(console)
            if expected not in console.replace("\r", "") or status != (0 if expected == EXPECTED else 1):
                sys.exit(f"with {line}: exit status {status}, expected {expected}")


def cost():
    console = boot.console_of("dma_selftest.elf", 50)
    figures = {name: re.findall(rf"^dma\.{name}\.\d+ \d+\r?$", console, re.MULTILINE) for name in MEASURED}
    if "FAILED" in console or not all(figures.values()):
        sys.exit("a test has failed, or figures are missing")


def main():
    what = sys.argv[1]
    if what == "cost":
        cost()
    else:
        copies(what)


if __name__ == "__main__":
    try:
        main()
    except machine.Missing as missing_file:
        print(f"skipped: {missing_file}")
        sys.exit(boot.SKIPPED)
