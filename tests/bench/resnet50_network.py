#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The published ResNet-50 (docs/published-streams.md) as a network file with generated weights, images, and the logits that
examples/digits/reference.py computes for them. The files are made once, which takes a minute or two."""
import argparse
import json
import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/tools/lower"))
sys.dont_write_bytecode = True

from random_networks import Builder, reference  # noqa: E402

SEED = 50


def add_layer(builder, layer, names):
    """Adds a layer. `names` maps the frontend's layer names to the builder's."""
    name, operation = layer["name"], layer["operation"]
    inputs = [names[previous] for previous in layer["previous_layer"] if previous in names]
    kernel_geometry = tuple(layer.get("stride") or (1, 1)), tuple(layer.get("padding") or (0, 0, 0, 0))
    if operation == "quantize":
        return builder.quantise(name, "image")
    if operation == "conv2d":
        kernels, _, *kernel = layer["input_shape"][1]
        return builder.convolution(name, inputs[0], kernels, kernel, *kernel_geometry, relu=layer["activation_type"] == "relu")
    if operation == "dense":
        return builder.convolution(name, inputs[0], layer["input_shape"][1][0], None, form="FP16")
    if operation == "element_wise_add":
        return builder.add(name, *inputs, relu=True)
    pools = {"max_pool2d": "maximum_pool", "avg_pool2d": "average_pool"}
    return builder.pool(name, inputs[0], pools[operation], layer["pool_size"], *kernel_geometry)


def build(frontend, folder):
    layers = [layer for layer in json.loads(frontend.read_text()).values() if layer["device"] == "npu"]
    builder = Builder(folder, "resnet50", (3, 224, 224), seed=SEED)
    names = {}
    for layer in layers:
        names[layer["name"]] = add_layer(builder, layer, names)
        shape = layer["output_shape"][0][1:]
        if list(builder.shape_of(names[layer["name"]])) != shape:
            sys.exit(f"{layer['name']}: {builder.shape_of(names[layer['name']])}, {shape} published")
    return builder


def prepare(frontend, folder, images):
    """Makes network.json, images.bin and logits.bin for this number of images, unless they exist."""
    folder.mkdir(parents=True, exist_ok=True)
    network, image_file, logits_file = folder / "resnet50.json", folder / "images.bin", folder / "logits.bin"
    if not network.exists() or not image_file.exists():
        builder = build(frontend, folder)
        builder.images(images).tofile(image_file)
        builder.write()
    read = reference.Network.read(network)
    values = reference.read_images(read, image_file)
    if len(values) != images:
        sys.exit(f"{image_file}: {len(values)} images, {images} wanted")
    output = read.output["layer"]
    wanted = images * read.shapes[output][0] * 2
    if not logits_file.exists() or logits_file.stat().st_size != wanted:
        logits = np.concatenate([reference.evaluate(read, values[i : i + 1])[output] for i in range(images)])
        if not np.all(np.isfinite(logits)) or len(np.unique(logits[0])) < logits[0].size // 2:
            sys.exit("the expected logits are degenerate")
        logits.tofile(logits_file)
    return network, image_file, logits_file


def multiply_accumulates(network):
    """Multiply-accumulates of one image."""
    read = reference.Network.read(network)
    total = 0
    for layer in read.layers:
        if "weights" in layer:
            _, height, width = layer["output"]["shape"]
            total += int(np.prod(read.kernel_shape(layer))) * height * width
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("frontend", type=pathlib.Path, help="resnet50_b1.frontend.json")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--images", type=int, default=16)
    arguments = parser.parse_args()
    print(*prepare(arguments.frontend, arguments.folder, arguments.images))


if __name__ == "__main__":
    main()
