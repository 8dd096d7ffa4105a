#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the exponential against docs/mx9.md and docs/arithmetic.md in NumPy's float32, operation by operation.

Usage: exponential_numpy.py PROGRAM"""

import subprocess
import sys

import numpy

F = numpy.float32
COEFFICIENTS = ["1.9875691500e-4", "1.3981999507e-3", "8.3334519073e-3", "4.1665795894e-2", "1.6666665459e-1", "5.0000001201e-1"]


def parts(x):
    n = numpy.rint(x * F("1.44269504"))
    r = (x - n * F("0.693359375")) - n * F("-2.12194440e-4")
    p = numpy.full_like(x, F(COEFFICIENTS[0]))
    for coefficient in COEFFICIENTS[1:]:
        p = p * r + F(coefficient)
    return (p * (r * r) + r) + F(1), n.astype(int)


def exponential(x):
    p, n = parts(numpy.clip(x, F(-87), F(88)))
    return numpy.ldexp(p, n)


def whole_exponential(x):
    """The exponential for every FP32 value. ldexp() is exact in double precision. Its result is rounded to FP32 once."""
    p, n = parts(numpy.clip(x, F(-104), F(89)))
    with numpy.errstate(over="ignore"):
        return numpy.ldexp(p.astype(numpy.float64), n).astype(F)


def inputs():
    random = numpy.random.default_rng(1)
    bits = random.integers(0, 2**32, 400_000, dtype=numpy.uint32).view(F)
    special = numpy.array([0, -0.0, 1, -1, 87, -87, 88, -88, 89, 88.7, 88.8, -104, -103.9, 1e30, -1e30, numpy.inf, -numpy.inf, 1e-40, -1e-40], F)
    halves = (numpy.arange(-252, 254, dtype=F) * F(0.5) / F("1.44269504")).astype(F)  # multiples of ln(2) / 2; round(x / ln(2)) changes at the odd ones
    sweep = numpy.linspace(-106, 91, 400_001, dtype=F)
    values = numpy.concatenate([bits, special, halves, numpy.nextafter(halves, F(100)), numpy.nextafter(halves, F(-100)), sweep])
    return values[~numpy.isnan(values)]


def main():
    x = inputs()
    done = subprocess.run([sys.argv[1]], input=x.tobytes(), stdout=subprocess.PIPE, check=True)
    ours = numpy.frombuffer(done.stdout, F).reshape(-1, 4)
    if len(ours) != len(x):
        sys.exit(f"{len(ours)} results for {len(x)} values")
    sigmoid = F(1) / (F(1) + exponential(-x))
    for column, (name, expected) in enumerate([("exponential", exponential(x)), ("sigmoid", sigmoid), ("silu", x * sigmoid), ("whole exponential", whole_exponential(x))]):
        assert expected.dtype == F
        differ = numpy.flatnonzero(ours[:, column].view(numpy.uint32) != expected.view(numpy.uint32))
        if len(differ):
            at = differ[0]
            sys.exit(f"{name}({x[at]!r}) is {ours[at, column]!r}, by NumPy {expected[at]!r}; {len(differ)} of {len(x)} differ")
    print(f"{len(x)} values: the same bits")


if __name__ == "__main__":
    main()
