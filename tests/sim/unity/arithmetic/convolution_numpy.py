#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks convolutions, matrix products and quantised sums with all units and modes of their parameters, bit for bit.

Usage: convolution_numpy.py PROGRAM [SEED]"""

from fractions import Fraction

import numpy

from unity_cases import Case, generator, run
from unity_numbers import (FLOAT, FLOATS, HALF_EVEN, INTEGERS, PRECISION, UNITS, clamp, float_bits, is_float, is_signed, nearest_float, pack,
                           random_bits, round_fraction, store, to_float, value, widest, width, wrap)

IMMEDIATE, PER_CHANNEL, PER_ELEMENT = range(3)


def signed(number, bits):
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


# --- TensorFlow Lite's steps, as its reference kernels are written ---

def truncated(a, b):
    return abs(a) // b if a >= 0 else -(abs(a) // b)


def doubled_high_product(a, b):
    if a == b == -(1 << 31):
        return (1 << 31) - 1
    product = a * b
    return truncated(product + (1 << 30 if product >= 0 else 1 - (1 << 30)), 1 << 31)


def divided_by_power(x, exponent):
    mask = (1 << exponent) - 1
    threshold = (mask >> 1) + (1 if x < 0 else 0)
    return (x >> exponent) + (1 if x & mask > threshold else 0)


def requantised(x, multiplier, shift):
    x = signed(x << max(shift, 0), 32)
    return divided_by_power(doubled_high_product(x, multiplier), max(-shift, 0))


# --- Parameters ---

def parameter_values(random, unit, shape, mode, low=None, high=None):
    """Bits [h][w][c] and how they are stored: a value, a channel's line or a dense map."""
    shape = {IMMEDIATE: (1, 1, 1), PER_CHANNEL: (1, 1, shape[2]), PER_ELEMENT: shape}[mode]
    count = int(numpy.prod(shape))
    if low is None:
        bits = random_bits(random, unit, count, finite=True, small=is_float(unit) or random.integers(2) == 0)
    else:
        bits = [wrap(int(n), unit) for n in random.integers(low, high, count)]
    return numpy.array(bits, dtype=object).reshape(shape)


def parameter(case, bits, unit, mode, channels_first):
    members = {"immediate": mode == IMMEDIATE, "unit": UNITS.index(unit)}
    if mode == IMMEDIATE:
        members["value"] = int(bits[0, 0, 0])
    elif mode == PER_CHANNEL:
        members.update(address=case.source(bits.ravel().tolist(), unit)[0], channel=width(unit) // 4)
    else:
        stored = case.map_source(bits, unit, channels_first)
        members.update({key: stored[key] for key in ("address", "row", "column", "channel")})
    return members


def at(bits, unit, h, w, c):
    return value(bits[min(h, bits.shape[0] - 1), min(w, bits.shape[1] - 1), min(c, bits.shape[2] - 1)], unit)


# --- Real numbers: fma in FP32 or FP64 by row, column and channel ---

def as_fraction(number):
    return Fraction(float(number))


# --- What follows the sums of a convolution ---

class Output:
    """Bias, multiplier, shift, scale and bounds for a result of `shape`, (h, w, channels)."""

    def __init__(self, random, units, multiplier_kind, shape, plain=False):
        self.bias_unit, self.scale_unit, self.to = units
        self.multiplier_kind, self.plain = multiplier_kind, plain
        self.modes = {name: int(random.integers(3)) for name in ("bias", "multiplier", "shift", "scale")}
        self.bias = parameter_values(random, self.bias_unit, shape, self.modes["bias"])
        self.scale = parameter_values(random, self.scale_unit, shape, self.modes["scale"])
        self.multiplier = self.shift = self.clip = None
        if multiplier_kind == "s32":
            self.multiplier = parameter_values(random, "s32", shape, self.modes["multiplier"])
            self.shift = parameter_values(random, "s8", shape, self.modes["shift"], -31, 31)
        elif multiplier_kind:
            self.multiplier = parameter_values(random, multiplier_kind, shape, self.modes["multiplier"])
        if random.integers(2) and not plain:
            if is_float(self.to):
                low, high = sorted(float(numpy.float16(n)) for n in random.normal(size=2) * 30)
                self.clip = {"float_minimum": low, "float_maximum": high}
            else:
                end = (-200, 200) if is_signed(self.to) else (0, 400)
                low, high = sorted(int(n) for n in random.integers(*end, size=2))
                self.clip = {"minimum": low, "maximum": high}

    def members(self, case, channels_first):
        if self.plain:
            return
        case.members["has_multiplier"] = self.multiplier_kind is not None
        case.members["bias"] = parameter(case, self.bias, self.bias_unit, self.modes["bias"], channels_first)
        case.members["scale"] = parameter(case, self.scale, self.scale_unit, self.modes["scale"], channels_first)
        if self.multiplier is not None:
            case.members["multiplier"] = parameter(case, self.multiplier, self.multiplier_kind, self.modes["multiplier"], channels_first)
        if self.shift is not None:
            case.members["shift"] = parameter(case, self.shift, "s8", self.modes["shift"], channels_first)
        if self.clip:
            case.members["clip"] = self.clip

    def bounded(self, number):
        if self.clip is None:
            return number
        low, high = self.clip.values()
        return type(number)(low) if number < low else type(number)(high) if number > high else number

    def of_whole(self, number):
        if is_float(self.to):
            return float_bits(self.bounded(to_float(number, self.to)), self.to)
        return clamp(self.bounded(number), self.to)

    def of_real(self, number):
        """A scalar of FP32 or FP64."""
        if is_float(self.to):
            return float_bits(FLOAT[self.to](self.bounded(number)), self.to)
        if numpy.isnan(number):
            return clamp(self.bounded(0), self.to)
        whole = round_fraction(as_fraction(number), HALF_EVEN) if numpy.isfinite(number) else (1 << 70) * int(numpy.sign(number))
        return clamp(self.bounded(whole), self.to)

    def whole(self, total, *place):
        """Bits from the exact sum of integers."""
        if self.plain:
            return wrap(total, self.to)
        total = signed(total + at(self.bias, self.bias_unit, *place), 64)
        end = at(self.scale, self.scale_unit, *place)
        if self.multiplier_kind is None:
            return self.of_whole(total + end)
        factor = at(self.multiplier, self.multiplier_kind, *place)
        if self.multiplier_kind == "s32":
            return self.of_whole(requantised(signed(total, 32), factor, at(self.shift, "s8", *place)) + end)
        return self.of_real(to_float(total, "fp32") * numpy.float32(factor) + to_float(end, "fp32"))

    def real(self, total, unit, *place):
        """Bits from a finite sum in FP32 or FP64, the unit."""
        if not self.plain:
            total = nearest_float(total + as_fraction(at(self.bias, self.bias_unit, *place)), unit)
            if self.multiplier_kind:
                total = nearest_float(total * as_fraction(at(self.multiplier, self.multiplier_kind, *place)), unit)
            total = nearest_float(total + as_fraction(at(self.scale, self.scale_unit, *place)), unit)
        return self.of_real(FLOAT[unit](float(total)))

    def not_finite(self, total, *place):
        """Bits from a sum that is NaN or infinite."""
        total = numpy.float64(total) + at(self.bias, self.bias_unit, *place)
        if self.multiplier_kind:
            total = total * numpy.float64(at(self.multiplier, self.multiplier_kind, *place))
        return self.of_real(total + numpy.float64(at(self.scale, self.scale_unit, *place)))


def sum_unit(units, multiplier_kind=None):
    """The unit in which real products are summed."""
    return "fp64" if "fp64" in [*units, multiplier_kind] else "fp32"


def fma_sum(products, unit):
    """The sum of pairs of finite numbers in their order, each step rounded to the unit."""
    total = Fraction(0)
    for x, k in products:
        total = nearest_float(total + as_fraction(x) * as_fraction(k), unit)
    return total


# --- Convolutions ---

def geometry(random, udef, transposed):
    while True:
        g = {"stride": [int(n) for n in random.integers(1, 4, 2)], "kernel": [int(n) for n in random.integers(1, 5, 2)],
             "rate": [int(n) for n in random.integers(1, 3, 2)], "pads": [int(n) for n in random.integers(0, 4, 4)],
             "enlarge": [int(n) for n in random.integers(1, 4, 2)] if transposed else [1, 1],
             "shape": [int(n) for n in random.integers(1, 7, 2)]}
        big = [(g["shape"][i] - 1) * g["enlarge"][i] + 1 for i in range(2)]
        rest = [big[i] + g["pads"][2 * i] + g["pads"][2 * i + 1] - (g["kernel"][i] - 1) * g["rate"][i] - 1 for i in range(2)]
        if min(rest) >= 0:
            g["out"] = [rest[i] // g["stride"][i] + 1 for i in range(2)]
            return g


def convolution_case(random, op, units, multiplier_kind, integers):
    """`units`: of the map, the kernel, the bias, the scale and the result. `multiplier_kind`: None, s32 or a float."""
    fm, kernel_unit, bias_unit, scale_unit, to = units
    plain = op == "MATRIX_MUL"
    g = geometry(random, op == "UDEF_CONV", op == "TRANSPOSE_CONV")
    first = bool(random.integers(2))
    groups, depth, number = 1, int(random.integers(1, 6)), int(random.integers(1, 6))
    if op == "DEP_CONV":
        groups, depth, number = depth, 1, depth * int(random.integers(1, 4))
    elif op == "UDEF_CONV":
        groups = int(random.integers(1, 4))
        number *= groups
    channels = groups * depth
    kinds = {"finite": True, "small": not integers or random.integers(2) == 0}
    source = numpy.array(random_bits(random, fm, g["shape"][0] * g["shape"][1] * channels, **kinds), dtype=object).reshape(*g["shape"], channels)
    weights = numpy.array(random_bits(random, kernel_unit, number * g["kernel"][0] * g["kernel"][1] * depth, **kinds),
                          dtype=object).reshape(number, *g["kernel"], depth)
    zero = int(random.integers(-128, 128)) if op == "UDEF_CONV" and integers else 0
    padding_mode = int(random.integers(2))
    padding = parameter_values(random, fm, (1, 1, channels), padding_mode) if integers else parameter_values(
        random, fm, (1, 1, channels), padding_mode)
    result_shape = (*g["out"], number)
    output = Output(random, (bias_unit, scale_unit, to), multiplier_kind, result_shape, plain)

    def source_value(y, x, c):
        inside = y >= 0 and x >= 0 and y % g["enlarge"][0] == 0 and x % g["enlarge"][1] == 0
        y, x = y // g["enlarge"][0], x // g["enlarge"][1]
        if inside and y < g["shape"][0] and x < g["shape"][1]:
            return value(source[y, x, c], fm)
        return at(padding, fm, 0, 0, c)

    def products(h, w, o):
        group = o // (number // groups)
        for i in range(g["kernel"][0]):
            for j in range(g["kernel"][1]):
                y = h * g["stride"][0] - g["pads"][0] + i * g["rate"][0]
                x = w * g["stride"][1] - g["pads"][2] + j * g["rate"][1]
                for c in range(depth):
                    yield source_value(y, x, group * depth + c), value(weights[o, i, j, c], kernel_unit)

    real = sum_unit([fm, kernel_unit, to] if plain else units, multiplier_kind)

    def one(*place):
        if integers:
            return output.whole(sum(x * (k - zero) for x, k in products(*place)), *place)
        return output.real(fma_sum(products(*place), real), real, *place)

    expected = [[[one(h, w, o) for o in range(number)] for w in range(g["out"][1])] for h in range(g["out"][0])]

    case = Case("Convolution", op=op, groups=groups, kernel_zero=zero, top=g["pads"][0], bottom=g["pads"][1], left=g["pads"][2],
                right=g["pads"][3], stride_vertical=g["stride"][0], stride_horizontal=g["stride"][1], rate_vertical=g["rate"][0],
                rate_horizontal=g["rate"][1], enlarge_vertical=g["enlarge"][0], enlarge_horizontal=g["enlarge"][1], plain=plain)
    case.members["source"] = case.map_source(source, fm, first, (int(random.integers(3)), int(random.integers(3))))
    case.members["kernel"] = kernel_members(case, random, op, weights, kernel_unit, first)
    case.members["padding"] = parameter(case, padding, fm, padding_mode, first)
    output.members(case, first)
    case.members["result"] = case.map_result(expected, to, first)
    return case


def kernel_members(case, random, op, weights, unit, channels_first):
    """[number][row][column][channel], [number][channel][row][column] or, depthwise, [row][column][number]; dense or with a gap of bytes."""
    number, rows, columns, depth = weights.shape
    nibbles = width(unit) // 4
    if op == "DEP_CONV":
        order, extents = ("nrc", (number, rows, columns)) if channels_first else ("rcn", (rows, columns, number))
        stored = weights[..., 0].transpose(["nrc".index(axis) for axis in order])
    else:
        order, extents = ("ndrc", (number, depth, rows, columns)) if channels_first else ("nrcd", (number, rows, columns, depth))
        stored = weights.transpose(["nrcd".index(axis) for axis in order])
    steps, step = {}, nibbles
    for axis, extent in reversed(list(zip(order, extents))):
        steps[axis], step = step, step * extent
    gap = 0
    if random.integers(2):  # the outermost index starts at a byte, and further apart
        outer = steps[order[0]]
        steps[order[0]] = 2 * (-(-outer // 2) + int(random.integers(3)) * max(nibbles // 2, 1))
        lines = stored.reshape(extents[0], -1)
        data = b"".join(pack(line.tolist(), unit).ljust(steps[order[0]] // 2, b"\0") for line in lines)
    else:
        data = pack(stored.ravel().tolist(), unit)
    return {"address": case.data(data), "unit": UNITS.index(unit), "number": number, "height": rows, "width": columns, "channels": depth,
            "number_step": steps["n"], "row": steps["r"], "column": steps["c"], "channel": steps.get("d", 0)}


# --- ELE_ADD and ELE_SUB ---

def add_case(random, units, kind, real):
    """`kind`: the multiplier's unit, None, or "scaled" for TensorFlow Lite's ADD."""
    a_unit, b_unit, to = units
    subtract = bool(random.integers(2))
    period, repeat = int(random.integers(1, 8)), int(random.integers(1, 4))
    count = period * repeat * int(random.integers(1, 4))
    small = {"finite": real, "small": real or random.integers(2) == 0}
    a, b = random_bits(random, a_unit, count, **small), random_bits(random, b_unit, period, **small)
    case = Case("QuantisedAdd", op="ELE_SUB" if subtract else "ELE_ADD", second={"repeat": repeat, "period": period})
    zeros, out_zero = ([0, 0], 0) if real else ([int(n) for n in random.integers(-128, 128, 2)], int(random.integers(-128, 128)))
    clip = None
    if random.integers(2):
        if is_float(to):
            clip = {"float_minimum": -2.5, "float_maximum": 3.0}
        else:
            low, high = sorted(int(n) for n in random.integers(*((-200, 200) if is_signed(to) else (0, 400)), size=2))
            clip = {"minimum": low, "maximum": high}
        case.members["clip"] = clip
    case.members.update(input_zero=zeros, output_zero=out_zero)

    def bounded(number):
        if clip is None:
            return number
        low, high = clip.values()
        return type(number)(low) if number < low else type(number)(high) if number > high else number

    shift = int(random.integers(-31, 31))
    multiplier_unit = None if kind is None else "s32" if kind == "scaled" else kind
    bits = None if multiplier_unit is None else random_bits(random, multiplier_unit, 1, finite=True, small=is_float(multiplier_unit))[0]
    if bits is not None:
        case.members.update(has_multiplier=True, multiplier_unit=UNITS.index(multiplier_unit), multiplier=bits, shift=shift)
    left, in_multipliers, in_shifts = int(random.integers(1, 32)), random_bits(random, "s32", 2), random.integers(-31, 31, 2).tolist()
    if kind == "scaled":
        case.members.update(left_shift=left, input_multiplier=[value(m, "s32") for m in in_multipliers], input_shift=in_shifts)

    expected = []
    for i in range(count):
        x, y = value(a[i], a_unit), value(b[i // repeat % period], b_unit)
        if real:
            unit = widest([a_unit, b_unit, to] + ([multiplier_unit] if multiplier_unit else []))
            x, y = to_float(x, unit), to_float(y, unit)
            total = x - y if subtract else x + y
            if multiplier_unit:
                total = total * FLOAT[unit](value(bits, multiplier_unit))
            if is_float(to):
                expected.append(store(bounded(total), to, True, 0))
            elif numpy.isnan(total):
                expected.append(clamp(bounded(0), to))
            else:
                whole = round_fraction(as_fraction(total), HALF_EVEN) if numpy.isfinite(total) else (1 << 70) * int(numpy.sign(total))
                expected.append(clamp(bounded(whole), to))
            continue
        x, y = x - zeros[0], y - zeros[1]
        if kind == "scaled":
            x = requantised(signed(signed(x, 32) << left, 32), value(in_multipliers[0], "s32"), in_shifts[0])
            y = requantised(signed(signed(y, 32) << left, 32), value(in_multipliers[1], "s32"), in_shifts[1])
        total = x - y if subtract else x + y
        if multiplier_unit == "s32":
            total = requantised(signed(total, 32), value(bits, "s32"), shift)
        elif multiplier_unit:
            f = numpy.float32
            scaled = to_float(total, "fp32")
            scaled = scaled * f(value(bits, multiplier_unit)) + f(out_zero)
            whole = 0 if numpy.isnan(scaled) else round_fraction(as_fraction(scaled), HALF_EVEN)
            expected.append(clamp(bounded(whole), to))
            continue
        expected.append(clamp(bounded(total + out_zero), to))
    case.members["source"] = [case.source(a, a_unit), case.source(b, b_unit)]
    case.members["result"] = case.result(to, expected)
    return case


def cases(random):
    def unit(units):
        return units[random.integers(len(units))]

    for op in ["CONV2D", "DEP_CONV", "TRANSPOSE_CONV", "DILATE_CONV", "CONV1D", "UDEF_CONV"]:
        for one in INTEGERS:
            for place in range(5):
                units = [unit(INTEGERS) for _ in range(5)]
                units[place] = one
                yield convolution_case(random, op, units, [None, "s32", unit(FLOATS)][(place + INTEGERS.index(one)) % 3], True)
        for one in FLOATS:
            for place in range(6):
                units = [unit(FLOATS) for _ in range(5)]
                units[min(place, 4)] = one
                yield convolution_case(random, op, units, [None, one, unit(FLOATS)][place % 3], False)
            yield convolution_case(random, op, [one] * 5, one, False)
        for one in INTEGERS:
            yield convolution_case(random, op, [unit(INTEGERS) for _ in range(4)] + [unit(FLOATS)], [None, "s32", unit(FLOATS)][random.integers(3)], True)
            yield convolution_case(random, op, [unit(FLOATS) for _ in range(4)] + [one], [None, unit(FLOATS)][random.integers(2)], False)
        for _ in range(12):  # the units of quantised networks
            yield convolution_case(random, op, ["s8", "s8", "s32", "s8", "s8"], "s32", True)
    for one in INTEGERS:
        for to in ["s32", "u32"]:
            yield convolution_case(random, "MATRIX_MUL", [one, unit(INTEGERS), "s8", "s8", to], None, True)
            yield convolution_case(random, "MATRIX_MUL", [unit(INTEGERS), one, "s8", "s8", to], None, True)
    for one in FLOATS:
        yield convolution_case(random, "MATRIX_MUL", [one, unit(FLOATS), "fp32", "fp32", "fp32"], None, False)
        yield convolution_case(random, "MATRIX_MUL", [unit(FLOATS), one, "fp32", "fp32", "fp32"], None, False)
    for one in INTEGERS:
        for kind in [None, "s32", "scaled", unit(FLOATS)]:
            for place in range(3):
                units = [unit(INTEGERS) for _ in range(3)]
                units[place] = one
                yield add_case(random, units, kind, False)
            yield add_case(random, [one] * 3, kind, False)
    for one in UNITS:
        for kind in [None, unit(FLOATS)]:
            for place in range(3):
                units = [unit(UNITS) for _ in range(3)]
                units[place] = one
                if widest(units):
                    yield add_case(random, units, kind, True)


if __name__ == "__main__":
    run(list(cases(generator())))
