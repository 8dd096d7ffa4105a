#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots kernels_cube_selftest.elf and checks what it prints."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True

import boot  # noqa: E402

SECONDS = 100
TESTS = ["stream by hand", "intrinsics", "joined segments", "fault", "after a fault", "products", "convolutions", "softmax", "attention", "control"]


def main():
    console = boot.console_of("kernels_cube_selftest.elf", SECONDS)
    missing = [test for test in TESTS if f"{test}: ok" not in console]
    if missing:
        sys.exit(f"not seen to pass: {', '.join(missing)}")


if __name__ == "__main__":
    main()
