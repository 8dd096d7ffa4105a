#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws cube-timeline.svg: the beginning of a matrix product that the control core feeds under QEMU, from the model's event log."""
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "examples/machine"))
sys.dont_write_bytecode = True

import machine  # noqa: E402

RECORD, MAGIC_BYTES = 64, 8
STREAM_INSTRUCTION, CUBE = 5, 1
IDLE = 10_000  # cycles between two products of the self-test
SHOWN_PRODUCT = -4  # of the self-test, which measures 1,024 cubed with tiles of its own choice, then three others
SHOWN = 11_000  # cycles
TITLE = "BF16, 1,024 cubed, on the matrix unit: how it begins"


def spans(log):
    """(start, end) of the matrix unit's slots."""
    data = log.read_bytes()[MAGIC_BYTES:]
    for at in range(0, len(data) - RECORD + 1, RECORD):
        kind, engine = data[at], data[at + 1]
        if kind == STREAM_INSTRUCTION and engine == CUBE:
            yield struct.unpack_from("<QQ", data, at + 24)


def begin_of(log, product):
    """The cycle in which a product begins, since the first slot of all: -1 the last one of the log, -2 the one before."""
    ordered = sorted(spans(log))
    begins, until = [], 0
    for start, end in ordered:
        if not begins or start - until > IDLE:
            begins.append(start)
        until = max(until, end)
    return begins[product] - ordered[0][0]


def main():
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "events"
        status, console = machine.run(machine.target_image("kernels_cube_selftest.elf"), options={"events": str(log)})
        if status != 0:
            sys.exit(f"exit status {status}\n{console}")
        begin = begin_of(log, SHOWN_PRODUCT)
        picture = ROOT / "docs/pictures/cube-timeline.svg"
        command = [machine.host_program("cox"), "timeline", log, "-o", picture, "--title", TITLE, "--from", begin, "--to", begin + SHOWN]
        subprocess.run([str(word) for word in command], check=True)


if __name__ == "__main__":
    main()
