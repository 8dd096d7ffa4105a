#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random networks (random_networks.py), lowered to a random number of cores with a random division, against the independent evaluation."""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

import random_networks
from random_networks import reference

MOST_CORES = 4


def differences(cox, folder, seed):
    """Returns the errors of the network of this seed, or nothing."""
    choice = random.Random(seed)
    cores, batch = choice.randint(1, MOST_CORES), choice.randint(1, 4)
    division = choice.choice(["cheapest", "rows", "kernels"] + (["images"] if batch % cores == 0 else []))
    # `kib` is all of L2, or so little that maps go to DRAM. Cores that share rows or kernels cannot have maps in DRAM.
    kib = 8192 if division in ("rows", "kernels") else choice.choice((8192, 12, 24, 48))
    builder = random_networks.random_network(folder, seed)
    path, images = builder.write(), builder.images(batch)
    network = reference.Network.read(path)
    expected = reference.evaluate(network, images)[network.output["layer"]]
    images.tofile(folder / "images.bin")
    stream, task, out = folder / "net.jsonl", folder / "net.cxt", folder / "out.bin"
    tensors = "--in", f"image={folder / 'images.bin'}", "--out", f"result={out}"
    for words in (
        ("lower", path, "-o", stream, "--batch", batch, "--cores", cores, "--divide", division, "--l2-kib", kib),
        ("as", stream, "-o", task),
        ("check", "--strict", task),
        ("run", task, "--board", "native", "--option", f"geometry.tile_cores={MOST_CORES}", *tensors),
    ):
        result = subprocess.run([cox, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            return f"{' '.join(map(str, words))}: exit status {result.returncode}\n{result.stdout}"
    if out.read_bytes() != expected.tobytes():
        return f"{batch} images on {cores} cores by {division} with {kib} KiB: other bytes than the reference"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cox", required=True)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=30, help="of networks")
    arguments = parser.parse_args()
    failed = 0
    for seed in range(arguments.first, arguments.first + arguments.count):
        with tempfile.TemporaryDirectory() as name:
            wrong = differences(arguments.cox, pathlib.Path(name), seed)
        if wrong:
            failed += 1
            print(f"seed {seed}: {wrong}", flush=True)
    sys.exit(f"{failed} of {arguments.count} networks" if failed else 0)


if __name__ == "__main__":
    main()
