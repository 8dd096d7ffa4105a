#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The digits network as a task image on PIM cores: `cox run` submits it through the job ring, and every byte of its outputs is right.
CMakeLists.txt has the environment variables."""
import os
import pathlib
import subprocess
import sys
import tempfile


def main():
    board = sys.argv[1]
    if board == "qemu" and not os.path.exists(os.environ["COX_QEMU"]):
        print("there is no QEMU: make qemu builds it")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        task, images, outputs, expected = (str(pathlib.Path(folder) / name) for name in ("digits.cxt", "images", "outputs", "expected"))
        networks = os.path.join(os.environ["COX_HOST_BUILD"], "bin", "pim_networks")
        subprocess.run([networks, "task", "digits", "-o", task, "--inputs", images, "--outputs", expected], check=True)
        run = [os.environ["COX"], "run", task, "--board", board, "--in", f"image={images}", "--out", f"logits={outputs}"]
        subprocess.run(run, check=True)
        found, wanted = pathlib.Path(outputs).read_bytes(), pathlib.Path(expected).read_bytes()
    if not wanted or found != wanted:
        sys.exit(f"{sum(a != b for a, b in zip(found, wanted))} of {len(wanted)} bytes differ")


if __name__ == "__main__":
    main()
