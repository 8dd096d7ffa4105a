# SPDX-License-Identifier: MIT
"""YOLOv5s for the tile cores: the shapes of examples/yolov5s/network.h.

A network file has one output. So the three heads are averaged over their pixels and joined, instead of a sigmoid and three stores.
"""
from __future__ import annotations

import pathlib

from shape_builder import ShapeBuilder

CLASSES, ANCHORS, BOX_VALUES = 80, 3, 5
HEAD_CHANNELS = ANCHORS * (BOX_VALUES + CLASSES)


class Yolo:
    """Adds the layers to `builder`. The numbers of modules are those of ultralytics."""

    def __init__(self, builder: ShapeBuilder):
        self.builder = builder

    def convolve(self, name, source, kernels, extent=1, stride=1, activation="silu", padding=None):
        padding = extent // 2 if padding is None else padding
        return self.builder.convolution(name, source, kernels, (extent, extent), (stride, stride), (padding,) * 4, activation=activation)

    def c3(self, number, source, channels, count, shortcut):
        """Three pointwise convolutions around `count` bottlenecks."""
        name, hidden = f"model.{number}", channels // 2
        first = self.convolve(f"{name}.cv1", source, hidden)
        second = self.convolve(f"{name}.cv2", source, hidden)
        for i in range(count):
            narrow = self.convolve(f"{name}.m.{i}.cv1", first, hidden)
            wide = self.convolve(f"{name}.m.{i}.cv2", narrow, hidden, 3)
            first = self.builder.add(f"{name}.m.{i}.add", first, wide) if shortcut else wide
        return self.convolve(f"{name}.cv3", self.builder.concatenate(f"{name}.concat", first, second), channels)

    def sppf(self, number, source, channels):
        """Pointwise, three maxima over 5 x 5, pointwise over all four maps."""
        name = f"model.{number}"
        maps = [self.convolve(f"{name}.cv1", source, channels // 2)]
        for i in range(3):
            maps.append(self.builder.same_pool(f"{name}.m.{i}", maps[-1], 5))
        return self.convolve(f"{name}.cv2", self.builder.concatenate(f"{name}.concat", *maps), channels)

    def up(self, number, source):
        _, height, width = self.builder.shape_of(source)
        return self.builder.resize(f"model.{number}", source, 2 * height, 2 * width, "nearest")

    def network(self):
        builder, down = self.builder, lambda number, source, channels: self.convolve(f"model.{number}", source, channels, 3, 2)
        map0 = self.convolve("model.0", builder.quantise("quantise", "image"), 32, 6, 2, padding=2)
        map2 = self.c3(2, down(1, map0, 64), 64, 1, True)
        map4 = self.c3(4, down(3, map2, 128), 128, 2, True)
        map6 = self.c3(6, down(5, map4, 256), 256, 3, True)
        map9 = self.sppf(9, self.c3(8, down(7, map6, 512), 512, 1, True), 512)
        map10 = self.convolve("model.10", map9, 256)
        map13 = self.c3(13, builder.concatenate("model.12", self.up(11, map10), map6), 256, 1, False)
        map14 = self.convolve("model.14", map13, 128)
        map17 = self.c3(17, builder.concatenate("model.16", self.up(15, map14), map4), 128, 1, False)
        map20 = self.c3(20, builder.concatenate("model.19", down(18, map17, 128), map14), 256, 1, False)
        map23 = self.c3(23, builder.concatenate("model.22", down(21, map20, 256), map10), 512, 1, False)
        heads = [self.convolve(f"model.24.m.{i}", source, HEAD_CHANNELS, activation="none") for i, source in enumerate((map17, map20, map23))]
        builder.concatenate("heads", *(builder.global_average_pool(f"mean.{i}", head) for i, head in enumerate(heads)))


def build(folder: pathlib.Path, extent: int) -> ShapeBuilder:
    """The network for images of `extent` x `extent` pixels, a multiple of 32. Its weights go into `folder`."""
    builder = ShapeBuilder(folder, "yolov5s", (3, extent, extent), seed=5)
    Yolo(builder).network()
    return builder
