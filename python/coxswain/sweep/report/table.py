# SPDX-License-Identifier: MIT
"""The table of all points, and the lists of those without results."""
from __future__ import annotations

from typing import Sequence

from ..figures import format_value, heading
from ..study import Row, Study, Value, cell_of, is_number, value_of
from .markup import Markup, element
from .pareto_plot import front_rows

MOST_ROWS = 5000  # a browser stays quick


def shown_rows(study: Study) -> tuple[list[Row], set[int]]:
    """The rows of the table in the study's order, and the ids of those on the front of their task. All of the latter are shown."""
    front = {id(row) for task in study.tasks() for row in front_rows(study, study.done(task))}
    if len(study.rows) <= MOST_ROWS:
        return list(study.rows), front
    others = [id(row) for row in study.rows if id(row) not in front]
    chosen = front.union(others[: max(0, MOST_ROWS - len(front))])
    return [row for row in study.rows if id(row) in chosen], front


def points_table(study: Study) -> Markup:
    """A column for each axis and metric, and the status. Cells have the value as `data-value`, by which the script sorts."""
    columns = (*study.axes, *study.metrics)
    rows, front = shown_rows(study)
    heads = [element("th", heading(column), scope="col", data_name=column.name, class_=_head_class(rows, column.name)) for column in columns]
    head = element("tr", *heads, element("th", "status", scope="col", data_name="status"))
    body = [element("tr", *(_cell(column, cell_of(row, column)) for column in columns), _status(row), class_=_class(row, front)) for row in rows]
    table = element("table", element("thead", head), element("tbody", *body), id="points")
    return element("div", table, class_="scroll high", tabindex=0)


def without_results(study: Study) -> list[Markup]:
    """For each reason a fold with the settings of its points: infeasible ones first, then failed ones."""
    folds = []
    for status in ("infeasible", "failed"):
        reasons: dict[str, list[Row]] = {}
        for row in study.with_status(status):
            reasons.setdefault(row.message or "no reason is known", []).append(row)
        for reason, rows in sorted(reasons.items(), key=lambda item: -len(item[1])):
            label = element("span", status, class_=f"chip {status}")
            counted = f" {len(rows)} {'point' if len(rows) == 1 else 'points'}: {reason}"
            folds.append(element("details", element("summary", label, counted), element("div", _settings(study, rows), class_="scroll high")))
    return folds


def _settings(study: Study, rows: Sequence[Row]) -> Markup:
    head = element("tr", *(element("th", heading(axis), scope="col") for axis in study.axes))
    body = [element("tr", *(_cell(axis, row.settings.get(axis.name)) for axis in study.axes)) for row in rows[:MOST_ROWS]]
    return element("table", element("thead", head), element("tbody", *body))


def _head_class(rows: Sequence[Row], name: str) -> str | None:
    return "number" if any(is_number(value_of(row, name)) for row in rows) else None


def _cell(column, value: Value | None) -> Markup:
    raw = "" if value is None else str(value)
    return element("td", format_value(column, value), class_="number" if is_number(value) or value is None else None, data_value=raw)


def _status(row: Row) -> Markup:
    return element("td", row.status, data_value=row.status, title=row.message or None)


def _class(row: Row, front: set[int]) -> str | None:
    return "front" if id(row) in front else None if row.status == "done" else row.status
