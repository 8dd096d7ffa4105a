#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots kernels_mx_selftest.elf and looks at what it prints."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.dont_write_bytecode = True

import boot  # noqa: E402

SECONDS = 100
TESTS = ["convolutions", "decompositions", "element-wise", "one instruction", "fault", "after a fault", "timeout", "after a timeout"]


def main():
    console = boot.console_of("kernels_mx_selftest.elf", SECONDS)
    missing = [test for test in TESTS if f"{test}: ok" not in console]
    if missing:
        sys.exit(f"not seen to pass: {', '.join(missing)}")
    if not re.search(r"^mx\.conv_act\.control_instructions \d+$", console, re.MULTILINE):
        sys.exit("no count of instructions")


if __name__ == "__main__":
    main()
