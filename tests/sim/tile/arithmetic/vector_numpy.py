#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks vector operations against docs/arithmetic.md in NumPy's float32, bit for bit.

Usage: vector_numpy.py PROGRAM [OPERATIONS [SEED]]"""

import struct

import numpy

from comparison import compare
from formats import BITS, F, is_integer, pack, padded, pixel_bytes, to_bits, to_real

FUNCTIONS = ["copy", "arithmetic", "compare", "sum", "mean", "maximum", "minimum", "table", "softmax", "layer_norm", "maximum_pool",
             "minimum_pool", "average_pool", "nearest", "bilinear"]
C, W, H = 1, 2, 4
COEFFICIENTS = ["1.9875691500e-4", "1.3981999507e-3", "8.3334519073e-3", "4.1665795894e-2", "1.6666665459e-1", "5.0000001201e-1"]


# Functions on float32 arrays [row, column, channel].


def exponential(x):
    nan = numpy.isnan(x)
    x = numpy.clip(numpy.where(nan, F(0), x), F(-104), F(89))
    n = numpy.rint(x * F("1.44269504"))
    r = (x - n * F("0.693359375")) - n * F("-2.12194440e-4")
    p = numpy.full_like(x, F(COEFFICIENTS[0]))
    for coefficient in COEFFICIENTS[1:]:
        p = p * r + F(coefficient)
    p = (p * (r * r) + r) + F(1)
    # The product with 2^n in double precision is exact, so it is rounded only once.
    return numpy.where(nan, F(numpy.nan), numpy.ldexp(p.astype(numpy.float64), n.astype(int)).astype(F))


def total(x, lanes):
    """The sum along the first axis, added in order."""
    sums = numpy.zeros((8 if lanes else 1,) + x.shape[1:], F)
    for number, value in enumerate(x):
        sums[number % len(sums)] += value
    if not lanes:
        return sums[0]
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))


def best(x, greater):
    """The extreme along the first axis. Of equal values it is the first one. It is NaN if there is a NaN."""
    result = x[0]
    for value in x[1:]:
        result = numpy.where(numpy.isnan(value) | ((value > result) if greater else (value < result)), value, result)
    return result


def reduce(op, x):
    axes = [axis for axis, bit in ((0, H), (1, W), (2, C)) if op["reduced"] & bit]
    shape = [1 if axis in axes else extent for axis, extent in enumerate(x.shape)]
    rest = [axis for axis in range(3) if axis not in axes]
    elements = x.transpose(axes + rest).reshape([-1] + [x.shape[axis] for axis in rest])
    if op["function"] in ("maximum", "minimum"):
        y = best(elements, op["function"] == "maximum")
    else:
        y = total(elements, op["lanes"])
        if op["function"] == "mean":
            y = y / F(len(elements))
    return y.reshape(shape)


def table(op, x):
    entries, count = op["entries"], len(op["entries"]) - 1
    t = (x - op["low"]) * op["per_unit"]
    segment = numpy.clip(numpy.floor(numpy.nan_to_num(t)), 0, count - 1).astype(int)
    fraction = t - segment.astype(F)
    if not op["extrapolate"]:
        fraction = numpy.where(fraction < 0, F(0), numpy.where(fraction > 1, F(1), fraction))
    return entries[segment] + fraction * (entries[segment + 1] - entries[segment])


def softmax(op, x):
    power = exponential(x - best(x.transpose(2, 0, 1), True)[:, :, None])
    return power / total(power.transpose(2, 0, 1), op["lanes"])[:, :, None]


def layer_norm(op, x, parameters, epsilon):
    count = F(x.shape[2])
    difference = x - (total(x.transpose(2, 0, 1), op["lanes"]) / count)[:, :, None]
    variance = total((difference * difference).transpose(2, 0, 1), op["lanes"]) / count
    y = difference / numpy.sqrt(variance + epsilon)[:, :, None]
    return y if parameters is None else y * parameters[0] + parameters[1]


def area(op, x, row, column):
    """The result for one pixel, all channels."""
    if op["padding"] == -32768 and op["function"] in ("nearest", "bilinear"):
        row, column = min(max(row, 0), x.shape[0] - 1), min(max(column, 0), x.shape[1] - 1)
    inside = 0 <= row < x.shape[0] and 0 <= column < x.shape[1]
    return x[row, column, : op["channels"]] if inside else numpy.full(op["channels"], op["padding"], F)


def pool(op, x, h, w, multiplier):
    pixels = []
    for r in range(op["kernel"][0]):
        for s in range(op["kernel"][1]):
            pixels.append(area(op, x, op["first"][0] + h * op["stride"][0] + r, op["first"][1] + w * op["stride"][1] + s))
    pixels = numpy.array(pixels)
    if op["function"] == "average_pool":
        return total(pixels * multiplier, False)
    return best(pixels, op["function"] == "maximum_pool")


def resize(op, x, h, w):
    place = [divmod(2 * (first + number) * numerator + offset, 2 * denominator) for first, number, numerator, denominator, offset in
             zip(op["first"], (h, w), op["numerator"], op["denominator"], op["offset"])]
    (row, row_rest), (column, column_rest) = place
    if op["function"] == "nearest":
        return area(op, x, row, column)
    across, down = F(column_rest) / F(2 * op["denominator"][1]), F(row_rest) / F(2 * op["denominator"][0])
    a, b, c, d = (area(op, x, row + i, column + j) for i in (0, 1) for j in (0, 1))
    top, bottom = a + across * (b - a), c + across * (d - c)
    return top + down * (bottom - top)


def load(op, bits, fmt, scale, zero, dimensions, multiplier):
    x = to_real(bits, fmt, op["source_signed"])
    if op["dequantise"]:
        x = x * scale + zero
        x = [lambda v: v, numpy.floor, numpy.rint, numpy.trunc][op["iqcs"]](x)
    return x * multiplier if multiplier is not None else x


def spread(op, x):
    return numpy.broadcast_to(x, (op["height"], op["width"], op["channels"]))


def evaluate(op):
    """The bits of the destination, and the scalar registers."""
    registers = op["registers"].copy()
    scalar = {name: F(value) if index < 0 else op["registers"][index] for name, (value, index) in op["scalars"].items()}
    multiplier = scalar["multiplier"] if op["multiply"] and op["function"] != "average_pool" else None
    x = load(op, op["source"], op["source_format"], op["source_scale"], op["source_zero"], op["dimensions"], multiplier)
    function = op["function"]
    if function in FUNCTIONS[10:]:
        one = (lambda h, w: pool(op, x, h, w, scalar["multiplier"])) if "pool" in function else (lambda h, w: resize(op, x, h, w))
        y = numpy.array([[one(h, w) for w in range(op["width"])] for h in range(op["height"])], F)
    else:
        x = spread(op, x)
        other = None
        if op["two"]:
            other = load(op, op["source1"], op["source_format"], op["source1_scale"], op["source1_zero"], op["dimensions1"], None)
        if function == "layer_norm":
            y = layer_norm(op, x, other, scalar["operand"])
        elif function in ("arithmetic", "compare"):
            b = spread(op, other) if op["two"] else numpy.full(x.shape, scalar["operand"], F)
            if function == "arithmetic":
                y = [lambda: x + b, lambda: x - b, lambda: b - x, lambda: x * b, lambda: x / b][op["group"]]()
            elif op["compare"] in (1, 2):
                y = best(numpy.array([x, b]), op["compare"] == 1)
            else:
                y = [numpy.greater, numpy.greater_equal, numpy.less, numpy.less_equal, numpy.equal, numpy.not_equal][op["compare"] - 3](x, b)
        elif function in ("sum", "mean", "maximum", "minimum"):
            y = reduce(op, x)
        elif function == "table":
            y = table(op, x)
        elif function == "softmax":
            y = softmax(op, x)
        else:
            y = x
    y = y.astype(F)
    if op["result"] >= 0:
        registers[op["result"]] = y[0, 0, 0] if not numpy.isnan(y[0, 0, 0]) else F(numpy.nan)
    if op["group1"]:
        y = [None, numpy.add, numpy.subtract, numpy.multiply][op["group1"]](y, scalar["operand1"])
    if op["affine"]:
        y = y * scalar["factor"] + scalar["summand"]
    if op["apply_scale"]:
        y = y * op["scale"]
    if op["apply_zero"]:
        y = y - op["zero"] if op["subtract"] else y + op["zero"]
    y = y * F(0.5 ** op["shift"])
    assert y.dtype == F
    return to_bits(y, op["destination_format"], op["destination_signed"], op["rounding"]), registers


# Makes random operations.


def reals(random, shape, size):
    x = random.uniform(-size, size, shape).astype(F)
    whole = random.random(shape) < 0.2
    x = numpy.where(whole, numpy.rint(x), x)
    if random.random() < 0.3:
        named = numpy.array([numpy.inf, -numpy.inf, numpy.nan, 1e-42, -0.0, 0.0, 65520, 1.5], F)
        x = numpy.where(random.random(shape) < 0.05, named[random.integers(0, 8, shape)], x)
    return x.astype(F)


def content(random, shape, fmt, signed):
    if is_integer(fmt):
        return random.integers(0, 1 << BITS[fmt], shape, dtype=numpy.int64)
    return to_bits(reals(random, shape, 3.0), fmt, signed, 2)


def random_operation(random, number):
    def one_of(n):
        return random.integers(n) == 0

    def scalar(size):
        return F(random.uniform(-size, size)), int(random.integers(8)) if one_of(3) else -1

    op = {"function": FUNCTIONS[number % len(FUNCTIONS)]}
    op["channels"], op["height"], op["width"] = (int(v) for v in random.integers(1, (22, 6, 7)))
    if one_of(6):
        op["channels"] = int(random.integers(50, 200))
    op["source_format"], op["destination_format"] = (int(v) for v in random.integers(0, 7, 2))
    op["source_signed"], op["destination_signed"] = not one_of(3), not one_of(3)
    pools = op["function"] in FUNCTIONS[10:]
    op["dimensions"], op["dimensions1"] = (7 if pools or one_of(2) else int(random.integers(1, 8)) for _ in range(2))
    op["two"] = op["function"] in ("arithmetic", "compare", "layer_norm") and not one_of(3)
    if op["function"] == "layer_norm":
        op["dimensions1"] = C | H
    extent = (op["height"], op["width"])
    source = tuple(int(v) for v in random.integers(1, 9, 2)) if pools else extent

    def shape(dimensions, height, width):
        return (height if dimensions & H else 1, width if dimensions & W else 1, op["channels"] if dimensions & C else 1)

    op["source"] = content(random, shape(op["dimensions"], *source), op["source_format"], op["source_signed"])
    second = (2, 1) if op["function"] == "layer_norm" else extent
    op["source1"] = content(random, shape(op["dimensions1"], *second), op["source_format"], op["source_signed"])
    op["kernel"], op["stride"] = [int(v) for v in random.integers(1, 5, 2)], [int(v) for v in random.integers(1, 4, 2)]
    op["first"] = [int(v) for v in random.integers(-3, 3, 2)] if pools else [0, 0]
    op["dequantise"], op["iqcs"] = int(one_of(2)), int(random.integers(4)) if one_of(2) else 0
    op["multiply"] = int(one_of(4) or op["function"] == "average_pool")
    op["group"], op["compare"] = int(random.integers(5)), int(random.integers(1, 9))
    reduction = op["function"] in ("sum", "mean", "maximum", "minimum")
    op["reduced"] = int(random.integers(1, 8)) if reduction else 0
    op["lanes"] = int(one_of(2))
    op["result"] = int(random.integers(8)) if op["reduced"] == 7 and one_of(2) else -1
    segments = int(random.integers(1, 20)) if op["function"] == "table" else 0
    op["entries"] = reals(random, segments + 1, 4.0) if segments else numpy.zeros(0, F)
    op["extrapolate"] = int(one_of(2))
    op["numerator"], op["denominator"] = ([int(v) for v in random.integers(1, 9, 2)] for _ in range(2))
    op["offset"] = [int(v) for v in random.integers(-9, 10, 2)]
    op["group1"] = int(random.integers(4)) if one_of(2) else 0
    op["affine"], op["rounding"] = int(one_of(4)), int(random.integers(4))
    op["apply_scale"], op["apply_zero"], op["subtract"] = int(not one_of(4)), int(not one_of(3)), int(one_of(3))
    op["shift"] = int(random.integers(16)) if one_of(4) else 0
    unit = 2.0 ** -(BITS[op["source_format"]] - 3) if is_integer(op["source_format"]) else 1.0
    for name in ("source_scale", "source1_scale"):
        op[name] = F(random.uniform(-unit, unit))
    for name in ("source_zero", "source1_zero", "zero"):
        op[name] = F(random.uniform(-4, 4))
    op["low"], op["per_unit"] = F(random.uniform(-3, 0)), F(random.uniform(0.5, 6))
    op["padding"] = F(random.choice([0, -32768, 1.5, -2.25]))
    op["scale"] = F(random.uniform(0.5, 40) if is_integer(op["destination_format"]) else random.uniform(-2, 2))
    op["scalars"] = {name: scalar(size) for name, size in
                     (("multiplier", 1), ("operand", 1), ("operand1", 2), ("factor", 2), ("summand", 2))}
    op["registers"] = random.uniform(0, 2, 8).astype(F)
    return op


def destination_shape(op):
    return tuple(1 if op["reduced"] & bit else op[name] for bit, name in ((H, "height"), (W, "width"), (C, "channels")))


def words(op):
    """The operation as words, in the order of vector_values.cpp."""
    def shape(data, fmt, signed):
        height, width, channels = data
        return [fmt, int(signed), channels, height, width]

    def bits(*values):
        return [struct.unpack("<i", struct.pack("<f", value))[0] for value in values]

    w = [FUNCTIONS.index(op["function"])]
    w += shape(op["source"].shape, op["source_format"], op["source_signed"])
    w += shape(op["source1"].shape, op["source_format"], op["source_signed"])
    w += shape(destination_shape(op), op["destination_format"], op["destination_signed"])
    w += [op["channels"], op["height"], op["width"], int(op["two"]), op["dimensions"], op["dimensions1"]]
    w += op["kernel"] + op["stride"] + op["first"]
    w += [op[name] for name in ("dequantise", "iqcs", "multiply", "group", "compare", "reduced", "lanes", "result")]
    w += [max(len(op["entries"]) - 1, 0), op["extrapolate"]] + op["numerator"] + op["denominator"] + op["offset"]
    w += [op[name] for name in ("group1", "affine", "rounding", "apply_scale", "apply_zero", "subtract", "shift")]
    w += bits(*(op[name] for name in ("source_scale", "source_zero", "source1_scale", "source1_zero", "low", "per_unit", "padding", "scale",
                                      "zero")))
    for name in ("multiplier", "operand", "operand1", "factor", "summand"):
        value, index = op["scalars"][name]
        w += bits(value) + [index]
    w += bits(*op["registers"])
    data = b""
    for name in ("source", "source1"):
        data += padded(pack(op[name], op["source_format"]), pixel_bytes(op[name].shape[2], op["source_format"]), 0xAA)
    data += op["entries"].tobytes()
    return struct.pack(f"<{len(w) + 1}i", len(w) + len(data) // 4, *w) + data


def memory_after(op):
    """The bytes of the destination, and the scalar registers."""
    bits, registers = evaluate(op)
    fmt = op["destination_format"]
    return padded(pack(bits.reshape(destination_shape(op)), fmt), pixel_bytes(bits.shape[2], fmt), 0x55) + registers.tobytes()


if __name__ == "__main__":
    compare(random_operation, words, memory_after, count=600)
