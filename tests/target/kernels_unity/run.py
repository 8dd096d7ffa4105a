#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts models, inputs and expected outputs into DRAM and boots kernels_unity_selftest.elf: run.py UNITY_MODEL_CASES PUBLISHED_FOLDER

Each published model runs with each of its inputs."""
import pathlib
import re
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
TABLE_BYTES = 16384
MOST_TABLE_INSTRUCTIONS = 120  # limit for the operand table of a convolution; the count is exact on every host


def cases(folder, published):
    """The files of each case: model, inputs, outputs."""
    for model in sorted(folder.glob("*.tflite")):
        yield model, model.with_suffix(".inputs"), model.with_suffix(".outputs")
    for model in sorted(published.glob("models/*.tflite")):
        for file in sorted((published / "inputs" / model.stem).glob("*.bin")):
            yield model, file, published / "expected" / model.stem / file.name


def main():
    program, published = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([program, folder], check=True)
        dram = machine.Dram(folder / "dram", 16)
        layout = machine.Layout(TABLE_BYTES)
        places = {}
        words = [0]
        for case in cases(folder, published):
            words[0] += 1
            for file in case:
                if file not in places:
                    data = file.read_bytes()
                    address, size = layout.region(len(data))
                    dram.write(address, data)
                    places[file] = [address - machine.DRAM_BASE, size]
                words += places[file]
        dram.write(machine.DRAM_BASE, struct.pack(f"<{len(words)}I", *words))
        try:
            status, console = machine.run(machine.target_image("kernels_unity_selftest.elf"), folder / "dram", seconds=SECONDS)
        except machine.Missing as missing:
            print(f"skipped: {missing}")
            sys.exit(SKIPPED)
    print(console, end="")
    print(f"{words[0]} models with their inputs")
    if words[0] == 2:
        print(f"no published models in {published}: only models of the tests")
    lines = [line for line in console.splitlines() if line.startswith("model: ")]
    if status != 0 or len(lines) != words[0] or not all(f"{test}: ok" in console for test in ("models", "fault", "tables", "costs of keys", "keys")):
        sys.exit(f"exit status {status}")
    count = re.search(r"^unity\.table_instructions (\d+)$", console, re.MULTILINE)
    if not count or int(count[1]) > MOST_TABLE_INSTRUCTIONS:
        sys.exit(f"an operand table: more than {MOST_TABLE_INSTRUCTIONS} instructions, or no count")


if __name__ == "__main__":
    main()
