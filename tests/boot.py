# SPDX-License-Identifier: MIT
"""Boots an image for a test that only looks at its console."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "examples/machine"))
sys.dont_write_bytecode = True

import machine  # noqa: E402

SKIPPED = 77


def console_of(image, seconds):
    """Returns what the image (a file in bin of the target's build) prints, and prints it here too. Ends the test with status 77 (skipped) if a file
    does not exist, and as failed if the image ends with another status than 0."""
    try:
        status, console = machine.run(machine.target_image(image), seconds=seconds)
    except machine.Missing as missing:
        print(f"skipped: {missing}")
        sys.exit(SKIPPED)
    print(console, end="", flush=True)
    if status != 0:
        sys.exit(f"exit status {status}")
    return console
