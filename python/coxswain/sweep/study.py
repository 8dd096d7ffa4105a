# SPDX-License-Identifier: MIT
"""What a sweep has found, as its table, its report and its plots take it."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Iterable, Mapping, Union

Value = Union[int, float, str, bool]
STATUSES = ("done", "infeasible", "failed", "open")
TASK = "task"  # name of the axis whose values are tasks


@dataclass(frozen=True)
class Metric:
    """A column of results. `better`: "less" or "more". `unit` "share" is for values from 0 to 1, which are shown as percent."""

    name: str
    unit: str
    better: str
    what: str

    def __post_init__(self) -> None:
        if self.better not in ("less", "more"):
            raise ValueError(f'metric "{self.name}": better is "{self.better}"; it should be "less" or "more"')


@dataclass(frozen=True)
class Axis:
    """A column of settings. The tasks of a sweep are the axis "task"."""

    name: str
    unit: str = ""


@dataclass(frozen=True)
class Row:
    """A point of the sweep. `message` is the reason of a point that is infeasible or has failed; "open": it has not run yet.

    Besides the columns of the study, `metrics` may have what the roofline needs: macs, dram_bytes, macs_per_cycle, peak_macs_per_cycle,
    peak_dram_bytes_per_cycle.
    """

    settings: Mapping[str, Value]
    status: str
    message: str
    metrics: Mapping[str, float]

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"status {self.status!r} is not one of {', '.join(STATUSES)}")

    @property
    def task(self) -> str:
        return str(self.settings.get(TASK, ""))


@dataclass(frozen=True)
class Study:
    """A sweep: columns and rows. Both objectives are names of `metrics` or `axes`; less of an axis is better."""

    title: str
    axes: tuple[Axis, ...]
    metrics: tuple[Metric, ...]
    objectives: tuple[str, str]
    rows: tuple[Row, ...]
    provenance: Mapping[str, str]

    def __post_init__(self) -> None:
        for name in self.objectives:
            self.column(name)

    def column(self, name: str) -> Axis | Metric:
        """Raises ValueError if there is no such column."""
        for column in (*self.metrics, *self.axes):
            if column.name == name:
                return column
        raise ValueError(f'"{name}" is no column of the study; its columns are {", ".join(c.name for c in (*self.axes, *self.metrics))}')

    def better(self, name: str) -> str:
        column = self.column(name)
        return column.better if isinstance(column, Metric) else "less"

    def tasks(self) -> tuple[str, ...]:
        """In the order of the rows. A study without the axis "task" has one task without a name."""
        return tuple(dict.fromkeys(row.task for row in self.rows))

    def with_status(self, status: str) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.status == status)

    def done(self, task: str | None = None) -> tuple[Row, ...]:
        """Rows that have results, of one task or of all."""
        return tuple(row for row in self.rows if row.status == "done" and task in (None, row.task))


def value_of(row: Row, name: str) -> Value | None:
    """The metric or the setting of this name; None if the row has none."""
    return row.metrics.get(name, row.settings.get(name))


def cell_of(row: Row, column: Metric | Axis) -> Value | None:
    """The value in a column of the table. An axis and a metric may have the same name, such as `retries`."""
    return (row.metrics if isinstance(column, Metric) else row.settings).get(column.name)


def number_of(row: Row, name: str) -> float | None:
    """value_of() if it is a finite number, else None."""
    value = value_of(row, name)
    return float(value) if is_number(value) and math.isfinite(value) else None


def is_number(value: Value | None) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def distinct(values: Iterable[Value]) -> list[Value]:
    """Each value once: numbers in ascending order, then all else in the order of appearance."""
    seen = list(dict.fromkeys(values))
    return [*sorted(value for value in seen if is_number(value)), *(value for value in seen if not is_number(value))]
