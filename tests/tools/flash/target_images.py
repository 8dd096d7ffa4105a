#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The firmware's image says the same of itself in each of its files, in its banner and on its console."""
import os
import pathlib
import subprocess
import sys
import threading

COX, QEMU, MODEL, FIRMWARE = (os.environ.get(name, "") for name in ("COX", "COX_QEMU", "COX_MODEL", "COX_FIRMWARE"))
for path in (QEMU, MODEL, FIRMWARE):
    if not os.path.exists(path):
        print(f"skipped: there is no '{path}'; make qemu target host makes it")
        sys.exit(77)

facts = set()
for ending in (".elf", ".hex", ".bin"):
    file = pathlib.Path(FIRMWARE).with_suffix(ending)
    words = subprocess.run([COX, "info", file], capture_output=True, text=True, check=True).stdout.splitlines()
    facts.add(tuple(line.strip() for line in words[1:3]))
assert len(facts) == 1, facts
version, build = facts.pop()
assert version.startswith("coxswain ") and build.startswith("build "), (version, build)


# Features of images that are built for them (base/image_version.h).
FEATURES = {"startup_selftest": "caches", "coxswain-signed": "signed jobs", "coxswain-service": "secure", "coxswain-trace": "trace"}
for image, feature in FEATURES.items():
    file = pathlib.Path(FIRMWARE).with_name(image + ".elf")
    if file.exists():  # without BearSSL there are no signed images
        line = subprocess.run([COX, "info", file], capture_output=True, text=True, check=True).stdout.splitlines()[2]
        assert feature in line.strip().split(", "), (image, line)
    else:
        print(f"not compared: there is no {file}")
    assert feature not in build.split(", "), build

command = [QEMU, "-machine", f"npu-soc,model={MODEL}", "-icount", "shift=1,sleep=off", "-kernel", FIRMWARE]
command += ["-display", "none", "-monitor", "none", "-serial", "stdio"]
with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as qemu:
    limit = threading.Timer(60, qemu.kill)
    limit.start()
    heard = b""
    qemu.stdin.write(b"version\r")
    qemu.stdin.flush()
    while heard.count(build.encode()) < 2:
        byte = qemu.stdout.read(1)
        assert byte, heard
        heard += byte
    limit.cancel()
    qemu.kill()
console = heard.decode().splitlines()
assert f"coxswain: {version}" in console and f"coxswain: {build}" in console, console
assert version in console and build in console, console
print(version, build, sep="\n")
