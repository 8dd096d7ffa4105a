#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lowers a network, runs it natively, and compares every output byte with the independent evaluation (examples/digits/reference.py)."""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import random_networks
from random_networks import ROOT, reference


def digits(_folder):
    network = reference.Network.read(ROOT / "examples/digits/network.json")
    return ROOT / "examples/digits/network.json", reference.read_images(network, ROOT / "examples/digits/images.bin")


def generated(build, images=4):
    def prepare(folder):
        builder = build(folder)
        return builder.write(), builder.images(images)

    return prepare


NETWORKS = {
    "digits": digits,
    "odd": generated(random_networks.odd),
    "tiles": generated(random_networks.tiles),
    "resnet8": generated(random_networks.resnet8),
    "mixed": generated(random_networks.mixed),
    "mixed_large": generated(lambda folder: random_networks.mixed(folder, 96, 80), images=1),
    "large": generated(random_networks.large, images=1),
    "functions": generated(random_networks.functions),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cox", required=True)
    parser.add_argument("--network", choices=NETWORKS, required=True)
    parser.add_argument("--board", choices=("order", "native", "qemu"), default="native", help="order: instruction after instruction, without a board")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--divide", default="cheapest")
    parser.add_argument("--l2-kib", type=int)
    parser.add_argument("--option", action="append", default=[], help="geometry of the device, for every command")
    parser.add_argument("--program-order", help="the program that does so (tests/streams/program_order.cpp)")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path, images = NETWORKS[arguments.network](folder)
        network = reference.Network.read(path)
        expected = reference.evaluate(network, images)[network.output["layer"]]
        if len(np.unique(expected)) < 10:
            sys.exit(f"the expected output is degenerate: {np.unique(expected)}")
        # The reference arithmetic is slow, so it runs only two images of a generated network. Tasks with a batch or with several cores use the fast path.
        path_of_arithmetic = "reference" if arguments.batch * arguments.cores == 1 else "fast"
        if arguments.board == "order" and path_of_arithmetic == "reference" and arguments.network != "digits":
            images = images[:2]
        images = images[: len(images) // arguments.batch * arguments.batch]
        expected = expected[: len(images)]
        images.tofile(folder / "images.bin")

        def call(*words):
            result = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if result.returncode != 0:
                sys.exit(f"{' '.join(map(str, words[:2]))}: exit status {result.returncode}\n{result.stdout}")

        stream, task, out = folder / "net.jsonl", folder / "net.cxt", folder / "out.bin"
        device = [word for option in arguments.option for word in ("--option", option)]
        l2_kib = ["--l2-kib", arguments.l2_kib] if arguments.l2_kib else []
        call(arguments.cox, "lower", path, "-o", stream, "--batch", arguments.batch, "--cores", arguments.cores, "--divide", arguments.divide, *l2_kib, *device)
        call(arguments.cox, "as", stream, "-o", task, *device)
        call(arguments.cox, "check", "--strict", task, *device)
        if arguments.board == "order":
            call(arguments.program_order, task, folder / "images.bin", out, path_of_arithmetic)
        else:
            bindings = "--in", f"{network.input['name']}={folder / 'images.bin'}", "--out", f"{network.output['name']}={out}"
            call(arguments.cox, "run", task, "--board", arguments.board, "--option", f"geometry.tile_cores={arguments.cores}", *device, *bindings)
        actual = np.fromfile(out, expected.dtype)
        if actual.size != expected.size:
            sys.exit(f"{actual.size} elements, {expected.size} expected")
        differing = np.flatnonzero(actual.view(f"u{actual.itemsize}") != expected.ravel().view(f"u{actual.itemsize}"))
        if differing.size:
            i = differing[0]
            sys.exit(f"{differing.size} of {expected.size} elements differ; the first is {i}: {actual[i]}, expected {expected.ravel()[i]}")
        print(f"{arguments.network}: {len(images)} images, {expected.nbytes} bytes equal")


if __name__ == "__main__":
    main()
