# SPDX-License-Identifier: MIT
"""The MLPerf Tiny networks for the tile cores: the shapes of the published models, from their descriptions without flatbuffers."""
from __future__ import annotations

import json
import pathlib

from shape_builder import ShapeBuilder

MODELS = ("ic01_resnet8", "kws01_dscnn", "sww01_dscnn1d", "vww01_mobilenetv1_025")


class Reader:
    """Adds the layers of a description to `builder`."""

    def __init__(self, builder: ShapeBuilder, description: dict):
        self.builder = builder
        self.layers = description["layers"]
        self.names = {description["layers"][0]["inputs"][0]: "image"}  # of the builder, by the number of the tensor

    def network(self):
        for layer in self.layers:
            name = f"{layer['index']}_{layer['op'].lower()}"
            self.names[layer["outputs"][0]] = getattr(self, layer["op"].lower())(name, layer)

    def source(self, layer, which=0):
        return self.names[layer["inputs"][which]]

    def activation(self, layer):
        return layer["activation"].lower()

    def convolution(self, name, layer, kernels, kernel, groups=1):
        padding = [layer[f"pad_{side}"] for side in ("top", "left", "bottom", "right")]
        more = {"groups": groups} if groups > 1 else {}
        return self.builder.convolution(name, self.source(layer), kernels, kernel, layer["stride"], padding, activation=self.activation(layer), **more)

    def conv_2d(self, name, layer):
        kernels, height, width, _ = layer["weight_shape"]
        return self.convolution(name, layer, kernels, (height, width))

    def depthwise_conv_2d(self, name, layer):
        _, height, width, kernels = layer["weight_shape"]
        return self.convolution(name, layer, kernels, (height, width), groups=layer["in_shape"][3])

    def fully_connected(self, name, layer):
        return self.builder.convolution(name, self.source(layer), layer["weight_shape"][0], None)

    def add(self, name, layer):
        return self.builder.add(name, self.source(layer), self.source(layer, 1))

    def average_pool_2d(self, name, layer):
        """All of these models average whole maps."""
        return self.builder.global_average_pool(name, self.source(layer))

    def reshape(self, name, layer):
        return self.source(layer)

    def softmax(self, name, layer):
        return self.builder.function(name, self.source(layer), "softmax")


def build(folder: pathlib.Path, description: pathlib.Path) -> ShapeBuilder:
    """The network of a description (`nets/MODEL.json`). Its weights go into `folder`."""
    read = json.loads(description.read_text())
    _, height, width, channels = read["layers"][0]["in_shape"]
    builder = ShapeBuilder(folder, description.stem, (channels, height, width), form="INT8")
    Reader(builder, read).network()
    return builder
