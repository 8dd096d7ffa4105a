#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs an application natively on memory that is not coherent (docs/hal.md), once for each seed, and compares its results with those that
are expected. CMakeLists.txt has the environment variables; COX_CACHE_SEEDS is the number of seeds. The first is 1."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("examples/machine", "examples/digits_mx", "examples/digits", "tests/target/mx_applications")]
sys.dont_write_bytecode = True

import demo  # noqa: E402
import machine  # noqa: E402
import reference  # noqa: E402
import yolov5s_data  # noqa: E402

DIGITS = ROOT / "examples/digits"
IMAGES = 8  # of digits and digits_mx


def run(*command, seed=None):
    """Runs a command, on memory that is not coherent if there is a seed. Returns what it prints."""
    environment = {key: value for key, value in os.environ.items() if key != "COX_CACHE_SEED"}
    if seed is not None:
        environment["COX_CACHE_SEED"] = str(seed)
    done = subprocess.run([str(word) for word in command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\nexit status {done.returncode}. To run it again: COX_CACHE_SEED={seed} {' '.join(map(str, command))}")
    return done.stdout


class Digits:
    """The task of examples/digits through the job ring."""

    def __init__(self, folder):
        self.cox, self.task, self.logits = machine.host_program("cox"), folder / "digits.cxt", folder / "logits.bin"
        run(self.cox, "lower", DIGITS / "network.json", "-o", folder / "digits.jsonl")
        run(self.cox, "as", folder / "digits.jsonl", "-o", self.task)
        self.images = folder / "images.bin"
        every = (DIGITS / "images.bin").read_bytes()
        self.images.write_bytes(every[: IMAGES * len(every) // (DIGITS / "labels.bin").stat().st_size])
        network = reference.Network.read(DIGITS / "network.json")
        self.expected = reference.evaluate(network, reference.read_images(network, self.images))["logits"].tobytes()

    def is_right(self, seed):
        run(self.cox, "run", self.task, "--board", "native", "--in", f"image={self.images}", "--out", f"logits={self.logits}", seed=seed)
        return self.logits.read_bytes() == self.expected


class DigitsMx:
    def __init__(self, folder):
        self.program, self.dram = machine.host_program("digits_mx"), folder / "dram.bin"
        network = reference.Network.read(DIGITS / "network.json")
        self.images = reference.read_images(network, DIGITS / "images.bin")[:IMAGES].astype(np.float32)
        self.weights = demo.packed_weights()
        self.expected = demo.evaluate_mx9(network, self.images).tobytes()

    def is_right(self, seed):
        logits, _ = demo.lay_out(self.dram, self.images, self.weights)
        run(self.program, self.dram, seed=seed)
        return machine.Dram(self.dram).read(*logits) == self.expected


class Yolov5s:
    """The whole network, with the smallest picture that it takes: by the application, and as a job."""

    def __init__(self, folder):
        self.cox, self.task, self.input = machine.host_program("cox"), folder / "yolov5s.cxt", folder / "input.bin"
        self.program, self.packed, self.dram = machine.host_program("yolov5s_application"), folder / "packed.bin", folder / "dram.bin"
        host, size = machine.host_program("yolov5s"), ("--height", "32", "--width", "32")
        weights, picture, emulated = folder / "weights.safetensors", folder / "picture.ppm", folder / "emulated.bin"
        run(host, "weights", "--seed", "1", "-o", weights)
        run(host, "picture", "--seed", "3", *size, "-o", picture)
        run(host, "pack", weights, "--image", picture, "--image", picture, "-o", self.packed, *size, "--dram", "40")
        shutil.copy(self.packed, emulated)
        run(host, "emulate", emulated)
        self.expected = yolov5s_data.outputs(machine.Dram(emulated))
        run(host, "image", weights, "--layers", "-o", self.task, *size)
        run(host, "input", picture, "-o", self.input, *size)
        listed = run(host, "layers", *size).splitlines()[:-1]
        self.layers = {line.split()[0]: folder / line.split()[0] for line in listed}

    def is_right(self, seed):
        shutil.copy(self.packed, self.dram)
        run(self.program, self.dram, seed=seed)
        outputs = [word for name, path in self.layers.items() for word in ("--out", f"{name}={path}")]
        run(self.cox, "run", self.task, "--board", "native", "--in", f"image={self.input}", *outputs, seed=seed)
        layers = [path.read_bytes() for path in self.layers.values()]
        return layers == self.expected[0] and yolov5s_data.outputs(machine.Dram(self.dram)) == self.expected


def main():
    application = {"digits": Digits, "digits_mx": DigitsMx, "yolov5s": Yolov5s}[sys.argv[1]]
    seeds = int(os.environ.get("COX_CACHE_SEEDS", "3"))
    with tempfile.TemporaryDirectory() as folder:
        subject = application(pathlib.Path(folder))
        for seed in range(1, seeds + 1):
            if not subject.is_right(seed):
                sys.exit(f"other results with COX_CACHE_SEED={seed}")
    print(f"{seeds} seeds")


if __name__ == "__main__":
    main()
