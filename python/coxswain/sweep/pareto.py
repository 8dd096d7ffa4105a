# SPDX-License-Identifier: MIT
"""Points that no other point beats.

A point is a sequence of objectives. `better` says for each objective whether "less" or "more" of it is better. Point a dominates point b
if no objective of a is worse and one is better. Points that are equal do not dominate each other, so all of them can be on the front. A
point that lacks an objective (None or NaN) is worse than every point that lacks none.
"""
from __future__ import annotations

import bisect
import math
from typing import Optional, Sequence

Point = Sequence[Optional[float]]


def front(points: Sequence[Point], better: Sequence[str]) -> list[int]:
    """Indices of the points that no point dominates, in ascending order. A point that lacks an objective is not among them."""
    complete = _complete(points, better)
    return [index for index, rank in enumerate(ranks(points, better)) if rank == 0 and index in complete]


def ranks(points: Sequence[Point], better: Sequence[str]) -> list[int]:
    """The rank of each point: 0 on the front, 1 on the front of the rest, and so on. Points that lack an objective have the last rank."""
    complete = _complete(points, better)
    by_costs: dict[tuple[float, ...], int] = {}
    search = _Fronts2() if len(better) == 2 else _Fronts()
    for costs in sorted(set(complete.values())):  # a point comes after all that dominate it
        by_costs[costs] = search.place(costs)
    last = 1 + max(by_costs.values(), default=-1)
    return [by_costs[complete[index]] if index in complete else last for index in range(len(points))]


def crowding(points: Sequence[Point], better: Sequence[str]) -> list[float]:
    """How much room each point has among those of its rank: the sum over the objectives of the distance between its two neighbours, as a
    share of the rank's extent. The ends of a rank have infinity. Among equal points only the first has room; the others have 0."""
    complete = _complete(points, better)
    of_rank: dict[int, list[int]] = {}
    seen: set[tuple[float, ...]] = set()
    for index, rank in enumerate(ranks(points, better)):
        if index in complete and complete[index] not in seen:
            seen.add(complete[index])
            of_rank.setdefault(rank, []).append(index)
    room = [0.0] * len(points)
    for members in of_rank.values():
        for objective in range(len(better)):
            _add_room(room, sorted((complete[index][objective], index) for index in members))
    return room


def survivors(points: Sequence[Point], better: Sequence[str], count: int) -> list[int]:
    """The `count` points of the lowest ranks, in ascending order of their indices. If a rank does not fit, those with the most room of it."""
    rank, room = ranks(points, better), crowding(points, better)
    order = sorted(range(len(points)), key=lambda index: (rank[index], -room[index], index))
    return sorted(order[: max(0, count)])


def _complete(points: Sequence[Point], better: Sequence[str]) -> dict[int, tuple[float, ...]]:
    """The points that have all objectives, turned so that less is better."""
    signs = [-1.0 if direction == "more" else 1.0 for direction in better]
    found = {}
    for index, point in enumerate(points):
        if len(point) != len(better):
            raise ValueError(f"point {index} has {len(point)} objectives; it should have {len(better)}")
        values = [value for value in point if value is not None and not math.isnan(value)]
        if len(values) == len(better):
            found[index] = tuple(sign * value for sign, value in zip(signs, values))
    return found


class _Fronts:
    """Fronts of the points so far, for any number of objectives."""

    def __init__(self) -> None:
        self._fronts: list[list[tuple[float, ...]]] = []

    def place(self, costs: tuple[float, ...]) -> int:
        for rank, members in enumerate(self._fronts):
            if not any(all(a <= b for a, b in zip(member, costs)) for member in members):
                members.append(costs)
                return rank
        self._fronts.append([costs])
        return len(self._fronts) - 1


class _Fronts2:
    """The same for two objectives. The first objective never falls from point to point, so only the least second one of a front counts,
    and that grows with the rank."""

    def __init__(self) -> None:
        self._least: list[float] = []

    def place(self, costs: tuple[float, ...]) -> int:
        rank = bisect.bisect_right(self._least, costs[1])
        if rank == len(self._least):
            self._least.append(costs[1])
        else:
            self._least[rank] = costs[1]
        return rank


def _add_room(room: list[float], ordered: Sequence[tuple[float, int]]) -> None:
    extent = ordered[-1][0] - ordered[0][0]
    room[ordered[0][1]] = room[ordered[-1][1]] = math.inf
    for (before, _), (_, index), (after, _) in zip(ordered, ordered[1:], ordered[2:]):
        if extent > 0:
            room[index] += (after - before) / extent
