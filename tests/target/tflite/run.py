#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts models into DRAM, boots tflite_selftest.elf, and compares what it prints with the host's lines: run.py MODELS_DIGEST FOLDER"""
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "examples/machine"))
sys.dont_write_bytecode = True

import machine  # noqa: E402

SKIPPED = 77
SECONDS = 100


def main():
    program, published = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "--write", folder], check=True)
        files = sorted(published.glob("*.tflite"))
        if not files:
            print(f"no published models in {published}: only models of this test")
        # The first model is the largest of this test; the image damages the last one.
        files = [pathlib.Path(folder) / "all_operators.tflite", *files, pathlib.Path(folder) / "convolution_and_add.tflite"]
        expected = subprocess.run([program, *files], check=True, capture_output=True, text=True).stdout
        dram = machine.Dram(pathlib.Path(folder) / "dram", 16)
        layout = machine.Layout(4096)
        words = [len(files)]
        for file in files:
            data = file.read_bytes()
            address, size = layout.region(len(data))
            dram.write(address, data)
            words += [address - machine.DRAM_BASE, size]
        dram.write(machine.DRAM_BASE, struct.pack(f"<{len(words)}I", *words))
        try:
            status, console = machine.run(machine.target_image("tflite_selftest.elf"), pathlib.Path(folder) / "dram", seconds=SECONDS)
        except machine.Missing as missing:
            print(f"skipped: {missing}")
            sys.exit(SKIPPED)
    print(console, end="")
    lines = [line for line in console.splitlines() if line.startswith("model: ")]
    if lines != expected.splitlines():
        sys.exit(f"the host prints:\n{expected}")
    if status != 0 or "models: ok" not in console or "damage: ok" not in console:
        sys.exit(f"exit status {status}")


if __name__ == "__main__":
    main()
