# SPDX-License-Identifier: MIT
"""Trains a small network on handwritten digits with an xDSA program, and compares with the same training in NumPy (README.md)."""
import argparse
import os
import pathlib
import sys

# The matrices are small, so that threads of a BLAS library would only cost time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
sys.path.insert(0, str(FOLDER.parent / "xdsa"))
sys.dont_write_bytecode = True

import chart  # noqa: E402
import xdsa  # noqa: E402
from training import EPOCH, STEPS, TESTS, make_inputs, run, train_in_numpy  # noqa: E402

# The unit rounds every tensor to fp32, NumPy computes in fp64. After 450 steps the largest differences are 1.1e-6 and 1.5e-7.
PARAMETER_BOUND, LOSS_BOUND = 2e-5, 2e-6
SMALLEST_ACCURACY = 0.9


def draw(path, losses, expected):
    epochs = (np.arange(len(losses)) + 1) / EPOCH
    panel = chart.Panel("loss of each batch: the unit's, and under it NumPy's", 260, 0, 2.5, (0, 0.5, 1, 1.5, 2, 2.5))
    panel.line(epochs, expected, "#f0b070", 5)
    panel.line(epochs, losses, "#1f4e9c", 1.3)
    chart.draw(path, "Digits, 64-32-10, trained by an xDSA program", [panel], 0, epochs[-1], range(0, int(epochs[-1]) + 1, 3), "epochs")


def train(out):
    """Trains natively, prints what became of it and draws the loss. Returns the number of broken bounds."""
    inputs = make_inputs(STEPS)
    result = run("native", inputs, out)
    losses, accuracy = result["losses"], float(result["accuracy"])
    parameters, expected = train_in_numpy(inputs)
    parameters_off, losses_off = np.abs(result["parameters"] - parameters).max(), np.abs(losses - expected).max()
    right = (result["scores"].argmax(axis=1) == inputs["test_labels"]).mean()
    print(f"{STEPS} steps: loss {losses[:10].mean():.3f} in the first ten, {losses[-10:].mean():.3f} in the last ten")
    print(f"largest difference from NumPy: parameters {parameters_off:.1e} (bound {PARAMETER_BOUND:.0e}), losses {losses_off:.1e} (bound {LOSS_BOUND:.0e})")
    print(f"{accuracy:.1%} of {TESTS} test images are right (bound {SMALLEST_ACCURACY:.0%})")
    draw(out / "train-digits-loss.svg", losses, expected)
    print(f"picture: {out / 'train-digits-loss.svg'}")
    bad = (parameters_off > PARAMETER_BOUND, losses_off > LOSS_BOUND, losses[-10:].mean() > losses[:10].mean() / 10)
    return sum(map(int, bad)) + int(accuracy < SMALLEST_ACCURACY) + int(abs(accuracy - right) > 1e-6)


def train_under_qemu(out):
    """Trains for an epoch under QEMU and natively. Returns 1 if the bytes differ, else 0."""
    inputs = make_inputs(EPOCH)
    results = [run(board, inputs, out) for board in ("native", "qemu")]
    same = all(value.tobytes() == results[1][name].tobytes() for name, value in results[0].items())
    print(f"qemu, {EPOCH} steps: {'the same bytes' if same else 'OTHER BYTES'}, {float(results[1]['accuracy']):.1%} of the test images are right")
    return int(not same)


def main():
    parser = argparse.ArgumentParser(description="Trains a network for handwritten digits on a Unity unit.")
    parser.add_argument("--native", action="store_true", help="only in this computer's process, not an epoch under QEMU, too")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/train_digits", help="folder for program, inputs, outputs and the picture")
    arguments = parser.parse_args()
    if not arguments.native:
        xdsa.require_qemu()
    broken = train(arguments.out)
    if not arguments.native:
        broken += train_under_qemu(arguments.out)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
