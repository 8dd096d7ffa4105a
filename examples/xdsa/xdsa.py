# SPDX-License-Identifier: MIT
"""Runs xDSA programs with `cox run`, natively and under QEMU. Values are NumPy arrays."""
import pathlib
import subprocess
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "examples/machine"))

import machine  # noqa: E402

SKIPPED = 77  # exit status that ctest takes for "skipped"


def cox(*words):
    """Runs `cox` and returns what it prints. Ends the program if `cox` fails."""
    done = subprocess.run([str(machine.host_program("cox")), *(str(word) for word in words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"cox {words[0]}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


class Program:
    """A text in a folder, beside the files that it includes. The files of its inputs and outputs go to the same folder."""

    def __init__(self, text, folder, files):
        """`text` is the path of the program, `files` the arrays that it includes, by file name."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.path = folder / text.name
        self.path.write_text(text.read_text())
        for name, array in files.items():
            array.tofile(folder / name)

    def check(self):
        return cox("check", self.path)

    def run(self, board, inputs, outputs, *more):
        """Runs the program once. `outputs` are types and shapes by name. Returns the outputs by name."""
        words = ["run", self.path, "--board", board, "--quiet"]
        for name, array in inputs.items():
            array.tofile(self.folder / f"{name}.in.bin")
            words += ["--in", f"{name}={self.folder / name}.in.bin"]
        for name in outputs:
            words += ["--out", f"{name}={self.folder / name}.{board}.bin"]
        cox(*words, *more)
        return {name: np.fromfile(self.folder / f"{name}.{board}.bin", dtype).reshape(shape) for name, (dtype, shape) in outputs.items()}


def require_qemu():
    """Ends the program with status 77 if QEMU or the firmware is not built."""
    try:
        machine.built("COX_QEMU", "build/qemu/bin/qemu-system-arm", "make qemu")
        machine.built("COX_FIRMWARE", "build/qemu-npu-soc/bin/coxswain.elf", "make target")
    except machine.Missing as missing:
        print(f"skipped: {missing}; --native needs neither")
        sys.exit(SKIPPED)
