# SPDX-License-Identifier: MIT
"""Starts the machine npu-soc with an application and its DRAM. DRAM is a file: the host writes it before the run and reads the results from it (README.md)."""
import json
import mmap
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DRAM_BASE = 0x60000000
LINE = 64  # regions begin at a cache line of the core


class Missing(Exception):
    """A file is missing that must be built first."""


def built(variable, default, made_by):
    """The path of a file: the value of an environment variable, or by default the place of the file in the build."""
    return existing(pathlib.Path(os.environ.get(variable) or ROOT / default), variable, made_by)


def target_image(name):
    return existing(pathlib.Path(os.environ.get("COX_TARGET_BUILD") or ROOT / "build/qemu-npu-soc") / "bin" / name, "COX_TARGET_BUILD", "make target")


def host_program(name):
    return existing(pathlib.Path(os.environ.get("COX_HOST_BUILD") or ROOT / "build/host") / "bin" / name, "COX_HOST_BUILD", "make host")


def existing(path, variable, made_by):
    if not path.is_file():
        raise Missing(f"'{path}' does not exist; {made_by} makes it, or set {variable}")
    return path.resolve()


def doubled(text):
    """Doubles commas, because a single comma ends a value in QEMU's options."""
    return str(text).replace(",", ",,")


class Layout:
    """Places regions in DRAM one after the other, from offset `first` on."""

    def __init__(self, first):
        self.used = first

    def region(self, size):
        """Allocates a region. Returns its bus address and its size in bytes."""
        address = DRAM_BASE + -(-self.used // LINE) * LINE
        self.used = address - DRAM_BASE + size
        return address, size


def run(image, dram=None, options=None, seconds=300):
    """Boots `image` with the file `dram`, a multiple of 1 MiB, as its DRAM (None: QEMU's own memory), and the accelerator model with `options`.

    Returns exit status and console output."""
    qemu = built("COX_QEMU", "build/qemu/bin/qemu-system-arm", "make qemu")
    model = built("COX_MODEL", "build/host/lib/libcox_model.so", "make host")
    properties = f"npu-soc,model={doubled(model)}"
    memory = []
    if dram is not None:
        size = pathlib.Path(dram).stat().st_size
        properties += ",memory-backend=dram"
        memory = ["-object", f"memory-backend-file,id=dram,size={size},mem-path={doubled(dram)},share=on", "-m", f"{size}B"]
    if options:
        properties += ",model-options=" + doubled(json.dumps(options))
    command = [qemu, "-machine", properties, *memory]
    command += ["-icount", "shift=1,sleep=off", "-kernel", image, "-display", "none", "-monitor", "none", "-serial", "stdio"]
    command += ["-semihosting-config", "enable=on,target=native"]
    done = subprocess.run(
        [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds, check=False
    )
    return done.returncode, done.stdout


class Dram:
    """The DRAM file, mapped into memory. Its methods take bus addresses of the device."""

    def __init__(self, path, mebibytes=None):
        if mebibytes is not None:
            with open(path, "wb") as file:
                file.truncate(mebibytes << 20)
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)

    def write(self, address, data):
        offset = address - DRAM_BASE
        self.memory[offset : offset + len(data)] = bytes(data)

    def read(self, address, size):
        offset = address - DRAM_BASE
        return self.memory[offset : offset + size]
