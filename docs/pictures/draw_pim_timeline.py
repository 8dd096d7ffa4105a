#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws pim-timeline.svg: the program of docs/pim.md, Several cores, with its messages."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "examples/machine"))
sys.dont_write_bytecode = True

import machine  # noqa: E402

TITLE = "Four layers on four cores"


def program():
    section = (ROOT / "docs/pim.md").read_text().split("## Several cores", 1)[1]
    return re.search(r"```\n(.*?)```", section, re.DOTALL).group(1)


def main():
    cox = machine.host_program("cox")
    with tempfile.TemporaryDirectory() as folder:
        path, log = pathlib.Path(folder) / "layers.pim", pathlib.Path(folder) / "events"
        path.write_text(program())
        picture = ROOT / "docs/pictures/pim-timeline.svg"
        subprocess.run([cox, "run", path, "--board", "native", "-q", "--option", f"events={log}"], check=True)
        subprocess.run([cox, "timeline", log, "-o", picture, "--title", TITLE], check=True)


if __name__ == "__main__":
    main()
