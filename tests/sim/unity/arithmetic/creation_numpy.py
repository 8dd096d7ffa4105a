#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks tensor descriptors, new tensors, random numbers, queries, UNSTACK and DROPOUT: exactly by whole numbers and fractions of Python,
strided tensors by NumPy, normal numbers within two places of the last bit.

Usage: creation_numpy.py PROGRAM [SEED]"""

import math
import struct
import sys
from fractions import Fraction

import numpy

from unity_cases import Case, generator, run
from unity_numbers import (FLOATS, HALF_EVEN, NAN, PRECISION, UNITS, float_bits, is_float, is_signed, limits, pack, random_bits,
                           round_fraction, ulp, value, width, wrap)
from unity_philox import words

BASE = 0x60000000  # device address of a case's memory
VALID, QUANTISED, SPARSE = 1, 2, 4
EMAX = {"fp16": 15, "fp32": 127, "fp64": 1023}
INF = {"fp16": 0x7C00, "fp32": 0x7F800000, "fp64": 0x7FF << 52}


def descriptor(address, unit, dimensions, strides=None, flags=VALID, zero=0, scale=0.0, sparse=None):
    dimensions = [int(d) for d in dimensions]
    if strides is None:
        strides = dense_strides(dimensions)
    head = struct.pack("<QBBBbf6I", address, UNITS.index(unit), len(dimensions), flags, zero, scale, *dimensions, *[0] * (6 - len(dimensions)))
    if sparse:
        return head + struct.pack("<QIIII", *sparse, 0, 0, 0)
    return head + struct.pack("<6i", *strides, *[0] * (6 - len(strides)))


def dense_strides(dimensions):
    if 0 in dimensions:
        return [0] * len(dimensions)
    return [math.prod(dimensions[i + 1:]) for i in range(len(dimensions))]


def shape(random, empty=False):
    dimensions = [int(d) for d in random.integers(1, 5, int(random.integers(1, 7)))]
    while math.prod(dimensions) > 200:
        dimensions.pop()
    if empty:
        dimensions[int(random.integers(len(dimensions)))] = 0
    return dimensions


def exact_bits(number, unit):
    """The float nearest to a fraction, with subnormals and infinity."""
    negative, magnitude = number < 0, abs(Fraction(number))
    if magnitude == 0:
        return 0
    precision, bits = PRECISION[unit], width(unit)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    while Fraction(2) ** exponent > magnitude:
        exponent -= 1
    exponent = max(exponent, 1 - EMAX[unit])
    scaled = round_fraction(magnitude / Fraction(2) ** (exponent - precision + 1), HALF_EVEN)
    # `scaled` carries its leading bit into the exponent of the format.
    result = min(scaled + ((exponent + EMAX[unit] - 1) << (precision - 1)), INF[unit])
    return result | (negative << (bits - 1))


def fp32_bits(number):
    return int.from_bytes(numpy.float32(number).tobytes(), "little")


def fp32(bits):
    return numpy.frombuffer(int(bits).to_bytes(4, "little"), numpy.float32)[0]


def parameter(bits, unit):
    """The number that a parameter of 32 bits stands for."""
    if is_float(unit):
        return fp32(bits)
    return bits - (1 << 32) if is_signed(unit) and bits >> 31 else bits


def element(number, unit):
    """Bits of a whole number or fraction as an element."""
    return exact_bits(number, unit) if is_float(unit) else wrap(round_fraction(number, HALF_EVEN), unit)


def uniform(word):
    return numpy.float32(word >> 8) * numpy.float32(2.0 ** -24)


def creation(op, unit, dimensions, expected=None, flags=VALID, zero=0, scale=0.0, strides=None, **members):
    """A case that writes a descriptor, and `expected` elements if there are some."""
    case = Case("Creation", op=op, **members)
    count = math.prod(dimensions)
    data = case.result(unit, expected) if expected is not None else case.source(random_bits(numpy.random.default_rng(7), unit, count), unit)
    if expected:
        case.members["data"] = data
    finish(case, descriptor(BASE + data[0], unit, dimensions, strides, flags, zero, scale))
    return case


def finish(case, described):
    address = case.reserve(len(described))
    case.members["address"] = BASE + address
    case.members["descriptor"] = list(described)
    case.expect(address, "u8", list(described))


def plain_cases(random, unit, empty):
    for op in ["CREATE_TENSOR", "EMPTY"]:
        yield creation(op, unit, shape(random, empty))
    dimensions = shape(random, empty)
    yield creation("WARP_TENSOR", unit, dimensions, strides=[int(s) for s in random.integers(-5, 6, len(dimensions))])
    scale = float(numpy.float32(random.random() + 0.1))
    yield creation("CREATE_QUANT_TENSOR", unit, dimensions, flags=VALID | QUANTISED, zero=int(random.integers(-128, 128)), scale=scale)
    yield creation("ZEROS", unit, dimensions, [0] * math.prod(dimensions))
    case = Case("Creation", op="DESTROY_TENSOR")
    finish(case, bytes(64))
    yield case


def full_case(random, unit):
    bits = random_bits(random, "fp32" if is_float(unit) else "u32", 1)[0]
    number = parameter(bits, unit)
    result = float_bits(number, unit) if is_float(unit) else wrap(number, unit)
    dimensions = shape(random)
    return creation("FULL", unit, dimensions, [result] * math.prod(dimensions), p0=bits)


def finite_pair(random, unit):
    return [random_bits(random, "fp32", 1, finite=True)[0] if is_float(unit) else random_bits(random, "u32", 1)[0] for _ in range(2)]


def progression_cases(random, unit):
    for dimensions in [[1], [2], shape(random), shape(random)]:
        count, (p0, p1) = math.prod(dimensions), finite_pair(random, unit)
        if is_float(unit) and random.integers(2):  # numbers of about one size, whose sums need rounding
            p0, p1 = fp32_bits(random.normal() * 1000), fp32_bits(random.normal())
        first, second = [Fraction(float(parameter(p, unit))) if is_float(unit) else parameter(p, unit) for p in (p0, p1)]
        yield creation("RANGE", unit, dimensions, [element(first + i * second, unit) for i in range(count)], p0=p0, p1=p1)
        steps = [Fraction(first) + (Fraction(second) - first) * i / (count - 1) if count > 1 else Fraction(first) for i in range(count)]
        yield creation("LINSPACE", unit, dimensions, [element(step, unit) for step in steps], p0=p0, p1=p1)


def tie_cases(unit):
    """Sums that lie between two floats, or very near to the middle."""
    large = {"fp16": 1.0, "fp32": 2.0 ** 20, "fp64": 2.0 ** 60}[unit]
    half = large * 2.0 ** -PRECISION[unit]
    for odd in [0, 1]:
        for tiny in [0.0, 2.0 ** -120, -2.0 ** -120, half * 2.0 ** -20, -half * 2.0 ** -20]:
            for sign in [1, -1]:
                first, second = sign * large * (1 + odd * 2.0 ** -10), sign * (half + tiny)
                if unit == "fp16":  # the sum of both parts is a number of FP32, and what is tiny is the step
                    first, second = first + sign * half, sign * tiny
                p0, p1 = fp32_bits(first), fp32_bits(second)
                expected = [element(Fraction(float(fp32(p0))) + i * Fraction(float(fp32(p1))), unit) for i in range(4)]
                yield creation("RANGE", unit, [4], expected, p0=p0, p1=p1)


def uniform_case(random, unit, dimensions, p0=None, p1=None):
    seed, count = int.from_bytes(random.bytes(8), "little"), math.prod(dimensions)
    if p0 is None:
        p0, p1 = finite_pair(random, unit)
        if is_float(unit):
            p0, p1 = [fp32_bits(fp32(p) / 4) for p in (p0, p1)]  # their difference is finite
        if parameter(p0, unit) > parameter(p1, unit):
            p0, p1 = p1, p0
    low, high = parameter(p0, unit), parameter(p1, unit)
    if is_float(unit):
        expected = [float_bits(low + uniform(x) * (high - low), unit) for x in words(seed, count)]
    else:
        expected = [wrap(low + (x * (high - low) >> 32), unit) for x in words(seed, count)]
    return creation("RAND_UNIFORM", unit, dimensions, expected, p0=p0, p1=p1, seed=seed), expected


def normals(seed, count):
    """Pairs from the radius sqrt(-2 ln(1 - u)) and the angle 2 pi u, the cosine first."""
    stream, pi, result = words(seed, count + count % 2), numpy.longdouble("3.14159265358979323846264338327950288"), []
    for first, second in zip(stream[::2], stream[1::2]):
        radius = numpy.sqrt(-2 * numpy.log(numpy.longdouble((1 << 24) - (first >> 8)) / (1 << 24)))
        turn = second >> 8

        def cosine(part):  # of part / 2^24 turns, measured from the nearest zero of the cosine if that is nearer than its extremes
            part %= 1 << 24
            part = min(part, (1 << 24) - part)
            quarter = 1 << 22
            if quarter // 2 < part < 3 * quarter // 2:
                return numpy.sin(2 * pi * numpy.longdouble(quarter - part) / (1 << 24))
            return numpy.cos(2 * pi * numpy.longdouble(part) / (1 << 24))
        result += [radius * cosine(turn), radius * cosine(turn - (1 << 22))]
    return result[:count]


# Seeds of which one of the first two angles is a quarter of a turn, or one or two steps less.
QUARTERS = [1343428, 10984164, 335182, 3674378, 10302209, 3424115, 6079997, 39075]


def normal_case(random, unit, dimensions, p0=None, p1=None, seed=None):
    count = math.prod(dimensions)
    if seed is None:
        seed = int.from_bytes(random.bytes(8), "little")
    if p0 is None:
        p0, p1 = fp32_bits(random.normal() * 3 * random.integers(2)), fp32_bits(abs(random.normal()) * 2)
    mean, deviation = numpy.longdouble(fp32(p0)), numpy.longdouble(fp32(p1))
    expected = []
    for z in normals(seed, count):
        number = mean + deviation * z
        bound = 2 * ulp(max(abs(mean), abs(deviation * z)), unit)
        expected.append((number - bound, number + bound))
    return creation("RAND_NORMAL", unit, dimensions, expected, p0=p0, p1=p1, seed=seed), normals(seed, count)


def whole_element(number, unit):
    return element(Fraction(number), unit)


def drawn(seed, at):
    """A number that the words of a seed give, so that comparisons meet equality."""
    return float(uniform(words(seed, 1, at)[0]))


def bernoulli_case(random, unit, dimensions, probability=None):
    seed = int.from_bytes(random.bytes(8), "little")
    if probability is None:
        probability = drawn(seed, int(random.integers(math.prod(dimensions))))
    counts = [int(uniform(x) < numpy.float32(probability)) for x in words(seed, math.prod(dimensions))]
    return creation("RAND_BERNOULLI", unit, dimensions, [whole_element(n, unit) for n in counts], p0=fp32_bits(probability), seed=seed), counts


def binomial_case(random, unit, dimensions, trials, probability=None):
    seed, count = int.from_bytes(random.bytes(8), "little"), math.prod(dimensions)
    if probability is None:
        probability = drawn(seed, int(random.integers(trials * count)))
    stream = words(seed, trials * count)
    counts = [sum(uniform(x) < numpy.float32(probability) for x in stream[i * trials:(i + 1) * trials]) for i in range(count)]
    return creation("RAND_BINOMIAL", unit, dimensions, [whole_element(int(n), unit) for n in counts], p0=trials, p1=fp32_bits(probability),
                    seed=seed), counts


def multinomial_case(random, unit, dimensions, weights=None, error=None):
    seed, sums, total = int.from_bytes(random.bytes(8), "little"), [], 0.0
    if weights is None:  # one of the prefix sums is a random number
        weights = [drawn(seed, int(random.integers(math.prod(dimensions))))]
        weights.append(1 - weights[0])
    for weight in weights:
        total += float(numpy.float32(weight))
        sums.append(total)
    chosen = []
    if not error:
        chosen = [next(i for i, s in enumerate(sums) if s > float(uniform(x)) * total) for x in words(seed, math.prod(dimensions))]
    case = creation("MULTI_NOMIAL", unit, dimensions, chosen or [0] * math.prod(dimensions), p0=len(weights), seed=seed)
    case.members["source"] = case.source([fp32_bits(w) for w in weights], "fp32")
    case.error = error
    return case, chosen


def permutation_case(random, unit, count):
    seed, numbers = int.from_bytes(random.bytes(8), "little"), list(range(count))
    stream = words(seed, count)
    for i in range(count - 1, 0, -1):
        j = stream[i] * (i + 1) >> 32
        numbers[i], numbers[j] = numbers[j], numbers[i]
    return creation("RAND_PERM", unit, [count], numbers, seed=seed), numbers


def random_cases(random, unit):
    largest = limits(unit)[1] if not is_float(unit) else 1000
    for _ in range(3):
        yield uniform_case(random, unit, shape(random))[0]
        yield bernoulli_case(random, unit, shape(random), [0.0, 1.0, 0.5, 2.0 ** -24, random.random()][int(random.integers(5))])[0]
        yield bernoulli_case(random, unit, shape(random))[0]
        yield binomial_case(random, unit, shape(random), int(random.integers(0, 12)), random.random())[0]
        yield binomial_case(random, unit, shape(random), int(random.integers(1, 12)))[0]
        if is_float(unit):
            yield normal_case(random, unit, shape(random))[0]
            continue
        weights = random.random(int(random.integers(1, min(largest, 30) + 1))) * random.integers(0, 2, 1)
        weights[int(random.integers(len(weights)))] = 0.25
        yield multinomial_case(random, unit, shape(random), weights)[0]
        yield multinomial_case(random, unit, shape(random))[0]
        yield permutation_case(random, unit, int(random.integers(1, min(largest, 60) + 2)))[0]
    if is_float(unit):
        for seed in QUARTERS:
            yield normal_case(random, unit, [4], fp32_bits(0), fp32_bits(1), seed)[0]
        yield normal_case(random, unit, [3], fp32_bits(1.5), fp32_bits(0))[0]
        yield uniform_case(random, unit, [3], fp32_bits(-2.5), fp32_bits(-2.5))[0]
        return
    for wrong in [-1.0, -1e-45, numpy.nan, numpy.inf]:
        error = f"error SRC 1 {fp32_bits(wrong)} 0"
        yield multinomial_case(random, unit, [2, 2], [1.0, wrong, 2.0], error)[0]
    yield multinomial_case(random, unit, [2], [0.0, 0.0], "error SRC -1 0 0")[0]
    yield multinomial_case(random, unit, [2], [-0.0, 3.0, 0.0])[0]


def strided(random, unit, dimensions):
    """Strides, memory with a tensor, place of its first element in nibbles, and its elements in order."""
    rank = len(dimensions)
    kind = int(random.integers(3))
    if kind == 0:  # another order of the dimensions, some of them backwards
        strides, step = [0] * rank, 1
        for axis in random.permutation(rank):
            strides[axis] = step * int(random.choice([-1, 1]))
            step *= dimensions[axis]
    elif kind == 1:
        strides = [int(s) for s in random.integers(-3, 4, rank)]
    else:
        strides = dense_strides(dimensions)
    before = sum(-s * (d - 1) for s, d in zip(strides, dimensions) if s < 0)
    behind = sum(s * (d - 1) for s, d in zip(strides, dimensions) if s > 0)
    nibbles = width(unit) // 4
    lead = -(-before * nibbles // 2)  # bytes before the first element
    origin = 2 * lead // nibbles if nibbles > 1 else 2 * lead
    memory = random_bits(random, unit, origin + behind + 1)
    places = origin + sum(numpy.arange(d).reshape([-1 if i == axis else 1 for i in range(rank)]) * s
                          for axis, (d, s) in enumerate(zip(dimensions, strides)))
    places = numpy.broadcast_to(places, dimensions)
    return strides, memory, lead, [memory[p] for p in places.ravel()]


def put_tensor(case, random, unit, dimensions, name, address_name, range_name, sparse=False):
    """Puts a tensor and its descriptor into a case; returns its stored elements and the descriptor."""
    if sparse:
        bits = random_bits(random, unit, int(random.integers(0, math.prod(dimensions) + 1)))
        run = case.source(bits, unit)
        described = descriptor(BASE + run[0], unit, dimensions, flags=VALID | SPARSE, sparse=(BASE + 4096, len(bits)))
        first, size, origin = run[0], len(pack(bits, unit)), 0
    elif 0 in dimensions:
        described, bits = descriptor(0, unit, dimensions), []
        first = size = origin = 0
    else:
        strides, memory, lead, bits = strided(random, unit, dimensions)
        quantised = bool(random.integers(2))
        run = case.source(memory, unit)
        first, size, origin = run[0], len(pack(memory, unit)), 2 * lead
        described = descriptor(BASE + run[0] + lead, unit, dimensions, strides, VALID | QUANTISED * quantised, -7 * quantised, 0.5 * quantised)
    address = case.data(described)
    case.members[name], case.members[address_name] = list(described), BASE + address
    case.members[range_name] = [BASE + first, size, origin]
    return bits, described


def copy_case(random, unit, op, empty, sparse):
    dimensions = shape(random, empty)
    case = Case("Creation", op=op)
    bits, described = put_tensor(case, random, unit, dimensions, "tensor", "tensor_address", "tensor_range", sparse)
    data = case.result(unit, bits)
    if bits:
        case.members["data"] = data
    copied = struct.pack("<Q", BASE + data[0]) + described[8:]
    if not sparse:
        copied = copied[:40] + struct.pack("<6i", *dense_strides(dimensions), *[0] * (6 - len(dimensions)))
    finish(case, copied)
    return case


def diagonal_case(random, unit):
    bits = random_bits(random, unit, int(random.integers(0, 8)))
    expected = [bits[i] if i == j else 0 for i in range(len(bits)) for j in range(len(bits))]
    case = creation("CREATE_FROM_DIAG", unit, [len(bits), len(bits)], expected)
    case.members["source"] = case.source(bits, unit)
    return case


def sparse_case(random, unit, wrong=None):
    dimensions = shape(random)
    elements = math.prod(dimensions)
    indices = [int(i) for i in random.integers(0, elements, int(random.integers(1, elements + 1)))]
    case = Case("Creation", op="CREATE_SPARSE_TENSOR", p0=len(indices))
    if wrong is not None:
        at = int(random.integers(len(indices)))
        indices[at] = elements if wrong == "behind" else wrong
        case.error = f"error index {at} {indices[at]} {elements}"
    case.members["source"] = case.source([wrap(i, "s32") for i in indices], "s32")
    data = case.reserve(8 * len(indices))
    finish(case, descriptor(BASE + data, unit, dimensions, flags=VALID | SPARSE, sparse=(BASE + case.members["source"][0], len(indices))))
    return case


def query_case(random, unit, op, empty, sparse):
    dimensions = shape(random, empty)
    case = Case("Query", op=op)
    bits, described = put_tensor(case, random, unit, dimensions, "tensor", "address", "range", sparse)
    numbers = numpy.array([value(b, unit) for b in bits], dtype=object)
    infinite = [bool(is_float(unit) and numpy.isinf(n)) for n in numbers]
    nan = [bool(is_float(unit) and numpy.isnan(n)) for n in numbers]
    strides = struct.unpack("<6i", described[40:])[:len(dimensions)]
    kept = [(s, e) for s, e, d in zip(strides, dense_strides(dimensions), dimensions) if d != 1]
    answers = {
        "SHAPE": ("u32", dimensions),
        "RANK": ("u32", [len(dimensions)]),
        "SIZE": ("u32", [math.prod(dimensions)]),
        "IS_EMPTY": ("u8", [int(math.prod(dimensions) == 0)]),
        "IS_CONTIGUROUS": ("u8", [int(not sparse and (empty or all(s == e for s, e in kept)))]),
        "IS_FINITE": ("u8", [int(not i and not n) for i, n in zip(infinite, nan)]),
        "IS_INF": ("u8", [int(i) for i in infinite]),
        "HAS_INF": ("u8", [int(any(infinite))]),
        "HAS_NAN": ("u8", [int(any(nan))]),
    }
    case.members["result"] = case.result(*answers[op])
    return case


def single_query_cases(unit):
    """A tensor of one special element among ordinary ones, at each place."""
    for special in [INF[unit], INF[unit] | 1 << (width(unit) - 1), NAN[unit], NAN[unit] | 1 << (width(unit) - 1), INF[unit] | 1]:
        for at in range(3):
            for op in ["HAS_INF", "HAS_NAN"]:
                bits = [INF[unit] - 1, 0, 1]
                bits[at] = special
                case = Case("Query", op=op)
                run_ = case.source(bits, unit)
                described = descriptor(BASE + run_[0], unit, [3])
                case.members["tensor"], case.members["address"] = list(described), BASE + case.data(described)
                case.members["range"] = [BASE + run_[0], len(pack(bits, unit)), 0]
                infinite = special & ~(1 << (width(unit) - 1)) == INF[unit]
                case.members["result"] = case.result("u8", [int(infinite == (op == "HAS_INF"))])
                yield case


def checksum(addresses):
    result = 0xCBF29CE484222325
    for byte in b"".join(struct.pack("<Q", a) for a in addresses):
        result = (result ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return result


def unstack_case(random, unit, space, changed=False):
    extents, axis = [int(n) for n in random.integers(1, 5, 4)], int(random.integers(4))
    bits = numpy.array(random_bits(random, unit, math.prod(extents)), dtype=object).reshape(extents)
    parts = [[int(b) for b in part.ravel()] for part in numpy.moveaxis(bits, axis, 0)]
    case = Case("Unstack", op="UNSTACK", outer=math.prod(extents[:axis]), extent=extents[axis], inner=math.prod(extents[axis + 1:]), space=space,
                page=BASE if space == 0 else 0)
    case.members["source"] = case.source([int(b) for b in bits.ravel()], unit)
    places = [case.reserve(len(pack(part, unit))) for part in parts]
    addresses = [places[i] for i in random.permutation(len(parts))]
    case.expected = [(address, unit, part) for address, part in zip(addresses, parts)]
    listed = [a if space == 0 else BASE + a for a in addresses]
    case.members["list"] = BASE + case.data(pack(listed, ["u16", "u32", "u64"][space]))
    case.members["checksum"] = checksum([BASE + a for a in addresses])
    if changed:
        case.members["checksum"] ^= 1
        case.error = f"error LIST -1 {case.members['list']} 0"
    return case


def dropout_case(random, unit, ratio, in_place=False):
    seed = int(random.integers(1 << 24))
    bits = random_bits(random, unit, int(random.integers(1, 60)))
    if ratio is None:
        ratio = drawn(seed, int(random.integers(len(bits))))
    expected = []
    for x, b in zip(words(seed, len(bits)), bits):
        number = value(b, unit)
        if uniform(x) < numpy.float32(ratio):
            expected.append(0)
        elif not numpy.isfinite(number) or number == 0:
            expected.append(float_bits(number, unit))
        else:
            kept = 1 - Fraction(float(numpy.float32(ratio)))
            exact = exact_bits(Fraction(float(number)) / kept, unit)
            near = [b for b in (exact - 2, exact + 2)]
            sign = exact >> (width(unit) - 1) << (width(unit) - 1)
            low, high = [value(min(max(n, sign), sign | INF[unit]), unit) for n in near]
            expected.append((min(low, high), max(low, high)))
    case = Case("Dropout", op="DROPOUT", ratio=float(numpy.float32(ratio)), seed=seed)
    case.members["source"] = case.source(bits, unit)
    if in_place:
        case.members["result"] = case.members["source"]
        case.expect(case.members["source"][0], unit, expected)
    else:
        case.members["result"] = case.result(unit, expected)
    return case


def check_distributions(random):
    """Counts of a few thousand numbers against what their distributions expect, within five standard deviations. Yields their cases."""
    count = 2048

    def near(name, got, mean, deviation):
        if abs(got - mean) > 5 * deviation:
            sys.exit(f"{name}: {got}, expected about {mean}")
    case, bits = uniform_case(random, "s16", [count], wrap(-8, "u32"), 8)
    yield case
    for low in range(-8, 8):
        near("RAND_UNIFORM", sum(value(b, "s16") == low for b in bits), count / 16, math.sqrt(count / 16))
    case, numbers = normal_case(random, "fp32", [count], fp32_bits(0), fp32_bits(1))
    yield case
    for below, share in [(-1, 0.158655), (0, 0.5), (1, 0.841345), (2, 0.97725)]:
        near("RAND_NORMAL", sum(n < below for n in numbers), count * share, math.sqrt(count * share * (1 - share)))
    near("pairs of RAND_NORMAL", float(sum(a * b for a, b in zip(numbers[::2], numbers[1::2]))), 0, math.sqrt(count / 2))
    case, counts = bernoulli_case(random, "u8", [count], 0.3)
    yield case
    near("RAND_BERNOULLI", sum(counts), count * 0.3, math.sqrt(count * 0.21))
    case, counts = binomial_case(random, "u8", [count // 8], 20, 0.3)
    yield case
    near("RAND_BINOMIAL", sum(counts), count // 8 * 6, math.sqrt(count // 8 * 4.2))
    case, chosen = multinomial_case(random, "u8", [count], [1, 0, 2, 5])
    yield case
    for index, share in enumerate([0.125, 0, 0.25, 0.625]):
        near("MULTI_NOMIAL", chosen.count(index), count * share, math.sqrt(count * share * (1 - share)))
    firsts = []
    for _ in range(200):
        case, numbers = permutation_case(random, "u8", 4)
        firsts.append(numbers[0])
        yield case
    for first in range(4):
        near("RAND_PERM", firsts.count(first), 50, math.sqrt(200 * 3 / 16))


def cases(random):
    yield from check_distributions(random)
    for unit in UNITS:
        for empty in [False, False, True]:
            yield from plain_cases(random, unit, empty)
        for _ in range(6):
            yield full_case(random, unit)
            yield from progression_cases(random, unit)
            yield diagonal_case(random, unit)
            yield sparse_case(random, unit)
        for wrong in ["behind", -1, -2**31, 2**31 - 1]:
            yield sparse_case(random, unit, wrong)
        yield from random_cases(random, unit)
        for empty, sparse in [(False, False)] * 4 + [(True, False), (False, True)]:
            for op in ["CONTIGUOUS", "DUPLICATE"][sparse:]:
                yield copy_case(random, unit, op, empty, sparse)
            for op in ["SHAPE", "RANK", "SIZE", "IS_EMPTY", "IS_CONTIGUROUS", "IS_FINITE", "IS_INF", "HAS_INF", "HAS_NAN"]:
                yield query_case(random, unit, op, empty, sparse)
        for space in range(3):
            for changed in [False, False, True]:
                yield unstack_case(random, unit, space, changed)
    for unit in FLOATS:
        yield from tie_cases(unit)
        yield from single_query_cases(unit)
        for ratio in [0.0, 1.0, 0.5, 2.0 ** -24, 1 - 2.0 ** -24, random.random(), None]:
            for in_place in [False, True]:
                yield dropout_case(random, unit, ratio, in_place)


if __name__ == "__main__":
    run(list(cases(generator())), "as whole numbers, fractions and NumPy have them")
