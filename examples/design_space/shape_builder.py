# SPDX-License-Identifier: MIT
"""Builds network files of which only the shapes matter.

The cycles of a task do not depend on its values. So the weights are random, no layer is evaluated, and all maps have one scale.
Concatenations then copy their inputs, as in a network that was quantised for it.
"""
from __future__ import annotations

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools/lower"))

from random_networks import Builder  # noqa: E402

SCALE, ZERO_POINT = 0.05, -100


class ShapeBuilder(Builder):
    """A Builder that evaluates nothing."""

    def images(self, count):
        return None

    def add_layer(self, layer):
        self.layers.append(layer)
        return layer["name"]

    def fitted(self, layer, shape, form="INT8"):
        layer["output"] = self.int8(shape, SCALE, ZERO_POINT)
        return self.add_layer(layer)

    def quantise(self, name, source):
        return self.fitted({"name": name, "operation": "quantise", "inputs": [source]}, self.shape_of(source))

    def add(self, name, first, second):
        return self.two_tensors(name, "add", first, second)

    def concatenate(self, name, *sources):
        return super().concatenate(name, *sources, like=sources[0])

    def same_pool(self, name, source, extent):
        layer = {"name": name, "operation": "maximum_pool", "inputs": [source], "kernel": [extent] * 2, "padding": [extent // 2] * 4}
        return self.fitted(layer, self.shape_of(source))
