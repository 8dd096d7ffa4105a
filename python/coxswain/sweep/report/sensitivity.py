# SPDX-License-Identifier: MIT
"""How much each axis changes a metric.

Points that differ only in the axis are a group. In a group, each point is so many times worse than the best: 1 is the best, 1.5 means
1.5 times the cycles, or 1.5 times fewer multiply-accumulates a cycle. A value of the axis has the geometric mean of these over all groups
that have all values of the axis, so that its values are compared over the same groups. If there is no such group, all groups count.
"""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Iterable, Mapping, Sequence

from ..study import TASK, Axis, Row, Study, Value, distinct, number_of

ALL = None  # key of the means over all tasks


@dataclass(frozen=True)
class Mean:
    ratio: float  # how many times worse than the best; at least 1
    groups: int  # number of groups that have a point with this value


@dataclass(frozen=True)
class Sensitivity:
    """`means[task][value]` for each task and for ALL. A value for which no group has a point is not there."""

    axis: Axis
    values: tuple[Value, ...]
    means: Mapping[str | None, Mapping[Value, Mean]]

    def effect(self, task: str | None = ALL) -> float:
        """How many times worse the worst value is than the best value; 1 if there are no groups."""
        ratios = [mean.ratio for mean in self.means.get(task, {}).values()]
        return max(ratios) / min(ratios) if ratios else 1.0


def sensitivities(study: Study, metric: str) -> list[Sensitivity]:
    """One for each axis except the tasks, those with the greatest effect first. Points whose metric is unknown or not positive do not count."""
    axes = [axis for axis in study.axes if axis.name not in (TASK, metric)]
    found = [_sensitivity(study, axis, metric) for axis in axes]
    return sorted(found, key=lambda one: -one.effect())


def _sensitivity(study: Study, axis: Axis, metric: str) -> Sensitivity:
    values = tuple(distinct(row.settings[axis.name] for row in study.rows if axis.name in row.settings))
    groups = {task: _groups(study.done(task), axis.name, metric) for task in study.tasks()}
    keys: dict[str | None, list[list[Row]]] = {**groups, ALL: [group for of_task in groups.values() for group in of_task]}
    means = {key: _means(of_key, len(values), axis.name, metric, study.better(metric)) for key, of_key in keys.items() if of_key}
    return Sensitivity(axis, values, means)


def _means(groups: list[list[Row]], count: int, axis: str, metric: str, better: str) -> dict[Value, Mean]:
    """`count`: number of values of the axis."""
    ratios: dict[Value, list[float]] = {}
    for group in [group for group in groups if len(group) == count] or groups:
        for row, ratio in zip(group, _ratios(group, metric, better)):
            ratios.setdefault(row.settings[axis], []).append(ratio)
    return {value: Mean(geometric_mean(of), len(of)) for value, of in ratios.items()}


def _groups(rows: Iterable[Row], axis: str, metric: str) -> list[list[Row]]:
    """Rows that differ only in the axis, where there are at least two values of it."""
    groups: dict[frozenset[tuple[str, Value]], dict[Value, Row]] = {}
    for row in rows:
        if axis in row.settings and (number_of(row, metric) or 0) > 0:
            others = frozenset(item for item in row.settings.items() if item[0] != axis)
            groups.setdefault(others, {})[row.settings[axis]] = row
    return [list(group.values()) for group in groups.values() if len(group) > 1]


def _ratios(group: Sequence[Row], metric: str, better: str) -> list[float]:
    values = [number_of(row, metric) or 1.0 for row in group]
    return [value / min(values) for value in values] if better == "less" else [max(values) / value for value in values]


def geometric_mean(values: Sequence[float]) -> float:
    """Of positive values, at least one."""
    return math.exp(math.fsum(math.log(value) for value in values) / len(values))
