# SPDX-License-Identifier: MIT
"""Checks a program that executes operations against their evaluation in NumPy."""

import subprocess
import sys

import numpy


def compare(random_operation, words, memory_after, count):
    """Sends random operations to the program, each encoded by `words`. After each operation, memory must be bit for bit what `memory_after`
    returns. Usage: SCRIPT PROGRAM [OPERATIONS [SEED]]. `count` is the default of OPERATIONS."""
    count = int(sys.argv[2]) if len(sys.argv) > 2 else count
    random = numpy.random.default_rng(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    with numpy.errstate(all="ignore"):
        operations = [random_operation(random, number) for number in range(count)]
    done = subprocess.run([sys.argv[1]], input=b"".join(words(op) for op in operations), stdout=subprocess.PIPE, check=True)
    at = 0
    for number, op in enumerate(operations):
        with numpy.errstate(all="ignore"):
            expected = memory_after(op)
        ours = done.stdout[at : at + len(expected)]
        at += len(expected)
        if ours != expected:
            first = next((i for i, (a, b) in enumerate(zip(ours, expected)) if a != b), len(ours))
            sys.exit(f"operation {number} differs from byte {first} on, of {len(expected)}:\n"
                     f"ours  {ours[first:first + 16].hex()}\nNumPy {expected[first:first + 16].hex()}\n"
                     f"{ {key: value for key, value in op.items() if not isinstance(value, numpy.ndarray)} }")
    if at != len(done.stdout):
        sys.exit(f"{len(done.stdout)} bytes of results, {at} expected")
    print(f"{count} operations: the same bits")
