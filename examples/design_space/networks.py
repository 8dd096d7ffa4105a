#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the networks of the study in a folder, and copies the sweep files beside them.

Shapes of ResNet-50 and of the MLPerf Tiny models come from published data (docs/testing.md). If the data is not there, the copies
lack their tasks, and the program says so.
"""
from __future__ import annotations

import argparse
import pathlib
import re
import shutil
import sys

sys.dont_write_bytecode = True

import mlperf_tiny  # noqa: E402
import yolov5s  # noqa: E402
from shape_builder import ROOT  # noqa: E402

sys.path.insert(0, str(ROOT / "tests/bench"))

import resnet50_network  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
DATA = ROOT.parent / "shared/data"
PIXELS = 640  # of a side of YOLOv5s' image


def make(folder: pathlib.Path, data: pathlib.Path, pixels: int) -> None:
    """Makes what the data allows."""
    shutil.copytree(ROOT / "examples/digits/weights", fresh(folder / "digits") / "weights")
    shutil.copy(ROOT / "examples/digits/network.json", folder / "digits/digits.json")
    yolov5s.build(fresh(folder / "yolov5s"), pixels).write()
    frontend = data / "tile-streams/resnet50_b1.frontend.json"
    if frontend.exists():
        resnet50_network.build(frontend, fresh(folder / "resnet50")).write()
    for model in mlperf_tiny.MODELS:
        description, program = data / f"mlperf-tiny/nets/{model}.json", data / f"mlperf-tiny/models/{model}.tflite"
        if description.exists() and program.exists():
            mlperf_tiny.build(fresh(folder / model), description).write()
            shutil.copyfile(program, folder / model / f"{model}.tflite")


def fresh(folder: pathlib.Path) -> pathlib.Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def copy_sweep(sweep: pathlib.Path, folder: pathlib.Path) -> list[str]:
    """Copies a sweep file without the tasks whose file is not there. Returns the names of these tasks."""
    kept, lacking = [], []
    for section in re.split(r"^(?=\[)", sweep.read_text(), flags=re.MULTILINE):
        task = re.match(r"\[tasks\.(\w+)\]", section)
        file = re.search(r'^(?:network|model) = "(.*)"', section, re.MULTILINE)
        if task and file and not (folder / file.group(1)).exists():
            lacking.append(task.group(1))
        else:
            kept.append(section)
    (folder / sweep.name).write_text("".join(kept))
    return lacking


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, nargs="?", default=ROOT / "build/design_space")
    parser.add_argument("--data", type=pathlib.Path, default=DATA, help="folder of the published data")
    parser.add_argument("--pixels", type=int, default=PIXELS, help="side of YOLOv5s' image, a multiple of 32")
    arguments = parser.parse_args()
    make(arguments.folder, arguments.data, arguments.pixels)
    for sweep in sorted(HERE.glob("*.toml")):
        lacking = copy_sweep(sweep, arguments.folder)
        print(arguments.folder / sweep.name, f"(without {', '.join(lacking)}: {arguments.data} lacks their data)" if lacking else "")


if __name__ == "__main__":
    main()
