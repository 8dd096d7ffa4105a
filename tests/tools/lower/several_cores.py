#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The network `mixed` (tests/tools/lower/random_networks.py), large enough for four cores, on one, two and four cores.

Each named board must give the same bytes as the independent evaluation, and more cores must take fewer device cycles.

There are two tasks: one image whose rows the cores share, and a batch of four images, of which each core gets an equal part."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import random_networks
from random_networks import reference

# Each entry has the number of images of a task, and what the cores divide among themselves.
DIVISIONS = (1, "rows"), (4, "images")
CORES = 1, 2, 4


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cox", required=True)
    parser.add_argument("--board", choices=("native", "qemu"), nargs="+", default=["native"])
    arguments = parser.parse_args()
    failures = []

    def call(*words):
        result = subprocess.run([arguments.cox, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            sys.exit(f"cox {words[0]}: exit status {result.returncode}\n{result.stdout}")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        builder = random_networks.mixed(folder, 96, 80)
        path, images = builder.write(), builder.images(4)
        network = reference.Network.read(path)
        expected = reference.evaluate(network, images)[network.output["layer"]]
        for batch, division in DIVISIONS:
            images[:batch].tofile(folder / "images.bin")
            cycles = {board: [] for board in arguments.board}
            for cores in CORES:
                stream, task, out, stats = (folder / f"net.{ending}" for ending in ("jsonl", "cxt", "out", "json"))
                call("lower", path, "-o", stream, "--batch", batch, "--cores", cores, "--divide", division)
                call("as", stream, "-o", task)
                call("check", "--strict", task)
                for board in arguments.board:
                    tensors = "--in", f"image={folder / 'images.bin'}", "--out", f"result={out}"
                    call("run", task, "--board", board, "--option", f"geometry.tile_cores={max(CORES)}", *tensors, "--stats", stats)
                    if out.read_bytes() != expected[:batch].tobytes():
                        failures.append(f"{batch} images, {cores} cores, {board}: other bytes than the reference")
                    cycles[board].append(json.loads(stats.read_text())["end_cycle"])
                    out.unlink()
            for board, ends in cycles.items():
                print(f"{batch} images divided by {division}, {board}: {', '.join(map(str, ends))} cycles on {CORES} cores")
                if not ends[0] > ends[1] > ends[2]:
                    failures.append(f"{batch} images by {division}, {board}: more cores are not faster: {ends}")
    sys.exit("\n".join(failures) if failures else 0)


if __name__ == "__main__":
    main()
