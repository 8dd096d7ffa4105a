#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots kernels_mx_selftest.elf and checks what it prints."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True

import boot  # noqa: E402

SECONDS = 100
MOST_INSTRUCTIONS = 600  # limit for one call with one instruction (clear, conv_act, submit, wait); the count is exact on every host
TESTS = ["convolutions", "decompositions", "element-wise", "one instruction", "fault", "after a fault", "timeout", "after a timeout"]


def main():
    console = boot.console_of("kernels_mx_selftest.elf", SECONDS)
    missing = [test for test in TESTS if f"{test}: ok" not in console]
    if missing:
        sys.exit(f"not seen to pass: {', '.join(missing)}")
    count = re.search(r"^mx\.conv_act\.control_instructions (\d+)$", console, re.MULTILINE)
    if not count:
        sys.exit("no count of instructions")
    if int(count[1]) > MOST_INSTRUCTIONS:
        sys.exit(f"{count[1]} instructions are more than {MOST_INSTRUCTIONS}")


if __name__ == "__main__":
    main()
