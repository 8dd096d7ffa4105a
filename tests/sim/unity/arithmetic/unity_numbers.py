# SPDX-License-Identifier: MIT
"""Elements of the 13 units as bits and as numbers: whole numbers exactly, real ones in NumPy's formats."""

import math
from fractions import Fraction

import numpy

UNITS = ["u4", "u8", "u16", "u32", "u64", "s4", "s8", "s16", "s32", "s64", "fp16", "fp32", "fp64"]
INTEGERS, FLOATS = UNITS[:10], UNITS[10:]
FLOAT = {"fp16": numpy.float16, "fp32": numpy.float32, "fp64": numpy.float64}
PRECISION = {"fp16": 11, "fp32": 24, "fp64": 53}
NAN = {"fp16": 0x7E00, "fp32": 0x7FC00000, "fp64": 0x7FF8000000000000}
DROP, HALF_UP, HALF_FROM_ZERO, HALF_EVEN = range(4)


def width(unit):
    return int(unit.lstrip("usfp"))


def is_float(unit):
    return unit in FLOAT


def is_signed(unit):
    return unit[0] == "s"


def limits(unit):
    bits = width(unit)
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed(unit) else (0, (1 << bits) - 1)


def pack(bits, unit):
    """Bits of elements as bytes; 4-bit ones two to a byte, the low half first, a spare half 0."""
    if width(unit) == 4:
        bits = [int(b) for b in bits] + [0] * (len(bits) % 2)
        return bytes(low | high << 4 for low, high in zip(bits[::2], bits[1::2]))
    return b"".join(int(b).to_bytes(width(unit) // 8, "little") for b in bits)


def unpack(data, unit, count):
    if width(unit) == 4:
        return [data[i // 2] >> (i % 2 * 4) & 15 for i in range(count)]
    size = width(unit) // 8
    return [int.from_bytes(data[i * size:(i + 1) * size], "little") for i in range(count)]


def value(bits, unit):
    """A whole number, or a scalar of NumPy."""
    if is_float(unit):
        return numpy.frombuffer(int(bits).to_bytes(width(unit) // 8, "little"), FLOAT[unit])[0]
    return bits - (1 << width(unit)) if is_signed(unit) and bits >> (width(unit) - 1) else int(bits)


def float_bits(number, unit):
    if numpy.isnan(number):
        return NAN[unit]
    return int.from_bytes(FLOAT[unit](number).tobytes(), "little")


def wrap(number, unit):
    return number & ((1 << width(unit)) - 1)


def clamp(number, unit):
    low, high = limits(unit)
    return wrap(min(max(number, low), high), unit)


def round_fraction(number, rounding):
    """A whole number from a Fraction or a whole number."""
    number = Fraction(number)
    if rounding == DROP:
        return math.trunc(number)
    floor = math.floor(number)
    rest = number - floor
    if rest != Fraction(1, 2):
        return floor + (rest > Fraction(1, 2))
    if rounding == HALF_UP:
        return floor + 1
    if rounding == HALF_FROM_ZERO:
        return floor + 1 if number > 0 else floor
    return floor + floor % 2


def nearest_float(number, unit):
    """The float that is nearest to a Fraction; no subnormals."""
    if number == 0:
        return Fraction(0)
    magnitude = abs(number)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length() - PRECISION[unit]
    while magnitude / Fraction(2) ** exponent >= 1 << PRECISION[unit]:
        exponent += 1
    scaled = round_fraction(magnitude / Fraction(2) ** exponent, HALF_EVEN)
    return (scaled if number > 0 else -scaled) * Fraction(2) ** exponent


def to_float(number, unit):
    """The scalar of a float unit that is nearest to a whole number or another scalar."""
    if isinstance(number, int):
        return FLOAT[unit](float(nearest_float(Fraction(number), unit)))
    return FLOAT[unit](number)


def store(number, unit, saturate, rounding):
    """Bits of a whole number, a Fraction or a scalar, as results are stored."""
    if is_float(unit):
        return float_bits(to_float(number, unit), unit)
    if isinstance(number, (int, Fraction)):
        whole = round_fraction(number, rounding)
        return clamp(whole, unit) if saturate else wrap(whole, unit)
    if numpy.isnan(number):
        return 0
    if numpy.isinf(number):
        return clamp(1 << 70 if number > 0 else -(1 << 70), unit)
    return clamp(round_fraction(Fraction(float(number)), rounding), unit)


def widest(units):
    floats = [unit for unit in units if is_float(unit)]
    return max(floats, key=width) if floats else None


def interesting(unit):
    """Bits at the ends of a unit's range and around zero."""
    if not is_float(unit):
        bits = width(unit)
        numbers = [0, 1, 2, 3, 6, 7, -1, -2, -3, 1 << (bits - 1), (1 << (bits - 1)) - 1, (1 << (bits - 1)) + 1, (1 << bits) - 2, 1 << (bits // 2)]
        return [wrap(n, unit) for n in numbers]
    kind = FLOAT[unit]
    top = numpy.finfo(kind)
    numbers = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 6.0, 7.5, -8.0, 127.5, 128.0, -128.5, 255.5, numpy.inf, -numpy.inf, numpy.nan,
               top.max, top.min, top.tiny, -top.tiny, top.smallest_subnormal, -top.smallest_subnormal, top.eps, 1 + top.eps]
    return [int.from_bytes(kind(n).tobytes(), "little") for n in numbers]


def random_bits(random, unit, count, finite=False, small=False):
    """Bits of elements: ends of the range, anything, and small numbers."""
    bits, ends = width(unit), interesting(unit)
    result = []
    while len(result) < count:
        kind = random.integers(3)
        if small:
            kind = 2
        if kind == 0:
            chosen = ends[random.integers(len(ends))]
        elif kind == 1:
            chosen = int.from_bytes(random.bytes(8), "little") & ((1 << bits) - 1)
        elif is_float(unit):
            chosen = float_bits(FLOAT[unit](random.normal() * 4), unit)
        else:
            number = int.from_bytes(random.bytes(8), "little") >> (64 - int(random.integers(1, min(bits, 9))))
            chosen = wrap(-number if is_signed(unit) and random.integers(2) else number, unit)
        if finite and is_float(unit) and not numpy.isfinite(value(chosen, unit)):
            continue
        result.append(chosen)
    return result


def ulp(number, unit):
    """The distance of the floats of a unit around a number."""
    top = numpy.finfo(FLOAT[unit])
    magnitude = abs(numpy.longdouble(number))
    if magnitude < top.tiny:
        return numpy.longdouble(top.smallest_subnormal)
    return numpy.longdouble(2) ** (numpy.floor(numpy.log2(min(magnitude, numpy.longdouble(top.max)))) - (PRECISION[unit] - 1))
