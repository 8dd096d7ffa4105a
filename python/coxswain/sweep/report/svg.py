# SPDX-License-Identifier: MIT
"""A panel: one small plot as inline SVG. Colours are classes of plot.css, so a panel is readable on light and on dark ground."""
from __future__ import annotations

import math
import pathlib
import re
from typing import Sequence

from .markup import Markup, element, join, number
from .scales import Scale

WIDTH, HEIGHT = 340, 270  # a panel fills the width of a phone
LEFT, RIGHT, TOP, BOTTOM = 52, 328, 30, 226  # the plot in the panel
SERIES = 8  # number of colours
_FOOT = 26  # height of a legend


def series(index: int) -> str:
    """The class of the colour of series `index`."""
    return f"s{index % SERIES}"


class Panel:
    """Draws axes at once, then what is added, in this order."""

    def __init__(self, title: str, x: Scale, y: Scale, x_name: str, y_name: str):
        self.x, self.y, self.title = x, y, title
        self._parts: list[Markup] = []
        self._axes(x_name, y_name)

    def line(self, points: Sequence[tuple[float, float]], class_: str, title: str | None = None) -> None:
        """A line through pixels."""
        path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self._parts.append(element("polyline", _title(title), points=path, class_=f"line {class_}"))

    def dot(self, x: float, y: float, class_: str, title: str | None, radius: float = 3.0) -> None:
        self._parts.append(element("circle", _title(title), cx=float(x), cy=float(y), r=radius, class_=class_))

    def ring(self, x: float, y: float, class_: str, title: str | None) -> None:
        """A point that stands out."""
        self.dot(x, y, f"ring {class_}", title, 5.0)

    def text(self, x: float, y: float, text: str, class_: str = "", anchor: str = "start") -> None:
        self._parts.append(element("text", text, x=float(x), y=float(y), text_anchor=anchor, class_=class_ or None))

    def note(self, text: str) -> None:
        """A sentence in place of points."""
        self.text((LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2, text, "note", "middle")

    def markup(self) -> Markup:
        """The panel as an element of a page."""
        return element("svg", *self._parts, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=self.title, class_="panel")

    def _axes(self, x_name: str, y_name: str) -> None:
        self.text(LEFT, 16, clipped(self.title, 42), "title")
        for y, label in self.y.ticks(6):
            self._parts.append(element("line", x1=LEFT, x2=RIGHT, y1=float(y), y2=float(y), class_="grid"))
            self.text(LEFT - 6, y + 4, label, "tick", "end")
        for x, label in self.x.ticks(7):
            self._parts.append(element("line", x1=float(x), x2=float(x), y1=TOP, y2=BOTTOM, class_="grid"))
            self.text(x, BOTTOM + 15, clipped(label, 14), "tick", "middle")
        self._parts.append(element("path", d=f"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}", class_="frame"))
        self.text((LEFT + RIGHT) / 2, BOTTOM + 34, clipped(x_name, 46), "name", "middle")
        middle = (TOP + BOTTOM) / 2
        turned = element("text", clipped(y_name, 32), x=12, y=middle, transform=f"rotate(-90 12 {number(middle)})", text_anchor="middle", class_="name")
        self._parts.append(turned)


def clipped(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def plot_style() -> str:
    """The rules of plots, on light ground."""
    return pathlib.Path(__file__).with_name("plot.css").read_text(encoding="utf-8")


def picture(panels: Sequence[Panel], columns: int, legend: Sequence[tuple[str, str]] = ()) -> str:
    """All panels as one SVG file of its own, on light ground. `legend`: classes and names."""
    rows = math.ceil(len(panels) / columns)
    width, height = columns * WIDTH, rows * HEIGHT + (_FOOT if legend else 0)
    parts = [element("style", Markup(_without_variables(plot_style()))), element("rect", width=width, height=height, class_="ground")]
    for i, panel in enumerate(panels):
        place = f'<svg x="{i % columns * WIDTH}" y="{i // columns * HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        parts.append(Markup(panel.markup().replace("<svg ", place, 1)))
    parts.extend(_legend(legend, rows * HEIGHT + _FOOT / 2))
    return element("svg", *parts, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", width=width, height=height)


def _without_variables(style: str) -> str:
    """Not all programs that show SVG files know variables of CSS."""
    values = dict(re.findall(r"(--\w+): ([^;]+);", style))
    return re.sub(r"var\((--\w+)\)", lambda found: values[found.group(1)], re.sub(r":root \{.*?\}\n", "", style, flags=re.DOTALL))


def _legend(entries: Sequence[tuple[str, str]], y: float) -> list[Markup]:
    parts, x = [], float(LEFT)
    for class_, name in entries:
        parts.append(element("circle", cx=x, cy=float(y), r=5, class_=class_))
        parts.append(element("text", name, x=x + 10, y=y + 4.0, class_="panel tick"))
        x += 30 + 6.4 * len(name)
    return parts


def _title(text: str | None) -> Markup:
    return join([element("title", text)]) if text else Markup()
