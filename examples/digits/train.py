#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains and quantises the network of the demo on scikit-learn's handwritten digits, and writes it beside this script.

It needs only numpy, has a fixed seed and takes less than two minutes on one core. Its output is in the repository, so the demo never trains. 297 images
are set aside first. Neither training nor calibration uses them.
"""
import json
import pathlib

import numpy as np
from sklearn.datasets import load_digits

import reference

FOLDER = pathlib.Path(__file__).resolve().parent
HELD_OUT = 297
EPOCHS = 90
BATCH = 50


class Convolution:
    """A convolution (such as 3x3) as a matrix product over gathered windows. Maps are N, H, W, C."""

    def __init__(self, random, kernels, size, channels, padding):
        self.shape, self.padding = (kernels, size, size, channels), padding
        fan_in = size * size * channels
        self.parameters = [random.normal(0, np.sqrt(2 / fan_in), (fan_in, kernels)), np.zeros(kernels)]

    def forward(self, x):
        p = self.padding
        self.input_shape = x.shape
        gathered = reference.windows(x, self.shape[1:3], (1, 1), (p, p, p, p), 0.0)
        self.out_shape = gathered.shape[:3] + (self.shape[0],)
        self.gathered = gathered.reshape(-1, self.parameters[0].shape[0])
        return (self.gathered @ self.parameters[0] + self.parameters[1]).reshape(self.out_shape)

    def backward(self, gradient):
        flat = gradient.reshape(-1, self.shape[0])
        self.gradients = [self.gathered.T @ flat, flat.sum(axis=0)]
        n, height, width, channels = self.input_shape
        _, rows, columns, _ = self.shape
        p = self.padding
        spread = (flat @ self.parameters[0].T).reshape(self.out_shape[:3] + (rows, columns, channels))
        x = np.zeros((n, height + 2 * p, width + 2 * p, channels))
        for row in range(rows):
            for column in range(columns):
                x[:, row : row + self.out_shape[1], column : column + self.out_shape[2]] += spread[:, :, :, row, column]
        return x[:, p : p + height, p : p + width]

    def weights(self):
        """The weights as K, R, S, C."""
        return self.parameters[0].T.reshape(self.shape), self.parameters[1]


class Model:
    """conv1, conv2, maximum pool, conv3, add (of conv3's output and the maximum pool's), average pool, fully connected."""

    def __init__(self, random):
        self.conv1 = Convolution(random, 16, 3, 1, 1)
        self.conv2 = Convolution(random, 32, 3, 16, 1)
        self.conv3 = Convolution(random, 32, 3, 32, 1)
        self.logits = Convolution(random, 10, 2, 32, 0)
        self.layers = [self.conv1, self.conv2, self.conv3, self.logits]

    @staticmethod
    def blocks(x):
        """Gathers the 4 pixels of each 2x2 window, without overlap: N, H/2, W/2, C, 4."""
        n, height, width, channels = x.shape
        return x.reshape(n, height // 2, 2, width // 2, 2, channels).transpose(0, 1, 3, 5, 2, 4).reshape(n, height // 2, width // 2, channels, 4)

    @staticmethod
    def unblocks(blocks):
        n, height, width, channels, _ = blocks.shape
        return blocks.reshape(n, height, width, channels, 2, 2).transpose(0, 1, 4, 2, 5, 3).reshape(n, height * 2, width * 2, channels)

    def gradients(self, x, labels):
        """Propagates the gradient of the cross entropy back through all layers. Each layer keeps its gradients."""
        a1 = np.maximum(self.conv1.forward(x), 0)
        a2 = np.maximum(self.conv2.forward(a1), 0)
        blocks = self.blocks(a2)
        pooled = blocks.max(axis=4)
        added = np.maximum(pooled + self.conv3.forward(pooled), 0)
        average = self.blocks(added).mean(axis=4)
        logits = self.logits.forward(average).reshape(len(x), 10)
        probabilities = np.exp(logits - logits.max(axis=1, keepdims=True))
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        loss = -np.log(probabilities[np.arange(len(x)), labels]).mean()
        gradient = probabilities
        gradient[np.arange(len(x)), labels] -= 1
        gradient = self.logits.backward((gradient / len(x)).reshape(-1, 1, 1, 10))
        gradient = self.unblocks(np.repeat(gradient[..., None] / 4, 4, axis=4)) * (added > 0)
        gradient = gradient + self.conv3.backward(gradient)
        winners = blocks == pooled[..., None]
        gradient = self.unblocks(gradient[..., None] * winners / winners.sum(axis=4, keepdims=True))
        self.conv1.backward(self.conv2.backward(gradient * (a2 > 0)) * (a1 > 0))
        return loss


def shifted(random, images):
    """Moves each image by up to one pixel in each direction, the usual augmentation of handwritten digits."""
    padded = np.pad(images, ((0, 0), (1, 1), (1, 1), (0, 0)))
    offsets = random.integers(0, 3, (len(images), 2))
    return np.stack([image[dy : dy + 8, dx : dx + 8] for image, (dy, dx) in zip(padded, offsets)])


def train(random, images, labels):
    """Trains a model with Adam and weight decay. The learning rate falls like a cosine from its start to 0."""
    model = Model(random)
    first = [[np.zeros_like(p) for p in layer.parameters] for layer in model.layers]
    second = [[np.zeros_like(p) for p in layer.parameters] for layer in model.layers]
    step, steps = 0, EPOCHS * (len(images) // BATCH)
    for epoch in range(EPOCHS):
        order, losses = random.permutation(len(images)), []
        for start in range(0, len(images), BATCH):
            chosen = order[start : start + BATCH]
            losses.append(model.gradients(shifted(random, images[chosen]), labels[chosen]))
            step += 1
            rate = 2e-3 * 0.5 * (1 + np.cos(np.pi * step / steps))
            for layer, m, v in zip(model.layers, first, second):
                for i, gradient in enumerate(layer.gradients):
                    m[i] += 0.1 * (gradient - m[i])
                    v[i] += 0.001 * (gradient**2 - v[i])
                    corrected = (m[i] / (1 - 0.9**step)) / (np.sqrt(v[i] / (1 - 0.999**step)) + 1e-8)
                    layer.parameters[i] -= rate * (corrected + (1e-3 * layer.parameters[i] if i == 0 else 0))
        if epoch % 10 == 9:
            print(f"epoch {epoch + 1:3}: loss {np.mean(losses):.4f}", flush=True)
    return model


def describe(model):
    """Returns the network file's contents without encodings. Also writes the weights before quantisation to files beside the network file."""
    (FOLDER / "weights").mkdir(exist_ok=True)
    layers = []

    def add(name, operation, inputs, shape, form="INT8", **fields):
        layers.append({"name": name, "operation": operation, "inputs": inputs, **fields, "output": {"shape": shape, "format": form}})

    def weighted(name):
        return {"weights": f"weights/{name}.bin", "unquantised": f"weights/{name}.unquantised.bin"}

    same = {"kernel": [3, 3], "stride": [1, 1], "padding": [1, 1, 1, 1]}
    halve = {"kernel": [2, 2], "stride": [2, 2], "padding": [0, 0, 0, 0]}
    add("quantise", "quantise", ["image"], [1, 8, 8])
    add("conv1", "convolution", ["quantise"], [16, 8, 8], **same, activation="relu", **weighted("conv1"))
    add("conv2", "convolution", ["conv1"], [32, 8, 8], **same, activation="relu", **weighted("conv2"))
    add("pool", "maximum_pool", ["conv2"], [32, 4, 4], **halve)
    add("conv3", "convolution", ["pool"], [32, 4, 4], **same, activation="none", **weighted("conv3"))
    add("residual", "add", ["pool", "conv3"], [32, 4, 4], activation="relu")
    add("average", "average_pool", ["residual"], [32, 2, 2], **halve)
    add("logits", "fully_connected", ["average"], [10, 1, 1], form="FP16", activation="none", **weighted("logits"))
    for name, layer in (("conv1", model.conv1), ("conv2", model.conv2), ("conv3", model.conv3), ("logits", model.logits)):
        np.concatenate([part.ravel() for part in layer.weights()]).astype("<f4").tofile(FOLDER / f"weights/{name}.unquantised.bin")
    return {
        "format": "coxswain-network",
        "version": 1,
        "name": "digits",
        "input": {"name": "image", "shape": [1, 8, 8], "format": "FP16"},
        "layers": layers,
        "output": {"name": "logits", "layer": "logits"},
    }


def write_network(description):
    # One layer per line is easier to read than one number per line.
    entries = [f' "{key}": {json.dumps(value)}' for key, value in description.items() if key != "layers"]
    layers = ",\n  ".join(json.dumps(layer) for layer in description["layers"])
    text = "{\n" + ",\n".join(entries) + ',\n "layers": [\n  ' + layers + "\n ]\n}\n"
    (FOLDER / "network.json").write_text(text)


def quantise(description, images):
    """Takes the activations' ranges from the training images. Weights are symmetric, with one scale per channel."""
    write_network(description)
    network = reference.Network.read(FOLDER / "network.json")
    values = reference.evaluate_unquantised(network, images)
    for layer in description["layers"]:
        output = layer["output"]
        if output["format"] == "INT8":
            low, high = min(values[layer["name"]].min(), 0.0), values[layer["name"]].max()
            output["scale"] = float(np.float32((high - low) / 255))
            output["zero_point"] = int(np.clip(np.rint(-128 - low / output["scale"]), -128, 127))
        if "weights" in layer:
            weights, biases = network.unquantised_weights(layer)
            scales = (np.abs(weights).max(axis=(1, 2, 3)) / 127).astype("<f4")
            rounded = np.clip(np.rint(weights / scales[:, None, None, None]), -127, 127).astype(np.int8)
            (FOLDER / layer["weights"]).write_bytes(rounded.tobytes() + scales.tobytes() + biases.astype("<f4").tobytes())
    write_network(description)


def main():
    random = np.random.default_rng(20)
    digits = load_digits()
    images = (digits.images / 16.0)[..., None]
    order = random.permutation(len(images))
    held_out, used = order[:HELD_OUT], order[HELD_OUT:]
    model = train(random, images[used], digits.target[used])
    quantise(describe(model), images[used])
    images[held_out].astype("<f2").tofile(FOLDER / "images.bin")
    digits.target[held_out].astype(np.uint8).tofile(FOLDER / "labels.bin")
    print(f"{HELD_OUT} held-out images: now run reference.py network.json --images images.bin --labels labels.bin")


if __name__ == "__main__":
    main()
