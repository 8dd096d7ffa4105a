# SPDX-License-Identifier: MIT
"""Runs operations in the model and checks memory afterwards, byte for byte where results are exact."""

import json
import subprocess
import sys

import numpy

from unity_numbers import FLOAT, UNITS, is_float, pack, unpack, value, width

GUARD = 0xA5


class Case:
    """Memory of one operation with the expected results."""

    def __init__(self, family, **members):
        self.members = {"family": family, **members}
        self.memory = bytearray([GUARD] * 16)
        self.expected = []  # (address, unit, count, list of bits or of (low, high))
        self.error = None

    def reserve(self, size):
        address = len(self.memory)
        self.memory += bytes([GUARD] * (size + 16 + -size % 16))
        return address

    def data(self, data):
        address = self.reserve(len(data))
        self.memory[address:address + len(data)] = data
        return address

    def source(self, bits, unit):
        """A run with these elements."""
        return [self.data(pack(bits, unit)), UNITS.index(unit), len(bits)]

    def result(self, unit, expected):
        """A run that must have these bits afterwards; a pair is an interval of real numbers."""
        run = [self.reserve(len(pack([0] * len(expected), unit))), UNITS.index(unit), len(expected)]
        self.expect(run[0], unit, expected)
        return run

    def expect(self, address, unit, expected):
        self.expected.append((address, unit, expected))

    def map_source(self, bits, unit, channels_first, gaps=(0, 0)):
        """A feature map of an array [h][w][c] of bits. `gaps`: units of bytes between lines and between surfaces. Lines start at bytes."""
        members, lines = map_layout(bits.shape, unit, channels_first, gaps)
        members["address"] = self.reserve((members["bytes"] + 7) // 8 * 8)
        order = bits.transpose(2, 0, 1) if channels_first else bits
        for at, line in zip(lines, order.reshape(len(lines), -1)):
            data = pack(line.tolist(), unit)
            self.memory[members["address"] + at:members["address"] + at + len(data)] = data
        del members["bytes"]
        return members

    def map_result(self, expected, unit, channels_first):
        """A dense feature map that must be an array [h][w][c] of bits or of intervals (lists of lists of lists)."""
        shape = (len(expected), len(expected[0]), len(expected[0][0]))
        members, lines = map_layout(shape, unit, channels_first, (0, 0))
        members["address"] = self.reserve(members.pop("bytes"))
        height, width_, channels = shape
        if channels_first:
            rows = [[expected[h][w][c] for w in range(width_)] for c in range(channels) for h in range(height)]
        else:
            rows = [[expected[h][w][c] for w in range(width_) for c in range(channels)] for h in range(height)]
        for at, row in zip(lines, rows):
            self.expect(members["address"] + at, unit, row)
        return members

    def line(self):
        return json.dumps({**self.members, "memory": self.memory.hex()})

    def check(self, answer):
        """What is wrong with the program's answer, or None."""
        if answer.startswith("error"):
            return None if answer == self.error else answer
        if self.error:
            return f"no error, but expected: {self.error}"
        after = bytes.fromhex(answer)
        rest = bytearray(self.memory)
        for address, unit, expected in self.expected:
            data = pack([0] * len(expected), unit)
            got = unpack(after[address:address + len(data)], unit, len(expected))
            for i, (ours, wanted) in enumerate(zip(got, expected)):
                if isinstance(wanted, tuple):
                    low, high = wanted
                    number = value(ours, unit)
                    right = low <= (numpy.longdouble(number) if is_float(unit) else number) <= high
                else:
                    right = ours == wanted
                if not right:
                    def shown(bits):
                        return f"{bits:#x} ({value(bits, unit)})"
                    return f"element {i} at {address} ({unit}): {shown(ours)}, expected {wanted if isinstance(wanted, tuple) else shown(wanted)}"
            if width(unit) == 4 and len(expected) % 2 and after[address + len(data) - 1] >> 4:
                return "a spare nibble is not 0"
            rest[address:address + len(data)] = after[address:address + len(data)]
        if rest != after:
            at = next(i for i, (a, b) in enumerate(zip(rest, after)) if a != b)
            return f"byte {at} behind or before the results changed from {rest[at]:#x} to {after[at]:#x}"
        return None


def map_layout(shape, unit, channels_first, gaps):
    """Members of a FeatureMap, and where its lines begin. NHWC: a line is a row of pixels."""
    height, wide, channels = shape
    nibbles = width(unit) // 4
    if channels_first:
        line = -(-wide * nibbles // 2) + gaps[0] * max(nibbles // 2, 1)
        surface = line * height + gaps[1] * max(nibbles // 2, 1)
        distances = {"row": 2 * line, "column": nibbles, "channel": 2 * surface}
        lines = [c * surface + h * line for c in range(channels) for h in range(height)]
        size = channels * surface
    else:
        line = -(-wide * channels * nibbles // 2) + gaps[0] * max(nibbles // 2, 1)
        distances = {"row": 2 * line, "column": channels * nibbles, "channel": nibbles}
        lines = [h * line for h in range(height)]
        size = height * line
    return {"unit": UNITS.index(unit), "height": height, "width": wide, "channels": channels, "bytes": size, **distances}, lines


def run(cases, what="as NumPy has them"):
    """Checks all cases with both paths; ends with an error at the first difference."""
    lines = "\n".join(case.line() for case in cases) + "\n"
    for path in ("reference", "fast"):
        done = subprocess.run([sys.argv[1], path], input=lines.encode(), stdout=subprocess.PIPE, check=True)
        answers = done.stdout.decode().splitlines()
        if len(answers) != len(cases):
            sys.exit(f"{len(answers)} answers to {len(cases)} operations")
        for number, (case, answer) in enumerate(zip(cases, answers)):
            wrong = case.check(answer)
            if wrong:
                sys.exit(f"{path}, operation {number}: {wrong}\n{json.dumps(case.members)}\nmemory {case.memory.hex()[:2000]}")
    print(f"{len(cases)} operations: {what}, with both paths")


def generator():
    numpy.seterr(all="ignore")
    return numpy.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
