#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The firmware, linked for a slot and signed, boots from behind its header. A few instructions take the place of MCUboot."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
COX, QEMU, MODEL, FIRMWARE = (os.environ.get(name, "") for name in ("COX", "COX_QEMU", "COX_MODEL", "COX_FIRMWARE"))
for path in (QEMU, MODEL, FIRMWARE, shutil.which("arm-none-eabi-gcc") or "arm-none-eabi-gcc"):
    if not os.path.exists(path):
        print(f"skipped: there is no '{path}'; make setup qemu target host makes it")
        sys.exit(77)

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)

    def run(*words):
        return subprocess.run([str(word) for word in words], cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout

    run(COX, "image-key", "key.pem")
    run(COX, "image-sign", FIRMWARE, "--key", "key.pem", "--security-counter", "auto", "--slot-size", "0x100000", "--pad", "-o", "signed.bin")
    print(run(COX, "image-verify", "signed.bin", "--key", "key.pub.pem"))
    build = run(COX, "info", "signed.bin").splitlines()[2].strip()
    flags = ["-mcpu=cortex-m55", "-nostdlib", "-Wl,-Ttext=0", "-Wl,-e,0", '-DSIGNED="signed.bin"']
    run("arm-none-eabi-gcc", *flags, HERE / "bootloader.S", "-o", "flash.elf")
    command = [QEMU, "-machine", f"npu-soc,model={MODEL}", "-icount", "shift=1,sleep=off", "-kernel", folder / "flash.elf"]
    command += ["-display", "none", "-monitor", "none", "-serial", "stdio"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as qemu:
        limit = threading.Timer(60, qemu.kill)
        limit.start()
        heard = b""
        qemu.stdin.write(b"version\r")  # the answer needs the UART's interrupt, so the core has found the image's vectors
        qemu.stdin.flush()
        while heard.count(build.encode()) < 2:
            byte = qemu.stdout.read(1)
            if not byte:
                sys.exit(f"the image did not answer: {heard!r}")
            heard += byte
        limit.cancel()
        qemu.kill()
print(build)
