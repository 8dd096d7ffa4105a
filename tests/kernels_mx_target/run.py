#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots kernels_mx_selftest.elf and looks at what it prints. Files by COX_QEMU, COX_IMAGE, COX_MODEL or by options; status 77: one is
not there."""

import argparse
import os
import re
import subprocess
import sys

SECONDS = 100
TESTS = ["convolutions", "decompositions", "element-wise", "one instruction", "fault", "after a fault", "timeout", "after a timeout"]


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
    if done.returncode != 0:
        sys.exit(f"exit status {done.returncode}")
    missing = [test for test in TESTS if f"{test}: ok" not in done.stdout]
    if missing:
        sys.exit(f"not seen to pass: {', '.join(missing)}")
    if not re.search(r"^mx\.conv_act\.control_instructions \d+$", done.stdout, re.MULTILINE):
        sys.exit("no count of instructions")


if __name__ == "__main__":
    main()
