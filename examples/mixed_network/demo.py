#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Classifies handwritten digits with a network over three engines and on one engine, and compares every byte (README.md)."""
import argparse
import pathlib
import sys

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent

import mixed_runs  # noqa: E402
import xdsa  # noqa: E402

TITLE = "A network over three engines"
PART = (27_000, 51_000)  # cycles


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--native", action="store_true", help="only in this computer's process, not under QEMU")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/mixed_network", help="folder for programs, outputs and the picture")
    arguments = parser.parse_args()
    if not arguments.native:
        xdsa.require_qemu()
    out = arguments.out.resolve()
    runs = mixed_runs.Runs(out)
    mixed, units = runs.three_engines(), runs.units_alone()
    for program, _ in (mixed, units):
        print(program.check().strip())
    log = out / "mixed.events"
    done = {
        "three engines": runs.run(*mixed, "native", "--option", f"events={log}"),
        "tile core alone, without neighbours": runs.tile_alone(),
        "units alone": runs.run(*units, "native"),
    }
    if not arguments.native:
        done["three engines under QEMU"] = runs.run(*mixed, "qemu")
    for name, run in done.items():
        print(f"{name + ':':37}{run.cycles:8,} cycles, {run.differing} bytes differ from NumPy's")
    cycles = {name: run.cycles for name, run in done.items()}
    best = min(cycles["tile core alone, without neighbours"], cycles["units alone"])
    print(f"speed-up: {best / cycles['three engines']:.2f} beside the best single engine, {cycles['units alone'] / cycles['three engines']:.2f} beside the units")
    print(f"{mixed_runs.IMAGES} images, {runs.accuracy():.1%} right")
    picture, part = out / "mixed-network.svg", out / "mixed-network-timeline.svg"
    xdsa.cox("timeline", log, "-o", picture, "--title", TITLE)
    xdsa.cox("timeline", log, "-o", part, "--title", f"{TITLE}, groups 2 to 5", "--from", PART[0], "--to", PART[1])
    print(f"pictures: {picture}, {part}")
    if any(run.differing for run in done.values()):
        sys.exit("mixed_network: results differ")


if __name__ == "__main__":
    main()
