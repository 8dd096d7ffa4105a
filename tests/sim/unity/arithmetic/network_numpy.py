#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks activations, softmax and norms with all units against NumPy and exact numbers.

Usage: network_numpy.py PROGRAM [SEED]"""

import decimal
from fractions import Fraction

import numpy

from convolution_numpy import divided_by_power, doubled_high_product, signed
from unity_cases import Case, generator, run
from unity_numbers import (FLOAT, FLOATS, HALF_EVEN, HALF_FROM_ZERO, INTEGERS, PRECISION, UNITS, clamp, float_bits, is_float, random_bits,
                           round_fraction, ulp, value, widest, width, wrap)

LONG = numpy.longdouble


def root_of_pi(digits):
    """By Machin's formula."""
    with decimal.localcontext() as context:
        context.prec = digits + 10

        def arctangent_of_inverse(n):
            power = total = decimal.Decimal(1) / n
            k = 1
            while abs(power) > decimal.Decimal(10) ** -(digits + 5):
                power /= -n * n
                k += 2
                total += power / k
            return total
        return (16 * arctangent_of_inverse(5) - 4 * arctangent_of_inverse(239)).sqrt()


ROOT_OF_PI = root_of_pi(1600)


def exact_erf(x):
    """The error function of a number up to 40 as a Decimal, by its series with as many digits as the terms and a tail need."""
    square = float(x) ** 2
    with decimal.localcontext() as context:
        context.prec = int(0.9 * square) + 40
        number = decimal_of(x)
        term, total, n = number, number, 0
        while abs(term) > decimal.Decimal(10) ** (-int(0.45 * square) - 30):
            n += 1
            term *= -number * number / n
            total += term / (2 * n + 1)
        return total, context.prec


def decimal_of(x):
    """An FP80 without rounding."""
    high = numpy.float64(x)
    return decimal.Decimal(float(high)) + decimal.Decimal(float(numpy.float64(x - LONG(high))))


def long_of(number):
    """A Decimal as FP80."""
    high = float(number)
    return LONG(high) + LONG(float(number - decimal.Decimal(high)))


def erf(x):
    if abs(x) > 40:
        return numpy.sign(x)
    total, digits = exact_erf(x)
    with decimal.localcontext() as context:
        context.prec = digits
        return long_of(total * 2 / ROOT_OF_PI)


def erfc(x):
    if abs(x) > 40:
        return LONG(0 if x > 0 else 2)
    total, digits = exact_erf(x)
    with decimal.localcontext() as context:
        context.prec = digits
        return long_of(1 - total * 2 / ROOT_OF_PI)


def tanh_shrink(x):
    if abs(x) < 0.02:  # Taylor's series; the next term is below 2^-60
        s = x * x
        return x * s * (LONG(1) / 3 - s * (LONG(2) / 15 - s * (LONG(17) / 315 - s * (LONG(62) / 2835 - s * LONG(1382) / 155925))))
    return x - numpy.tanh(x)


def gelu(x):
    return x if x == numpy.inf else LONG(0) if x == -numpy.inf else x * erfc(-x / numpy.sqrt(LONG(2))) / 2


def swish(x):
    return LONG(0) if x == -numpy.inf else x / (1 + numpy.exp(-x))


ACTIVATIONS = {
    "RELU": lambda x: max(x, LONG(0)), "RELU6": lambda x: min(max(x, LONG(0)), LONG(6)),
    "SIGMOID": lambda x: 1 / (1 + numpy.exp(-x)), "AI_TANH": numpy.tanh, "SOFTPLUS": lambda x: numpy.logaddexp(LONG(0), x),
    "SOFT_SIGN": lambda x: numpy.sign(x) if numpy.isinf(x) else x / (1 + abs(x)), "GELU": gelu, "SWISH": swish,
    "HARD_SWISH": lambda x: x if x > 3 else LONG(0) if x <= -3 else x * (x + 3) / 6, "ERF": erf, "TANH_SHRINK": tanh_shrink,
    "THRESHOLD_RELU": lambda x, p: x if x > p else LONG(0), "LEAKY_RELU": lambda x, p: x if x > 0 else x * p,
    "HARD_SHRINK": lambda x, p: x if abs(x) > p else LONG(0), "BRELU": lambda x, p, q: min(max(x, p), q),
    "HARD_TANH": lambda x, p, q: min(max(x, p), q), "ELU": lambda x, p: x if x > 0 else p * numpy.expm1(x),
    "SELU": lambda x, p, q: p * x if x > 0 else p * (q * numpy.expm1(x)),
    "HARD_SIGMOID": lambda x, p, q: LONG(1) if x >= 3 else LONG(0) if x <= -3 else p * x + q,
}
PARAMETERS = {"THRESHOLD_RELU": 1, "LEAKY_RELU": 1, "HARD_SHRINK": 1, "BRELU": 2, "HARD_TANH": 2, "ELU": 1, "SELU": 2, "HARD_SIGMOID": 2}
OF_INTEGERS = ["RELU", "RELU6", "THRESHOLD_RELU", "LEAKY_RELU", "HARD_SHRINK", "BRELU", "HARD_TANH"]


def interval(number, slack, unit):
    if numpy.isnan(number) or numpy.isinf(number):
        return float_bits(FLOAT[unit](number), unit)
    return LONG(FLOAT[unit](number - slack)), LONG(FLOAT[unit](number + slack))


def activation_case(random, op, unit):
    count = int(random.integers(1, 60))
    bits = random_bits(random, unit, count, small=random.integers(3) == 0)
    parameters = [float(numpy.float32(n)) for n in random.normal(size=PARAMETERS.get(op, 0)) * 3]
    if op in ("BRELU", "HARD_TANH"):
        parameters.sort()
    if op in ("THRESHOLD_RELU", "HARD_SHRINK") and random.integers(2):
        parameters = [float(round(parameters[0]))]  # ties
    case = Case("Activation", op=op)
    if parameters:
        case.members["parameter"] = parameters
    expected = []
    for raw in bits:
        x = value(raw, unit)
        if is_float(unit):
            if numpy.isnan(x):
                expected.append(float_bits(x, unit))
                continue
            y = ACTIVATIONS[op](LONG(x), *[LONG(p) for p in parameters])
            slack = 2 * ulp(y, unit)
            if op == "HARD_SIGMOID":  # two operations, which may cancel: bound of sums
                slack += 2 * LONG(2) ** -PRECISION[unit] * (abs(LONG(parameters[0]) * LONG(x)) + abs(LONG(parameters[1])))
            expected.append(interval(y, slack, unit))
        else:
            exact = [Fraction(p) for p in parameters]
            functions = {
                "RELU": lambda: max(x, 0), "RELU6": lambda: min(max(x, 0), 6), "THRESHOLD_RELU": lambda: x if x > exact[0] else 0,
                "LEAKY_RELU": lambda: x if x > 0 else x * exact[0], "HARD_SHRINK": lambda: x if x > exact[0] or x < -exact[0] else 0,
                "BRELU": lambda: min(max(x, exact[0]), exact[1]), "HARD_TANH": lambda: min(max(x, exact[0]), exact[1]),
            }
            expected.append(clamp(round_fraction(functions[op](), HALF_EVEN), unit))
    case.members["source"] = case.source(bits, unit)
    case.members["result"] = case.result(unit, expected)
    if random.integers(4) == 0:  # in place
        case.members["result"][0] = case.members["source"][0]
        case.expected = [(case.members["source"][0], unit, expected)]
    return case


def prelu_case(random, unit, multiplier_unit, shift_unit):
    period, repeat = int(random.integers(1, 8)), int(random.integers(1, 4))
    count = period * repeat * int(random.integers(1, 4))
    bits = random_bits(random, unit, count, small=is_float(unit) or random.integers(2) == 0)
    multipliers = random_bits(random, multiplier_unit, period, finite=True, small=is_float(unit) or random.integers(2) == 0)
    case = Case("Activation", op="PRELU", broadcast={"repeat": repeat, "period": period})
    shifts = None
    if not is_float(unit):
        most = min(70, (1 << (width(shift_unit) - 1)) - 1)
        shifts = [int(n) for n in random.integers(0, most + 1, period)]
        case.members["shift"] = case.source(shifts, shift_unit)
    expected = []
    for i, raw in enumerate(bits):
        n = i // repeat % period
        x, m = value(raw, unit), value(multipliers[n], multiplier_unit)
        if is_float(unit):
            real = FLOAT[widest([unit, multiplier_unit])]
            expected.append(float_bits(x if x > 0 or numpy.isnan(x) else FLOAT[unit](real(x) * real(m)), unit))
        else:
            y = x if x > 0 else round_fraction(Fraction(x * m, 1 << shifts[n]), HALF_FROM_ZERO)
            expected.append(clamp(y, unit))
    case.members["source"], case.members["multiplier"] = case.source(bits, unit), case.source(multipliers, multiplier_unit)
    case.members["result"] = case.result(unit, expected)
    return case


# --- Softmax ---

def softmax_case(random, op, unit):
    shape = [int(n) for n in random.integers(1, 12, 3)]
    bits = numpy.array(random_bits(random, unit, int(numpy.prod(shape)), finite=True, small=True), dtype=object).reshape(shape)
    numbers = numpy.array([value(b, unit) for b in bits.ravel()]).astype(LONG).reshape(shape)
    shifted = numbers - numbers.max(axis=1, keepdims=True)
    powers = numpy.exp(shifted)
    sums = powers.sum(axis=1, keepdims=True)
    # A composite: rounding the difference, the exponential's 2 places, the sum of `extent` terms, the quotient.
    error = (shape[1] + 6 + numpy.abs(shifted)) * LONG(2) ** -(24 if unit == "fp16" else PRECISION[unit])
    if op == "SOFTMAX":
        result, slack = powers / sums, powers / sums * error
    else:
        result = shifted - numpy.log(sums)
        slack = error * (1 + abs(result))
    case = Case("Softmax", op=op, outer=shape[0], extent=shape[1], inner=shape[2])
    case.members["source"] = case.source(bits.ravel().tolist(), unit)
    expected = [interval(y, s, unit) for y, s in zip(result.ravel(), slack.ravel())]
    case.members["result"] = case.result(unit, expected)
    return case


def special_softmax_case(unit):
    """Infinities: a lone +inf gives NaN as torch does; -inf has probability 0."""
    low, one = float_bits(FLOAT[unit](-numpy.inf), unit), float_bits(FLOAT[unit](1), unit)
    case = Case("Softmax", op="SOFTMAX", outer=1, extent=3, inner=1)
    half = float_bits(FLOAT[unit](0.5), unit)
    case.members["source"], case.members["result"] = case.source([low, one, one], unit), case.result(unit, [0, half, half])
    return case


def saturating_left(x, shift):
    return min(max(x << shift, -(1 << 31)), (1 << 31) - 1)


def tflite_exp(a):
    """gemmlowp's exp_on_negative_values of a number with 5 integer bits."""
    if a == 0:
        return (1 << 31) - 1
    mul, one_quarter = doubled_high_product, 1 << 24
    mod = (a & (one_quarter - 1)) - one_quarter
    x = saturating_left(mod, 5) + (1 << 28)
    x2 = mul(x, x)
    x3, x4 = mul(x2, x), mul(x2, x2)
    inner = divided_by_power(mul(divided_by_power(x4, 2) + x3, 715827883) + x2, 1)
    result = 1895147668 + mul(1895147668, x + inner)
    remainder = mod - a
    for exponent, multiplier in zip(range(-2, 5), [1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242]):
        if remainder & 1 << (26 + exponent):
            result = mul(result, multiplier)
    return result


def tflite_reciprocal(sum_):
    headroom = 32 - sum_.bit_length()
    fraction = signed((sum_ << headroom) - (1 << 31), 32)
    mul = doubled_high_product
    total = fraction + (1 << 31) - 1
    half = (total + (1 if total >= 0 else -1)) // 2  # the sum is odd or positive
    half = int((fraction + (1 << 31) - 1 + 1) / 2) if total >= 0 else half
    x = 1515870810 + mul(half, -1010580540)
    for _ in range(3):
        x += saturating_left(mul(x, (1 << 29) - mul(half, x)), 2)
    return saturating_left(x, 1), 12 - headroom


def tflite_softmax(line, multiplier, left_shift, diff_min):
    most = max(line)
    scaled = lambda d: doubled_high_product(d << left_shift, multiplier)
    total = sum(divided_by_power(tflite_exp(scaled(x - most)), 12) for x in line if x - most >= diff_min)
    scale, over = tflite_reciprocal(total)
    result = []
    for x in line:
        if x - most < diff_min:
            result.append(-128)
        else:
            exact = doubled_high_product(scale, tflite_exp(scaled(x - most)))
            result.append(min(max(divided_by_power(exact, over + 31 - 8) - 128, -128), 127))
    return result


def s8_softmax_case(random):
    shape = [int(n) for n in random.integers(1, 12, 3)]
    if random.integers(8) == 0:
        shape = [1, int(random.integers(200, 400)), 1]
    # As TensorFlow Lite derives them from the input's scale.
    real = min(float(2.0 ** random.uniform(-8, 0)) * (1 << 26), float((1 << 31) - 1))
    mantissa, exponent = numpy.frexp(real)
    multiplier = int(round(mantissa * (1 << 31)))
    if multiplier == 1 << 31:
        multiplier, exponent = multiplier // 2, exponent + 1
    left_shift = int(exponent)
    diff_min = -int(numpy.floor(((1 << 5) - 1) * (1 << 26) / (1 << left_shift)))
    numbers = random.integers(-128, 128, shape) if random.integers(2) else random.integers(100, 128, shape)
    expected = numpy.empty(shape, int)
    for o in range(shape[0]):
        for i in range(shape[2]):
            expected[o, :, i] = tflite_softmax([int(n) for n in numbers[o, :, i]], multiplier, left_shift, diff_min)
    case = Case("Softmax", op="SOFTMAX", outer=shape[0], extent=shape[1], inner=shape[2], multiplier=multiplier, left_shift=left_shift,
                smallest_difference=diff_min)
    case.members["source"] = case.source([wrap(int(n), "s8") for n in numbers.ravel()], "s8")
    case.members["result"] = case.result("s8", [wrap(int(n), "s8") for n in expected.ravel()])
    return case


# --- Norms, with torch's formulas ---

def norm_case(random, op, unit):
    batches, spatial, groups = int(random.integers(1, 4)), int(random.integers(1, 12)), int(random.integers(1, 4))
    channels = groups * int(random.integers(1, 6))
    last = bool(random.integers(2))

    def numbers_of(count, positive=False):
        bits = random_bits(random, unit, count, finite=True, small=True)
        if positive:
            bits = [b & ~(1 << (width(unit) - 1)) for b in bits]
        return bits, numpy.array([value(b, unit) for b in bits]).astype(LONG)

    bits, x = numbers_of(batches * spatial * channels)
    x = x.reshape(batches, spatial, channels)  # as (n, s, c)
    stored = numpy.array(bits, dtype=object).reshape(x.shape)
    case = Case("Norm", op=op, batches=batches, spatial=spatial, channels=channels, channels_last=last)
    eps, one = LONG(numpy.float32(1e-5)), LONG(1)
    affine = op in ("BATCH_NORM", "INSTANCE_NORM", "LAYER_NORM", "GROUP_NORM")
    weight, bias = numpy.ones(channels, LONG), numpy.zeros(channels, LONG)
    if affine:
        if random.integers(4):
            w, weight = numbers_of(channels)
            case.members["weight"] = case.source(w, unit)
        if random.integers(4):
            b, bias = numbers_of(channels)
            case.members["bias"] = case.source(b, unit)
    size, terms = int(random.integers(1, 6)), 1
    if op == "BATCH_NORM":
        (m, mean), (v, variance) = numbers_of(channels), numbers_of(channels, True)
        case.members.update(mean=case.source(m, unit), variance=case.source(v, unit))
    elif op in ("INSTANCE_NORM", "LAYER_NORM"):
        axis = 1 if op == "INSTANCE_NORM" else 2
        mean, variance, terms = x.mean(axis=axis, keepdims=True), x.var(axis=axis, keepdims=True), x.shape[axis]
    elif op == "GROUP_NORM":
        case.members["groups"] = groups
        parts = x.reshape(batches, spatial, groups, -1)
        spread = lambda a: numpy.broadcast_to(a, parts.shape).reshape(x.shape)
        mean, variance = spread(parts.mean(axis=(1, 3), keepdims=True)), spread(parts.var(axis=(1, 3), keepdims=True))
        terms = spatial * channels // groups
    precision = LONG(2) ** -(24 if unit == "fp16" else PRECISION[unit])
    if affine:
        deviation = numpy.sqrt(variance + eps)
        y = (x - mean) / deviation * weight + bias
        # Errors of the mean, and of the variance where it is small beside the squares.
        scale = numpy.abs(x).max() if op != "BATCH_NORM" else numpy.abs(x) + numpy.abs(mean)
        relative = one + (scale / deviation) ** 2
        slack = precision * 8 * (terms + 4) * (scale / deviation * relative * numpy.abs(weight) + numpy.abs(bias))
    elif op == "LRN_NORM":
        alpha, beta, k = [float(numpy.float32(n)) for n in (random.uniform(0.001, 1), random.uniform(0.3, 1), random.uniform(0.5, 2))]
        case.members.update(size=size, alpha=alpha, beta=beta, k=k)
        padded = numpy.pad(x * x, ((0, 0), (0, 0), (size // 2, (size - 1) // 2)))
        window = sum(padded[..., i:i + channels] for i in range(size)) / size
        y = x / (LONG(k) + LONG(alpha) * window) ** LONG(beta)
        slack = precision * (size + 8) * 4 * numpy.abs(y)
    else:
        p = 2.0 if op == "L2_NORM" else float(random.choice([1, 2, 3, 0.5, 1.5, numpy.inf]))
        if op == "LP_NORM":
            case.members["p"] = p if numpy.isfinite(p) else 3.0
            p = case.members["p"]
        length = (numpy.abs(x) ** LONG(p)).sum(axis=2, keepdims=True) ** (1 / LONG(p))
        y = x / numpy.maximum(length, LONG(1e-12))
        slack = precision * (channels + 8) * 4 * numpy.abs(y) * (1 + 1 / LONG(p))
    order = (0, 1, 2) if last else (0, 2, 1)
    slack = numpy.broadcast_to(slack, y.shape)
    case.members["source"] = case.source(stored.transpose(order).ravel().tolist(), unit)
    expected = [interval(a, b, unit) for a, b in zip(y.transpose(order).ravel(), slack.transpose(order).ravel())]
    case.members["result"] = case.result(unit, expected)
    return case


def cases(random):
    def unit(units):
        return units[random.integers(len(units))]

    for op in ACTIVATIONS:
        for one in UNITS if op in OF_INTEGERS else FLOATS:
            for _ in range(6):
                yield activation_case(random, op, one)
    for one in INTEGERS:
        for other in INTEGERS:
            yield prelu_case(random, one, other, unit(INTEGERS))
            yield prelu_case(random, one, unit(INTEGERS), other)
    for one in FLOATS:
        for other in FLOATS:
            for _ in range(3):
                yield prelu_case(random, one, other, None)
    for one in FLOATS:
        yield special_softmax_case(one)
        for _ in range(20):
            yield softmax_case(random, "SOFTMAX", one)
            yield softmax_case(random, "LOGSOFTMAX", one)
            for op in ["BATCH_NORM", "INSTANCE_NORM", "LAYER_NORM", "GROUP_NORM", "LRN_NORM", "LP_NORM", "L2_NORM"]:
                yield norm_case(random, op, one)
    for _ in range(150):
        yield s8_softmax_case(random)


if __name__ == "__main__":
    run(list(cases(generator())))
