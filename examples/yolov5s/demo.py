#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs YOLOv5s on the accelerator under QEMU. Compares every layer, its cycles and the boxes with FP32 and the limits (application.md)."""
import argparse
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "machine"))
sys.dont_write_bytecode = True

import machine  # noqa: E402

MACS_PER_CYCLE, DRAM_BYTES_PER_CYCLE = 1024, 16
LEAST_UTILISATION = 0.85  # lower bound of (sum of limits) / (sum of measured cycles), over all convolutions
LEAST_MAC_BOUND_UTILISATION = 0.95  # lower bound of limit / cycles of each convolution whose limit is that of its multiply-accumulates
SPEED_SIZE = 640  # the two bounds above hold from this size on; in smaller maps, loading the weights dominates
SIZE_MULTIPLE = 32
BOXES_PRINTED = 10
PICTURES = 4  # number of pictures in a row, if none are given
DRAM_BYTES_PER_PIXEL = 128  # for the activations of all layers and the image
DRAM_MEBIBYTES_BESIDES = 40  # for the weights, which begin at a multiple of 16 MiB, plus a margin


class Failed(Exception):
    """A step failed. Either its own message was printed already, or this exception has the message."""


class Steps:
    """Runs steps and measures their time."""

    def __init__(self):
        self.seconds = {}

    @contextlib.contextmanager
    def step(self, name):
        started = time.monotonic()
        yield
        self.seconds[name] = time.monotonic() - started


def call(program, *words, may_miss=False):
    done = subprocess.run([str(word) for word in (program, *words)], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0 and not (may_miss and done.returncode == 1 and done.stdout):
        raise Failed(f"exit status {done.returncode}: {program.name} {' '.join(str(word) for word in words)}")
    return done.stdout


def made(path, program, *words):
    """Runs the program to make the file `path`, unless the file exists and is not older than the program."""
    if not path.is_file() or path.stat().st_mtime < program.stat().st_mtime:
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            fresh = pathlib.Path(folder) / path.name
            call(program, *words, "-o", fresh)
            fresh.rename(path)
    return path


def with_limits(layers, limits):
    """One row per instruction: both convolutions of a pair share a row."""
    rows = []
    for layer, limit in zip(layers, limits, strict=True):
        if limit["second_of_pair"]:
            rows[-1]["limit"]["multiply_accumulates"] += limit["multiply_accumulates"]
            rows[-1]["limit"]["bytes"] += limit["bytes"]
        else:
            rows.append({"layer": layer, "limit": dict(limit)})
    for row in rows:
        row["mac_cycles"] = row["limit"]["multiply_accumulates"] / MACS_PER_CYCLE
        row["dram_cycles"] = row["limit"]["bytes"] / DRAM_BYTES_PER_CYCLE
        row["least_cycles"] = max(row["mac_cycles"], row["dram_cycles"])
        row["utilisation"] = row["least_cycles"] / row["layer"]["device_cycles"]
    return rows


def figures(report, rows):
    convolutions = [row for row in rows if row["limit"]["convolution"]]
    mac_bound = [row for row in convolutions if row["mac_cycles"] >= row["dram_cycles"]]
    decibels = [layer["alone_db"] for layer in report["layers"] if layer["alone_db"] is not None]
    outputs = [layer["total_db"] for layer in report["layers"] if layer["name"].startswith("model.24.") and layer["total_db"] is not None]
    boxes = report["boxes"]
    return {
        "mx.yolov5s.utilisation": sum(row["least_cycles"] for row in convolutions) / sum(row["layer"]["device_cycles"] for row in convolutions),
        "mx.yolov5s.mac_bound_utilisation": min((row["utilisation"] for row in mac_bound), default=1.0),
        "mx.yolov5s.network_cycles": report["network_cycles"],
        "mx.yolov5s.frame_cycles": report["frames"]["cycles"] / report["frames"]["count"],
        "mx.yolov5s.limit_cycles": sum(row["least_cycles"] for row in convolutions),
        "mx.yolov5s.mac_cycles": sum(row["mac_cycles"] for row in convolutions),
        "mx.yolov5s.least_layer_db": min(decibels, default=float("inf")),
        "mx.yolov5s.least_output_db": min(outputs, default=float("inf")),
        "mx.yolov5s.boxes_fp32": boxes["fp32"],
        "mx.yolov5s.boxes_device": boxes["device"],
        "mx.yolov5s.boxes_matched": boxes["matched"],
        "mx.yolov5s.matched_share": boxes["matched"] / max(boxes["fp32"], boxes["device"], 1),
        "mx.yolov5s.control_instructions": sum(stage["control_instructions"] for stage in report["stages"] if stage["name"] not in ("frames", "layers")),
    }


def decibels_text(value):
    return "equal" if value is None else f"{value:.1f}"


def print_layers(report, limits, rows):
    print(f"{'layer':22} {'output':>15} {'alone dB':>9} {'total dB':>9} {'cycles':>10} {'limit':>10} {'of it':>7}  bound by")
    by_name = {row["layer"]["name"]: row for row in rows}
    for layer, limit in zip(report["layers"], limits, strict=True):
        shape = " x ".join(str(side) for side in layer["output"])
        line = f"{layer['name']:22} {shape:>15} {decibels_text(layer['alone_db']):>9} {decibels_text(layer['total_db']):>9}"
        if limit["second_of_pair"]:
            print(f"{line}   with the layer above")
            continue
        row = by_name[layer["name"]]
        bound = "MAC" if row["mac_cycles"] >= row["dram_cycles"] else "DRAM"
        print(f"{line} {layer['device_cycles']:10,} {row['least_cycles']:10,.0f} {100 * row['utilisation']:6.1f}%  {bound}")


def print_boxes(boxes):
    print(f"\nthe best of {len(boxes)} boxes, in pixels of the network's input:")
    print(f"{'class':>5} {'score':>6} {'left':>7} {'top':>7} {'right':>7} {'bottom':>7}")
    for box in boxes[:BOXES_PRINTED]:
        print(f"{box['class']:5} {box['score']:6.3f} {box['left']:7.1f} {box['top']:7.1f} {box['right']:7.1f} {box['bottom']:7.1f}")


def print_parts(report, seconds):
    print(f"\n{'part':10} {'device cycles':>14} {'control-core instructions':>26}")
    for stage in report["stages"]:
        print(f"{stage['name']:10} {stage['device_cycles']:14,} {stage['control_instructions']:26,}")
    print("\nseconds on this machine: " + ", ".join(f"{name} {value:.1f}" for name, value in seconds.items()))


def misses(report, result, size):
    found = list(report["misses"])
    if size >= SPEED_SIZE:
        for name, least in (("mx.yolov5s.utilisation", LEAST_UTILISATION), ("mx.yolov5s.mac_bound_utilisation", LEAST_MAC_BOUND_UTILISATION)):
            if result[name] < least:
                found.append(f"{name} is {result[name]:.3f}, below {least}")
    return found


def size_of(text):
    value = int(text)
    if value <= 0 or value % SIZE_MULTIPLE:
        raise argparse.ArgumentTypeError(f"size {text} is not a multiple of {SIZE_MULTIPLE}")
    return value


def seed_of(text):
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is below 0")
    return value


def run(arguments, steps):
    program, limits_program = machine.host_program("yolov5s"), machine.host_program("yolov5s_limits")
    image = machine.target_image("yolov5s.elf")
    out, size = arguments.out.resolve(), ("--height", arguments.size, "--width", arguments.size)
    out.mkdir(parents=True, exist_ok=True)
    with steps.step("weights"):
        weights = arguments.weights or made(out / f"weights-{arguments.seed}.safetensors", program, "weights", "--seed", arguments.seed)
    with steps.step("pictures"):
        pictures = arguments.image or [
            made(out / f"picture-{seed}-{arguments.size}.ppm", program, "picture", "--seed", seed, *size)
            for seed in range(arguments.seed, arguments.seed + PICTURES)
        ]
    with tempfile.TemporaryDirectory(dir=out) as folder:
        dram = pathlib.Path(folder) / "dram.bin"
        mebibytes = DRAM_MEBIBYTES_BESIDES + (DRAM_BYTES_PER_PIXEL * arguments.size**2 >> 20)
        with steps.step("pack"):
            images = [word for picture in pictures for word in ("--image", picture)]
            call(program, "pack", weights, *images, "-o", dram, *size, "--dram", mebibytes)
        with steps.step("machine"):
            status, console = machine.run(image, dram)
        print(console.strip() + "\n", flush=True)
        if status != 0:
            raise Failed(f"the application ended with status {status}")
        with steps.step("compare"):
            report = json.loads(call(program, "compare", dram, weights, "--json", may_miss=True))
    return report, json.loads(call(limits_program, *size))


def main():
    parser = argparse.ArgumentParser(description=__doc__, epilog="Exit status: 0 all bounds hold, 1 one is missed or a step failed, 2 usage.")
    parser.add_argument("--image", type=pathlib.Path, action="append", metavar="PPM", help=f"a picture, scaled to fit; may be repeated, up to 8 times (default: {PICTURES} made from the seed)")
    parser.add_argument("--weights", type=pathlib.Path, metavar="FILE", help="safetensors (default: random ones from the seed)")
    parser.add_argument("--size", type=size_of, default=640, metavar="N", help="rows and columns of the network's input, a multiple of 32 (default: %(default)s)")
    parser.add_argument("--seed", type=seed_of, default=1, metavar="N", help="of weights and picture (default: %(default)s)")
    parser.add_argument("--out", type=pathlib.Path, default=machine.ROOT / "build/yolov5s", help="folder for what is made (default: %(default)s)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures and all layers here")
    arguments = parser.parse_args()

    steps = Steps()
    try:
        report, limits = run(arguments, steps)
    except (machine.Missing, Failed) as failure:
        sys.exit(f"yolov5s: {failure}")
    rows = with_limits(report["layers"], limits)
    result = figures(report, rows)
    print_layers(report, limits, rows)
    print_boxes(report["boxes"]["list"])
    print_parts(report, steps.seconds)
    print()
    for name, value in result.items():
        print(f"{name} {value:.6g}" if isinstance(value, float) else f"{name} {value}")
    missed = misses(report, result, arguments.size)
    if arguments.json:
        document = {"figures": result, "seconds": steps.seconds, "misses": missed, "report": report}
        arguments.json.write_text(json.dumps(document, indent=1) + "\n")
    for miss in missed:
        print(f"MISSED: {miss}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
