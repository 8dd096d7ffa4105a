#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""exponential.h against docs/mx9.md in NumPy's float32, operation by operation: exponential_numpy.py PROGRAM."""

import subprocess
import sys

import numpy

F = numpy.float32
COEFFICIENTS = ["1.9875691500e-4", "1.3981999507e-3", "8.3334519073e-3", "4.1665795894e-2", "1.6666665459e-1", "5.0000001201e-1"]


def exponential(x):
    x = numpy.where(numpy.isnan(x), x, numpy.clip(x, F(-87), F(88)))
    n = numpy.rint(x * F("1.44269504"))
    r = (x - n * F("0.693359375")) - n * F("-2.12194440e-4")
    p = numpy.full_like(x, F(COEFFICIENTS[0]))
    for coefficient in COEFFICIENTS[1:]:
        p = p * r + F(coefficient)
    p = (p * (r * r) + r) + F(1)
    return numpy.where(numpy.isnan(x), x, numpy.ldexp(p, numpy.nan_to_num(n).astype(int)))


def inputs():
    random = numpy.random.default_rng(1)
    bits = random.integers(0, 2**32, 400_000, dtype=numpy.uint32).view(F)
    special = numpy.array([0, -0.0, 1, -1, 87, -87, 88, -88, 1e30, -1e30, numpy.inf, -numpy.inf, 1e-40, -1e-40], F)
    halves = (numpy.arange(-252, 254, dtype=F) * F(0.5) / F("1.44269504")).astype(F)  # where n changes
    sweep = numpy.linspace(-90, 90, 400_001, dtype=F)
    values = numpy.concatenate([bits, special, halves, numpy.nextafter(halves, F(100)), numpy.nextafter(halves, F(-100)), sweep])
    return values[~numpy.isnan(values)]


def main():
    x = inputs()
    done = subprocess.run([sys.argv[1]], input=x.tobytes(), stdout=subprocess.PIPE, check=True)
    ours = numpy.frombuffer(done.stdout, F).reshape(-1, 3)
    if len(ours) != len(x):
        sys.exit(f"{len(ours)} results for {len(x)} values")
    sigmoid = F(1) / (F(1) + exponential(-x))
    for column, (name, expected) in enumerate([("exponential", exponential(x)), ("sigmoid", sigmoid), ("silu", x * sigmoid)]):
        assert expected.dtype == F
        differ = numpy.flatnonzero(ours[:, column].view(numpy.uint32) != expected.view(numpy.uint32))
        if len(differ):
            at = differ[0]
            sys.exit(f"{name}({x[at]!r}) is {ours[at, column]!r}, by NumPy {expected[at]!r}; {len(differ)} of {len(x)} differ")
    print(f"{len(x)} values: the same bits")


if __name__ == "__main__":
    main()
