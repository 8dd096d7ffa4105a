# SPDX-License-Identifier: MIT
"""Runs the network over three engines, on the tile core alone and on the units alone, and compares each byte with NumPy's."""
import dataclasses
import json
import pathlib
import sys

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "xdsa"))

import digit_network  # noqa: E402
import mixed_programs  # noqa: E402
import tile_chain  # noqa: E402
import xdsa  # noqa: E402

IMAGES = 256


@dataclasses.dataclass
class Run:
    cycles: int  # device cycles, of all images
    differing: int  # bytes


class Runs:
    """`folder`: for programs, inputs and outputs."""

    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.network = digit_network.Network()
        images, labels = digit_network.read_images()
        self.images, self.labels = images[:IMAGES], labels[:IMAGES]
        scores = self.network.scores(self.network.features(self.images))
        votes, classes = self.network.classes(scores)
        self.expected = {"scores": scores, "votes": votes, "classes": classes}

    def accuracy(self):
        return float((self.expected["classes"] == self.labels).mean())

    def three_engines(self):
        """The program of the tile core, the matrix unit and the units, and its inputs."""
        lowered = self.folder / "features.jsonl"
        xdsa.cox("lower", self.network.write(self.folder, mixed_programs.GROUP), "-o", lowered)
        # The lowered stream finds its weights at the begin of window 1.
        constants = {"tile_weights": np.fromfile(self.folder / "features.weights.bin", np.uint8), **self._gallery()}
        layout = mixed_programs.Layout(IMAGES, constants)
        return self._program("mixed", mixed_programs.three_engines(layout, tile_chain.TileChain(lowered))), constants

    def units_alone(self):
        constants = self._gallery()
        for layer in self.network.layers:
            constants |= {f"{layer.name}_weights": layer.weights, f"{layer.name}_biases": layer.biases}
        return self._program("units", mixed_programs.units_alone(mixed_programs.Layout(IMAGES, constants), self.network)), constants

    def run(self, program, constants, board, *more):
        statistics = self.folder / f"{program.path.stem}.{board}.stats.json"
        outputs = {name: (value.dtype, value.shape) for name, value in self.expected.items()}
        results = program.run(board, {"image": self.images, **constants}, outputs, "--stats", statistics, *more)
        return self._judge(statistics, results)

    def tile_alone(self):
        """The convolutions and the scores as a task of the tile core, as `cox lower` plans it. The neighbours are left out: no tile instruction finds them."""
        stream, task, statistics = (self.folder / f"scores.{ending}" for ending in ("jsonl", "cxt", "stats.json"))
        xdsa.cox("lower", self.network.write(self.folder, IMAGES, scores=True), "-o", stream)
        xdsa.cox("as", stream, "-o", task)
        self.images.tofile(self.folder / "images.bin")
        result = self.folder / "scores.tile.bin"
        xdsa.cox("run", task, "--board", "native", "--quiet", "--in", f"image={self.folder / 'images.bin'}", "--out", f"scores={result}", "--stats", statistics)
        return self._judge(statistics, {"scores": np.fromfile(result, np.int8).reshape(self.expected["scores"].shape)})

    def _gallery(self):
        return {"gallery": self.network.gallery, "biases": self.network.biases, "labels": self.network.labels}

    def _program(self, name, text):
        path = self.folder / f"{name}.xdsa"
        path.write_text(text)
        return xdsa.Program(path, self.folder, {})

    def _judge(self, statistics, results):
        run = json.loads(statistics.read_text())["runs"][0]
        differing = sum(int((results[name] != self.expected[name]).sum()) for name in results)
        return Run(run["end_cycle"] - run["start_cycle"], differing)
