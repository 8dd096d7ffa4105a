#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the element-wise operations with all units against whole numbers of Python and real ones of NumPy.

Usage: elementwise_numpy.py PROGRAM [SEED]"""

from fractions import Fraction

import numpy

from unity_cases import Case, generator, run
from unity_numbers import (DROP, FLOAT, FLOATS, HALF_EVEN, INTEGERS, PRECISION, UNITS, clamp, float_bits,
                           interesting, is_float, is_signed, random_bits, round_fraction, store, to_float, ulp, value, widest, width, wrap)

LONG = numpy.longdouble


def less(a, b):
    """-0 is less than +0."""
    if isinstance(a, int):
        return a < b
    return a < b or (a == b and numpy.signbit(a) and not numpy.signbit(b))


def ends_with_nan(function):
    def result(*numbers):
        nan = [n for n in numbers if not isinstance(n, int) and numpy.isnan(n)]
        return nan[0] if nan else function(*numbers)
    return result


maximum = ends_with_nan(lambda a, b: b if less(a, b) else a)
minimum = ends_with_nan(lambda a, b: a if less(a, b) else b)
median = ends_with_nan(lambda a, b, c: maximum(minimum(a, b), minimum(maximum(a, b), c)))

ALL_ONES = object()


def whole_power(x, n):
    if n >= 0:
        if n > 200 and abs(x) > 1:  # the low 64 bits, with a magnitude beyond all units
            low = pow(x, n, 1 << 64)
            return ("beyond", low, x < 0 and n % 2 == 1)
        return x ** (n if abs(x) > 1 else n % 2 + 2 * (n > 1)) if x else int(n == 0)
    if x == 0:
        return ALL_ONES
    return Fraction(1, x) ** min(-n, 200 + n % 2) if abs(x) > 1 else x ** (n % 2 or 2)


def trunc_mod(a, b):
    if b == 0:
        return a
    rest = abs(a) % abs(b)
    return -rest if a < 0 else rest


# Operations on whole numbers and their twins on NumPy's scalars: exact results.
WHOLE = {
    "ADD": lambda a, b: a + b, "SUB": lambda a, b: a - b, "MUL": lambda a, b: a * b,
    "DIV": lambda a, b: Fraction(a, b) if b else ALL_ONES, "MOD": trunc_mod, "POW": whole_power,
    "MAX": maximum, "MIN": minimum, "ABS": abs, "MEDIAN": median, "SIGN": lambda a: -1 if a < 0 else 1,
    "ROUND": lambda a: a, "CEIL": lambda a: a, "FLOOR": lambda a: a, "DATA_CONVERT": lambda a: a,
}
REAL = {
    "ADD": lambda a, b: a + b, "SUB": lambda a, b: a - b, "MUL": lambda a, b: a * b, "DIV": lambda a, b: a / b, "MOD": numpy.fmod,
    "MAX": maximum, "MIN": minimum, "ABS": numpy.abs, "MEDIAN": median,
    "SIGN": lambda a: a if numpy.isnan(a) else type(a)(-1 if a < 0 else 1), "CEIL": numpy.ceil, "FLOOR": numpy.floor,
    "DATA_CONVERT": lambda a: a, "SQRT": numpy.sqrt, "RECIPROCAL": lambda a: type(a)(1) / a,
}
FUNCTION = {
    "RSQRT": lambda x: 1 / numpy.sqrt(x), "SIN": numpy.sin, "COS": numpy.cos, "TAN": numpy.tan, "ASIN": numpy.arcsin, "ACOS": numpy.arccos,
    "ATAN": numpy.arctan, "SINH": numpy.sinh, "COSH": numpy.cosh, "TANH": numpy.tanh, "ASINH": numpy.arcsinh, "ACOSH": numpy.arccosh,
    "ATANH": numpy.arctanh, "EXP": numpy.exp, "EXPML": numpy.expm1, "LOG": numpy.log, "LOGLP": numpy.log1p, "LOG10": numpy.log10,
    "LOG2": numpy.log2,
}
COMPARE = {"SEQ": lambda a, b: a == b, "SNE": lambda a, b: a != b, "SLE": lambda a, b: a <= b, "SLT": lambda a, b: a < b,
           "SGE": lambda a, b: a >= b, "SGT": lambda a, b: a > b, "MAXSI": lambda a, b: b > a, "MINSI": lambda a, b: b < a}


def stored(number, unit, saturate, rounding):
    if number is ALL_ONES:
        return (1 << width(unit)) - 1
    if isinstance(number, tuple):
        _, low, negative = number
        return clamp(-(1 << 80) if negative else 1 << 80, unit) if saturate else wrap(low, unit)
    return store(number, unit, saturate, rounding)


def in_float(number, unit):
    return to_float(number, unit) if isinstance(number, int) else FLOAT[unit](number)


def around(number, unit, to, rounding, distance=2):
    """What a result of `unit` may be in unit `to`: within `distance` places of the last bit."""
    with numpy.errstate(all="ignore"):
        if numpy.isnan(number) or numpy.isinf(FLOAT[unit](number)) and numpy.isinf(number):
            return store(FLOAT[unit](number), to, True, rounding)
        slack = distance * ulp(number, unit)
        low, high = FLOAT[unit](number - slack), FLOAT[unit](number + slack)
        if is_float(to):
            return LONG(FLOAT[to](low)), LONG(FLOAT[to](high))
        return value(store(low, to, True, rounding), to), value(store(high, to, True, rounding), to)


def rounded_real(number, rounding):
    if not numpy.isfinite(number):
        return number
    whole = round_fraction(Fraction(float(number)), rounding or HALF_EVEN)
    return numpy.copysign(type(number)(float(whole)), number)


def random_run(random, unit, count, **kinds):
    bits = random_bits(random, unit, count, **kinds)
    return bits, [value(b, unit) for b in bits]


def number_case(random, op, arity, units, to):
    """Operations of numbers: all in the widest float if there is one, else exact."""
    count = int(random.integers(1, 40))
    saturate, rounding = bool(random.integers(2)), int(random.integers(4))
    if op == "ROUND":
        rounding = int(random.integers(1, 4))
    scalar = arity == 2 and random.integers(4) == 0
    counts = [1 if scalar and i == 1 else count for i in range(arity)]
    runs = [random_run(random, unit, n, small=op == "POW" and random.integers(2) == 0) for unit, n in zip(units, counts)]
    case = Case("Elementwise", op=op, sources=arity, saturate=saturate, rounding=rounding, scalar_second=bool(scalar))
    real = widest(units + [to])
    expected = []
    for i in range(count):
        numbers = [numbers[0 if scalar and s == 1 else i] for s, (_, numbers) in enumerate(runs)]
        with numpy.errstate(all="ignore"):
            if op in COMPARE:
                compared = widest(units)
                if compared:
                    numbers = [in_float(n, compared) for n in numbers]
                expected.append(store(int(COMPARE[op](*numbers)), to, saturate, rounding))
            elif not real:
                expected.append(stored(WHOLE[op](*numbers), to, saturate, rounding))
            else:
                numbers = [in_float(n, real) for n in numbers]
                if op in FUNCTION:
                    expected.append(around(FUNCTION[op](LONG(numbers[0])), real, to, rounding))
                elif op == "ROUND":
                    expected.append(store(rounded_real(numbers[0], rounding), to, saturate, rounding))
                else:
                    expected.append(store(REAL[op](*numbers), to, saturate, rounding))
    case.members["source"] = [case.source(bits, unit) for (bits, _), unit in zip(runs, units)]
    case.members["result"] = case.result(to, expected)
    if width(units[0]) == width(to) and random.integers(4) == 0:  # in place
        address = case.members["source"][0][0]
        case.members["result"][0] = address
        case.expected = [(address, to, expected)]
    return case


def pairs_case(random, op, unit):
    """All pairs of the ends of a unit's range, zeros, infinities and NaN."""
    ends = interesting(unit)
    first, second = [a for a in ends for _ in ends], [b for _ in ends for b in ends]
    saturate, rounding = bool(random.integers(2)), int(random.integers(4))
    case = Case("Elementwise", op=op, sources=2, saturate=saturate, rounding=rounding)
    expected = []
    for a, b in zip(first, second):
        a, b = value(a, unit), value(b, unit)
        if op in COMPARE:
            expected.append(store(int(COMPARE[op](a, b)), unit, saturate, rounding))
        else:
            expected.append(stored((REAL if is_float(unit) else WHOLE)[op](a, b), unit, saturate, rounding))
    case.members["source"] = [case.source(first, unit), case.source(second, unit)]
    case.members["result"] = case.result(unit, expected)
    return case


def no_length_case(unit):
    """The cosine of a vector of zeros: its length counts as 1e-8."""
    case = Case("Elementwise", op="COS_SIM", sources=2)
    one = float_bits(FLOAT[unit](1), unit)
    case.members["source"] = [case.source([0, 0], unit), case.source([one, one], unit)]
    case.members["result"] = case.result(unit, [0])
    return case


def threshold_case(random, units, to):
    count, down, rounding = int(random.integers(1, 40)), bool(random.integers(2)), int(random.integers(4))
    (first, a), (second, b) = random_run(random, units[0], count), random_run(random, units[1], count)
    case = Case("Elementwise", op="THRES", sources=2, less=down, rounding=rounding, saturate=False)
    real = widest(units + [to])
    expected = []
    for x, y in zip(a, b):
        if real:
            x, y = in_float(x, real), in_float(y, real)
        expected.append(store(x if (x < y if down else x > y) else type(x)(0), to, False, rounding))
    case.members["source"] = [case.source(first, units[0]), case.source(second, units[1])]
    case.members["result"] = case.result(to, expected)
    return case


def sum_case(random, op, units, to):
    """ASUM and COS_SIM: bounds of sums."""
    count, saturate, rounding = int(random.integers(1, 60)), bool(random.integers(2)), int(random.integers(4))
    real = widest(units + [to])
    runs = [random_run(random, unit, count, finite=True, small=bool(real)) for unit in units]
    case = Case("Elementwise", op=op, sources=len(units), saturate=saturate, rounding=rounding)
    if not real:
        expected = store(sum(runs[0][1]), to, saturate, rounding)
    else:
        columns = [numpy.array([in_float(n, real) for n in numbers]).astype(LONG) for _, numbers in runs]
        # FP16 adds in FP32; then one rounding to the unit.
        error = count * LONG(2) ** -(24 if real == "fp16" else PRECISION[real])
        if op == "ASUM":
            total, slack = columns[0].sum(), error * numpy.abs(columns[0]).sum()
        else:
            a, b = columns
            total = (a * b).sum() / (max(numpy.sqrt((a * a).sum()), LONG(1e-8)) * max(numpy.sqrt((b * b).sum()), LONG(1e-8)))
            slack = 4 * error + 4 * LONG(2) ** -(PRECISION[real])
        low, high = FLOAT[real](total - slack), FLOAT[real](total + slack)
        if is_float(to):
            expected = (LONG(FLOAT[to](low)), LONG(FLOAT[to](high)))
        else:
            expected = (value(store(low, to, True, rounding), to), value(store(high, to, True, rounding), to))
    case.members["source"] = [case.source(bits, unit) for (bits, _), unit in zip(runs, units)]
    case.members["result"] = case.result(to, [expected])
    return case


def shift_case(random, op, unit, amount_unit, to):
    count, rounding = int(random.integers(1, 40)), 0
    saturate = op == "NSR" or op == "ASL" and bool(random.integers(2))
    if op == "ASR":
        rounding = int(random.integers(4))
    if op == "NSR":
        rounding = int(random.integers(1, 4))
    bits, numbers = random_run(random, unit, count)
    amounts = [int(random.integers(min(2 * width(unit) + 2, 1 << width(amount_unit)))) for _ in range(count)]
    for i in range(count):
        if random.integers(16) == 0:
            amounts[i] = (1 << width(amount_unit)) - 1
    mask, places = (1 << width(unit)) - 1, width(unit)
    expected = []
    for raw, number, amount in zip(bits, numbers, amounts):
        if op in ("ASR", "NSR"):
            exact = Fraction(number, 1 << min(amount, 200))
            whole = exact.__floor__() if rounding == DROP else round_fraction(exact, rounding)
            expected.append(clamp(whole, to) if saturate else wrap(whole, to))
        elif op == "ASL":
            exact = number << min(amount, 200)
            expected.append(clamp(exact, to) if saturate else wrap(exact, to))
        elif op == "LSR":
            expected.append(raw >> min(amount, 200))
        elif op == "LSL":
            expected.append(raw << min(amount, 200) & mask)
        else:
            turn = amount % places
            expected.append((raw >> turn | raw << (places - turn)) & mask)
    case = Case("Elementwise", op=op, sources=2, saturate=saturate, rounding=rounding)
    case.members["source"] = [case.source(bits, unit), case.source(amounts, amount_unit)]
    case.members["result"] = case.result(to, expected)
    return case


def bits_case(random, op, unit, to):
    """Bytes, extensions and sign bits."""
    count = int(random.integers(1, 40))
    first, second = random_bits(random, unit, count), random_bits(random, unit, count)
    bits = width(unit)
    sign = [b >> (bits - 1) for b in first]
    one = float_bits(1.0, unit) if is_float(unit) else 1
    results = {
        "AND": lambda a, b, s: a & b, "OR": lambda a, b, s: a | b, "XOR": lambda a, b, s: a ^ b, "INV": lambda a, b, s: ~a,
        "BCLR": lambda a, b, s: a | ~b, "BSET": lambda a, b, s: a & ~b, "SXT": lambda a, b, s: a - (s << bits), "UXT": lambda a, b, s: a,
        "SIGN_BIT": lambda a, b, s: one * s if is_float(unit) or is_signed(unit) else 0,
    }
    expected = [wrap(results[op](a, b, s), to) for a, b, s in zip(first, second, sign)]
    two = op in ("AND", "OR", "XOR", "BCLR", "BSET")
    case = Case("Elementwise", op=op, sources=2 if two else 1)
    case.members["source"] = [case.source(first, unit)] + ([case.source(second, unit)] if two else [])
    case.members["result"] = case.result(to, expected)
    return case


def clip_case(random, unit, to):
    count, saturate, rounding = int(random.integers(1, 40)), bool(random.integers(2)), int(random.integers(4))
    bits, numbers = random_run(random, unit, count)
    case = Case("Elementwise", op="CLIP", sources=1, saturate=saturate, rounding=rounding)
    expected = []
    if is_float(to):
        low, high = sorted(float(numpy.float16(n)) for n in random.normal(size=2) * 50)
        real = widest([unit, to])
        for number in numbers:
            number = in_float(number, real)
            expected.append(store(FLOAT[real](low) if number < low else FLOAT[real](high) if number > high else number, to, saturate, rounding))
        case.members["clip"] = {"float_minimum": low, "float_maximum": high}
    else:
        end = (0, 65536) if not is_signed(to) else (-32768, 32768)
        low, high = sorted(int(n) for n in random.integers(*end, size=2))
        for number in numbers:
            if isinstance(number, int):
                number = min(max(number, low), high)
                expected.append(clamp(number, to) if saturate else wrap(number, to))
            else:
                number = 0 if numpy.isnan(number) else (1 << 70) * int(numpy.sign(number)) if numpy.isinf(number) else round_fraction(
                    Fraction(float(number)), rounding)
                expected.append(clamp(min(max(number, low), high), to))
        case.members["clip"] = {"minimum": low, "maximum": high}
    if random.integers(4) == 0:
        del case.members["clip"]
        expected = [store(number, to, saturate, rounding) for number in numbers]
    case.members["source"] = [case.source(bits, unit)]
    case.members["result"] = case.result(to, expected)
    return case


def cases(random):
    def unit(units=UNITS):
        return units[random.integers(len(units))]

    for one in UNITS:
        for op in ["ADD", "SUB", "MUL", "DIV", "MOD", "MAX", "MIN"] + list(COMPARE):
            yield pairs_case(random, op, one)
    for one in FLOATS:
        yield no_length_case(one)
    # Every unit stands once as each source and as the result of each operation; the others are random.
    for op in ["ADD", "SUB", "MUL", "DIV", "MOD", "MAX", "MIN"] + list(COMPARE):
        for one in UNITS:
            for place in range(3):
                units = [unit(), unit(), unit()]
                units[place] = one
                yield number_case(random, op, 2, units[:2], units[2])
            yield number_case(random, op, 2, [one, one], one)
    for op in ["ABS", "SIGN", "ROUND", "CEIL", "FLOOR", "DATA_CONVERT"]:
        sources = [u for u in UNITS if op != "ABS" or u[0] in "sf"]
        for source in sources:
            for to in UNITS:
                yield number_case(random, op, 1, [source], to)
    for one in UNITS:
        for place in range(4):
            units = [unit(), unit(), unit(), unit()]
            units[place] = one
            yield number_case(random, "MEDIAN", 3, units[:3], units[3])
            yield threshold_case(random, units[:2], units[2] if place == 3 else units[place])
        yield number_case(random, "MEDIAN", 3, [one] * 3, one)
        yield threshold_case(random, [one, one], one)
    for one in INTEGERS:
        for other in INTEGERS:
            yield number_case(random, "POW", 2, [one, other], unit(INTEGERS))
            yield number_case(random, "POW", 2, [one, other], one)
    for op in ["SQRT", "RECIPROCAL"] + list(FUNCTION):
        for one in UNITS:
            yield number_case(random, op, 1, [one], unit(FLOATS))
            yield number_case(random, op, 1, [unit(FLOATS)], one)
    for one in UNITS:
        for other in UNITS:
            yield sum_case(random, "ASUM", [one], other)
            yield clip_case(random, one, other)
        for real in FLOATS:
            yield sum_case(random, "COS_SIM", [one, unit()], real)
            yield sum_case(random, "COS_SIM", [unit(), one], real)
            yield sum_case(random, "COS_SIM", [real, unit()], one)
    for one in INTEGERS:
        for amounts in INTEGERS:
            for op in ["ASR", "ASL", "LSR", "LSL", "ROR"]:
                yield shift_case(random, op, one, amounts, one)
            if width(one) > 4:
                for sign in "us":
                    yield shift_case(random, "NSR", one, amounts, f"{sign}{width(one) // 2}")
        for to in INTEGERS:
            if width(to) > width(one):
                yield bits_case(random, "SXT", one, to)
                yield bits_case(random, "UXT", one, to)
    for one in UNITS:
        yield bits_case(random, "SIGN_BIT", one, one)
    for op in ["AND", "OR", "XOR", "INV", "BCLR", "BSET"]:
        yield bits_case(random, op, "u8", "u8")


if __name__ == "__main__":
    run(list(cases(generator())))
