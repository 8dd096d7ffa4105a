# SPDX-License-Identifier: MIT
"""All tasks of a study as if they were one, so that a geometry can be chosen for all of them."""
from __future__ import annotations

from ..study import TASK, Row, Study, Value, number_of
from .sensitivity import geometric_mean

NAME = "all tasks"


def overall_rows(study: Study) -> tuple[Row, ...]:
    """One row for each geometry on which all tasks are done.

    Its objectives are the geometric means over the tasks of the value as a multiple of the task's best. An objective that is the same for
    all tasks on every geometry, such as the cost, stays as it is. Returns nothing for a study of one task.
    """
    tasks = study.tasks()
    if len(tasks) < 2:
        return ()
    geometries: dict[frozenset[tuple[str, Value]], dict[str, Row]] = {}
    for row in study.done():
        if all((number_of(row, name) or 0) > 0 for name in study.objectives):
            geometries.setdefault(frozenset(item for item in row.settings.items() if item[0] != TASK), {})[row.task] = row
    complete = [rows for rows in geometries.values() if len(rows) == len(tasks)]
    means = {name: _means(study, complete, name) for name in study.objectives}
    return tuple(_row(rows, {name: of[i] for name, of in means.items()}) for i, rows in enumerate(complete))


def is_relative(study: Study, name: str) -> bool:
    """True if overall_rows() gives multiples of the best for this objective."""
    seen: dict[frozenset[tuple[str, Value]], set[float | None]] = {}
    for row in study.done():
        seen.setdefault(frozenset(item for item in row.settings.items() if item[0] != TASK), set()).add(number_of(row, name))
    return any(len(values) > 1 for values in seen.values())


def _means(study: Study, complete: list[dict[str, Row]], name: str) -> list[float]:
    values = [{task: number_of(row, name) or 1.0 for task, row in rows.items()} for rows in complete]
    if not is_relative(study, name):
        return [next(iter(of.values())) for of in values]
    pick = min if study.better(name) == "less" else max
    best = {task: pick(of[task] for of in values) for task in study.tasks()} if values else {}
    return [geometric_mean([of[task] / best[task] for task in of]) for of in values]


def _row(rows: dict[str, Row], metrics: dict[str, float]) -> Row:
    settings = {name: value for name, value in next(iter(rows.values())).settings.items() if name != TASK}
    return Row(settings, "done", "", metrics)
