#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots trace_selftest.elf and checks the cost of an event."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True

import boot  # noqa: E402

SECONDS = 60
LIMIT = 16.0


def main():
    console = boot.console_of("trace_selftest.elf", SECONDS)
    figure = re.search(r"^trace\.instructions_per_event (\d+\.\d\d)$", console, re.MULTILINE)
    if "FAILED" in console or not figure:
        sys.exit("a part failed, or there is no figure")
    if not 0 < float(figure.group(1)) <= LIMIT:
        sys.exit(f"an event costs {figure.group(1)} instructions, more than {LIMIT}")


if __name__ == "__main__":
    main()
