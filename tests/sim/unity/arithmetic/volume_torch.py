#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks convolutions and pools of volumes, and pools of sections, with all units. The windows are torch's; sums and what follows are exact.

Usage: volume_torch.py PROGRAM [SEED]"""

import numpy
import torch

from convolution_numpy import PER_CHANNEL, Output, fma_sum, parameter, parameter_values, sum_unit
from map_numpy import AVERAGE, MAX, MEDIAN, MIN, pooled
from unity_cases import Case, generator, run
from unity_numbers import FLOATS, INTEGERS, UNITS, is_float, pack, random_bits, store, value, width

torch.set_num_threads(1)
functional = torch.nn.functional
SPATIAL = 3


def random_array(random, unit, shape, **kinds):
    return numpy.array(random_bits(random, unit, int(numpy.prod(shape)), **kinds), dtype=object).reshape(shape)


def integers(random, low, high, count):
    return [int(n) for n in random.integers(low, high, count)]


# --- Volumes in memory ---

def volume_source(case, random, bits, unit):
    """Members of an array [d][h][w][c] whose planes, lines and pixels have gaps, or none."""
    depth, height, wide, channels = bits.shape
    nibbles = width(unit) // 4
    element = max(nibbles, 2)  # a distance is a multiple of it

    def distance(dense, whole):
        dense = -(-dense // 2) * 2 if whole else dense
        gap = int(random.integers(3))
        return dense if gap == 0 else -(-dense // element) * element + (gap - 1) * element

    column = distance(channels * nibbles, False)
    row = distance(wide * column, True)
    plane = distance(height * row, True)
    address = case.reserve((depth * plane + 1) // 2)
    for place in numpy.ndindex(depth, height, wide):
        at = 2 * address + int(numpy.dot(place, (plane, row, column)))
        for i, one in enumerate(bits[place].tolist()):
            put(case.memory, at + i * nibbles, one, nibbles)
    members = {"address": address, "unit": UNITS.index(unit), "height": height, "width": wide, "channels": channels, "row": row,
               "column": column, "channel": nibbles}
    case.members.update(source=members, depth=depth, source_step=plane)


def put(memory, nibble, bits, nibbles):
    if nibbles > 1:
        memory[nibble // 2:nibble // 2 + nibbles // 2] = bits.to_bytes(nibbles // 2, "little")
    else:
        shift = nibble % 2 * 4
        memory[nibble // 2] = memory[nibble // 2] & (0xF0 >> shift) | bits << shift


def volume_result(case, expected, unit):
    """`expected`: a list [d][h][w][c]. The planes are dense."""
    case.members.update(result=case.map_result([line for plane in expected for line in plane], unit, False), result_depth=len(expected))


# --- Windows ---

def padded(bits, padding, pads, enlarge):
    """The enlarged array [d][h][w][c] in its padding, which is an array [c]. `pads`: pairs."""
    big = [(n - 1) * e + 1 for n, e in zip(bits.shape, enlarge)]
    result = numpy.empty([n + sum(pair) for n, pair in zip(big, pads)] + [bits.shape[-1]], dtype=object)
    result[:] = padding
    inner = tuple(slice(first, first + n, e) for (first, _), n, e in zip(pads, big, enlarge))
    result[inner] = bits
    return result


def window_numbers(shape, kernel, strides):
    """Numbers of the positions of each window, [d][h][w][position] in the order of plane, row and column, as torch unfolds them."""
    numbers = torch.arange(int(numpy.prod(shape))).reshape(*shape)
    for axis in range(SPATIAL):
        numbers = numbers.unfold(axis, kernel[axis], strides[axis])
    return numbers.reshape(*numbers.shape[:SPATIAL], -1).numpy()


def geometry(random, transposed, smallest=0):
    """Shapes of windows that fit. A kernel of 0 is the whole map."""
    while True:
        g = {"shape": integers(random, 1, 5, SPATIAL), "kernel": integers(random, smallest, 4, SPATIAL), "stride": integers(random, 1, 4, SPATIAL),
             "pads": [tuple(integers(random, 0, 3, 2)) for _ in range(SPATIAL)],
             "enlarge": integers(random, 1, 4, SPATIAL) if transposed else [1] * SPATIAL}
        g["kernel"] = [k or n for k, n in zip(g["kernel"], g["shape"])]
        size = [(n - 1) * e + 1 + sum(pads) for n, e, pads in zip(g["shape"], g["enlarge"], g["pads"])]
        if all(n >= k for n, k in zip(size, g["kernel"])) and numpy.prod(size) < 300:
            return g


def window_members(g):
    (front, back), (top, bottom), (left, right) = g["pads"]
    return {"kernel_depth": g["kernel"][0], "front": front, "back": back, "top": top, "bottom": bottom, "left": left, "right": right,
            "stride_depth": g["stride"][0], "stride_vertical": g["stride"][1], "stride_horizontal": g["stride"][2]}


# --- Convolutions ---

def check_sums(sums, padded_numbers, weights, strides):
    """Compares exact or rounded sums with torch's convolution in FP64."""
    x = torch.tensor(padded_numbers.astype(float)).permute(3, 0, 1, 2)[None]
    k = torch.tensor(weights.astype(float)).permute(0, 4, 1, 2, 3)
    theirs = functional.conv3d(x, k, stride=strides)[0].permute(1, 2, 3, 0).numpy()
    slack = functional.conv3d(x.abs(), k.abs(), stride=strides)[0].permute(1, 2, 3, 0).numpy() * k[0].numel() * 2.0 ** -24
    assert (numpy.abs(theirs - sums.astype(float)) <= slack).all(), "torch has other sums"


def convolution_case(random, op, units, multiplier_kind, whole, finite=True):
    """`units`: of the map, the kernel, the bias, the scale and the result. `multiplier_kind`: None, s32 or a float."""
    fm, kernel_unit, bias_unit, scale_unit, to = units
    g = geometry(random, op == "TRANS_CONV3D", smallest=1)
    channels, number = integers(random, 1, 5, 2)
    kinds = {"finite": True, "small": not whole or random.integers(2) == 0}
    source = random_array(random, fm, (*g["shape"], channels), **kinds)
    weights = random_array(random, kernel_unit, (number, *g["kernel"], channels), **kinds)
    if not finite:
        for bits, unit in ((source, fm), (weights, kernel_unit)):
            for _ in range(int(random.integers(2))):
                bits.flat[random.integers(bits.size)] = store(random.choice([numpy.nan, numpy.inf, -numpy.inf]), unit, False, 0)
    padding_mode = int(random.integers(2))
    padding = parameter_values(random, fm, (1, 1, channels), padding_mode)

    everywhere = padded(source, padding[0, 0], g["pads"], g["enlarge"])
    shape = everywhere.shape[:SPATIAL]
    at = window_numbers(shape, g["kernel"], g["stride"])
    numbers = numpy.vectorize(lambda bits: value(bits, fm), otypes=[object])(everywhere)
    factors = numpy.vectorize(lambda bits: value(bits, kernel_unit), otypes=[object])(weights)
    pixels, kernels = numbers.reshape(-1, channels), factors.reshape(number, -1, channels)
    planes, lines, columns = at.shape[:SPATIAL]
    output = Output(random, (bias_unit, scale_unit, to), multiplier_kind, (planes * lines, columns, number))
    real = sum_unit(units, multiplier_kind)

    def product_sum(d, h, w, o):
        window, kernel = pixels[at[d, h, w]], kernels[o]
        if whole:
            return int((window * kernel).sum())
        if finite:
            return fma_sum(zip(window.ravel(), kernel.ravel()), real)
        return float((window.astype(float) * kernel.astype(float)).sum())

    def result(total, *place):
        if whole:
            return output.whole(total, *place)
        if numpy.isfinite(float(total)):
            return output.real(total, real, *place)
        return output.not_finite(total, *place)

    sums = numpy.empty((planes, lines, columns, number), dtype=object)
    for place in numpy.ndindex(sums.shape):
        sums[place] = product_sum(*place)
        if not finite and numpy.isfinite(sums[place]):
            sums[place] = fma_sum(zip(pixels[at[place[:SPATIAL]]].ravel(), kernels[place[-1]].ravel()), real)
    if finite:
        check_sums(sums, numbers, factors, g["stride"])
    expected = [[[[result(sums[d, h, w, o], d * lines + h, w, o) for o in range(number)] for w in range(columns)] for h in range(lines)]
                for d in range(planes)]

    case = Case("VolumeConvolution", op=op, enlarge_depth=g["enlarge"][0], enlarge_vertical=g["enlarge"][1],
                enlarge_horizontal=g["enlarge"][2], **window_members(g))
    volume_source(case, random, source, fm)
    kernel_members(case, random, weights, kernel_unit)
    case.members["padding"] = parameter(case, padding, fm, padding_mode, False)
    output.members(case, False)
    volume_result(case, expected, to)
    return case


def kernel_members(case, random, weights, unit):
    """[number][depth][row][column][channel], dense but for a gap between numbers."""
    number, depth, rows, columns, channels = weights.shape
    nibbles = width(unit) // 4
    steps = {"column": channels * nibbles, "row": columns * channels * nibbles, "channel": nibbles}
    plane = rows * steps["row"]
    gap = int(random.integers(2))
    step = -(-depth * plane // max(nibbles, 2)) * max(nibbles, 2) + max(nibbles, 2) if gap else depth * plane
    if gap:
        memory = bytearray((number * step + 1) // 2)
        for i, one in enumerate(weights):
            data = pack(one.ravel().tolist(), unit)
            memory[i * step // 2:i * step // 2 + len(data)] = data
    else:
        memory = pack(weights.ravel().tolist(), unit)
    case.members["kernel"] = {"address": case.data(memory), "unit": UNITS.index(unit), "number": number, "height": rows, "width": columns,
                              "channels": channels, "number_step": step, **steps}
    case.members["kernel_step"] = plane


# --- Pools ---

def pool_bits(random, kind, unit, shape):
    """Averages of floats: mostly numbers of one size, whose sum has a bound."""
    plain = kind == AVERAGE and is_float(unit) and random.integers(4) != 0
    return random_array(random, unit, shape, finite=plain, small=plain)


def pool_case(random, kind, unit):
    g = geometry(random, False)
    channels = int(random.integers(1, 5))
    bits = pool_bits(random, kind, unit, (*g["shape"], channels))
    padding_mode = int(random.integers(2))
    padding = random_array(random, unit, (1, 1, channels if padding_mode == PER_CHANNEL else 1))
    everywhere = padded(bits, padding[0, 0], g["pads"], g["enlarge"])
    inside = padded(numpy.ones_like(bits), numpy.zeros(channels, dtype=object), g["pads"], g["enlarge"])[..., 0].ravel().astype(bool)
    at = window_numbers(everywhere.shape[:SPATIAL], g["kernel"], g["stride"])
    pixels = everywhere.reshape(-1, channels)

    def one(window, c):
        valid, rest = window[inside[window]], window[~inside[window]]
        if kind == AVERAGE and len(valid) == 0:
            return 0
        return pooled(kind, pixels[valid, c].tolist(), pixels[rest, c].tolist(), unit)

    case = Case("VolumePool", op="POOL3D", kind=kind, kernel_height=g["kernel"][1], kernel_width=g["kernel"][2], **window_members(g))
    volume_source(case, random, bits, unit)
    case.members["padding"] = parameter(case, padding, unit, padding_mode, False)
    expected = [[[[one(window, c) for c in range(channels)] for window in line] for line in plane] for plane in at]
    check_extremes(expected, everywhere, kind, unit, lambda x: functional.max_pool3d(x, g["kernel"], g["stride"]))
    volume_result(case, expected, unit)
    return case


def check_extremes(expected, bits, kind, unit, pool):
    """Compares MAX and MIN pools with those of torch in FP64, which has all numbers of up to 32 bits."""
    if kind not in (MAX, MIN) or (width(unit) == 64 and not is_float(unit)):
        return
    sign = 1 if kind == MAX else -1
    x = torch.tensor([sign * float(value(b, unit)) for b in bits.ravel()], dtype=torch.float64).reshape(bits.shape)
    theirs = sign * pool(x.permute(3, 0, 1, 2)[None])[0].permute(1, 2, 3, 0).numpy().ravel()
    ours = [float(value(b, unit)) for b in numpy.array(expected, dtype=object).ravel()]
    assert numpy.array_equal(theirs, ours, equal_nan=True), "torch has other extremes"


def section_masks(extent, sections):
    """Which positions of a direction each section has: those to which torch's average passes a gradient on."""
    x = torch.zeros(1, 1, extent, dtype=torch.float64, requires_grad=True)
    averages = functional.adaptive_avg_pool1d(x, sections)[0, 0]
    return [torch.autograd.grad(one, x, retain_graph=True)[0][0, 0].numpy() != 0 for one in averages]


def section_case(random, op, kind, unit):
    shape, out = integers(random, 1, 7, SPATIAL), integers(random, 1, 6, SPATIAL)
    volume = op == "ADAPTIVV_POOL3D"
    if not volume:
        shape[0] = out[0] = 1
    if op == "ADAPTIVV_POOL1D":
        shape[1] = out[1] = 1
    channels = int(random.integers(1, 4))
    bits = pool_bits(random, kind, unit, (*shape, channels))
    masks = [section_masks(n, o) for n, o in zip(shape, out)]

    def one(d, h, w, c):
        window = bits[masks[0][d]][:, masks[1][h]][:, :, masks[2][w]][..., c]
        return pooled(kind, window.ravel().tolist(), [], unit)

    expected = [[[[one(d, h, w, c) for c in range(channels)] for w in range(out[2])] for h in range(out[1])] for d in range(out[0])]
    check_extremes(expected, bits, kind, unit, lambda x: functional.adaptive_max_pool3d(x, out))
    case = Case("SectionPool", op=op, kind=kind)
    if not volume and random.integers(2):
        case.members["source"] = case.map_source(bits[0], unit, True, tuple(integers(random, 0, 3, 2)))
        case.members["result"] = case.map_result(expected[0], unit, True)
    else:
        volume_source(case, random, bits, unit)
        volume_result(case, expected, unit)
    return case


def cases(random):
    def unit(units):
        return units[random.integers(len(units))]

    for op in ["CONV3D", "TRANS_CONV3D"]:
        for one in INTEGERS:
            for place in range(5):
                units = [unit(INTEGERS) for _ in range(5)]
                units[place] = one
                yield convolution_case(random, op, units, [None, "s32", unit(FLOATS)][(place + INTEGERS.index(one)) % 3], True)
            yield convolution_case(random, op, [unit(INTEGERS) for _ in range(4)] + [unit(FLOATS)], [None, "s32", unit(FLOATS)][random.integers(3)], True)
            yield convolution_case(random, op, [unit(FLOATS) for _ in range(4)] + [one], [None, unit(FLOATS)][random.integers(2)], False)
        for one in FLOATS:
            for place in range(5):
                units = [unit(FLOATS) for _ in range(5)]
                units[place] = one
                yield convolution_case(random, op, units, [None, one, unit(FLOATS)][place % 3], False)
                yield convolution_case(random, op, units, [None, one, unit(FLOATS)][place % 3], False, finite=False)
        for _ in range(10):  # the units of quantised networks
            yield convolution_case(random, op, ["s8", "s8", "s32", "s8", "s8"], "s32", True)
    for one in UNITS:
        for kind in (MAX, MIN, AVERAGE, MEDIAN):
            for _ in range(4):
                yield pool_case(random, kind, one)
            for op in ["ADAPTIVV_POOL1D", "ADAPTIVV_POOL2D", "ADAPTIVV_POOL3D"]:
                for _ in range(3):
                    yield section_case(random, op, kind, one)
        for _ in range(4):
            yield section_case(random, "ROI_POOL", MAX, one)


if __name__ == "__main__":
    run(list(cases(generator())), "as torch has them")
