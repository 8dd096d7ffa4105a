#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots mx9_selftest.elf and checks what it prints."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True

import boot  # noqa: E402

SECONDS = 100
FIGURES = 18


def main():
    console = boot.console_of("mx9_selftest.elf", SECONDS)
    figures = re.findall(r"^mx\.[a-z0-9_.]+\.instructions_per_element \d+\.\d\d$", console, re.MULTILINE)
    if "FAILED" in console or len(figures) != FIGURES:
        sys.exit(f"{len(figures)} figures instead of {FIGURES}, or a test that failed")


if __name__ == "__main__":
    main()
