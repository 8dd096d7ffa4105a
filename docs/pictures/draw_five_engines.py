#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws five-engines.svg: a program of the Unity units that uses all five engines (tests/tools/unity/five_engines.xdsa)."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "examples/machine"))
sys.dont_write_bytecode = True

import machine  # noqa: E402

PROGRAM = ROOT / "tests/tools/unity/five_engines.xdsa"
TITLE = "One program on five engines"


def main():
    cox = machine.host_program("cox")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.executable, PROGRAM.with_suffix(".py"), folder], check=True, stdout=subprocess.DEVNULL)
        inputs = [word for tensor in "abw" for word in ("--in", f"{tensor}={folder / tensor}.bin")]
        log = folder / "events"
        subprocess.run([cox, "run", PROGRAM, "--board", "native", "-q", *inputs, "--out", f"out={folder / 'out'}", "--option", f"events={log}"], check=True)
        if (folder / "out").read_bytes() != (folder / "expected.bin").read_bytes():
            sys.exit("the program's result is wrong")
        subprocess.run([cox, "timeline", log, "-o", ROOT / "docs/pictures/five-engines.svg", "--title", TITLE], check=True)


if __name__ == "__main__":
    main()
