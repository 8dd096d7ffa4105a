#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots the echo engine's self-test under QEMU, and draws a picture from the engine's events in the model's log."""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples/machine"))

import machine  # noqa: E402

SKIPPED = 77
EXPECTED = ["fault: device_fault at instruction 1, FAIL", "copy: equal"]


def main():
    cox = sys.argv[1]
    try:
        image = machine.target_image("echo_selftest.elf")
        machine.built("COX_QEMU", "build/qemu/bin/qemu-system-arm", "make qemu")
    except machine.Missing as missing:
        print(f"skipped: {missing}")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        events, picture = os.path.join(folder, "echo.events"), os.path.join(folder, "echo.svg")
        status, console = machine.run(image, options={"events": events})
        print(console)
        if status != 0 or any(line not in console.splitlines() for line in EXPECTED):
            print(f"exit status {status}; expected: {EXPECTED}")
            return 1
        subprocess.run([cox, "timeline", events, "-o", picture], check=True)
        svg = pathlib.Path(picture).read_text()
        missing = [word for word in ("echo engine", "COPY") if word not in svg]
        print(f"the picture has no {missing}" if missing else "drawn")
        return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
