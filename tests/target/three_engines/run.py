#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs examples/three_engines in a language (c, cpp) on a machine (native, qemu). Checks what it prints, and that the timeline of the model's
event log shows all three engines."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True

import boot  # noqa: E402  It also finds examples/machine.
import machine  # noqa: E402

EXPECTED = "task: right\nmx: right\ncube: right\nat the same time: right\n"
LANES = ("LD", "ST", "MX", "MTE2", "M", "FIX")
MEBIBYTES = 64


def run_native(language, image, events):
    done = subprocess.run([machine.host_program(f"three_engines_{language}"), image, events], capture_output=True, text=True, timeout=50, check=False)
    return done.returncode, done.stdout + done.stderr


def run_under_qemu(language, image, events):
    dram = image.with_name("dram.bin")
    machine.Dram(dram, MEBIBYTES).write(machine.DRAM_BASE, image.read_bytes())
    return machine.run(machine.target_image(f"three_engines_{language}.elf"), dram, {"events": str(events)}, seconds=50)


def main():
    language, where = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        image, events = Path(folder) / "copy.cxt", Path(folder) / "three.events"
        cox = machine.host_program("cox")
        subprocess.run([cox, "as", boot.ROOT / "examples/three_engines/copy.jsonl", "-o", image], check=True)
        run = run_native if where == "native" else run_under_qemu
        status, console = run(language, image, events)
        print(console)
        if status != 0 or console.replace("\r", "") != EXPECTED:
            sys.exit(f"exit status {status}, expected 0 and:\n{EXPECTED}")
        picture = subprocess.run([cox, "timeline", events], capture_output=True, text=True, check=True).stdout
        missing = [lane for lane in LANES if not re.search(f">{lane}<", picture)]
        if missing:
            sys.exit(f"the timeline has no lane {', '.join(missing)}")


if __name__ == "__main__":
    try:
        main()
    except machine.Missing as missing_file:
        print(f"skipped: {missing_file}")
        sys.exit(boot.SKIPPED)
