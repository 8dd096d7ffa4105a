#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots the self-test of start-up under QEMU, and looks for breakpoint instructions in images. CMakeLists.txt has the environment variables."""
import os
import re
import shutil
import subprocess
import sys
import threading

SKIPPED = 77
SECONDS = 45
PARTS = 12  # verdicts of startup_selftest.cpp
QEMU, BUILD, MODEL = (os.environ.get(name, "") for name in ("COX_QEMU", "COX_TARGET_BUILD", "COX_FAKE_MODEL"))
IMAGE = os.path.join(BUILD, "bin/startup_selftest.elf")
WITH_SEMIHOSTING = os.path.join(BUILD, "bin/platform_selftest.elf")


def breakpoints(path):
    listing = subprocess.run(["arm-none-eabi-objdump", "-d", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\tbkpt\t.*", listing)


def console():
    """The console until the board halts. The image does not end QEMU, because it has no semihosting."""
    command = [QEMU, "-machine", f"npu-soc,model={MODEL},model-options=cores 2", "-display", "none", "-monitor", "none", "-serial", "stdio",
               "-icount", "shift=1,sleep=off", "-semihosting-config", "enable=on", "-kernel", IMAGE]
    lines = []
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as running:
        limit = threading.Timer(SECONDS, running.kill)
        limit.start()
        for line in running.stdout:
            print(line, end="")
            lines.append(line.strip())
            if line.strip() == "halted":
                break
        limit.cancel()
        running.kill()
    return lines


def main():
    for path in (QEMU, IMAGE, MODEL, WITH_SEMIHOSTING):
        if not os.path.exists(path):
            print(f"skipped: there is no {path}")
            return SKIPPED
    if shutil.which("arm-none-eabi-objdump") is None:
        print("skipped: there is no arm-none-eabi-objdump")
        return SKIPPED
    wrong = []
    if breakpoints(IMAGE):
        wrong.append(f"{IMAGE} has breakpoint instructions: {breakpoints(IMAGE)}")
    if not breakpoints(WITH_SEMIHOSTING):
        wrong.append(f"{WITH_SEMIHOSTING} has no breakpoint instruction, so this test finds none")
    lines = console()
    verdicts = [line for line in lines if line.endswith((": ok", ": FAILED"))]
    if len(verdicts) != PARTS or any(line.endswith("FAILED") for line in verdicts) or lines[-1:] != ["halted"]:
        wrong.append(f"{len(verdicts)} of {PARTS} verdicts, the last line is {lines[-1:]}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
