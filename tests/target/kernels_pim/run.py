#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots kernels_pim_selftest.elf and checks what it prints."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True

import boot  # noqa: E402

SECONDS = 100
MOST_INSTRUCTIONS = 600  # limit for submitting a program and waiting for it; the count is exact on every host
TESTS = ["gemv", "gemv on four cores", "fault", "after a fault"]


def main():
    console = boot.console_of("kernels_pim_selftest.elf", SECONDS)
    missing = [test for test in TESTS if f"{test}: ok" not in console]
    if missing:
        sys.exit(f"not seen to pass: {', '.join(missing)}\n{console}")
    count = re.search(r"^pim\.run\.control_instructions (\d+)$", console, re.MULTILINE)
    if not count:
        sys.exit("no count of instructions")
    if int(count[1]) > MOST_INSTRUCTIONS:
        sys.exit(f"{count[1]} instructions are more than {MOST_INSTRUCTIONS}")


if __name__ == "__main__":
    main()
