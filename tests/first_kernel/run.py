#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots the example of a first kernel call and looks at what it prints. Files by COX_QEMU, COX_IMAGE and COX_MODEL; status 77: one is
not there."""

import os
import subprocess
import sys

SECONDS = 50
# SiLU(-1) = -0.26894, SiLU(1) = 0.73106 and SiLU(2.75) = 2.58476, of which MX9 keeps 69/256, 94/128 and 83/32.
EXPECTED = "y[0] = -269 / 1000\ny[8] = 734 / 1000\ny[15] = 2593 / 1000\n"


def main():
    files = [os.environ.get(name, "") for name in ("COX_QEMU", "COX_IMAGE", "COX_MODEL")]
    for file in files:
        if not os.path.exists(file):
            print(f"skipped: there is no '{file}'")
            sys.exit(77)
    qemu, image, model = files
    command = [qemu, "-machine", f"npu-soc,model={model}", "-display", "none", "-monitor", "none", "-serial", "stdio"]
    command += ["-semihosting-config", "enable=on", "-icount", "shift=1,sleep=off", "-kernel", image]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=SECONDS, check=False)
    print(done.stdout, end="")
    if done.returncode != 0:
        sys.exit(f"exit status {done.returncode}")
    if done.stdout.replace("\r", "") != EXPECTED:
        sys.exit(f"expected:\n{EXPECTED}")


if __name__ == "__main__":
    main()
