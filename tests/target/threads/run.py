#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs examples/threads under QEMU and checks what it prints."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True

import boot  # noqa: E402  It also finds examples/machine.
import machine  # noqa: E402

EXPECTED = "mx: right\ncube: right\nat the same time: right\ntick in a critical section: right\n"


def main():
    status, console = machine.run(machine.target_image("threads.elf"), seconds=50)
    print(console)
    if status != 0 or console.replace("\r", "") != EXPECTED:
        sys.exit(f"exit status {status}, expected 0 and:\n{EXPECTED}")


if __name__ == "__main__":
    try:
        main()
    except machine.Missing as missing_file:
        print(f"skipped: {missing_file}")
        sys.exit(boot.SKIPPED)
