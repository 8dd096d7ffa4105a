#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots token_loop_selftest.elf. Each of its parts must be ok."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True

import boot  # noqa: E402

SECONDS = 120
PARTS = ["random tasks", "around index 2^31", "around index 2^32", "the copy of a group"]


def main():
    console = boot.console_of("token_loop_selftest.elf", SECONDS)
    missing = [part for part in PARTS if f"{part}: ok" not in console]
    if missing:
        sys.exit(f"not ok: {', '.join(missing)}")


if __name__ == "__main__":
    main()
