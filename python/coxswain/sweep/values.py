# SPDX-License-Identifier: MIT
"""The values that an axis takes: a list, or a range (docs/sweep.md, Values)."""
from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any, Callable

from ..work import ExitCode, WorkError, did_you_mean
from .catalogue import AxisKind, Value

_MEMBERS = ("from", "to", "step", "scale")
_SCALES = ("linear", "log", "doubling")
_MOST_VALUES = 1_000_000  # of one axis


@dataclass(frozen=True)
class AxisValues:
    """Either a list of values, or a range from `least` to `most` of which only random methods can take values."""

    kind: AxisKind
    values: tuple[Value, ...] = ()
    least: float = 0
    most: float = 0
    logarithmic: bool = False

    def at(self, share: float) -> Value:
        """The value at a share from 0 to below 1 of the axis: each value of a list has an equal part."""
        if self.values:
            return self.values[min(int(share * len(self.values)), len(self.values) - 1)]
        if self.kind.real:
            return self._real(share)
        # Each whole number has a part: of equal length, or of equal ratio of its ends.
        whole = math.floor(self._between(share, self.least, self.most + 1))
        return int(min(max(whole, self.least), self.most))

    def _real(self, share: float) -> float:
        return float(min(max(self._between(share, self.least, self.most), self.least), self.most))

    def _between(self, share: float, low: float, high: float) -> float:
        if self.logarithmic:
            return low * (high / low) ** share
        return low + (high - low) * share


def read_values(kind: AxisKind, given: Any, where: str, check: Callable[[Any], Value]) -> AxisValues:
    """Raises WorkError that names `where`. `check` checks one value."""
    if isinstance(given, list):
        if not given:
            raise WorkError(f"{where}: the list is empty", ExitCode.USAGE)
        values = tuple(check(value) for value in given)
        for i, value in enumerate(values):
            if value in values[:i]:
                raise WorkError(f"{where}: {value} is in the list twice", ExitCode.USAGE)
        return AxisValues(kind, values)
    if not isinstance(given, dict):
        raise WorkError(f"{where}: is neither a list of values nor a range such as {{ from = 1, to = 8, step = 1 }}", ExitCode.USAGE)
    return _read_range(kind, given, where, check)


def _read_range(kind: AxisKind, given: dict[str, Any], where: str, check: Callable[[Any], Value]) -> AxisValues:
    for name in given:
        if name not in _MEMBERS:
            raise WorkError(f'{where}: unknown member "{name}" of a range{did_you_mean(name, _MEMBERS)}', ExitCode.USAGE)
    if not kind.numeric:
        raise WorkError(f"{where}: takes a list of values: {kind.range}", ExitCode.USAGE)
    if "from" not in given or "to" not in given:
        raise WorkError(f"{where}: a range takes from and to", ExitCode.USAGE)
    least, most = check(given["from"]), check(given["to"])
    if least > most:
        raise WorkError(f"{where}: from {least} is above to {most}", ExitCode.USAGE)
    scale = given.get("scale", "linear")
    if scale not in _SCALES:
        raise WorkError(f'{where}: scale "{scale}" is not one of {", ".join(_SCALES)}{did_you_mean(str(scale), _SCALES)}', ExitCode.USAGE)
    if scale in ("log", "doubling") and least <= 0:
        raise WorkError(f"{where}: scale {scale} takes a range above 0", ExitCode.USAGE)
    if scale == "doubling":
        if "step" in given:
            raise WorkError(f"{where}: scale doubling has no step", ExitCode.USAGE)
        return AxisValues(kind, tuple(itertools.takewhile(lambda value: value <= most, (least * 2**i for i in itertools.count()))))
    if kind.allowed:
        raise WorkError(f"{where}: takes a list of values ({kind.range}), or a range with scale = \"doubling\"", ExitCode.USAGE)
    if "step" not in given:
        return AxisValues(kind, (), least, most, scale == "log")
    if scale == "log":
        raise WorkError(f"{where}: scale log has no step; doubling gives the values 1, 2, 4, ...", ExitCode.USAGE)
    return AxisValues(kind, _steps(kind, least, most, given["step"], where))


def _steps(kind: AxisKind, least: float, most: float, step: Any, where: str) -> tuple[Value, ...]:
    if isinstance(step, bool) or not isinstance(step, (int, float)) or not 0 < step < math.inf or (not kind.real and not isinstance(step, int)):
        raise WorkError(f"{where}: step {step} is not a {'number' if kind.real else 'whole number'} above 0", ExitCode.USAGE)
    steps = (most - least) / step
    if steps >= _MOST_VALUES:
        raise WorkError(f"{where}: {steps + 1:.0f} values are too many (at most {_MOST_VALUES})", ExitCode.USAGE)
    return tuple(min(least + i * step, most) for i in range(int(steps + 1e-9) + 1))
