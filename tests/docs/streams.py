#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the tasks in the documents can be checked and run as printed.

Usage: streams.py COX FOLDER. Each block of a page under FOLDER that begins with ct_st goes through `cox check --strict` and through `cox run` on the
native board.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r'^```\n(\["ct_st".*?)^```', re.DOTALL | re.MULTILINE)


def main():
    cox, root = sys.argv[1:]
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        stream = pathlib.Path(folder, "stream.jsonl")
        for page in sorted(pathlib.Path(root).rglob("*.md")):
            for block in BLOCK.findall(page.read_text()):
                found += 1
                stream.write_text(block)
                for arguments in (["check", "--strict", stream], ["run", stream, "--board", "native", "--quiet"]):
                    ended = subprocess.run([cox, *arguments], capture_output=True, text=True)
                    if ended.returncode != 0:
                        sys.exit(f"{page}: cox {arguments[0]}:\n{ended.stdout}{ended.stderr}")
    if found < 2:
        sys.exit(f"{found} streams under {root}")


if __name__ == "__main__":
    main()
