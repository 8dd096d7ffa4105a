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


def generated(build):
    def prepare(folder):
        builder = build(folder)
        return builder.write(), builder.images(3)

    return prepare


NETWORKS = {
    "digits": digits,
    "odd": generated(random_networks.odd),
    "tiles": generated(random_networks.tiles),
    "resnet8": generated(random_networks.resnet8),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cox", required=True)
    parser.add_argument("--network", choices=NETWORKS, required=True)
    parser.add_argument("--board", choices=("native", "qemu"), default="native")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path, images = NETWORKS[arguments.network](folder)
        network = reference.Network.read(path)
        expected = reference.evaluate(network, images)[network.output["layer"]]
        if len(np.unique(expected)) < 10:
            sys.exit(f"the expected output is degenerate: {np.unique(expected)}")
        images.tofile(folder / "images.bin")

        def cox(*words):
            result = subprocess.run([arguments.cox, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if result.returncode != 0:
                sys.exit(f"cox {words[0]}: exit status {result.returncode}\n{result.stdout}")

        stream, task = folder / "net.jsonl", folder / "net.cxt"
        cox("lower", path, "-o", stream)
        cox("as", stream, "-o", task)
        cox("check", "--strict", task)
        cox("run", task, "--board", arguments.board, "--in", f"{network.input['name']}={folder / 'images.bin'}", "--out", f"{network.output['name']}={folder / 'out.bin'}")
        actual = np.fromfile(folder / "out.bin", expected.dtype)
        if actual.size != expected.size:
            sys.exit(f"{actual.size} elements, {expected.size} expected")
        differing = np.flatnonzero(actual.view(f"u{actual.itemsize}") != expected.ravel().view(f"u{actual.itemsize}"))
        if differing.size:
            i = differing[0]
            sys.exit(f"{differing.size} of {expected.size} elements differ; the first is {i}: {actual[i]}, expected {expected.ravel()[i]}")
        print(f"{arguments.network}: {len(images)} images, {expected.nbytes} bytes equal")


if __name__ == "__main__":
    main()
