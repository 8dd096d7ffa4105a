#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Computes with numpy what five_engines.xdsa computes, and writes its inputs and its result.

five_engines.py FOLDER writes a.bin, b.bin, w.bin and expected.bin, and prints the result.
"""
import pathlib
import sys

import numpy as np

BLOCK = 18  # bytes of an MX block
ROWS, SIDE, COLUMNS = 72, 32, 16


def inputs():
    i = np.arange(ROWS * SIDE)
    j = np.arange(SIDE * SIDE)
    a = (i * 7 + i // 32 * 5) % 128 - 64
    b = (i * 29 + i // 64 * 3) % 200 - 100
    w = (j * j // 7 * 3 + j) % 5 - 2
    return a.astype(np.int8), b.astype(np.int8), w.astype(np.int8)


def saturate(values):
    return np.clip(values, -128, 127).astype(np.int8)


def result(a, b, w):
    x = saturate(a.astype(np.int32) + b)
    blocks = x.reshape(-1, BLOCK)
    y = np.concatenate([blocks[0::2], blocks[1::2]]).reshape(ROWS, SIDE)
    z = y.astype(np.int32) @ w.reshape(SIDE, SIDE).astype(np.int32)
    t = saturate(z.ravel() + 7).astype(np.int32)
    u = t[:SIDE] @ t[SIDE : SIDE + SIDE * COLUMNS].reshape(SIDE, COLUMNS)
    return (u + z.ravel()[:COLUMNS]).astype(np.int32)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    a, b, w = inputs()
    out = result(a, b, w)
    for name, array in {"a": a, "b": b, "w": w, "expected": out}.items():
        (folder / f"{name}.bin").write_bytes(array.tobytes())
    print(", ".join(str(value) for value in out))


if __name__ == "__main__":
    main()
