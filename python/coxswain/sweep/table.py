# SPDX-License-Identifier: MIT
"""The table of a study: as CSV, and as text for a terminal."""
from __future__ import annotations

import csv
import io
from typing import Sequence

from .figures import format_value, heading
from .pareto import front
from .study import Row, Study, cell_of, number_of

_STATUS, _MESSAGE = "status", "message"
_MOST_LINES = 12  # of a front that the terminal shows


def csv_text(study: Study) -> str:
    """A line for each point, in the order of the sweep: settings, metrics with all their digits, status, and the reason of a point without
    results. Equal studies give equal bytes."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    columns = [*study.axes, *study.metrics]
    writer.writerow([*(column.name for column in columns), _STATUS, _MESSAGE])
    for row in study.rows:
        writer.writerow([*(_cell(cell_of(row, column)) for column in columns), row.status, row.message])
    return out.getvalue()


def _cell(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, float) else str(value)


def front_text(study: Study) -> str:
    """For each task, the points that no other beats in both objectives, aligned for a terminal."""
    parts = []
    for task in study.tasks():
        rows = _front_rows(study, task)
        one, other = study.objectives
        title = f"{task or study.title}: {len(study.done(task))} points, {len(rows)} of them on the front of {one} and {other}"
        parts.append(title + "\n" + _lines(study, rows))
    return "\n".join(parts)


def _front_rows(study: Study, task: str) -> list[Row]:
    rows = study.done(task)
    points = [[number_of(row, name) for name in study.objectives] for row in rows]
    chosen = [rows[i] for i in front(points, [study.better(name) for name in study.objectives])]
    return sorted(chosen, key=lambda row: number_of(row, study.objectives[0]) or 0)


def _lines(study: Study, rows: Sequence[Row]) -> str:
    columns = [column for column in (*study.axes, *study.metrics) if column.name != "task"]
    shown = rows[:_MOST_LINES]
    cells = [[heading(column) for column in columns], *([format_value(column, cell_of(row, column)) for column in columns] for row in shown)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    text = "".join("  " + "  ".join(cell.rjust(width) for cell, width in zip(line, widths)) + "\n" for line in cells)
    if len(rows) > len(shown):
        text += f"  and {len(rows) - len(shown)} more; --table FILE.csv writes all points\n"
    return text if rows else ""
