# SPDX-License-Identifier: MIT
"""Network files with random weights, whose feature maps are spread over their INT8 range."""
import json
import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "examples/digits"))

import reference  # noqa: E402


class Builder:
    """Adds layer after layer; each is evaluated at once on one image, from which its scale follows."""

    def __init__(self, folder, name, shape, form="FP16", seed=1):
        self.folder = pathlib.Path(folder)
        self.random = np.random.default_rng(seed)
        self.input = {"name": "image", "shape": list(shape), "format": form}
        if form == "INT8":
            self.input.update(scale=1 / 128, zero_point=-3)
        self.name = name
        self.layers = []
        self.values = {"image": self.images(1)}

    def images(self, count):
        channels, height, width = self.input["shape"]
        shape = count, height, width, channels
        if self.input["format"] == "INT8":
            return self.random.integers(-128, 128, shape, dtype=np.int8)
        return self.random.normal(0, 1, shape).astype(np.float16)

    def network(self, *more_layers):
        layers = [*self.layers, *more_layers]
        output = {"name": "result", "layer": layers[-1]["name"]}
        description = {"format": "coxswain-network", "version": 1, "name": self.name, "input": self.input, "output": output, "layers": layers}
        return reference.Network(description, self.folder), description

    def shape_of(self, name):
        return self.input["shape"] if name == "image" else next(layer["output"]["shape"] for layer in self.layers if layer["name"] == name)

    def encoding_of(self, name):
        return self.input if name == "image" else next(layer["output"] for layer in self.layers if layer["name"] == name)

    def add_layer(self, layer):
        self.layers.append(layer)
        inputs = [self.values[name] for name in layer["inputs"]]
        self.values[layer["name"]] = reference.evaluate_layer(self.network()[0], layer, inputs)
        return layer["name"]

    @staticmethod
    def int8(shape, scale, zero_point):
        return {"shape": list(shape), "format": "INT8", "scale": float(np.float32(scale)), "zero_point": int(zero_point)}

    @staticmethod
    def fitting(shape, low, high):
        """An encoding for values from `low` to `high`, of which a little is cut off, so that saturation is seen."""
        scale = 0.95 * (high - low) / 255
        return Builder.int8(shape, scale, np.clip(np.rint(-128 - low / scale), -128, 127))

    def quantise(self, name, source):
        values = self.values[source].astype(np.float32)
        return self.add_layer({"name": name, "operation": "quantise", "inputs": [source], "output": self.fitting(self.shape_of(source), values.min(), values.max())})

    def convolution(self, name, source, kernels, kernel, stride=(1, 1), padding=(0, 0, 0, 0), relu=False, form="INT8"):
        channels, height, width = self.shape_of(source)
        full = kernel is None
        rows, columns = (height, width) if full else kernel
        shape = [
            kernels,
            (height + padding[0] + padding[2] - rows) // stride[0] + 1,
            (width + padding[1] + padding[3] - columns) // stride[1] + 1,
        ]
        weights = self.random.integers(-127, 128, (kernels, rows, columns, channels), dtype=np.int8)
        scales = (self.random.uniform(0.3, 1, kernels) / (74 * np.sqrt(weights[0].size))).astype("<f4")
        biases = self.random.normal(0, 0.2, kernels).astype("<f4")
        (self.folder / f"{name}.bin").write_bytes(weights.tobytes() + scales.tobytes() + biases.tobytes())
        layer = {"name": name, "operation": "fully_connected" if full else "convolution", "inputs": [source], "weights": f"{name}.bin"}
        if not full:
            layer.update(kernel=list(kernel), stride=list(stride), padding=list(padding))
        layer.update(activation="relu" if relu else "none", output={"shape": shape, "format": "FP16"})
        if form == "INT8":
            values = reference.evaluate_layer(self.network(layer)[0], layer, [self.values[source]]).astype(np.float32)
            layer["output"] = self.fitting(shape, min(values.min(), 0.0), values.max())
        return self.add_layer(layer)

    def pool(self, name, source, operation, kernel, stride=(1, 1), padding=(0, 0, 0, 0)):
        channels, height, width = self.shape_of(source)
        shape = [
            channels,
            (height + padding[0] + padding[2] - kernel[0]) // stride[0] + 1,
            (width + padding[1] + padding[3] - kernel[1]) // stride[1] + 1,
        ]
        encoding = self.encoding_of(source)
        output = self.int8(shape, encoding["scale"] * 0.9, encoding["zero_point"])
        return self.add_layer({"name": name, "operation": operation, "inputs": [source], "kernel": list(kernel), "stride": list(stride), "padding": list(padding), "output": output})

    def add(self, name, first, second, relu=False):
        scale = 1.1 * (self.encoding_of(first)["scale"] + self.encoding_of(second)["scale"]) / 2
        output = self.int8(self.shape_of(first), scale, -128 if relu else 5)
        return self.add_layer({"name": name, "operation": "add", "inputs": [first, second], "activation": "relu" if relu else "none", "output": output})

    def write(self):
        """Writes the network file; the last layer is the output."""
        path = self.folder / f"{self.name}.json"
        path.write_text(json.dumps(self.network()[1], indent=1))
        return path


def odd(folder):
    """Odd channels and extents, uneven strides and paddings, padded pools."""
    b = Builder(folder, "odd", (3, 17, 13), seed=3)
    x = b.quantise("quantise", "image")
    x = b.convolution("conv1", x, 5, (3, 3), (1, 1), (1, 1, 1, 1), relu=True)
    x = b.convolution("conv2", x, 13, (5, 3), (2, 1), (2, 0, 1, 2))
    y = b.convolution("conv3", x, 13, (1, 1), relu=True)
    x = b.add("sum", x, y)
    x = b.pool("maximum", x, "maximum_pool", (3, 3), (2, 1), (1, 1, 0, 1))
    x = b.pool("average", x, "average_pool", (2, 3), (1, 2), (1, 0, 0, 2))
    x = b.convolution("conv4", x, 7, (2, 2), (1, 2))
    b.add("double", x, x, relu=True)
    return b


def tiles(folder):
    """Kernels that do not fit half of WL0 together, and maps of several bands of rows."""
    b = Builder(folder, "tiles", (8, 100, 90), seed=4)
    x = b.quantise("quantise", "image")
    x = b.convolution("wide", x, 40, (3, 3), (1, 1), (1, 1, 1, 1), relu=True)
    y = b.convolution("same", x, 40, (1, 1))
    x = b.add("sum", y, x, relu=True)
    x = b.pool("maximum", x, "maximum_pool", (7, 7), (7, 7), (3, 3, 3, 3))
    x = b.convolution("deep", x, 520, (3, 3), (2, 2), (1, 1, 1, 1), relu=True)
    x = b.convolution("deeper", x, 260, (3, 3), (1, 1), (1, 1, 1, 1), relu=True)
    b.convolution("logits", x, 21, None, form="FP16")
    return b


def resnet8(folder):
    """The shapes of MLPerf Tiny's image classification network."""
    b = Builder(folder, "resnet8", (3, 32, 32), form="INT8", seed=5)
    x = b.convolution("conv0", "image", 16, (3, 3), (1, 1), (1, 1, 1, 1), relu=True)
    y = b.convolution("conv1", x, 16, (3, 3), (1, 1), (1, 1, 1, 1), relu=True)
    y = b.convolution("conv2", y, 16, (3, 3), (1, 1), (1, 1, 1, 1))
    x = b.add("add3", x, y, relu=True)
    for stage, kernels in enumerate((32, 64)):
        y = b.convolution(f"conv{stage}a", x, kernels, (3, 3), (2, 2), (0, 0, 1, 1), relu=True)
        y = b.convolution(f"conv{stage}b", y, kernels, (3, 3), (1, 1), (1, 1, 1, 1))
        x = b.convolution(f"conv{stage}c", x, kernels, (1, 1), (2, 2))
        x = b.add(f"add{stage}", x, y, relu=True)
    x = b.pool("average", x, "average_pool", (8, 8))
    b.convolution("logits", x, 10, None, form="FP16")
    return b
