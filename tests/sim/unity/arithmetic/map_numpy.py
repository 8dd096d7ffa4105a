#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks reductions, resizes and pools with all units against NumPy and Python's fractions.

Usage: map_numpy.py PROGRAM [SEED]"""

from fractions import Fraction

import numpy

from unity_cases import Case, generator, run
from unity_numbers import (FLOAT, FLOATS, HALF_FROM_ZERO, INTEGERS, NAN, PRECISION, UNITS, clamp, float_bits, is_float, is_signed,
                           random_bits, round_fraction, store, ulp, value, width, wrap)

LONG = numpy.longdouble


def array(random, unit, shape, **kinds):
    return numpy.array(random_bits(random, unit, int(numpy.prod(shape)), **kinds), dtype=object).reshape(shape)


def values(bits, unit):
    return [value(b, unit) for b in bits]


def interval(number, slack, unit):
    """A sum may be off by `slack`, and is then rounded."""
    if not numpy.isfinite(number) or not numpy.isfinite(slack):
        return float_bits(FLOAT[unit](number), unit)
    return LONG(FLOAT[unit](number - slack)), LONG(FLOAT[unit](number + slack))


def bound(unit, terms):
    """n * 2^-p; FP16 composites use FP32."""
    return terms * LONG(2) ** -(24 if unit == "fp16" else PRECISION[unit])


def extreme(numbers, unit, most):
    """MAX or MIN of floats: NaN wins, -0 is less than +0."""
    if any(numpy.isnan(n) for n in numbers):
        return NAN[unit]
    key = lambda n: (n, not numpy.signbit(n))
    return float_bits((max if most else min)(numbers, key=key), unit)


# --- Reductions ---

AXES = [(0, 1, 2), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]


def reduced(op, bits, unit, saturate, rounding):
    numbers = values(bits, unit)
    n = len(numbers)
    if op in ("REDUCE_ALL", "REDUCE_ANY"):
        truth = [bool(x != 0) for x in numbers]
        return store(int(all(truth) if op == "REDUCE_ALL" else any(truth)), unit, False, 0)
    if not is_float(unit):
        if op == "REDUCE_PROD":
            product = 1
            for x in numbers:
                product *= x
            return store(product, unit, saturate, rounding)
        results = {"REDUCE_SUM": lambda: sum(numbers), "REDUCE_MAX": lambda: max(numbers), "REDUCE_MIN": lambda: min(numbers),
                   "REDUCE_MEAN": lambda: Fraction(sum(numbers), n),
                   "REDUCE_VAR": lambda: Fraction(sum(x * x for x in numbers), n) - Fraction(sum(numbers), n) ** 2}
        return store(results[op](), unit, saturate, rounding)
    if op in ("REDUCE_MAX", "REDUCE_MIN"):
        return extreme(numbers, unit, op == "REDUCE_MAX")
    wide = numpy.array(numbers).astype(LONG)
    if op == "REDUCE_PROD":
        return interval(wide.prod(), abs(wide.prod()) * bound(unit, n) * 2, unit)
    if op == "REDUCE_VAR":
        # Each square has the error of the mean besides its own.
        return interval(wide.var(), bound(unit, 4 * n) * ((wide * wide).sum() / n + wide.mean() ** 2), unit)
    total, slack = wide.sum(), numpy.abs(wide).sum() * bound(unit, n + 1)
    return interval(total, slack, unit) if op == "REDUCE_SUM" else interval(total / n, slack / n, unit)


def reduction_case(random, op, unit, axes):
    shape = [int(n) for n in random.integers(1, 7, 3)]
    saturate, rounding = bool(random.integers(2)), int(random.integers(4))
    real_sum = is_float(unit) and op in ("REDUCE_SUM", "REDUCE_MEAN", "REDUCE_PROD", "REDUCE_VAR")
    bits = array(random, unit, shape, finite=real_sum, small=real_sum or random.integers(2) == 0)
    kept = [n for axis, n in enumerate(shape) if axis not in axes]
    columns = numpy.transpose(bits, [a for a in range(3) if a not in axes] + list(axes)).reshape(int(numpy.prod(kept)), -1)
    case = Case("Reduction", op=op, height=shape[0], width=shape[1], channels=shape[2], over_height=0 in axes, over_width=1 in axes,
                over_channels=2 in axes, saturate=saturate, rounding=rounding)
    case.members["source"] = case.source(bits.ravel().tolist(), unit)
    case.members["result"] = case.result(unit, [reduced(op, column.tolist(), unit, saturate, rounding) for column in columns])
    return case


# --- Resizes, after TensorFlow Lite's reference kernels ---

def fixed(position, size, out, align, half):
    scale = ((1 << 10) * size + out // 2) // out
    if align and out > 1:
        scale = ((1 << 10) * (size - 1) + (out - 1) // 2) // (out - 1)
    scaled = position * scale
    if half:
        scaled += scale // 2 - (1 << 9)
    lower = max(int(scaled / 1024), 0)  # as in C, towards zero
    return scaled, lower, min(int((scaled + 1023) / 1024), size - 1)


def bilinear_whole(numbers, y, x, shape, out, align, half):
    in_y, y0, y1 = fixed(y, shape[0], out[0], align, half)
    in_x, x0, x1 = fixed(x, shape[1], out[1], align, half)
    if y0 >= shape[0] or x0 >= shape[1]:
        return None  # TensorFlow Lite would read outside of its input
    fy, fx = in_y - 1024 * y0, in_x - 1024 * x0
    total = (numbers[y0][x0] * (1024 - fy) * (1024 - fx) + numbers[y1][x0] * fy * (1024 - fx) + numbers[y0][x1] * (1024 - fy) * fx +
             numbers[y1][x1] * fy * fx)
    return int(Fraction(total + ((1 << 19) if total > 0 else -(1 << 19)), 1 << 20))  # towards zero


def real(position, size, out, align, half):
    if align and out > 1:
        at = Fraction(position * (size - 1), out - 1)
    elif half:
        at = Fraction((2 * position + 1) * size, 2 * out) - Fraction(1, 2)
    else:
        at = Fraction(position * size, out)
    at = min(max(at, Fraction(0)), Fraction(size - 1))
    lower = int(at)
    return lower, min(lower + 1, size - 1), at - lower


def nearest(position, size, out, align, half):
    f = numpy.float32
    scale = f(size - 1) / f(out - 1) if align and out > 1 else f(size) / f(out)
    at = (f(position) + f(0.5 if half else 0)) * scale
    if align:
        whole = int(numpy.floor(at + f(0.5)))  # std::round of a number that is not negative
    else:
        whole = int(numpy.floor(at))
    return max(min(whole, size - 1), 0)


def resize_case(random, op, unit):
    shape = [int(n) for n in random.integers(1, 9, 3)]
    out = [int(n) for n in random.integers(1, 14, 2)]
    mode = int(random.integers(3))
    align, half, first = mode == 1, mode == 2, bool(random.integers(2))
    bits = array(random, unit, shape, finite=op == "RESIZE_BILINEAR", small=is_float(unit) and op == "RESIZE_BILINEAR")
    expected = []
    for y in range(out[0]):
        row = []
        for x in range(out[1]):
            if op == "RESIZE_NEAREST":
                row.append([int(b) for b in bits[nearest(y, shape[0], out[0], align, half), nearest(x, shape[1], out[1], align, half)]])
                continue
            pixel = []
            for c in range(shape[2]):
                plane = bits[:, :, c]
                if not is_float(unit):
                    numbers = [[value(b, unit) for b in line] for line in plane.tolist()]
                    pixel.append(wrap(bilinear_whole(numbers, y, x, shape, out, align, half), unit))
                    continue
                y0, y1, fy = real(y, shape[0], out[0], align, half)
                x0, x1, fx = real(x, shape[1], out[1], align, half)
                total = magnitude = LONG(0)
                for r, wr in ((y0, 1 - fy), (y1, fy)):
                    for s, ws in ((x0, 1 - fx), (x1, fx)):
                        term = LONG(value(plane[r, s], unit)) * (LONG((wr * ws).numerator) / LONG((wr * ws).denominator))
                        total, magnitude = total + term, magnitude + abs(term)
                pixel.append(interval(total, magnitude * bound(unit, 4), unit))
            row.append(pixel)
        expected.append(row)
    case = Case("Resize", op=op, align_corners=align, half_pixel=half)
    case.members["source"] = case.map_source(bits, unit, first)
    case.members["result"] = case.map_result(expected, unit, first)
    return case


# --- Pools ---

MAX, MIN, AVERAGE, MEDIAN = range(4)
POOLS = ["MAX_POOL", "MIN_POOL", "AVRG_POOL", "MEDIAN_POOL"]


def pooled(kind, inside, padding, unit):
    if kind == AVERAGE:
        numbers = values(inside, unit)
        if not is_float(unit):
            return wrap(round_fraction(Fraction(sum(numbers), len(numbers)), HALF_FROM_ZERO), unit)
        wide = numpy.array(numbers).astype(LONG)
        return interval(wide.mean(), numpy.abs(wide).mean() * bound(unit, len(numbers) + 1), unit)
    numbers = values(inside + padding, unit)
    if is_float(unit):
        if any(numpy.isnan(n) for n in numbers):
            return NAN[unit]
        ordered = sorted(numbers, key=lambda n: (n, not numpy.signbit(n)))
    else:
        ordered = sorted(numbers)
    chosen = {MAX: ordered[-1], MIN: ordered[0], MEDIAN: ordered[(len(ordered) - 1) // 2]}[kind]
    return float_bits(chosen, unit) if is_float(unit) else wrap(chosen, unit)


def pool_case(random, op, kind, unit):
    while True:
        shape = [int(n) for n in random.integers(1, 9, 3)]
        kernel = [int(n) for n in random.integers(1, 5, 2)]
        if op == "POOL1D":
            shape[0] = kernel[0] = 1
        pads = [int(random.integers(0, kernel[i // 2])) for i in range(4)]  # smaller than the kernel: every window has an element
        strides = [int(n) for n in random.integers(1, 4, 2)]
        out = [(shape[i] + pads[2 * i] + pads[2 * i + 1] - kernel[i]) // strides[i] + 1 for i in range(2)]
        if min(shape[i] + pads[2 * i] + pads[2 * i + 1] - kernel[i] for i in range(2)) >= 0:
            break
    first = bool(random.integers(2))
    average = kind == AVERAGE
    bits = array(random, unit, shape, finite=average, small=average and is_float(unit))
    padding = array(random, unit, shape[2:]).tolist()
    per_channel = bool(random.integers(2))
    case = Case("Pool", op=op, kind=kind, kernel_height=kernel[0], kernel_width=kernel[1], top=pads[0], bottom=pads[1], left=pads[2],
                right=pads[3], stride_vertical=strides[0], stride_horizontal=strides[1])
    expected = []
    for y in range(out[0]):
        rows = range(y * strides[0] - pads[0], y * strides[0] - pads[0] + kernel[0])
        line = []
        for x in range(out[1]):
            columns = range(x * strides[1] - pads[2], x * strides[1] - pads[2] + kernel[1])
            places = [(r, s) for r in rows for s in columns if 0 <= r < shape[0] and 0 <= s < shape[1]]
            rest = kernel[0] * kernel[1] - len(places)
            line.append([pooled(kind, [int(bits[r, s, c]) for r, s in places], [padding[c if per_channel else 0]] * rest, unit)
                         for c in range(shape[2])])
        expected.append(line)
    case.members["source"] = case.map_source(bits, unit, first, (int(random.integers(3)), int(random.integers(3))))
    case.members["result"] = case.map_result(expected, unit, first)
    parameter = {"immediate": not per_channel, "unit": UNITS.index(unit)}
    if per_channel:
        parameter.update(address=case.source(padding, unit)[0], channel=width(unit) // 4)
    else:
        parameter["value"] = padding[0]
    case.members["padding"] = parameter
    return case


def cases(random):
    for unit in UNITS:
        for axes in AXES:
            for op in ["ALL", "ANY", "MEAN", "MAX", "MIN", "PROD", "SUM", "VAR"]:
                yield reduction_case(random, "REDUCE_" + op, unit, axes)
                yield reduction_case(random, "REDUCE_" + op, unit, axes)
        for _ in range(12):
            yield resize_case(random, "RESIZE_NEAREST", unit)
            if is_float(unit) or width(unit) < 64:
                yield resize_case(random, "RESIZE_BILINEAR", unit)
        for kind in range(4):
            for op in [POOLS[kind], "POOL1D", "UDEF_POOL"]:
                for _ in range(4):
                    yield pool_case(random, op, kind, unit)


if __name__ == "__main__":
    run(list(cases(generator())))
