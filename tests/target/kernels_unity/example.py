#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the application of examples/tflite with models of the tests: example.py UNITY_MODEL_CASES"""
import pathlib
import subprocess
import sys
import tempfile

RUN = pathlib.Path(__file__).resolve().parents[3] / "examples/tflite/run"
SKIPPED = 77


def run(folder, name, expected):
    inputs, outputs = folder / f"{name}.inputs", folder / f"{expected}.outputs"
    command = [RUN, folder / f"{name}.tflite", inputs, str(outputs.stat().st_size), "--expect", outputs]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(done.stdout, end="")
    return done


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.argv[1], folder], check=True)
        for model in ("convolution_and_add", "all_operators"):
            done = run(folder, model, model)
            if done.returncode == SKIPPED:
                sys.exit(SKIPPED)
            if done.returncode != 0:
                sys.exit(f"{model}: {done.stderr}")
        # A wrong size of the outputs is refused.
        if "outputs: wrong size" not in run(folder, "convolution_and_add", "all_operators").stdout:
            sys.exit("outputs of another size were not refused")


if __name__ == "__main__":
    main()
