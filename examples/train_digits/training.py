# SPDX-License-Identifier: MIT
"""The inputs of train.xdsa, its outputs, and the same training in NumPy."""
import pathlib
import sys

import numpy as np
from sklearn.datasets import load_digits

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "xdsa"))

import xdsa  # noqa: E402

BATCH, STEPS, IMAGES, TESTS, IN, HIDDEN, OUT = 50, 450, 1500, 297, 64, 32, 10  # as in train.xdsa
RATE, MOMENTUM = np.float32(0.1).astype(np.float64), np.float32(0.9).astype(np.float64)
SEED = 3
EPOCH = IMAGES // BATCH


def make_inputs(steps):
    """Returns the inputs of train.xdsa by name."""
    random = np.random.default_rng(SEED)
    digits = load_digits()
    shuffled = random.permutation(len(digits.images))
    images, labels = (digits.data[shuffled] / 16).astype(np.float32), digits.target[shuffled].astype(np.int32)
    layers = ((HIDDEN, IN), (HIDDEN, 0), (OUT, HIDDEN), (OUT, 0))  # weights, then a bias of zeros
    start = [random.normal(0, np.sqrt(2 / width), rows * width) if width else np.zeros(rows) for rows, width in layers]
    return {
        "images": images[:IMAGES],
        "labels": labels[:IMAGES],
        "order": np.stack([random.permutation(IMAGES) for _ in range(STEPS // EPOCH)]).astype(np.int32),
        "steps": np.array([steps], np.int32),
        "test_images": images[IMAGES:],
        "test_labels": labels[IMAGES:],
        "start": np.concatenate(start).astype(np.float32),
    }


def split(parameters):
    """Views of W1, b1, W2 and b2."""
    w1, b1, w2, b2 = np.split(parameters, np.cumsum([HIDDEN * IN, HIDDEN, OUT * HIDDEN]))
    return w1.reshape(HIDDEN, IN), b1, w2.reshape(OUT, HIDDEN), b2


def train_in_numpy(inputs):
    """The same training in fp64. Returns the parameters and the loss of each step."""
    parameters = inputs["start"].astype(np.float64)
    velocity, losses = np.zeros_like(parameters), []
    for chosen in inputs["order"].reshape(-1, BATCH)[: inputs["steps"][0]]:
        x, labels = inputs["images"][chosen].astype(np.float64), inputs["labels"][chosen]
        w1, b1, w2, b2 = split(parameters)
        h = np.maximum(x @ w1.T + b1, 0)
        z = h @ w2.T + b2
        p = np.exp(z - z.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        losses.append(-np.log(p[np.arange(BATCH), labels]).mean())
        dz2 = (p - np.eye(OUT)[labels]) / BATCH
        dz1 = dz2 @ w2 * (h > 0)
        gradients = np.concatenate([(dz1.T @ x).ravel(), dz1.sum(axis=0), (dz2.T @ h).ravel(), dz2.sum(axis=0)])
        velocity = MOMENTUM * velocity + gradients
        parameters = parameters - RATE * velocity
    return parameters, np.array(losses)


def run(board, inputs, folder, *more):
    """Runs train.xdsa, whose files go to `folder`. Returns its outputs by name."""
    outputs = {
        "parameters": (np.float32, (HIDDEN * IN + HIDDEN + OUT * HIDDEN + OUT,)),
        "losses": (np.float32, (STEPS,)),
        "accuracy": (np.float32, ()),
        "scores": (np.float32, (TESTS, OUT)),
    }
    return xdsa.Program(FOLDER / "train.xdsa", folder, {}).run(board, inputs, outputs, *more)
