#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots mx9_selftest.elf and looks at what it prints. Files by COX_QEMU, COX_IMAGE, COX_MODEL or by options; status 77: one is not there."""

import argparse
import os
import re
import subprocess
import sys

SECONDS = 100
FIGURES = 16


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--qemu", default=os.environ.get("COX_QEMU", ""))
    parser.add_argument("--image", default=os.environ.get("COX_IMAGE", ""))
    parser.add_argument("--model", default=os.environ.get("COX_MODEL", ""))
    arguments = parser.parse_args()
    for file in (arguments.qemu, arguments.image, arguments.model):
        if not os.path.exists(file):
            print(f"skipped: there is no '{file}'")
            sys.exit(77)
    command = [arguments.qemu, "-machine", f"npu-soc,model={arguments.model}", "-display", "none", "-monitor", "none", "-serial", "stdio"]
    command += ["-semihosting-config", "enable=on", "-icount", "shift=1,sleep=off", "-kernel", arguments.image]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=SECONDS, check=False)
    print(done.stdout, end="")
    figures = re.findall(r"^mx\.[a-z0-9_.]+\.instructions_per_element \d+\.\d\d$", done.stdout, re.MULTILINE)
    if done.returncode != 0 or "FAILED" in done.stdout or len(figures) != FIGURES:
        sys.exit(f"exit status {done.returncode}, {len(figures)} figures instead of {FIGURES}")


if __name__ == "__main__":
    main()
