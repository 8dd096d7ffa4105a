#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes arrays with NumPy, copies them with npy_copy, and reads the copies with NumPy: numpy_files.py NPY_COPY"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

with tempfile.TemporaryDirectory() as folder:
    source, copy = pathlib.Path(folder) / "source.npy", pathlib.Path(folder) / "copy.npy"
    count = 0
    for name in ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64"):
        for shape in ((), (5,), (2, 3), (1, 4, 4, 3), (2, 0)):
            array = (np.random.default_rng(count).random(shape) * 100).astype(name)
            for version in ((1, 0), (2, 0)):
                with source.open("wb") as file:
                    np.lib.format.write_array(file, np.asarray(array), version=version)
                subprocess.run([sys.argv[1], source, copy], check=True)
                read = np.load(copy)
                assert read.dtype == array.dtype and read.shape == array.shape and np.array_equal(read, array), (name, shape, version)
                count += 1
    np.save(source, np.asfortranarray(np.arange(6).reshape(2, 3)))
    refused = subprocess.run([sys.argv[1], source, copy], check=False, capture_output=True, text=True)
    assert refused.returncode == 3 and "Fortran's order" in refused.stderr, refused
print(f"{count} arrays")
