# SPDX-License-Identifier: MIT
"""Inferences of the digits network as trials of `cox campaign` (docs/campaign.md, Programs): tasks of several batches and cores, on devices of
several cores, natively. Each output must have the bytes of examples/digits/reference.py.

usage: digits_trials.py COX --trials --first S --count N | COX --seed S --write FILE | COX --input FILE
"""
from __future__ import annotations

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIGITS = ROOT / "examples/digits"
sys.path.insert(0, str(DIGITS))
sys.dont_write_bytecode = True

import numpy as np  # noqa: E402
import reference  # noqa: E402

NO_SENSE = 3
HEADER = {"task_batch": 16, "task_cores": 4, "device_cores": 4, "job_batch": 8}  # the largest value of each


class NoSense(Exception):
    """The input says nothing about the tested code."""


def make(seed: int) -> tuple[dict[str, int], list[int]]:
    """Returns the header and the images of a seed."""
    draw = random.Random(seed)
    header = {name: draw.randint(1, most) for name, most in HEADER.items()}
    header["device_cores"] = max(header["device_cores"], header["task_cores"])
    images = (DIGITS / "labels.bin").stat().st_size
    return header, [draw.randrange(images) for _ in range(draw.randint(1, 60))]


def write(path: str, header: dict[str, int], images: list[int]) -> None:
    lines = [*(f"! {name} {value}" for name, value in header.items()), *(f"image={image}" for image in images)]
    pathlib.Path(path).write_text("".join(f"{line}\n" for line in lines))


def read(path: str) -> tuple[dict[str, int], list[int]]:
    header: dict[str, int] = {}
    images = []
    for line in pathlib.Path(path).read_text().splitlines():
        if line.startswith("! "):
            _, name, value = line.split()
            header[name] = int(value)
        elif line.startswith("image="):
            images.append(int(line[6:]))
    if not images or header.keys() != HEADER.keys():
        raise NoSense("an input has at least one image, and a header")
    return header, images


class Digits:
    """The network's images and the logits that are right for them."""

    def __init__(self, cox: str):
        self._cox = cox
        network = reference.Network.read(DIGITS / "network.json")
        self._images = reference.read_images(network, DIGITS / "images.bin")
        logits = reference.evaluate(network, self._images)[network.output["layer"]]
        self._right = logits.reshape(len(self._images), -1)

    def run(self, header: dict[str, int], images: list[int]) -> str:
        """Returns what is wrong; "" if nothing is."""
        if max(images) >= len(self._images):
            raise NoSense(f"there are {len(self._images)} images")
        # A task computes whole batches.
        chosen = images + [images[-1]] * (-len(images) % header["task_batch"])
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self._images[chosen].tofile(folder / "images.bin")
            task, logits = folder / "digits.cxt", folder / "logits.bin"
            commands = (
                ["lower", DIGITS / "network.json", "-o", folder / "digits.jsonl", "--batch", header["task_batch"], "--cores", header["task_cores"]],
                ["as", folder / "digits.jsonl", "-o", task],
                ["run", task, "--quiet", "--board", "native", "--cores", header["device_cores"], "--batch", header["job_batch"],
                 "--in", f"image={folder / 'images.bin'}", "--out", f"logits={logits}"],
            )  # fmt: skip
            for command in commands:
                done = subprocess.run([self._cox, *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
                if done.returncode != 0:
                    return f"cox {command[0]} ended with status {done.returncode}: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ''}"
            values = np.fromfile(logits, "<f2").reshape(len(chosen), -1)
        differing = (values.view(np.uint8) != self._right[chosen].view(np.uint8)).any(axis=1)
        if differing.any():
            return f"{int(differing.sum())} of {len(chosen)} images differ from the reference, the first is number {int(differing.argmax())}"
        return ""


def coverage_of(header: dict[str, int], what: str) -> list[list[str]]:
    cores = "1 core" if header["task_cores"] == 1 else f"{header['task_cores']} cores"
    batch = "batch 1" if header["task_batch"] == 1 else "batch 2 to 8" if header["task_batch"] <= 8 else "batch 9 to 16"
    return [[batch, cores, "wrong" if what else "right"]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cox")
    parser.add_argument("--trials", action="store_true")
    for name in ("--first", "--count", "--seed"):
        parser.add_argument(name, type=int)
    parser.add_argument("--write")
    parser.add_argument("--input")
    arguments = parser.parse_args()
    if arguments.write:
        write(arguments.write, *make(arguments.seed))
        return 0
    digits = Digits(arguments.cox)
    if arguments.input:
        try:
            what = digits.run(*read(arguments.input))
        except (NoSense, ValueError) as error:
            print(error)
            return NO_SENSE
        print(what)
        return 1 if what else 0
    for seed in range(arguments.first, arguments.first + arguments.count):
        header, images = make(seed)
        what = digits.run(header, images)
        print(json.dumps({"seed": seed, "passed": not what, "what": what, "coverage": coverage_of(header, what)}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
