# SPDX-License-Identifier: MIT
"""Scales: where a value is on an axis of a plot, and which values have ticks."""
from __future__ import annotations

import math
from typing import Protocol, Sequence

from ..figures import format_short
from ..study import Value

_LOG_FROM = 12.0  # values that differ by more than this factor get a logarithmic axis


class Scale(Protocol):
    """`begin` and `end` are the pixels of the least and the greatest value."""

    def at(self, value: Value) -> float: ...

    def ticks(self, most: int) -> list[tuple[float, str]]:
        """At most about `most` pairs of a pixel and its label."""
        ...


class Linear:
    def __init__(self, least: float, greatest: float, begin: float, end: float):
        room = 0.06 * (greatest - least) or 0.5 * abs(least) or 1.0
        self.least = 0.0 if 0 <= least <= room else least - room
        self.greatest = greatest + room
        self._begin, self._end = begin, end

    def at(self, value: Value) -> float:
        return self._begin + (float(value) - self.least) / (self.greatest - self.least) * (self._end - self._begin)

    def ticks(self, most: int) -> list[tuple[float, str]]:
        step = _nice_step((self.greatest - self.least) / most)
        first, last = math.ceil(self.least / step), math.floor(self.greatest / step)
        return [(self.at(i * step), format_short(i * step)) for i in range(first, last + 1)]


class Logarithmic:
    """For positive values only."""

    def __init__(self, least: float, greatest: float, begin: float, end: float):
        room = 1.0 + 0.06 * max(math.log(greatest / least), 1.0)
        self.least, self.greatest = least / room, greatest * room
        self._begin, self._end = begin, end

    def at(self, value: Value) -> float:
        share = math.log(float(value) / self.least) / math.log(self.greatest / self.least)
        return self._begin + share * (self._end - self._begin)

    def ticks(self, most: int) -> list[tuple[float, str]]:
        decades = range(math.floor(math.log10(self.least)), math.ceil(math.log10(self.greatest)) + 1)
        for digits in ((1, 2, 5), (1, 3), (1,)):
            values = [digit * 10.0**decade for decade in decades for digit in digits]
            values = [value for value in values if self.least <= value <= self.greatest]
            if len(values) <= most:
                break
        values = values[:: max(1, math.ceil(len(values) / most))]
        if len(values) < 2:  # less than one step of 1, 2, 5
            linear = Linear(self.least, self.greatest, 0, 1)
            step = _nice_step((linear.greatest - linear.least) / most)
            values = [i * step for i in range(math.ceil(self.least / step), math.floor(self.greatest / step) + 1)]
        return [(self.at(value), format_short(value)) for value in values]


class Categories:
    """Values side by side at equal distances, whatever they are."""

    def __init__(self, values: Sequence[Value], labels: Sequence[str], begin: float, end: float):
        self._labels = list(labels)
        step = (end - begin) / max(1, len(values))
        self._place = {value: begin + (i + 0.5) * step for i, value in enumerate(values)}

    def at(self, value: Value) -> float:
        return self._place[value]

    def ticks(self, most: int) -> list[tuple[float, str]]:
        every = max(1, math.ceil(len(self._labels) / most))
        return list(zip(self._place.values(), self._labels))[::every]


def fitting(values: Sequence[float], begin: float, end: float) -> Linear | Logarithmic:
    """A scale for these values, which are not empty: logarithmic if they are positive and far apart."""
    least, greatest = min(values), max(values)
    if least > 0 and greatest / least > _LOG_FROM:
        return Logarithmic(least, greatest, begin, end)
    return Linear(least, greatest, begin, end)


def _nice_step(least: float) -> float:
    """The least of 1, 2 and 5 times a power of ten that is not below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= least * (1 - 1e-9))
