# SPDX-License-Identifier: MIT
"""MX9 in NumPy, written only from docs/mx9.md. It is independent of the device model, so the two can be compared bit by bit.

A tensor is a pair (E, W). E has the exponent of each block. W has a signed integer for each element: 2 * M / 2^D, of the mantissa M and the pair's shift D.
The value of an element is W * 2^(E - 127 - 7).
Arrays are N, H, W, blocks (, 16).
"""
import numpy as np

F32 = np.float32


def exponents(values):
    """The 8-bit exponents of FP32 numbers. Zeros and subnormals give 0."""
    return (np.ascontiguousarray(values, F32).view(np.uint32) >> 23 & 0xFF).astype(np.int64)


def quantise(values):
    """Converts FP32 numbers to MX9. The last axis has the 16 numbers of a block."""
    values = np.where(exponents(values) == 0, F32(0), values.astype(F32))
    each = exponents(values)
    largest = each.max(axis=-1)
    pairs = each.reshape(*each.shape[:-1], 8, 2).max(axis=-1)
    shift = np.minimum(largest[..., None] - pairs, 1)
    shift = np.where(pairs == 0, 1, shift).repeat(2, axis=-1)
    # The mantissa of value v is M = |v| * 64 * 2^(D + 127 - E), rounded half to even. E is the block's exponent (`largest`), and D is the
    # shift bit of the pair that v belongs to (`shift`). FP64 holds each step exactly.
    scaled = np.ldexp(np.abs(values).astype(np.float64), (6 + shift + 127 - largest[..., None]).astype(np.int32))
    mantissa = np.minimum(np.rint(scaled), 127).astype(np.int64)
    mantissa = np.where(largest[..., None] == 0, 0, mantissa)
    return largest, np.where(values < 0, -1, 1) * mantissa * (2 >> shift)


def dequantise(tensor):
    exponent, numbers = tensor
    return np.ldexp(numbers.astype(np.float64), (exponent[..., None] - 134).astype(np.int32)).astype(F32)


def blocks(maps):
    """Converts N, H, W, C to N, H, W, blocks, 16, padded with zeros."""
    channels = maps.shape[-1]
    padded = np.pad(maps.astype(F32), [(0, 0)] * (maps.ndim - 1) + [(0, -channels % 16)])
    return padded.reshape(*maps.shape[:-1], -1, 16)


def convolve(tensor, weights, biases, padding, rectify=False):
    """Convolution with stride 1. `weights`: FP32 (K, R, S, C), which are quantised here; `biases`: FP32. Sums are FP32, in the order that docs/mx9.md gives."""
    exponent, numbers = tensor
    kernels, rows, columns, _ = weights.shape
    weight_exponent, weight_numbers = quantise(blocks(weights))
    edge = ((0, 0), (padding, padding), (padding, padding), (0, 0))
    exponent, numbers = np.pad(exponent, edge), np.pad(numbers, edge + ((0, 0),))
    n, height, width, depth = exponent.shape
    p, q = height - rows + 1, width - columns + 1
    sums = np.zeros((n, p, q, kernels), F32)
    for row in range(rows):
        for column in range(columns):
            for block in range(depth):
                window = np.s_[:, row : row + p, column : column + q, block]
                # The products are integers below 2^16, so FP64 holds them and their sums exactly.
                dot = numbers[window].astype(np.float64) @ weight_numbers[:, row, column, block].T.astype(np.float64)
                scale = exponent[window][..., None] + weight_exponent[:, row, column, block] - 254 - 14
                sums = sums + np.ldexp(dot, scale.astype(np.int32)).astype(F32)  # a padded position adds nothing
    sums = sums + biases.astype(F32)
    return quantise(blocks(np.maximum(sums, F32(0)) if rectify else sums))


def add(first, second):
    return quantise(dequantise(first) + dequantise(second))


def windows_of_pool(tensor):
    """Four maps for windows of 2x2 with stride 2: one for each position in the window, row by row."""
    values = dequantise(tensor)
    return [values[:, row::2, column::2] for row in (0, 1) for column in (0, 1)]


def maximum_pool(tensor):
    return quantise(np.maximum.reduce(windows_of_pool(tensor)))


def average_pool(tensor):
    first, second, third, fourth = windows_of_pool(tensor)
    return quantise((((first + second) + third) + fourth) * F32(0.25))
