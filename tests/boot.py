# SPDX-License-Identifier: MIT
"""Boots an image for a test that looks at its console alone."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "examples/machine"))
sys.dont_write_bytecode = True

import machine  # noqa: E402

SKIPPED = 77


def console_of(image, seconds):
    """What the image (a file under bin of the target's build) prints, which is printed here too. Ends the test where a file is not there
    (status 77: skipped) or where the image ends with another status than 0."""
    try:
        status, console = machine.run(machine.target_image(image), seconds=seconds)
    except machine.Missing as missing:
        print(f"skipped: {missing}")
        sys.exit(SKIPPED)
    print(console, end="", flush=True)
    if status != 0:
        sys.exit(f"exit status {status}")
    return console
