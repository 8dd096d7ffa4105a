# SPDX-License-Identifier: MIT
"""Which points a sweep runs: all of a grid, random ones, a Latin hypercube, or fewer and fewer towards a front (docs/sweep.md, Methods)."""
from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, Mapping, Sequence

from ..work import ExitCode, WorkError, did_you_mean
from .catalogue import Value
from .values import AxisValues

METHODS = ("grid", "random", "latin_hypercube", "halving")
_MEMBERS = {
    "grid": ("method",),
    "random": ("method", "points", "seed"),
    "latin_hypercube": ("method", "points", "seed"),
    "halving": ("method", "points", "seed", "rungs", "keep"),
}
_MOST_POINTS = 10_000_000
_MOST_DRAWS = 100  # draws in a row without a new setting, for each point of the search
Setting = Mapping[str, Value]  # a value for each axis


@dataclass(frozen=True)
class Search:
    """`rungs`: groups of tasks. Each group runs on the settings that the group before it has left; other methods have one group."""

    method: str
    points: int  # settings; 0: all of the grid
    seed: int
    rungs: tuple[tuple[str, ...], ...]
    keep: float  # share of the settings that goes to the next rung

    def settings(self, axes: Sequence[AxisValues]) -> Iterable[Setting]:
        """The settings of the first rung, the same each time."""
        if self.method == "grid":
            return _grid(axes)
        generate = _latin_hypercube if self.method == "latin_hypercube" else _random
        return list(generate(axes, self.points, random.Random(self.seed)))

    def count(self, axes: Sequence[AxisValues]) -> int:
        return math.prod(len(axis.values) for axis in axes) if self.method == "grid" else self.points

    def kept(self, count: int) -> int:
        return max(1, math.ceil(count * self.keep))


def read_search(members: Mapping[str, Any], axes: Sequence[AxisValues], tasks: Sequence[str], where: str) -> Search:
    """Raises WorkError that names `where`."""
    method = members.get("method", "grid")
    if method not in METHODS:
        raise WorkError(f'{where}: method "{method}" is not one of {", ".join(METHODS)}{did_you_mean(str(method), METHODS)}', ExitCode.USAGE)
    for name in members:
        if name not in _MEMBERS[method]:
            raise WorkError(f'{where}: unknown member "{name}" of the method {method}{did_you_mean(name, _MEMBERS[method])}', ExitCode.USAGE)
    size = _size(axes)
    if method == "grid":
        for axis in axes:
            if not axis.values:
                raise WorkError(f"{where}: {axis.kind.name} is a range without a step; a grid takes a list, a step, or scale = \"doubling\"", ExitCode.USAGE)
        if size > _MOST_POINTS:
            raise WorkError(f"{where}: the grid has {size} settings, the most are {_MOST_POINTS}; take fewer values or method = \"random\"", ExitCode.USAGE)
        return Search(method, 0, 0, (tuple(tasks),), 1)
    points = _whole(members, "points", None, 1, _MOST_POINTS, where)
    if size < points:
        raise WorkError(f"{where}: points is {points}, but the axes have only {size} settings; method = \"grid\" runs them all", ExitCode.USAGE)
    rungs = _rungs(members, tasks, where) if method == "halving" else (tuple(tasks),)
    keep = members.get("keep", 0.5)
    if isinstance(keep, bool) or not isinstance(keep, (int, float)) or not 0 < keep < 1:
        raise WorkError(f"{where}: keep is {keep}; it is the share of the settings that goes on, between 0 and 1", ExitCode.USAGE)
    return Search(method, points, _whole(members, "seed", 1, 0, (1 << 63) - 1, where), rungs, float(keep))


def _whole(members: Mapping[str, Any], name: str, otherwise: int | None, least: int, most: int, where: str) -> int:
    value = members.get(name, otherwise)
    if value is None:
        raise WorkError(f"{where}: {name} is missing", ExitCode.USAGE)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise WorkError(f"{where}: {name} is {value}; it is a whole number from {least} to {most}", ExitCode.USAGE)
    return value


def _rungs(members: Mapping[str, Any], tasks: Sequence[str], where: str) -> tuple[tuple[str, ...], ...]:
    rungs = members.get("rungs", [[task] for task in tasks])
    if not isinstance(rungs, list) or not rungs or not all(isinstance(rung, list) and rung for rung in rungs):
        raise WorkError(f"{where}: rungs is not a list of lists of tasks", ExitCode.USAGE)
    named = [task for rung in rungs for task in rung]
    for task in named:
        if task not in tasks:
            raise WorkError(f'{where}: rungs: unknown task "{task}"{did_you_mean(str(task), tasks)}', ExitCode.USAGE)
    if sorted(named) != sorted(tasks):
        raise WorkError(f"{where}: rungs: each task is in one of them once", ExitCode.USAGE)
    return tuple(tuple(rung) for rung in rungs)


def _size(axes: Sequence[AxisValues]) -> float:
    """Number of settings; infinite if an axis is a range of real numbers."""
    size = 1.0
    for axis in axes:
        if axis.values:
            size *= len(axis.values)
        elif axis.kind.real and axis.least < axis.most:
            return math.inf
        else:
            size *= axis.most - axis.least + 1
    return int(size)


def _grid(axes: Sequence[AxisValues]) -> Iterator[Setting]:
    names = [axis.kind.name for axis in axes]
    for values in itertools.product(*(axis.values for axis in axes)):
        yield dict(zip(names, values))


def _random(axes: Sequence[AxisValues], points: int, generator: random.Random) -> Iterator[Setting]:
    """Distinct settings, each value of an axis with equal chances."""
    yield from _distinct(lambda: {axis.kind.name: axis.at(generator.random()) for axis in axes}, set(), points)


def _latin_hypercube(axes: Sequence[AxisValues], points: int, generator: random.Random) -> Iterator[Setting]:
    """Each axis is divided into `points` parts, and each part has one setting. If values of lists make two settings equal, a random one
    takes the place of the second."""
    columns = []
    for axis in axes:
        order = list(range(points))
        generator.shuffle(order)
        columns.append([axis.at((part + generator.random()) / points) for part in order])
    names = [axis.kind.name for axis in axes]
    seen: set[tuple[Value, ...]] = set()
    for values in zip(*columns):
        if values not in seen:
            seen.add(values)
            yield dict(zip(names, values))
    yield from _distinct(lambda: {axis.kind.name: axis.at(generator.random()) for axis in axes}, seen, points)


def _distinct(draw: Any, seen: set[tuple[Value, ...]], points: int) -> Iterator[Setting]:
    """Draws settings that are not in `seen`, until it has `points`. Raises WorkError if new ones are too rare."""
    since_new = 0  # draws
    while len(seen) < points:
        setting = draw()
        values = tuple(setting.values())
        since_new += 1
        if values not in seen:
            since_new = 0
            seen.add(values)
            yield setting
        elif since_new > _MOST_DRAWS * points:
            raise WorkError(f"[search]: the axes have only about {len(seen)} settings, and points is {points}; method = \"grid\" runs them all", ExitCode.USAGE)
