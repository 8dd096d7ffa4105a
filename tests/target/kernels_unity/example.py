#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the application of examples/tflite with models of the tests and published ones: example.py UNITY_MODEL_CASES PUBLISHED_FOLDER"""
import pathlib
import subprocess
import sys
import tempfile

RUN = pathlib.Path(__file__).resolve().parents[3] / "examples/tflite/run"
SKIPPED = 77
UNITS = 8


def run_files(model, inputs, outputs, units=1):
    command = [RUN, model, inputs, str(outputs.stat().st_size), "--expect", outputs, "--units", str(units)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(done.stdout, end="")
    return done


def run(folder, name, expected, units=1):
    return run_files(folder / f"{name}.tflite", folder / f"{name}.inputs", folder / f"{expected}.outputs", units)


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
            done = run(folder, model, model, UNITS)
            if done.returncode != 0:
                sys.exit(f"{model} on {UNITS} units: {done.stderr}")
        for model in sorted(pathlib.Path(sys.argv[2]).glob("models/*.tflite")):
            inputs, expected = (pathlib.Path(sys.argv[2]) / kind / model.stem / "000.bin" for kind in ("inputs", "expected"))
            done = run_files(model, inputs, expected, UNITS)
            if done.returncode != 0:
                sys.exit(f"{model} on {UNITS} units: {done.stderr}")
        # A wrong size of the outputs is refused.
        if "outputs: wrong size" not in run(folder, "convolution_and_add", "all_operators").stdout:
            sys.exit("outputs of another size were not refused")


if __name__ == "__main__":
    main()
