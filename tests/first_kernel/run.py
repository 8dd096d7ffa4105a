#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots the image that is named, an example of a first kernel call, and looks at what it prints."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.dont_write_bytecode = True

import boot  # noqa: E402

SECONDS = 50
# SiLU(-1) = -0.26894, SiLU(1) = 0.73106 and SiLU(2.75) = 2.58476, of which MX9 keeps 69/256, 94/128 and 83/32.
EXPECTED = "y[0] = -269 / 1000\ny[8] = 734 / 1000\ny[15] = 2593 / 1000\n"


def main():
    if boot.console_of(sys.argv[1], SECONDS).replace("\r", "") != EXPECTED:
        sys.exit(f"expected:\n{EXPECTED}")


if __name__ == "__main__":
    main()
