# SPDX-License-Identifier: MIT
"""Makes a failing list of lines shorter and its numbers smaller, for any test that says whether a list still fails."""
from __future__ import annotations

import re
import time
from typing import Callable, Sequence

Lines = tuple[str, ...]

_WIDEST = 8  # lines that are removed together at any place: an instruction with its configurations
_NUMBER = re.compile(r"(?<==)(0x[0-9A-Fa-f]+|\d+)(?= |$)")  # of a parameter KEY=NUMBER


class Oracle:
    """Asks `fails` at most once about the same lines, and no more after `most` questions or `seconds`; then everything else passes."""

    def __init__(self, fails: Callable[[Lines], bool], most: int = 5000, seconds: float = 120.0):
        self._fails = fails
        self._known: dict[Lines, bool] = {}
        self._most = most
        self._end = time.monotonic() + seconds
        self.asked = 0

    @property
    def exhausted(self) -> bool:
        return self.asked >= self._most or time.monotonic() >= self._end

    def __call__(self, lines: Sequence[str]) -> bool:
        key = tuple(lines)
        if key not in self._known:
            if self.exhausted:
                return False
            self.asked += 1
            self._known[key] = self._fails(key)
        return self._known[key]


def minimise(lines: Sequence[str], oracle: Oracle, numbers: bool = True) -> Lines:
    """Returns lines that fail, in the same order. Unless the oracle is exhausted, they pass when any one of them is removed.

    `lines` must fail. `numbers`: also replaces numbers of parameters by smaller ones.
    """
    result = _halve(tuple(lines), oracle)
    while True:
        before = result
        result = _remove_runs(result, oracle)
        if numbers:
            result = simplify_numbers(result, oracle)
        if result == before or oracle.exhausted:
            return result


def _halve(lines: Lines, oracle: Oracle) -> Lines:
    """Delta debugging: removes halves, quarters and so on. (Zeller and Hildebrandt, Simplifying and isolating failure-inducing input)"""
    parts = 2
    while len(lines) >= 2 and parts <= len(lines):
        size = -(-len(lines) // parts)
        for begin in range(0, len(lines), size):
            without = lines[:begin] + lines[begin + size :]
            if oracle(without):
                lines, parts = without, max(2, parts - 1)
                break
        else:
            if parts == len(lines):
                break
            parts = min(2 * parts, len(lines))
    return lines


def _remove_runs(lines: Lines, oracle: Oracle) -> Lines:
    """Removes runs of lines at any place, long ones first, until no run can be removed."""
    for size in range(min(_WIDEST, len(lines)), 0, -1):
        begin = len(lines) - size  # from the end on: later lines depend on earlier ones
        while begin >= 0:
            without = lines[:begin] + lines[begin + size :]
            if oracle(without):
                lines = without
            begin = min(begin - 1, len(lines) - size)
    return lines


def simplify_numbers(lines: Lines, oracle: Oracle) -> Lines:
    """Replaces each number KEY=NUMBER by 0 or 1, or halves it, as often as the lines still fail."""
    for index in range(len(lines)):
        for place in range(len(_NUMBER.findall(lines[index]))):
            lines = _simplify_number(lines, index, place, oracle)
    return lines


def _simplify_number(lines: Lines, index: int, place: int, oracle: Oracle) -> Lines:
    def with_value(value: int) -> Lines:
        match = list(_NUMBER.finditer(lines[index]))[place]
        line = lines[index][: match.start()] + str(value) + lines[index][match.end() :]
        return (*lines[:index], line, *lines[index + 1 :])

    value = int(_NUMBER.findall(lines[index])[place], 0)
    for small in (0, 1):
        if small < value and oracle(with_value(small)):
            return with_value(small)
    while value > 1 and oracle(with_value(value // 2)):
        value //= 2
        lines = with_value(value)
    return lines
