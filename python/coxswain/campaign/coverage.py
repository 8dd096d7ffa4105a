# SPDX-License-Identifier: MIT
"""Counts what trials have done: cells of rows and columns, divided by state."""
from __future__ import annotations

import collections
from typing import Iterable, Sequence

from .kinds import Kind

Cell = tuple[str, str]

# Order of the states in pictures and tables. Others follow in the order of their names.
STATES = ("no action", "corrected", "retried", "failed by name", "reset", "with others", "right", "wrong")


class Coverage:
    """The counts of one kind."""

    def __init__(self, kind: Kind):
        self.kind = kind
        self.counts: dict[Cell, collections.Counter[str]] = collections.defaultdict(collections.Counter)

    def add(self, cells: Iterable[Sequence[object]]) -> None:
        for row, column, state, count in cells:
            self.counts[str(row), str(column)][str(state)] += int(str(count))

    @property
    def rows(self) -> list[str]:
        """All rows that the kind should reach, and those that it reached besides."""
        return _ordered(self.kind.rows, (row for row, _ in self.counts))

    @property
    def columns(self) -> list[str]:
        return _ordered(self.kind.columns, (column for _, column in self.counts))

    @property
    def states(self) -> list[str]:
        seen = {state for counts in self.counts.values() for state in counts}
        return [state for state in _ordered(STATES, seen) if state in seen]

    def total(self, row: str, column: str) -> int:
        return sum(self.counts[row, column].values()) if (row, column) in self.counts else 0

    @property
    def missing(self) -> list[Cell]:
        """Cells that were never reached, without those that there cannot be."""
        cells = ((row, column) for row in self.rows for column in self.columns)
        return [cell for cell in cells if not self.total(*cell) and cell not in self.kind.absent]

    def text(self, row: str, column: str) -> str:
        """The count of a cell: "." if it was never reached, "" if there cannot be one."""
        return str(self.total(row, column) or ("" if (row, column) in self.kind.absent else "."))


def _ordered(first: Sequence[str], others: Iterable[str]) -> list[str]:
    return [*first, *sorted(set(others) - set(first))]


def table(coverage: Coverage) -> str:
    """Returns the counts as text. A dot stands for a cell that was never reached."""
    rows = [["", *coverage.columns]]
    rows += [[row, *(coverage.text(row, column) for column in coverage.columns)] for row in coverage.rows]
    widths = [max(len(line[i]) for line in rows) for i in range(len(rows[0]))]
    lines = ["  ".join([line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:]))]).rstrip() for line in rows]
    return "\n".join(lines)
