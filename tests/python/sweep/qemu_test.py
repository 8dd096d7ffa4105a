#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A sweep over boards: the firmware image under QEMU, with control cores of several speeds, beside the same firmware in a process."""
import csv
import io
import os
import pathlib
import sys
import tempfile

from sweep_support import DIGITS, cox

SWEEP = f"""
[sweep]
metrics = ["cycles", "control_core_instructions", "control_core_share"]
[tasks.digits]
network = "{DIGITS}"
[fixed]
repeat = 3
[axes]
board = ["native", "qemu"]
control_core_ns = [1, 2, 8]
"""


def main():
    for variable in ("COX_QEMU", "COX_FIRMWARE"):
        if not os.path.exists(os.environ.get(variable, "")):
            print(f"skipped: {variable} names no file: make qemu target")
            sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "boards.toml").write_text(SWEEP)
        # Natively the control core takes no time, so cox refuses to set its speed: these points are infeasible.
        rows = list(csv.DictReader(io.StringIO(cox("sweep", "boards.toml", "-q", "--table", "-", folder=folder).stdout)))
    native, qemu = rows[:3], rows[3:]
    assert [row["status"] for row in native] == ["infeasible"] * 3, native
    assert "--control-core-ns" in native[0]["message"], native[0]
    assert [row["status"] for row in qemu] == ["done"] * 3, qemu
    cycles = [int(row["cycles"]) for row in qemu]
    assert cycles[0] < cycles[1] < cycles[2], cycles
    shares = [float(row["control_core_share"]) for row in qemu]
    assert 0 < shares[0] < shares[1] < shares[2] <= 1, shares
    assert all(int(row["control_core_instructions"]) > 1000 for row in qemu), qemu
    print(f"1, 2 and 8 ns an instruction: {cycles} cycles, awake {shares}")


if __name__ == "__main__":
    main()
