# SPDX-License-Identifier: MIT
"""How figures are written: the same in the table of `cox sweep` and in its report."""
from __future__ import annotations

import math

from .study import Axis, Metric, Value

UNKNOWN = "-"
_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def format_value(column: Metric | Axis, value: Value | None) -> str:
    """The text of a cell, without the unit except for shares, which are percent. A value that is not known is "-".

    Integers have separators of thousands. Other numbers have at least four significant digits.
    """
    if value is None or isinstance(value, float) and not math.isfinite(value):
        return UNKNOWN
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if column.unit == "share":
        return f"{100 * value:.1f} %"
    if float(value).is_integer():
        return f"{int(value):,}"
    if isinstance(column, Axis):
        return f"{value:,.10g}"
    size = abs(value)
    if size < 1:
        return f"{value:.4g}"
    return f"{value:,.{1 if size >= 100 else 2 if size >= 10 else 3}f}"


def format_short(value: float) -> str:
    """At most three significant digits, with k, M, G or T: the label of a tick."""
    for size, prefix in _PREFIXES:
        if abs(value) >= 0.9995 * size:
            return f"{_three(value / size)}{prefix}"
    return _three(value)


def _three(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 99.95 else f"{value:.3g}"


def format_ratio(value: float) -> str:
    """"x 1.83": how many times as much."""
    return f"x {value:.2f}" if value < 100 else f"x {value:,.0f}"


def heading(column: Metric | Axis) -> str:
    """The name of a column with its unit."""
    return f"{column.name} ({column.unit})" if column.unit and column.unit not in ("share", column.name) else column.name
