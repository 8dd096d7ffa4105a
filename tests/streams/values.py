#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a published stream with values and compares its logits bit for bit with the independent evaluation (docs/published-streams.md).

`--evaluate` makes the evaluation of a network, which takes longest, and `--evaluation` reads it, so that all streams of a network share it.
"""
import argparse
import json
import pathlib
import pickle
import subprocess
import sys
import tempfile

import numpy as np

import resnet
import stream

SKIPPED = 77  # ctest counts this exit status as skipped
IMAGE_SHAPE = 3, 224, 224
CLASSES = 1000

# Each case has a stream, a network, a number of images, and the indices of the images whose logits are right. The published resnet50_b4
# overwrites weights that images 2 and 3 need, so their logits are wrong.
CASES = {
    "resnet50_b1": ("resnet50_b1", "resnet50_b1", 1, {0}),
    "resnet34_b1": ("resnet34_b1", "resnet34_b1", 1, {0}),
    "resnet50_b4": ("resnet50_b4", "resnet50_b1", 4, {0, 1}),
    "resnet50_b4_mended": ("resnet50_b4", "resnet50_b1", 4, {0, 1, 2, 3}),
}


def read_lines(path, mended):
    lines = path.read_text().splitlines()
    return stream.mend_resnet50_b4(lines) if mended else lines


def weight_addresses(network, lines):
    """Weight addresses by layer. Checks them against a contiguous layout in layer order, which the compiler uses."""
    instructions = [stream.parse_line(line) for line in lines if line.strip()]
    found = stream.weight_addresses(instructions)
    addresses, following = {}, 0
    for layer in network.weighted():
        kernels, channels, rows, columns = resnet.kernel_shape(layer)
        index = layer["layer_index"]
        if found[index] != {following}:
            sys.exit(f"layer {index}: the stream reads weights at {sorted(found[index])}, {following} expected")
        addresses[index] = following
        following += kernels * stream.record_bytes(channels, rows, columns)
    return addresses


def bindings(lines, images):
    """Windows, weights, image and logits. The stream's last store gives the address of the logits."""
    stores = [fields for name, _, fields in map(stream.parse_line, lines) if name == "sta_mov"]
    logits = {"name": "logits", "direction": "output", "format": "FP16", "shape": [images, CLASSES, 1, 1], "window": 0, "offset": stores[-1]["DTaddr"]}
    image = {"name": "image", "direction": "input", "format": "FP16", "shape": [images, *IMAGE_SHAPE], "window": 0, "offset": 0}
    return {"constants": [{"window": 1, "offset": 0, "file": "weights.bin"}], "tensors": [image, logits]}


def evaluate(data, network_name):
    """The weights of a network, and as many random images with their logits as its largest stream takes."""
    count = max(images for _, other, images, _ in CASES.values() if other == network_name)
    network = resnet.Network(data / f"{network_name}.frontend.json")
    random = np.random.default_rng(2026)
    images = np.stack([resnet.random_image(random, IMAGE_SHAPE) for _ in range(count)])
    weights = resnet.Weights(network, seed=34)
    output = network.layers[-1]["name"]
    logits = [resnet.evaluate(network, image, weights, calibrate=i == 0)[output].ravel() for i, image in enumerate(images)]
    return weights, images, np.stack(logits)


def prepare(folder, data, case, evaluation):
    """Writes stream, bindings, weights and images. Returns the expected logits."""
    name, network_name, count, _ = CASES[case]
    network = resnet.Network(data / f"{network_name}.frontend.json")
    weights, images, logits = evaluation
    published = data / f"{name}.asm.txt"
    # The addresses of the weights come from a stream in which no convolution reads overwritten weights. For resnet50_b4, that is the mended
    # stream.
    addresses = weight_addresses(network, read_lines(published, mended=name == "resnet50_b4"))
    lines = read_lines(published, mended=case.endswith("_mended"))
    (folder / "net.txt").write_text("\n".join(lines) + "\n")
    (folder / "net.bindings.json").write_text(json.dumps(bindings(lines, count), indent=1))
    weights.window(network, addresses).tofile(folder / "weights.bin")
    images[:count].tofile(folder / "image.bin")
    return logits[:count]


def check_spread(logits):
    """Checks that the logits vary: a comparison of zeros or infinities would prove nothing."""
    values = logits.astype(np.float64)
    if not np.all(np.isfinite(values)) or np.any(values.std(axis=1) < 0.5) or any(len(np.unique(row)) < CLASSES // 2 for row in values):
        sys.exit("the expected logits are degenerate")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cox", help="the cox command; without it, files are prepared alone")
    parser.add_argument("--data", type=pathlib.Path, required=True, help="folder that holds tile-streams")
    job = parser.add_mutually_exclusive_group(required=True)
    job.add_argument("--case", choices=CASES, help="run this stream")
    job.add_argument("--evaluate", choices=sorted({network for _, network, _, _ in CASES.values()}), help="write the evaluation of this network")
    parser.add_argument("--evaluation", type=pathlib.Path, help="file of the evaluation; without it, --case makes its own")
    parser.add_argument("--board", choices=("order", "native", "qemu"), default="native", help="order: instruction after instruction, without a board")
    parser.add_argument("--program-order", help="the program that does so (program_order.cpp)")
    parser.add_argument("--keep", type=pathlib.Path, help="put the files here, and leave them")
    arguments = parser.parse_args()
    data = arguments.data / "tile-streams"
    if not data.is_dir():
        print(f"skipped: no {data}")
        sys.exit(SKIPPED)

    if arguments.evaluate:
        if not arguments.evaluation:
            parser.error("--evaluate needs --evaluation")
        arguments.evaluation.write_bytes(pickle.dumps(evaluate(data, arguments.evaluate)))
        return
    if arguments.evaluation:
        evaluation = pickle.loads(arguments.evaluation.read_bytes())
    else:
        evaluation = evaluate(data, CASES[arguments.case][1])

    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        expected = prepare(folder, data, arguments.case, evaluation)
        check_spread(expected)
        expected.tofile(folder / "expected.bin")
        if not arguments.cox:
            return

        def call(*words):
            result = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if result.returncode != 0:
                sys.exit(f"{' '.join(map(str, words[:2]))}: exit status {result.returncode}\n{result.stdout}")

        task, image, logits = folder / "net.cxt", folder / "image.bin", folder / "logits.bin"
        call(arguments.cox, "as", folder / "net.txt", "-o", task)
        if arguments.board == "order":
            call(arguments.program_order, task, image, logits, "fast")
        else:
            call(arguments.cox, "run", task, "--board", arguments.board, "--in", f"image={image}", "--out", f"logits={logits}")
        actual = np.fromfile(logits, np.float16).reshape(expected.shape)

    right = CASES[arguments.case][3]
    failed = False
    for i, (got, wanted) in enumerate(zip(actual, expected)):
        differing = int(np.count_nonzero(got.view(np.uint16) != wanted.view(np.uint16)))
        print(f"image {i}: {differing} of {CLASSES} logits differ" + ("" if i in right else " (its weights are overwritten)"))
        failed |= (differing != 0) == (i in right)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
