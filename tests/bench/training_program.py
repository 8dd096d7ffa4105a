# SPDX-License-Identifier: MIT
"""The program of examples/train_digits on a Unity unit: device cycles of a step."""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "examples/train_digits"))

import training  # noqa: E402

FEW, MANY = 1, 11  # steps of two runs; the difference is free of what runs before and after the steps


def measure(folder):
    """Runs the program natively. Its files go to `folder`. Returns the device cycles of a step."""
    cycles = []
    for steps in (FEW, MANY):
        statistics = folder / f"{steps}.stats.json"
        training.run("native", training.make_inputs(steps), folder, "--stats", statistics)
        cycles.append(json.loads(statistics.read_text())["end_cycle"])
    return (cycles[1] - cycles[0]) / (MANY - FEW)
