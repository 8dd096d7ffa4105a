# SPDX-License-Identifier: MIT
"""The program of examples/lstm on one Unity unit: device cycles beside the larger of MAC and DRAM cycles, summed over its instructions."""
import dataclasses
import json
import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "examples/lstm"))
sys.path.insert(0, str(ROOT / "examples/xdsa"))

import lstm  # noqa: E402
import xdsa  # noqa: E402

# As in heartbeats.xdsa, which runs the LSTM four times.
PARTS, STEPS, BATCH, INPUTS, HIDDEN, FLOAT = 4, 64, 8, 4, 32, 4
GATES = 4
INT8_MACS_A_CYCLE, DRAM_BYTES_A_CYCLE = 256, 16
# A product of two fp32 numbers takes a lane 16 cycles, one for each byte of one times each byte of the other (docs/model.md, The Unity units).
MACS_A_CYCLE = INT8_MACS_A_CYCLE / (FLOAT * FLOAT)
SEED = 1


@dataclasses.dataclass
class Figure:
    cycles: int  # device cycles of the program on one unit
    least_cycles: float
    multiply_accumulates: int

    @property
    def over_limit(self):
        return self.cycles / self.least_cycles


def instructions():
    """(multiply-accumulates, bytes of DRAM) of each instruction of a part."""
    frames, rows = STEPS * BATCH, GATES * HIDDEN
    states = 2 * 2 * BATCH * HIDDEN  # h and c, read and written
    weights = rows * (INPUTS + HIDDEN + 2)
    return (
        (frames * rows * (INPUTS + HIDDEN), FLOAT * (frames * INPUTS + weights + states + frames * HIDDEN)),  # LSTM
        (frames * HIDDEN, FLOAT * (frames * HIDDEN + HIDDEN + 1 + frames)),  # CONV2D
        (0, FLOAT * 2 * frames),  # SIGMOID
        (0, FLOAT * (frames + 1) + frames),  # SGT
    )


def measure(folder):
    """Runs the program natively with random weights, which do not change its cycles. Its files go to `folder`."""
    random = np.random.default_rng(SEED)
    weights = lstm.Lstm(random, INPUTS, HIDDEN).parameters
    program = xdsa.Program(ROOT / "examples/lstm/heartbeats.xdsa", folder, {f"{name}.bin": value.astype(np.float32) for name, value in weights.items()})
    text = program.path.read_text()
    one_unit = text.replace(".equ READER = 1", ".equ READER = 0")
    if one_unit == text:
        sys.exit(f"{program.path} has no '.equ READER = 1'")
    program.path.write_text(one_unit)
    ecg = random.normal(0, 1, (PARTS * STEPS, BATCH, INPUTS)).astype(np.float32)
    statistics = folder / "lstm.stats.json"
    program.run("native", {"ecg": ecg}, {}, "--stats", statistics)
    of_parts = instructions() * PARTS
    return Figure(
        cycles=json.loads(statistics.read_text())["end_cycle"],
        least_cycles=sum(max(macs / MACS_A_CYCLE, size / DRAM_BYTES_A_CYCLE) for macs, size in of_parts),
        multiply_accumulates=sum(macs for macs, _ in of_parts),
    )
