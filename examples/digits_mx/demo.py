#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Classifies the held-out digits in MX9 under QEMU. Compares every logit with mx9.py, and the accuracy with FP32's (README.md)."""
import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
DIGITS = FOLDER.parent / "digits"
sys.path[:0] = [str(FOLDER.parent / "machine"), str(DIGITS)]
sys.dont_write_bytecode = True

import machine  # noqa: E402
import mx9  # noqa: E402
import reference  # noqa: E402

F32 = np.float32
POINTS_LOST = 0.005  # largest loss of accuracy
DRAM_MEBIBYTES = 16
ARENA_BYTES = 64 << 10
DONE = 2


class MachineData:
    """The structure of machine_data.h."""

    MAGIC, VERSION = 0x584D4744, 1
    HEAD = struct.Struct("<6I 10Q")
    TAIL = struct.Struct("<192s 5Q 2I")
    SIZE = HEAD.size + TAIL.size

    @classmethod
    def pack(cls, images, regions, magic=MAGIC, version=VERSION):
        """Returns the bytes of the block. `regions`: address and size in bytes of images, weights, arena, logits and predictions."""
        return cls.HEAD.pack(magic, version, cls.SIZE, 0, images, 0, *(number for region in regions for number in region)) + bytes(cls.TAIL.size)

    @classmethod
    def unpack(cls, data):
        state = cls.HEAD.unpack_from(data)[3]
        text, cycles, build, pack, run, predict, instructions, stream_bytes = cls.TAIL.unpack_from(data, cls.HEAD.size)
        return {
            "state": state,
            "error": text.split(b"\0")[0].decode(),
            "device_cycles": cycles,
            "build_instructions": build,
            "pack_instructions": pack,
            "run_instructions": run,
            "predict_instructions": predict,
            "stream_instructions": instructions,
            "stream_bytes": stream_bytes,
        }


def packed_weights():
    with tempfile.NamedTemporaryFile(suffix=".bin") as file:
        subprocess.run([machine.host_program("digits_mx_pack_weights"), DIGITS / "network.json", "-o", file.name], check=True)
        return pathlib.Path(file.name).read_bytes()


def lay_out(path, images, weights, arena_bytes=ARENA_BYTES, weight_bytes=None, **data):
    """Writes a DRAM file with everything that the application needs. Returns the addresses of logits and predictions."""
    layout = machine.Layout(MachineData.SIZE)
    dram = machine.Dram(path, DRAM_MEBIBYTES)
    regions = [layout.region(size) for size in (images.nbytes, weight_bytes or len(weights), arena_bytes, len(images) * 40, len(images))]
    dram.write(regions[0][0], np.ascontiguousarray(images, "<f4").tobytes())
    dram.write(regions[1][0], weights)
    dram.write(machine.DRAM_BASE, MachineData.pack(len(images), regions, **data))
    return regions[3], regions[4]


def evaluate_fp32(network, images):
    """Logits in floating point, from the weights before quantisation."""
    return reference.evaluate_unquantised(network, images)["logits"].reshape(len(images), -1)


def evaluate_mx9(network, images):
    """The device's expected logits, bit for bit."""
    layers = {layer["name"]: layer for layer in network.layers}
    weights = {name: network.unquantised_weights(layers[name]) for name in ("conv1", "conv2", "conv3", "logits")}
    maps = mx9.quantise(mx9.blocks(images))
    maps = mx9.convolve(maps, *weights["conv1"], padding=1, rectify=True)
    maps = mx9.convolve(maps, *weights["conv2"], padding=1, rectify=True)
    pooled = mx9.maximum_pool(maps)
    total = mx9.add(pooled, mx9.convolve(pooled, *weights["conv3"], padding=1))
    identity = np.eye(32, dtype=F32).reshape(32, 1, 1, 32)
    maps = mx9.average_pool(mx9.convolve(total, identity, np.zeros(32, F32), padding=0, rectify=True))
    # The fully connected layer adds the blocks in their order in memory: all pixels of the first channel block, then all of the second.
    matrix, biases = weights["logits"]
    matrix = matrix.reshape(10, 4, 2, 16).transpose(0, 2, 1, 3).reshape(10, 1, 1, 128)
    exponent, numbers = (part.reshape(len(images), 4, 2, *part.shape[4:]).swapaxes(1, 2).reshape(len(images), 1, 1, 8, *part.shape[4:]) for part in maps)
    answer = mx9.dequantise(mx9.convolve((exponent, numbers), matrix, biases, padding=0))
    return answer.reshape(len(images), 16)[:, :10]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, metavar="N", help="only so many of the images")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures here")
    arguments = parser.parse_args()

    network = reference.Network.read(DIGITS / "network.json")
    images = reference.read_images(network, DIGITS / "images.bin")[: arguments.images].astype(F32)
    labels = np.fromfile(DIGITS / "labels.bin", np.uint8)[: len(images)]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "dram.bin"
        try:
            logits_at, predictions_at = lay_out(path, images, packed_weights())
            status, console = machine.run(machine.target_image("digits_mx.elf"), path)
        except machine.Missing as missing:
            sys.exit(f"digits_mx: {missing}")
        dram = machine.Dram(path)
        data = MachineData.unpack(dram.read(machine.DRAM_BASE, MachineData.SIZE))
        logits = np.frombuffer(dram.read(*logits_at), "<f4").reshape(len(images), -1)
        predictions = np.frombuffer(dram.read(*predictions_at), np.uint8)
    if status != 0 or data["state"] != DONE:
        sys.exit(f"digits_mx: the application ended with status {status}\n{console}")
    print(console.strip())

    expected = evaluate_mx9(network, images)
    differing = int(np.count_nonzero((logits.view(np.uint32) != expected.view(np.uint32)).any(axis=1)))
    floating = evaluate_fp32(network, images)
    result = {
        "mx.digits.accuracy": float(np.mean(predictions == labels)),
        "mx.digits.accuracy_fp32": float(np.mean(floating.argmax(axis=1) == labels)),
        "mx.digits.differing_images": differing,
        "mx.digits.images": len(images),
        "mx.digits.largest_difference_from_fp32": float(np.abs(logits - floating).max()),
        "mx.digits.device_cycles_per_image": data["device_cycles"] / len(images),
    }
    for part in ("pack", "run", "predict"):
        result[f"mx.digits.{part}_instructions_per_image"] = data[f"{part}_instructions"] / len(images)
    result["mx.digits.control_instructions_per_image"] = sum(data[f"{part}_instructions"] for part in ("pack", "run", "predict")) / len(images)
    result["mx.digits.build_instructions"] = data["build_instructions"]
    for name, value in result.items():
        print(f"{name} {value:.6g}")
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")
    if differing:
        sys.exit(f"digits_mx: logits of {differing} images differ from the evaluation of MX9 in NumPy")
    if result["mx.digits.accuracy"] < result["mx.digits.accuracy_fp32"] - POINTS_LOST:
        sys.exit(f"digits_mx: accuracy more than {100 * POINTS_LOST} points below FP32's")


if __name__ == "__main__":
    main()
