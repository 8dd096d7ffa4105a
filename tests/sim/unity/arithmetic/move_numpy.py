#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks operations that move elements, or say where they stand, with all units against NumPy's.

Usage: move_numpy.py PROGRAM [SEED]"""

import numpy

from unity_cases import Case, generator, run
from unity_numbers import INTEGERS, UNITS, is_float, is_signed, random_bits, store, value, width, wrap

COPY, FILL, REPEAT, TRANSPOSE = range(4)


def array(random, unit, shape):
    return numpy.array(random_bits(random, unit, int(numpy.prod(shape))), dtype=object).reshape(shape)


def flat(values):
    return [int(v) for v in numpy.asarray(values, dtype=object).ravel()]


def sizes(random, count, most=6):
    return [int(n) for n in random.integers(1, most, count)]


def copy_case(random, unit, op):
    bits = random_bits(random, unit, int(random.integers(1, 50)))
    case = Case("Copy", op=op)
    case.members["source"], case.members["result"] = case.source(bits, unit), case.result(unit, bits)
    return case


def pad_case(random, unit):
    height, wide, channels = sizes(random, 3)
    top, bottom, left, right = [int(n) for n in random.integers(0, 16, 4)]
    value = 0 if is_float(unit) else int(random.integers(-8, 8) if is_signed(unit) else random.integers(0, 16))
    bits = array(random, unit, (height, wide, channels))
    padded = numpy.pad(bits, ((top, bottom), (left, right), (0, 0)), constant_values=wrap(value, unit))
    case = Case("Pad", height=height, width=wide, channels=channels, top=top, bottom=bottom, left=left, right=right, value=value)
    case.members["source"], case.members["result"] = case.source(flat(bits), unit), case.result(unit, flat(padded))
    return case


def concatenate_case(random, unit):
    outer, first, second = sizes(random, 3, 9)
    a, b = array(random, unit, (outer, first)), array(random, unit, (outer, second))
    case = Case("Concatenate", outer=outer, first=first, second=second)
    case.members["source"] = [case.source(flat(a), unit), case.source(flat(b), unit)]
    case.members["result"] = case.result(unit, flat(numpy.concatenate((a, b), axis=1)))
    return case


def split_case(random, unit, op):
    outer, extent, inner = sizes(random, 3)
    extent += 1
    index = int(random.integers(1 if op == "SPLIT" else 0, extent))
    bits = array(random, unit, (outer, extent, inner))
    parts = numpy.split(bits, [index], axis=1) if op == "SPLIT" else (bits[:, index], numpy.delete(bits, index, axis=1))
    case = Case("Split", op=op, outer=outer, extent=extent, inner=inner, index=index)
    case.members["source"] = case.source(flat(bits), unit)
    results = [case.result(unit, flat(parts[0])), case.result(unit, flat(parts[1]))]
    if op == "SLICE" and random.integers(3) == 0:
        case.expected.pop()
        results[1] = [0, UNITS.index(unit), 0]
    case.members["result"] = results
    return case


def transpose_case(random, unit):
    extents, order = sizes(random, 4), [int(n) for n in random.permutation(4)]
    bits = array(random, unit, extents)
    case = Case("Transpose", extents=extents, order=order)
    case.members["source"], case.members["result"] = case.source(flat(bits), unit), case.result(unit, flat(bits.transpose(order)))
    return case


def index_bits(indices):
    return [wrap(int(n), "s32") for n in indices]


def gather_case(random, unit, bytes_, wrong=False):
    outer, extent, inner = sizes(random, 3)
    count = int(random.integers(1, 20))
    indices = random.integers(0, extent, count)
    index_unit = "u8" if bytes_ else "s32"
    case = Case("Gather", op="GATHER", outer=outer, extent=extent, inner=inner)
    bits = array(random, unit, (outer, extent, inner))
    expected = flat(numpy.take(bits, indices, axis=1))
    if wrong:
        at = int(random.integers(count))
        indices[at] = extent if bytes_ else random.choice([extent, -1, 2**31 - 1, -2**31])
        case.error = f"error index {at} {indices[at]} {extent}"
    case.members["source"] = case.source(flat(bits), unit)
    case.members["index"] = case.source(index_bits(indices), index_unit)
    case.members["result"] = case.result(unit, expected)
    return case


def tuples(random, wrong):
    extents, coordinates = sizes(random, 3), int(random.integers(1, 4))
    count = int(random.integers(1, 12))
    indices = numpy.stack([random.integers(0, extents[i], count) for i in range(coordinates)], axis=1)
    error = None
    if wrong:
        row, column = int(random.integers(count)), int(random.integers(coordinates))
        indices[row, column] = random.choice([extents[column], -1])
        error = f"error index {row * coordinates + column} {indices[row, column]} {extents[column]}"
    return extents, coordinates, indices, error


def gather_nd_case(random, unit, wrong=False):
    extents, coordinates, indices, error = tuples(random, wrong)
    bits = array(random, unit, extents)
    expected = [] if error else flat(bits[tuple(indices.T)])
    inner = int(numpy.prod(extents[coordinates:]))
    case = Case("Gather", op="GATHER_ND", outer=1, extent=int(numpy.prod(extents[:coordinates])), inner=inner, coordinates=coordinates,
                coordinate_extents=extents)
    case.error = error
    case.members["source"] = case.source(flat(bits), unit)
    case.members["index"] = case.source(index_bits(indices.ravel()), "s32")
    case.members["result"] = case.result(unit, expected or [0] * (len(indices) * inner))
    return case


def scatter_case(random, unit, several, wrong=False):
    if several:
        extents, coordinates, indices, error = tuples(random, wrong)
    else:
        extents, coordinates = [int(random.integers(1, 30))], 1
        indices, error = random.integers(0, extents[0], (int(random.integers(1, 12)), 1)), None
        if wrong:
            indices[0, 0] = extents[0]
            error = f"error index 0 {extents[0]} {extents[0]}"
    bits = array(random, unit, extents)
    update = array(random, unit, (len(indices), *extents[coordinates:]))
    case = Case("Scatter", op="SCATTER_ND" if several else "SCATTER", extent=int(numpy.prod(extents[:coordinates])),
                inner=int(numpy.prod(extents[coordinates:])), coordinates=coordinates, coordinate_extents=extents)
    case.error = error
    case.members["tensor"] = case.source(flat(bits), unit)
    case.members["update"] = case.source(flat(update), unit)
    case.members["index"] = case.source(index_bits(indices.ravel()), "s32")
    if not error:
        for at, values in zip(indices, update):
            bits[tuple(at)] = values
        case.expect(case.members["tensor"][0], unit, flat(bits))
    return case


class Surfaces:
    """Surfaces of lines with gaps of some bytes."""

    def __init__(self, random, case, unit, shape):
        self.unit, self.shape = unit, shape
        size = max(width(unit) // 8, 1)
        dense = -(-shape[2] * width(unit) // 8)
        self.line = dense + size * int(random.integers(0, 3))
        self.surface = self.line * shape[1] + size * int(random.integers(0, 4))
        self.address = case.reserve(self.surface * shape[0])
        self.members = {"address": self.address, "unit": UNITS.index(unit), "surfaces": shape[0], "lines": shape[1], "width": shape[2],
                        "line": 2 * self.line, "surface": 2 * self.surface}

    def lines(self, bits):
        for s in range(self.shape[0]):
            for number in range(self.shape[1]):
                yield self.address + s * self.surface + number * self.line, flat(bits[s, number])


def data_move_case(random, unit, mode):
    from unity_numbers import pack
    case = Case("DataMove", mode=mode)
    shape = sizes(random, 3, 7)
    to = list(shape)
    bits = array(random, unit, shape)
    if mode == COPY:
        to = [shape[i] for i in random.permutation(3)]
        moved = bits.reshape(to)
    elif mode == FILL:
        moved = numpy.full(to, bits.flat[0], dtype=object)
        case.members["value"] = int(bits.flat[0])
    elif mode == REPEAT:
        bits = bits[:1]
        shape[0] = 1
        lines, columns = sizes(random, 2, 4)
        moved = bits.repeat(lines, axis=1).repeat(columns, axis=2)
        to = list(moved.shape)
    else:
        moved = bits.transpose(0, 2, 1)
        to = list(moved.shape)
    if mode != FILL:
        source = Surfaces(random, case, unit, shape)
        case.members["source"] = source.members
        for at, line in source.lines(bits):
            data = pack(line, unit)
            case.memory[at:at + len(data)] = data
    destination = Surfaces(random, case, unit, to)
    case.members["destination"] = destination.members
    for at, line in destination.lines(moved):
        case.expect(at, unit, line)
    return case


def stack_case(random, unit):
    """STACK, which resolves to a concatenation."""
    extents, axis = sizes(random, 4), int(random.integers(0, 5))
    a, b = array(random, unit, extents), array(random, unit, extents)
    inner = int(numpy.prod(extents[axis:]))
    case = Case("Concatenate", outer=int(numpy.prod(extents[:axis])), first=inner, second=inner)
    case.members["source"] = [case.source(flat(a), unit), case.source(flat(b), unit)]
    case.members["result"] = case.result(unit, flat(numpy.stack((a, b), axis=axis)))
    return case


def tile_case(random, unit):
    extents, copies = sizes(random, 4), int(random.choice([1, 2, 7, 255]))
    bits = array(random, unit, extents)
    case = Case("Tile", copies=copies)
    case.members["source"] = case.source(flat(bits), unit)
    case.members["result"] = case.result(unit, flat(numpy.tile(bits, (copies, 1, 1, 1))))
    return case


def roll_case(random, unit):
    extents = sizes(random, 3, 9)
    shift = [int(random.integers(0, n)) for n in extents]
    bits = array(random, unit, extents)
    case = Case("Roll", extents=extents, shift=shift)
    case.members["source"] = case.source(flat(bits), unit)
    case.members["result"] = case.result(unit, flat(numpy.roll(bits, shift, axis=(0, 1, 2))))
    return case


def reverse_case(random, unit):
    extents = sizes(random, 3)
    bits = array(random, unit, extents)
    case = Case("Reverse", outer=extents[0], extent=extents[1], inner=extents[2])
    case.members["source"], case.members["result"] = case.source(flat(bits), unit), case.result(unit, flat(numpy.flip(bits, axis=1)))
    return case


def some_zeros(random, unit, bits):
    """Elements of which a third are 0, among them -0 of floats."""
    zeros = [0, 1 << (width(unit) - 1)] if is_float(unit) else [0]
    return [zeros[int(random.integers(len(zeros)))] if random.integers(3) == 0 else b for b in bits]


def where_case(random, unit, in_place):
    count, condition_unit = int(random.integers(1, 40)), UNITS[int(random.integers(len(UNITS)))]
    condition = some_zeros(random, condition_unit, random_bits(random, condition_unit, count))
    a, b = random_bits(random, unit, count), random_bits(random, unit, count)
    chosen = numpy.where([value(bits, condition_unit) != 0 for bits in condition], numpy.array(a, dtype=object), numpy.array(b, dtype=object))
    case = Case("Select")
    case.members["condition"] = case.source(condition, condition_unit)
    case.members["source"] = [case.source(a, unit), case.source(b, unit)]
    if in_place is None:
        case.members["result"] = case.result(unit, flat(chosen))
    else:
        case.members["result"] = case.members["source"][in_place]
        case.expect(case.members["result"][0], unit, flat(chosen))
    return case


def few_values(random, unit, count):
    """Elements many of which are equal, with NaN of both signs and zeros of both signs."""
    bits = some_zeros(random, unit, random_bits(random, unit, max(count // 2, 1)))
    return [bits[int(i)] for i in random.integers(0, len(bits), count)]


def numbers(bits, unit):
    """What NumPy compares: whole numbers exactly."""
    values = [value(b, unit) for b in bits]
    return numpy.array(values, dtype=object if unit in INTEGERS else None)


def arg_case(random, unit, op):
    bits = few_values(random, unit, int(random.integers(1, 40)))
    result_unit, saturate = UNITS[int(random.integers(len(UNITS)))], bool(random.integers(2))
    index = int((numpy.argmax if op == "ARG_MAX" else numpy.argmin)(numbers(bits, unit)))
    case = Case("Search", op=op, saturate=saturate)
    case.members["source"] = case.source(bits, unit)
    case.members["indices"] = case.result(result_unit, [store(index, result_unit, saturate, 0)])
    return case


def order_case(random, unit, op):
    bits = few_values(random, unit, int(random.integers(1, 40)))
    values = numbers(bits, unit)
    if op == "ARG_SORT":
        order = [int(i) for i in numpy.argsort(values, kind="stable")]
    else:  # the largest first, NaN before them; a stable sort of the reversed row, read backwards, keeps equal ones in their order
        order = [len(bits) - 1 - int(i) for i in numpy.argsort(values[::-1], kind="stable")][::-1]
        order = order[:int(random.integers(1, len(bits) + 1))]
    case = Case("Search", op=op)
    case.members["source"] = case.source(bits, unit)
    case.members["values"] = case.result(unit, [bits[i] for i in order])
    case.members["indices"] = case.result("s32", order)
    return case


def non_zero_case(random, unit):
    bits = some_zeros(random, unit, random_bits(random, unit, int(random.integers(1, 40))))
    found = [int(i) for i in numpy.flatnonzero([value(b, unit) != 0 for b in bits])]
    case = Case("Search", op="NON_ZERO")
    case.members["source"] = case.source(bits, unit)
    address = case.reserve(4 * (len(bits) + 1))
    case.members["indices"] = [address, UNITS.index("s32"), len(bits) + 1]
    case.expect(address, "s32", [len(found), *found])
    return case


def cases(random):
    for unit in UNITS:
        for _ in range(6):
            for op in ["RESHAPE", "SQUEEZE", "UNSQUEEZE", "FLATTEN", "EXPAND_DIM"]:
                yield copy_case(random, unit, op)
            yield pad_case(random, unit)
            yield concatenate_case(random, unit)
            yield split_case(random, unit, "SPLIT")
            yield split_case(random, unit, "SLICE")
            yield transpose_case(random, unit)
            for wrong in [False, False, True]:
                yield gather_case(random, unit, False, wrong)
                yield gather_case(random, unit, True, wrong)
                yield gather_nd_case(random, unit, wrong)
                yield scatter_case(random, unit, False, wrong)
                yield scatter_case(random, unit, True, wrong)
            yield stack_case(random, unit)
            yield tile_case(random, unit)
            yield roll_case(random, unit)
            yield reverse_case(random, unit)
            for in_place in [None, 0, 1]:
                yield where_case(random, unit, in_place)
            for op in ["ARG_MAX", "ARG_MIN"]:
                yield arg_case(random, unit, op)
            for op in ["ARG_SORT", "TOPK"]:
                yield order_case(random, unit, op)
            yield non_zero_case(random, unit)
            for mode in [COPY, FILL, REPEAT, TRANSPOSE]:
                yield data_move_case(random, unit, mode)


if __name__ == "__main__":
    run(list(cases(generator())))
