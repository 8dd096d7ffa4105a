# SPDX-License-Identifier: MIT
"""The two objectives of each task against each other: all points, and the front."""
from __future__ import annotations

from typing import Sequence

from .. import pareto
from ..figures import format_value, heading
from ..study import TASK, Metric, Row, Study, cell_of, number_of, value_of
from . import overall
from .markup import Markup, element
from .scales import fitting
from .svg import BOTTOM, LEFT, RIGHT, TOP, Panel, series

MOST_POINTS = 3000  # of a panel; the front is always complete


def groups(study: Study) -> list[tuple[str, tuple[Row, ...]]]:
    """Name and rows of each panel: one for each task, and one for all tasks together."""
    found = [(task, study.done(task)) for task in study.tasks()]
    together = overall.overall_rows(study)
    return [(overall.NAME, together), *found] if together else found


def front_rows(study: Study, rows: Sequence[Row]) -> list[Row]:
    """Rows on the front, in the order of the first objective."""
    points = [tuple(number_of(row, name) for name in study.objectives) for row in rows]
    members = pareto.front(points, [study.better(name) for name in study.objectives])
    return sorted((rows[i] for i in members), key=lambda row: number_of(row, study.objectives[0]) or 0.0)


def panel(study: Study, name: str, rows: Sequence[Row]) -> Panel | None:
    """None if no row has both objectives."""
    first, second = study.objectives
    rows = [row for row in rows if number_of(row, first) is not None and number_of(row, second) is not None]
    if not rows:
        return None
    x = fitting([number_of(row, second) or 0.0 for row in rows], LEFT, RIGHT)
    y = fitting([number_of(row, first) or 0.0 for row in rows], BOTTOM, TOP)
    drawn = Panel(name or study.title, x, y, _label(study, second, name), _label(study, first, name))
    colour = series(study.tasks().index(name)) if name in study.tasks() else "all"
    front = front_rows(study, rows)
    on_front = {id(row) for row in front}
    others = [row for row in rows if id(row) not in on_front]
    for row in others[:: 1 + len(others) // MOST_POINTS]:
        drawn.dot(*_place(drawn, study, row), "other", describe(study, row))
    drawn.line([_place(drawn, study, row) for row in front], colour)
    for row in front:
        drawn.ring(*_place(drawn, study, row), colour, describe(study, row))
    return drawn


def panels(study: Study) -> list[Panel]:
    return [drawn for name, rows in groups(study) if (drawn := panel(study, name, rows)) is not None]


def describe(study: Study, row: Row) -> str:
    """Settings and objectives of a point, one a line."""
    settings = ", ".join(f"{axis.name} {format_value(axis, row.settings[axis.name])}" for axis in study.axes if axis.name in row.settings)
    objectives = [f"{name} {format_value(study.column(name), value_of(row, name))}" for name in study.objectives]
    return "\n".join([settings, *objectives])


def front_table(study: Study, name: str, rows: Sequence[Row]) -> Markup:
    """The points of a front."""
    front = front_rows(study, rows)
    axes = [axis for axis in study.axes if axis.name != TASK and axis.name not in study.objectives]
    columns = [*axes, *(study.column(name) for name in study.objectives)]
    heads = [*(heading(axis) for axis in axes), *(_label(study, objective, name) for objective in study.objectives)]
    head = element("tr", *(element("th", text, scope="col") for text in heads))
    body = [element("tr", *(element("td", _cell(study, column, row, name), class_="number") for column in columns)) for row in front]
    summary = element("summary", f"{name or study.title}: {len(front)} of {len(rows)} points are on the front")
    return element("details", summary, element("div", element("table", element("thead", head), element("tbody", *body)), class_="scroll"))


def _cell(study: Study, column, row: Row, name: str) -> str:
    if name == overall.NAME and isinstance(column, Metric) and overall.is_relative(study, column.name):
        return f"{number_of(row, column.name):.3f}"
    return format_value(column, cell_of(row, column))


def _label(study: Study, objective: str, name: str) -> str:
    if name == overall.NAME and overall.is_relative(study, objective):
        return f"{objective}, times the best"
    return heading(study.column(objective))


def _place(drawn: Panel, study: Study, row: Row) -> tuple[float, float]:
    first, second = study.objectives
    return drawn.x.at(number_of(row, second) or 0.0), drawn.y.at(number_of(row, first) or 0.0)
