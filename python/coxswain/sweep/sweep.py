# SPDX-License-Identifier: MIT
"""Runs the points of a description that the results file lacks, and makes a study of all of them."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Mapping

from ..work import Engine, Outcome, Progress, Store, WorkItem, run_items
from .description import Description
from .measure import measure
from .metrics import COST
from .pareto import survivors
from .points import Point, PointMaker
from .search import Setting
from .study import TASK, Axis, Row, Study

_STATUS = {"done": "done", "refused": "infeasible", "failed": "failed"}
OpenEngine = Callable[[], Engine]


@dataclass(frozen=True)
class _Result:
    """What a study needs of an outcome. The statistics stay in the file, because those of 100,000 points would take a gigabyte."""

    status: str
    message: str
    metrics: Mapping[str, float]

    @classmethod
    def of(cls, outcome: Outcome) -> "_Result":
        return cls(_STATUS[outcome.status], outcome.message, outcome.values.get("metrics", {}))


class Sweep:
    """`store`: outcomes of earlier commands and of this one."""

    def __init__(self, description: Description, maker: PointMaker, store: Store):
        self._description, self._maker, self._store = description, maker, store
        self._results = {outcome.key: _Result.of(outcome) for _, outcome in store.outcomes()}
        self._points: list[Point] = []
        self._fixed = {task.name: task.fixed for task in description.tasks}

    def run(self, open_engine: OpenEngine | None, progress: Progress) -> Study:
        """Runs what has no result. Without `open_engine` nothing runs, and such points are "open" in the study."""
        settings = list(self._description.search.settings(self._description.axes))
        engine: Engine | None = None
        try:
            for number, tasks in enumerate(self._description.search.rungs):
                points = [self._maker.make(task, setting) for task in tasks for setting in settings]
                self._points += points
                items = self._missing(points)
                progress.skip(len(points) - len(items))
                if items and open_engine is not None:
                    engine = engine or open_engine()
                    run_items(items, measure, engine, lambda item, outcome: self._take(item, outcome, progress), progress.say)
                if number + 1 < len(self._description.search.rungs):
                    settings = self._survivors(settings, tasks)
        finally:
            if engine is not None:
                engine.close()
        return self._study()

    def _missing(self, points: list[Point]) -> list[WorkItem]:
        """Items without a result that lasts, each once. Those with the same lowering follow each other, so that a worker can keep it."""
        items = {point.item.key: point.item for point in points if not self._lasts(point.item.key)}
        return sorted(items.values(), key=lambda item: (item.payload["file"], item.payload["lower"], item.payload["device"]))

    def _lasts(self, key: str) -> bool:
        return key in self._results and self._results[key].status != "failed"

    def _take(self, item: WorkItem, outcome: Outcome, progress: Progress) -> None:
        self._store.add(item, outcome)
        self._results[item.key] = _Result.of(outcome)
        progress.step(outcome)

    def _survivors(self, settings: list[Setting], tasks: tuple[str, ...]) -> list[Setting]:
        """The settings that go to the next rung. Each objective of each task of this rung counts."""
        study = self._study()
        better = [study.better(name) for name in study.objectives] * len(tasks)
        values = [[value for task in tasks for value in self._objectives(study, task, setting)] for setting in settings]
        return [settings[i] for i in survivors(values, better, self._description.search.kept(len(settings)))]

    def _objectives(self, study: Study, task: str, setting: Setting) -> list[float | None]:
        row = self._row(self._maker.make(task, setting))
        return [{**row.settings, **row.metrics}.get(name) for name in study.objectives]

    def _study(self) -> Study:
        description = self._description
        axes = (Axis(TASK), *(Axis(axis.kind.name, axis.kind.unit) for axis in description.axes))
        rows = tuple(self._row(point) for point in self._points)
        return Study(description.title, axes, description.metrics, description.objectives, rows, self._store.provenance())

    def _row(self, point: Point) -> Row:
        result = self._results.get(point.item.key)
        if result is None:
            return Row(point.settings, "open", "", {})
        shown = {metric.name for metric in self._description.metrics}
        metrics = {name: value for name, value in result.metrics.items() if name in shown or name not in point.settings}
        return Row(point.settings, result.status, result.message, {**metrics, **self._cost(point, result)})

    def _cost(self, point: Point, result: _Result) -> dict[str, float]:
        if self._description.cost is None or result.status != "done":
            return {}
        numbers = {**self._description.fixed, **self._fixed[str(point.settings[TASK])], **point.settings}
        cost = self._description.cost.value({name: value for name, value in numbers.items() if not isinstance(value, str)})
        return {} if cost is None else {COST.name: cost}


def count_of(description: Description) -> int:
    """Number of points: all tasks on all settings that reach them."""
    settings, total = description.search.count(description.axes), 0
    for tasks in description.search.rungs:
        total += settings * len(tasks)
        settings = description.search.kept(settings)
    return total
