# SPDX-License-Identifier: MIT
"""Draws coverage as SVG: a grid for each kind. A cell's shade says how often it was reached, the bar in it what happened."""
from __future__ import annotations

import html
import math
from typing import Iterable

from .coverage import Coverage

_CELL_WIDTH, _CELL_HEIGHT = 92, 40
_GAP = 3
_MARGIN = 24
_LETTER = 7.2  # width of a letter of the rows' names
_HEAD = 72  # above the first row: title and names of columns
_LEGEND = 20  # height of a line of the legend
_COLOURS = {"no action": "#9aa5b1", "corrected": "#2f9e6e", "retried": "#3e6fb0", "failed by name": "#e0922f", "reset": "#8a5cc2",
            "with others": "#d3d9e0", "right": "#2f9e6e", "wrong": "#c2182b"}  # fmt: skip
_OTHERS = ("#5aa9c7", "#b5739d", "#8c9a3a", "#6d7f99")
_STYLE = """text { font-family: "DejaVu Sans", Verdana, sans-serif; fill: #1f2933 } .title { font-size: 17px; font-weight: 600 }
.what, .column, .state { font-size: 12px; fill: #52606d } .column { text-anchor: middle } .row { font-size: 13px; text-anchor: end }
.count { font-size: 12px; text-anchor: middle } .never { font-size: 11px; fill: #c2182b; text-anchor: middle }"""


def draw(coverages: Iterable[Coverage]) -> str:
    """Returns the SVG text of all kinds that have cells, one below the other."""
    panels = [_Panel(coverage) for coverage in coverages if coverage.rows and coverage.columns]
    width = max((panel.width for panel in panels), default=200)
    top, parts = 0, []
    for panel in panels:
        parts.append(f'<g transform="translate(0 {top})">\n{panel.svg()}</g>\n')
        top += panel.height
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top}" viewBox="0 0 {width} {top}" role="img">\n'
    return f'{head}<title>Coverage of a campaign</title>\n<style>{_STYLE}</style>\n<rect width="{width}" height="{top}" fill="#ffffff"/>\n{"".join(parts)}</svg>\n'


class _Panel:
    def __init__(self, coverage: Coverage):
        self._coverage = coverage
        self._rows, self._columns, self._states = coverage.rows, coverage.columns, coverage.states
        self._left = _MARGIN + round(max(len(row) for row in self._rows) * _LETTER) + 12
        self._most = max((coverage.total(row, column) for row in self._rows for column in self._columns), default=0)
        legend_width = sum(_legend_width(state) for state in self._states)
        title_width = round(_LETTER * 1.05 * len(self._what()))
        self.width = max(self._left + len(self._columns) * _CELL_WIDTH, _MARGIN + max(legend_width, title_width)) + _MARGIN
        self.height = _HEAD + len(self._rows) * _CELL_HEIGHT + 2 * _LEGEND + 16
        others = [state for state in self._states if state not in _COLOURS]
        self._colours = {**_COLOURS, **{state: _OTHERS[i % len(_OTHERS)] for i, state in enumerate(others)}}

    def svg(self) -> str:
        parts = [_text(_MARGIN, 26, "title", self._coverage.kind.name), _text(_MARGIN, 44, "what", self._what())]
        for i, column in enumerate(self._columns):
            parts.append(_text(self._left + i * _CELL_WIDTH + _CELL_WIDTH / 2, _HEAD - 8, "column", column))
        for j, row in enumerate(self._rows):
            y = _HEAD + j * _CELL_HEIGHT
            parts.append(_text(self._left - 10, y + _CELL_HEIGHT / 2 + 4, "row", row))
            for i, column in enumerate(self._columns):
                parts.append(self._cell(self._left + i * _CELL_WIDTH, y, row, column))
        return "".join(parts) + self._legend(_HEAD + len(self._rows) * _CELL_HEIGHT + 12)

    def _what(self) -> str:
        missing = len(self._coverage.missing)
        cells = len(self._rows) * len(self._columns) - len(self._coverage.kind.absent)
        never = f"; {missing} of {cells} cells were never reached" if missing else "; every cell was reached"
        return f"{self._coverage.kind.what}{never}"

    def _cell(self, x: float, y: float, row: str, column: str) -> str:
        """A cell: shade and count above, and below them a bar that is divided by state. A cell that was never reached has a red frame."""
        total = self._coverage.total(row, column)
        width, height = _CELL_WIDTH - _GAP, _CELL_HEIGHT - _GAP
        if not total and (row, column) in self._coverage.kind.absent:
            return ""
        if not total:
            frame = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="3" fill="none" stroke="#e8b4b8" stroke-dasharray="3 3"/>\n'
            return frame + _text(x + width / 2, y + height / 2 + 4, "never", "never")
        counts = self._coverage.counts[row, column]
        title = "".join(f"\n{state}: {counts[state]}" for state in self._states if counts[state])
        shade = math.log1p(total) / math.log1p(self._most)
        parts = [f"<g><title>{html.escape(f'{row}, {column}: {total}{title}')}</title>\n",
                 f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="3" fill="#3e6fb0" fill-opacity="{0.05 + 0.4 * shade:.2f}"/>\n',
                 _text(x + width / 2, y + 17, "count", f"{total:,}")]  # fmt: skip
        left = x + 6.0
        for state in self._states:
            part = counts[state] / total * (width - 12)
            if part:
                parts.append(f'<rect x="{left:.1f}" y="{y + height - 13}" width="{part:.1f}" height="8" fill="{self._colours[state]}"/>\n')
            left += part
        return "".join(parts) + "</g>\n"

    def _legend(self, y: float) -> str:
        parts, x = [], float(_MARGIN)
        for state in self._states:
            parts.append(f'<rect x="{x}" y="{y + 3}" width="12" height="12" fill="{self._colours[state]}"/>\n')
            parts.append(_text(x + 18, y + 13, "state", state))
            x += _legend_width(state)
        return "".join(parts)


def _legend_width(state: str) -> int:
    return 36 + round(len(state) * _LETTER)


def _text(x: float, y: float, name: str, text: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{name}">{html.escape(text)}</text>\n'
