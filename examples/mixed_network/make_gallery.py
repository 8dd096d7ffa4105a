#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes gallery.bin and gallery_labels.bin: the handwritten digits of scikit-learn that examples/digits was trained with.

The files are in the repository, so the example never runs this. The other 297 digits are the held-out images of examples/digits.
"""
import pathlib

import numpy as np
from sklearn.datasets import load_digits

FOLDER = pathlib.Path(__file__).resolve().parent


def main():
    digits = load_digits()
    held_out = np.fromfile(FOLDER.parent / "digits/images.bin", "<f2").reshape(-1, 64)
    tested = {tuple(image) for image in np.rint(held_out.astype(float) * 16).astype(int)}
    rows = [i for i, image in enumerate(digits.data.astype(int)) if tuple(image) not in tested]
    digits.data[rows].astype(np.uint8).tofile(FOLDER / "gallery.bin")
    digits.target[rows].astype(np.uint8).tofile(FOLDER / "gallery_labels.bin")
    print(f"{len(rows)} images")


if __name__ == "__main__":
    main()
