#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a network on PIM cores, and compares every byte of the results with the reference (README.md)."""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "machine"))
sys.dont_write_bytecode = True

import machine  # noqa: E402


def measure(network, cores=1, pipeline=False, images=None, native=False):
    """Packs, runs and checks. Returns the exit status of the check and everything that was printed."""
    host = machine.host_program("pim_networks")
    with tempfile.TemporaryDirectory() as folder:
        dram = pathlib.Path(folder) / "dram.bin"
        how = ["--cores", str(cores)] + (["--pipeline"] if pipeline else [])
        how += ["--images", str(images)] if images else []
        subprocess.run([host, "pack", network, "-o", dram, *how], check=True)
        options = {"geometry": {"pim_cores": cores}} if cores > 16 else None
        if native:
            done = subprocess.run([machine.host_program(f"pim_{network}"), dram], capture_output=True, text=True, check=False)
            status, console = done.returncode, done.stdout + done.stderr
        else:
            status, console = machine.run(machine.target_image(f"pim_{network}.elf"), dram, options)
        if status != 0:
            return status, console
        checked = subprocess.run([host, "check", network, dram], capture_output=True, text=True, check=False)
        return checked.returncode, console + checked.stdout + checked.stderr


def figures(printed):
    """The figures that the check prints as `name value`."""
    return {name: float(value) for name, value in re.findall(r"^(pim\.[\w.]+) (\S+)$", printed, re.MULTILINE)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", choices=("digits", "resnet18"))
    parser.add_argument("--cores", type=int, default=1, help="number of cores")
    parser.add_argument("--pipeline", action="store_true", help="ResNet-18 as a pipeline of 16 to 64 cores")
    parser.add_argument("--images", type=int, metavar="N", help="only so many of the images")
    parser.add_argument("--native", action="store_true", help="in a process of the host instead of QEMU")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures here")
    arguments = parser.parse_args()
    try:
        status, printed = measure(arguments.network, arguments.cores, arguments.pipeline, arguments.images, arguments.native)
    except machine.Missing as missing:
        sys.exit(f"pim_networks: {missing}")
    print(printed.strip())
    if arguments.json:
        arguments.json.write_text(json.dumps(figures(printed), indent=1) + "\n")
    if status != 0:
        sys.exit("pim_networks: the results differ from the reference, or the application failed")


if __name__ == "__main__":
    main()
