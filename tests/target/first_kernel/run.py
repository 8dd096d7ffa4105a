#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots the named image, an example of a first kernel call, and checks what it prints."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True

import boot  # noqa: E402

SECONDS = 50
# SiLU(-1) = -0.26894, SiLU(1) = 0.73106 and SiLU(2.75) = 2.58476. MX9 rounds them to -69/256, 94/128 and 83/32.
KERNEL = "y[0] = -269 / 1000\ny[8] = 734 / 1000\ny[15] = 2593 / 1000\n"
M, K, N = 128, 64, 256


def product(place):
    """An element of A * B for integers from -2 to 2, as the program writes them."""
    row, column = divmod(place, N)
    return sum(((row * K + k) % 5 - 2) * ((k * N + column) // 7 % 5 - 2) for k in range(K))


def main():
    image = sys.argv[1]
    expected = KERNEL
    if image.startswith("first_gemm"):
        expected = "".join(f"c[{place}] = {product(place)}\n" for place in (0, 1000, M * N - 1))
    if boot.console_of(image, SECONDS).replace("\r", "") != expected:
        sys.exit(f"expected:\n{expected}")


if __name__ == "__main__":
    main()
