# SPDX-License-Identifier: MIT
"""Finds the files that the package uses: the host library, the command cox, QEMU, the model and firmware images."""
from __future__ import annotations

import os
import pathlib
import shutil
from typing import Iterator, Optional

from .errors import MachineError

LIBRARY = "libcoxswain_host.so"


def _named(variable: str, what: str) -> Optional[pathlib.Path]:
    given = os.environ.get(variable)
    if not given:
        return None
    path = pathlib.Path(given)
    if not path.is_file():
        raise MachineError(f"{variable} names {what}: '{given}' does not exist. Mend or unset the variable")
    return path.resolve()


def _library_folders() -> Iterator[pathlib.Path]:
    package = pathlib.Path(__file__).resolve().parent
    yield package  # a wheel with the libraries
    yield package.parent.parent / "build" / "host" / "lib"  # a source tree
    for prefix in package.parents:  # PREFIX/lib/python3/dist-packages/coxswain
        yield prefix / "lib" / "coxswain"
    command = shutil.which("cox")
    if command:
        prefix = pathlib.Path(command).resolve().parent.parent
        yield prefix / "lib" / "coxswain"
        yield prefix / "lib"  # build/host/bin/cox


def library() -> pathlib.Path:
    """The host library. Raises MachineError if it is not found."""
    given = _named("COXSWAIN_LIBRARY", "the host library")
    if given:
        return given
    for folder in _library_folders():
        if (folder / LIBRARY).is_file():
            return folder / LIBRARY
    raise MachineError(f"{LIBRARY} is not found. Install coxswain with its command cox, or build it with `make host`, or name it with COXSWAIN_LIBRARY")


def _is_build(folder: pathlib.Path) -> bool:
    """True for build/host/lib, false for PREFIX/lib/coxswain."""
    return (folder.parent / "CMakeCache.txt").is_file()


def command() -> pathlib.Path:
    """The command ``cox``. Raises MachineError if it is not found."""
    given = _named("COXSWAIN_COX", "the command cox")
    if given:
        return given
    folder = library().parent
    beside = folder.parent / "bin" / "cox" if _is_build(folder) else folder.parent.parent / "bin" / "cox"
    if beside.is_file():
        return beside
    found = shutil.which("cox")
    if found:
        return pathlib.Path(found)
    raise MachineError(f"the command cox is not found: neither '{beside}' nor on PATH. Install it, or name it with COXSWAIN_COX")


def _machine_file(variable: str, what: str, installed: str, built: str, target: str) -> pathlib.Path:
    given = _named(variable, what)
    if given:
        return given
    folder = library().parent
    if _is_build(folder):
        path, mend = folder.parent.parent / built, f"Build it with `make {target}`"
    else:
        path, mend = folder / installed, "Install coxswain with QEMU and the images"
    if not path.is_file():
        raise MachineError(f"the board under QEMU needs {what}: '{path}' does not exist. {mend}, or set {variable}; board=\"native\" runs without it")
    return path


def qemu() -> pathlib.Path:
    """QEMU with the machines of the boards."""
    return _machine_file("COX_QEMU", "QEMU with the machine npu-soc", "qemu-system-arm", "qemu/bin/qemu-system-arm", "qemu")


def model() -> pathlib.Path:
    """The accelerator's model as QEMU opens it."""
    return _machine_file("COX_MODEL", "the accelerator model", "libcox_model.so", "host/lib/libcox_model.so", "host")


def firmware(board: str) -> pathlib.Path:
    """The firmware image of a board."""
    return _machine_file("COX_FIRMWARE", "the firmware image", f"boards/{board}/coxswain.elf", f"{board}/bin/coxswain.elf", "target")
