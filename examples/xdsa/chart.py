# SPDX-License-Identifier: MIT
"""Line charts as SVG, panels above one another."""
import html

import numpy as np

WIDTH, LEFT, RIGHT, TOP, GAP = 1200, 70, 20, 40, 34
TEXT = 'font-family="sans-serif" font-size="13" fill="#222"'


class Panel:
    """A panel of a chart. `low` and `high` are the limits of its values."""

    def __init__(self, title, height, low, high, ticks):
        self.title, self.height, self.low, self.high, self.ticks = title, height, low, high, ticks
        self.bands, self.lines, self.levels = [], [], []

    def band(self, first, last, colour):
        """Colours the panel between two places on the x axis."""
        self.bands.append((first, last, colour))

    def line(self, x, y, colour, width=1.3):
        self.lines.append((np.asarray(x), np.asarray(y), colour, width))

    def level(self, y, colour):
        """A broken line at a value."""
        self.levels.append((y, colour))


def draw(path, title, panels, first, last, ticks, unit):
    """Writes the panels to the file `path`. The x axis goes from `first` to `last`."""
    height = TOP + sum(panel.height + GAP for panel in panels) + 34
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}">', f'<rect width="{WIDTH}" height="{height}" fill="white"/>']
    parts.append(f'<text x="{LEFT}" y="22" font-family="sans-serif" font-size="16" fill="#222">{html.escape(title)}</text>')

    def across(x):
        return LEFT + (np.asarray(x) - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    top = TOP
    for panel in panels:
        top += GAP - 14

        def down(y, top=top, panel=panel):
            return top + panel.height * (panel.high - np.clip(y, panel.low, panel.high)) / (panel.high - panel.low)

        parts.append(f'<text x="{LEFT}" y="{top - 6}" {TEXT}>{html.escape(panel.title)}</text>')
        for begin, end, colour in panel.bands:
            parts.append(f'<rect x="{across(begin):.1f}" y="{top}" width="{across(end) - across(begin):.1f}" height="{panel.height}" fill="{colour}"/>')
        parts.append(f'<rect x="{LEFT}" y="{top}" width="{WIDTH - LEFT - RIGHT}" height="{panel.height}" fill="none" stroke="#999"/>')
        for tick in panel.ticks:
            parts.append(f'<text x="{LEFT - 6}" y="{down(tick) + 4:.1f}" text-anchor="end" {TEXT}>{tick:g}</text>')
        for value, colour in panel.levels:
            parts.append(f'<path d="M{LEFT} {down(value):.1f}H{WIDTH - RIGHT}" stroke="{colour}" stroke-dasharray="5 4"/>')
        for x, y, colour, width in panel.lines:
            points = " ".join(f"{px:.1f},{py:.1f}" for px, py in zip(across(x), down(y)))
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}"/>')
        top += panel.height + 14
    for tick in ticks:
        parts.append(f'<text x="{across(tick):.1f}" y="{top + 6}" text-anchor="middle" {TEXT}>{tick:g}</text>')
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{top + 22}" text-anchor="end" {TEXT}>{html.escape(unit)}</text>')
    path.write_text("\n".join(parts) + "\n</svg>\n")
