#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program (threads, preemption) on a machine (native, qemu), and checks what it prints."""
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True

import boot  # noqa: E402  It also finds examples/machine.
import machine  # noqa: E402

THREADS = "mx: right\ncube: right\nat the same time: right\ntick in a critical section: right\n"
PREEMPTION = "mx: right\ntile: right\ncube: right\npreempted: right\n"
EXPECTED = {
    ("threads", "qemu"): THREADS,
    ("preemption", "native"): PREEMPTION,
    ("preemption", "qemu"): PREEMPTION + "tick in a handler: right\n",
}
MEBIBYTES = 64


def run(program, where):
    if program == "threads":
        return machine.run(machine.target_image("threads.elf"), seconds=50)
    with tempfile.TemporaryDirectory() as folder:
        image, dram = Path(folder) / "copy.cxt", Path(folder) / "dram.bin"
        subprocess.run([machine.host_program("cox"), "as", boot.ROOT / "examples/three_engines/copy.jsonl", "-o", image], check=True)
        if where == "native":
            done = subprocess.run([machine.host_program(program), image], capture_output=True, text=True, timeout=50, check=False)
            return done.returncode, done.stdout + done.stderr
        machine.Dram(dram, MEBIBYTES).write(machine.DRAM_BASE, image.read_bytes())
        return machine.run(machine.target_image(f"{program}.elf"), dram, seconds=50)


def main():
    program, where = sys.argv[1:]
    status, console = run(program, where)
    print(console)
    expected = EXPECTED[program, where]
    if status != 0 or console.replace("\r", "") != expected:
        sys.exit(f"exit status {status}, expected 0 and:\n{expected}")


if __name__ == "__main__":
    try:
        main()
    except machine.Missing as missing_file:
        print(f"skipped: {missing_file}")
        sys.exit(boot.SKIPPED)
