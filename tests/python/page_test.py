#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs each Python example of docs/python.md as it stands there, one after another in the root of the tree. Argument: a folder for its files."""
import contextlib
import io
import os
import pathlib
import re
import sys

from support import ROOT


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    page = (ROOT / "docs/python.md").read_text()
    examples = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    # The page's paths begin at the root of the tree. What an example writes goes to the folder.
    for name in ("examples",):
        link = folder / name
        if not link.exists():
            link.symlink_to(ROOT / name)
    os.chdir(folder)
    names = {}
    for example in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(example, "docs/python.md", "exec"), names)
        # A comment behind print() says what it prints.
        expected = re.findall(r"^print\(.*?  # (.*)$", example, re.MULTILINE)
        if expected and printed.getvalue().splitlines() != expected:
            print(f"docs/python.md: this prints {printed.getvalue()!r}:\n{example}", file=sys.stderr)
            return 1
    first = [line for line in examples[0].splitlines() if line.strip()]
    if len(first) > 10 or "timeline" not in first[-1]:
        print("docs/python.md: the first example should run a task and draw its timeline in ten lines", file=sys.stderr)
        return 1
    if "<svg" not in names["run"].timeline()._repr_svg_():
        return 1
    print(f"{len(examples)} examples")
    return 0


if __name__ == "__main__":
    sys.exit(main())
