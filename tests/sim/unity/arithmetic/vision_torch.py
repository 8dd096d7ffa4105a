#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks look-ups, pixel shuffles and grids with all units against torch and NumPy.

torch computes coordinates of fp16 in float32, as the unit does, and all others in float64.

Usage: vision_torch.py PROGRAM [SEED]"""

import warnings
from fractions import Fraction

import numpy
import torch
from torch.nn import functional

from unity_cases import Case, generator, run
from unity_numbers import FLOAT, FLOATS, PRECISION, UNITS, float_bits, is_float, random_bits, round_fraction, value, width, wrap, HALF_EVEN

PADDINGS = ["zeros", "border", "reflection"]
LONG = numpy.longdouble


def array(random, unit, shape):
    return numpy.array(random_bits(random, unit, int(numpy.prod(shape))), dtype=object).reshape(shape)


def flat(values):
    return [int(v) for v in numpy.asarray(values, dtype=object).ravel()]


def index_bits(indices):
    return [wrap(int(n), "s32") for n in indices]


def embedding_case(random, unit, wrong):
    rows, wide, count = (int(n) for n in random.integers(1, 9, 3))
    table = array(random, unit, (rows, wide))
    indices = random.integers(0, rows, count)
    expected = table[indices]
    case = Case("Lookup", op="EMBEDDING", rows=rows, width=wide)
    if wrong:
        at = int(random.integers(count))
        indices[at] = random.choice([rows, -1, 2**31 - 1, -2**31])
        indices[at + 1:] = rows  # the first one is named
        case.error = f"error index {at} {indices[at]} {rows}"
    case.members["table"], case.members["index"] = case.source(flat(table), unit), case.source(index_bits(indices), "s32")
    case.members["result"] = case.result(unit, flat(expected))
    return case


def one_hot_case(random, unit):
    depth, count = (int(n) for n in random.integers(1, 12, 2))
    indices = random.integers(-2, depth + 2, count)
    for i in random.integers(0, count, 2):
        indices[i] = random.choice([-2**31, 2**31 - 1, 0, depth - 1, depth])
    one = float_bits(FLOAT[unit](1), unit) if is_float(unit) else 1
    expected = [one if index == j else 0 for index in indices for j in range(depth)]
    case = Case("Lookup", op="ONE_HOT", width=depth)
    case.members["index"] = case.source(index_bits(indices), "s32")
    case.members["result"] = case.result(unit, expected)
    return case


def pixel_case(random, unit, op, channels_first):
    scale = int(random.choice([1, 2, 3, 5]))
    height, wide, channels = (int(n) for n in random.integers(1, 4, 3))
    coarse = array(random, unit, (height, wide, channels * scale * scale))
    places = torch.arange(coarse.size).reshape(coarse.shape).permute(2, 0, 1)[None]
    fine = coarse.ravel()[functional.pixel_shuffle(places, scale)[0].permute(1, 2, 0).numpy()]
    source, expected = (coarse, fine) if op == "PIXEL_SHUFFLE" else (fine, coarse)
    case = Case("PixelShuffle", op=op, scale=scale)
    case.members["source"] = case.map_source(source, unit, channels_first)
    case.members["result"] = case.map_result(expected.tolist(), unit, channels_first)
    return case


def numbers(bits, unit, kind=numpy.float64):
    return numpy.array([value(b, unit) for b in numpy.ravel(bits)], dtype=kind).reshape(numpy.shape(bits))


def sampled(maps, grid, nearest, padding, align):
    """torch's samples: [h][w][c]."""
    result = functional.grid_sample(torch.tensor(maps).permute(2, 0, 1)[None], torch.tensor(grid)[None], "nearest" if nearest else "bilinear",
                                    PADDINGS[padding], align)
    return result[0].permute(1, 2, 0).numpy()


def places(coordinates, size, padding, align):
    """Exact places of finite coordinates among the elements of a direction, as torch defines them."""
    result = []
    for x in coordinates:
        x = Fraction(float(x))
        place = (x + 1) * (size - 1) / 2 if align else ((x + 1) * size - 1) / 2
        low, high = (Fraction(0), Fraction(size - 1)) if align else (Fraction(-1, 2), Fraction(2 * size - 1, 2))
        if padding == 2 and low != high:
            turns, rest = divmod(place - low, high - low)
            place = low + (rest if turns % 2 == 0 else high - low - rest)
        result.append(min(max(place, Fraction(0)), Fraction(size - 1)) if padding else place)
    return result


def may_be_another(x, y, shape, padding, align):
    """Whether rounding of the place may choose another nearest element: it is near the middle of two, but not exactly there."""
    for coordinate, size in [(x, shape[1]), (y, shape[0])]:
        place = places([coordinate], size, padding, align)[0]
        distance = abs(place - round_fraction(place, HALF_EVEN))
        if distance != Fraction(1, 2) and abs(distance - Fraction(1, 2)) < Fraction(1, 10**5):
            return True
    return False


def coordinates(random, unit, shape, size):
    """Pairs (x, y): anywhere, near and on elements, on their edges, and far away."""
    kind, pairs = FLOAT[unit], []
    for _ in range(shape[0] * shape[1]):
        pair = []
        for extent in (size[1], size[0]):
            choice = random.integers(4)
            if choice == 0:
                pair.append(random.normal())
            elif choice == 1:
                pair.append(float(random.integers(-12, 13)) / 4)
            elif choice == 2:
                pair.append(float(2 * random.integers(-1, extent + 1) - extent + random.integers(3)) / extent)
            else:
                pair.append(random.choice([-1.0, 1.0, 0.0, -0.0, 10.0, -3.0]))
        pairs.append([kind(n) for n in pair])
    return numpy.array(pairs).reshape(*shape, 2)


def bounds(numbers_, slack, unit):
    """Bits of a number that is not finite, else the two roundings of the number plus and minus its slack."""
    kind, result = FLOAT[unit], []
    for number, wide in zip(numpy.ravel(numbers_), numpy.ravel(slack)):
        if not numpy.isfinite(number):
            result.append(float_bits(kind(number), unit))
        else:
            result.append((LONG(kind(number - wide)), LONG(kind(number + wide))))
    return result


def shaped(values, shape):
    return numpy.array(values + [None], dtype=object)[:-1].reshape(shape).tolist()


def bilinear_map(random, unit, shape):
    return (random.normal(size=shape) * 4).astype(FLOAT[unit])


def sample_case(random, unit, nearest, padding, align, channels_first):
    size = [int(n) for n in random.integers(1, 6, 3)]
    shape = [int(n) for n in random.integers(1, 6, 2)]
    grid = coordinates(random, unit, shape, size)
    wide = numpy.float32 if unit == "fp16" else numpy.float64
    if nearest:
        bits = array(random, unit, size)  # moved without a change, NaN too
        around = [[may_be_another(x, y, size, padding, align) for x, y in row] for row in grid]
        grid = numpy.where(numpy.array(around)[:, :, None], FLOAT[unit](0), grid)
        order = (1 + numpy.arange(bits.size)).reshape(size).astype(wide)
        chosen = sampled(order, grid.astype(wide), True, padding, align).astype(int)
        expected = numpy.concatenate(([0], bits.ravel()))[chosen].tolist()
    else:
        map_ = bilinear_map(random, unit, size)
        bits = numpy.array([float_bits(n, unit) for n in map_.ravel()], dtype=object).reshape(size)
        y = sampled(map_.astype(wide), grid.astype(wide), False, padding, align)
        # The place has an error of some roundings of itself, and the sum one of some roundings of its terms.
        rounding = 2.0 ** -(24 if unit == "fp16" else 53)
        far = numpy.abs(grid.astype(numpy.float64)).max(axis=2, initial=1)[:, :, None] * max(size[:2])
        slack = numpy.broadcast_to(rounding * 16 * far * float(numpy.abs(map_.astype(numpy.float64)).max()), y.shape)
        expected = shaped(bounds(y.astype(numpy.float64), slack, unit), y.shape)
    case = Case("GridSample", nearest=nearest, padding=padding, align_corners=align)
    case.members["source"] = case.map_source(bits, unit, channels_first)
    case.members["grid"] = case.source([float_bits(n, unit) for n in grid.ravel()], unit)
    case.members["result"] = case.map_result(expected, unit, channels_first)
    return case


def special_sample_case(random, unit, nearest, padding, align):
    """Coordinates that are NaN, infinite or as large as can be, and infinite elements whose weight is 0. Whatever they are, no element
    outside of the map is read: the case's memory has other bytes there."""
    top = FLOAT[unit](numpy.finfo(FLOAT[unit]).max) if unit != "fp64" else 1e300
    some = [numpy.nan, numpy.inf, -numpy.inf, top, -top, 0.0, 1.0, -1.0]
    grid = numpy.array([[[x, y] for x in some] for y in some], dtype=FLOAT[unit])
    size = (3, 5, 1)
    map_ = numpy.ones(size, dtype=FLOAT[unit])
    if random.integers(2):
        map_[1, 2] = numpy.inf
    wide = numpy.float32 if unit == "fp16" else numpy.float64
    if padding == 2:  # torch is not exact for large coordinates
        grid[numpy.abs(grid) == FLOAT[unit](top)] = 3
    y = sampled(map_.astype(wide), grid.astype(wide), nearest, padding, align)
    case = Case("GridSample", nearest=nearest, padding=padding, align_corners=align)
    case.members["source"] = case.map_source(numpy.array([float_bits(n, unit) for n in map_.ravel()], dtype=object).reshape(size), unit, False)
    case.members["grid"] = case.source([float_bits(n, unit) for n in grid.ravel()], unit)
    expected = numpy.array([float_bits(FLOAT[unit](n), unit) for n in y.ravel()], dtype=object).reshape(y.shape)
    case.members["result"] = case.map_result(expected.tolist(), unit, False)
    return case


def far_reflection_case(unit, nearest, align):
    """Large coordinates are reflected into the map."""
    top = float(numpy.finfo(FLOAT[unit]).max)
    grid = [float_bits(FLOAT[unit](n), unit) for n in [top, -top, top / 3, top / 7, -top / 5, 1e4, -1e4, 333.3]]
    case = Case("GridSample", nearest=nearest, padding=2, align_corners=align)
    one = float_bits(FLOAT[unit](1), unit)
    case.members["source"] = case.map_source(numpy.full((3, 5, 1), one, dtype=object), unit, False)
    case.members["grid"] = case.source(grid, unit)
    # The weights' sum may differ from 1 by few roundings.
    near = (LONG(FLOAT[unit](1 - 2.0 ** -(PRECISION[unit] - 1))), LONG(FLOAT[unit](1 + 2.0 ** -(PRECISION[unit] - 1))))
    case.members["result"] = case.map_result([[[one if nearest else near]] * 4], unit, False)
    return case


def affine_case(random, unit, align, special):
    # The middle of an odd number of elements is at 0, for torch only nearly; infinity times it is NaN.
    height, wide = (int(n) for n in random.choice([1, 1, 2, 4, 10] if special else [1, 1, 2, 3, 4, 7, 10], 2))
    theta = (random.normal(size=(2, 3)) * 2).astype(FLOAT[unit])
    if special:
        top = numpy.finfo(FLOAT[unit])
        theta.ravel()[random.integers(6)] = random.choice([numpy.nan, numpy.inf, -numpy.inf, float(top.smallest_subnormal), 0.0, -0.0])
    exact = theta.astype(numpy.float64)
    y = functional.affine_grid(torch.tensor(exact)[None], (1, 1, height, wide), align)[0].numpy()
    terms = numpy.where(numpy.isfinite(exact), numpy.abs(exact), 0).sum(axis=1)
    slack = numpy.broadcast_to(terms * 8 * 2.0 ** -(24 if unit == "fp16" else 53), y.shape)
    case = Case("AffineGrid", height=height, width=wide, align_corners=align)
    case.members["matrix"] = case.source([float_bits(n, unit) for n in theta.ravel()], unit)
    case.members["result"] = case.result(unit, bounds(y, slack, unit))
    return case


def cases(random):
    for unit in UNITS:
        for wrong in [False, False, False, True, True]:
            yield embedding_case(random, unit, wrong)
        for _ in range(5):
            yield one_hot_case(random, unit)
        for channels_first in [False, True]:
            for _ in range(5):
                yield pixel_case(random, unit, "PIXEL_SHUFFLE", channels_first)
                yield pixel_case(random, unit, "PIXEL_UNSHUFFLE", channels_first)
    for unit in FLOATS:
        for align in [False, True]:
            for nearest in [False, True]:
                for padding in range(3):
                    for _ in range(8):
                        yield sample_case(random, unit, nearest, padding, align, bool(random.integers(2)))
                    for _ in range(2):
                        yield special_sample_case(random, unit, nearest, padding, align)
                yield far_reflection_case(unit, nearest, align)
            for special in [False] * 8 + [True] * 6:
                yield affine_case(random, unit, align, special)


if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # affine_grid() tells that aligned grids of size 1 have changed in version 1.3
    run(list(cases(generator())), "as torch has them")
