# SPDX-License-Identifier: MIT
"""Functions of docs/arithmetic.md in numpy, bit for bit: FP32 operations that are rounded one by one. Maps are N, H, W, C."""
import math

import numpy as np

F32 = np.float32


def sum_in_order(values, axes):
    """The sum over `axes`: starts at +0 and adds the elements in their order."""
    moved = np.moveaxis(values, axes, range(-len(axes), 0))
    elements = moved.reshape(*moved.shape[: -len(axes)], -1)
    total = np.zeros(elements.shape[:-1], F32)
    for i in range(elements.shape[-1]):
        total = total + elements[..., i]
    return total


EXPONENTIAL = [F32(c) for c in (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)]


def exponential(x):
    """See docs/arithmetic.md, Exponential."""
    x = np.maximum(F32(-104), np.minimum(F32(89), x))
    n = np.rint(x * F32(1.44269504))
    high = n * F32(0.693359375)
    low = n * F32(-2.12194440e-4)
    r = (x - high) - low
    p = np.full_like(r, EXPONENTIAL[0])
    for coefficient in EXPONENTIAL[1:]:
        p = p * r + coefficient
    p = p * (r * r)
    p = p + r
    p = p + F32(1)
    # The product is exact in FP64, so it is rounded only once, to FP32.
    return (p.astype(np.float64) * np.exp2(n.astype(np.float64))).astype(F32)


def softmax(x):
    exponentials = exponential(x - x.max(axis=-1, keepdims=True))
    return exponentials / sum_in_order(exponentials, (-1,))[..., None]


def layer_norm(x, epsilon):
    count = F32(x.shape[-1])
    deviations = x - (sum_in_order(x, (-1,)) / count)[..., None]
    variance = sum_in_order(deviations * deviations, (-1,)) / count
    return deviations / np.sqrt(variance + F32(epsilon))[..., None]


SEGMENTS = 256
# For each table: the lowest input, the highest input, what happens to an input outside this range, and the function (docs/lowering.md,
# Tables). True: such an input gets the value on the extended line of the first or last segment. False: it gets the value at the end of the
# range.
TABLES = {
    "sigmoid": (-16, 16, False, lambda x: 1 / (1 + math.exp(-x))),
    "tanh": (-8, 8, False, math.tanh),
    "gelu": (-8, 8, True, lambda x: x * math.erfc(-x / math.sqrt(2)) / 2),
    "silu": (-16, 16, True, lambda x: x / (1 + math.exp(-x))),
}


def by_table(name, x):
    low, high, goes_on, function = TABLES[name]
    entries = np.array([function(low + (high - low) * i / SEGMENTS) for i in range(SEGMENTS + 1)]).astype(F32)
    t = (x - F32(low)) * F32(SEGMENTS / (high - low))
    i = np.clip(np.floor(t), 0, SEGMENTS - 1).astype(np.int64)
    f = t - i.astype(F32)
    if not goes_on:
        f = np.clip(f, F32(0), F32(1))
    return entries[i] + f * (entries[i + 1] - entries[i])


def positions(source, output, bilinear, coordinates):
    """For each output row, returns the source row at or before its position in the source, and the distance from that source row to the position.

    The distance is a fraction of a row. Only bilinear needs it."""
    numerator, denominator, offset = source, output, source - output if bilinear else source
    if coordinates == "aligned_corners":
        numerator, denominator, offset = (0, 1, 0) if output == 1 else (source - 1, output - 1, 0 if bilinear else output - 1)
    p = 2 * np.arange(output, dtype=np.int64) * numerator + offset
    i = p // (2 * denominator)
    return i, (p - i * 2 * denominator).astype(F32) / F32(2 * denominator)


def resize(x, height, width, mode, coordinates):
    bilinear = mode == "bilinear"
    rows, f = positions(x.shape[1], height, bilinear, coordinates)
    columns, g = positions(x.shape[2], width, bilinear, coordinates)

    def pixels(i, j):
        return x[:, np.clip(i, 0, x.shape[1] - 1)][:, :, np.clip(j, 0, x.shape[2] - 1)]

    if not bilinear:
        return pixels(rows, columns)
    f, g = f[:, None, None], g[:, None]
    t = pixels(rows, columns) + g * (pixels(rows, columns + 1) - pixels(rows, columns))
    u = pixels(rows + 1, columns) + g * (pixels(rows + 1, columns + 1) - pixels(rows + 1, columns))
    return t + f * (u - t)


def activate(values, layer, slopes):
    """Applies a layer's activation to `values`, which already include scale and bias."""
    activation, parameter = layer.get("activation", "none"), F32(layer.get("activation_parameter", 6))
    if activation == "none":
        return values
    if activation == "relu":
        return np.maximum(values, F32(0))
    if activation in ("relu6", "relu_x"):
        return np.minimum(np.maximum(values, F32(0)), parameter)
    if activation in ("leaky_relu", "prelu"):
        return np.where(values < 0, values * (slopes if activation == "prelu" else parameter), values)
    return by_table(activation, values)


def spread(maps, distances, outside):
    """Inserts gaps between the pixels of maps. `distances` are from one pixel to the next in the result; `outside` fills the gaps."""
    n, height, width, channels = maps.shape
    result = np.full((n, (height - 1) * distances[0] + 1, (width - 1) * distances[1] + 1, channels), outside, maps.dtype)
    result[:, :: distances[0], :: distances[1]] = maps
    return result
