#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds a wheel of the package offline, installs it in a new environment, and runs a task there. Exit status 77: python3-venv is missing.

Arguments: the host library, the command cox.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from support import COPY, ROOT, copy_bindings

PROGRAM = f"""
import coxswain, numpy as np, sys
assert coxswain.__file__.startswith(sys.prefix), coxswain.__file__
array = np.arange(48, dtype=np.int8).reshape(1, 4, 4, 3)
run = coxswain.run(coxswain.assemble({COPY!r}, {copy_bindings()!r}), {{"in": array}})
assert (run.outputs["out"] == array).all()
print(coxswain.__version__, run.cycles)
"""


def main():
    library, cox = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        source = folder / "source"  # setuptools writes beside the sources
        subprocess.run(["cp", "-r", ROOT / "python", source], check=True)
        made = subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", folder / "venv"], capture_output=True, text=True)
        if made.returncode != 0:
            print(f"skipped: {made.stdout}{made.stderr}")
            return 77
        pip = [folder / "venv/bin/python", "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-cache-dir"]
        offline = ["--no-index", "--no-deps", "--no-build-isolation"]
        subprocess.run([*pip, "wheel", *offline, "-w", folder / "wheels", source], check=True)
        (wheel,) = (folder / "wheels").glob("coxswain-*-py3-none-any.whl")
        subprocess.run([*pip, "install", "--no-index", "--no-deps", wheel], check=True)
        environment = {**os.environ, "COXSWAIN_LIBRARY": library, "COXSWAIN_COX": cox}
        environment.pop("PYTHONPATH", None)
        subprocess.run([folder / "venv/bin/python", "-c", PROGRAM], cwd=folder, env=environment, check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
