# SPDX-License-Identifier: MIT
"""The sensitivities as plots, a panel for each axis, and as a table."""
from __future__ import annotations

from ..figures import format_ratio, format_value, heading
from ..study import Study
from .markup import Markup, element
from .scales import Categories, fitting
from .sensitivity import ALL, Sensitivity, sensitivities
from .svg import BOTTOM, LEFT, RIGHT, TOP, Panel, series


def panels(study: Study, metric: str) -> list[Panel]:
    """Axes without two points to compare have no panel. Those with the greatest effect come first."""
    found = [one for one in sensitivities(study, metric) if one.means]
    worst = max((mean.ratio for one in found for means in one.means.values() for mean in means.values()), default=1.0)
    return [_panel(study, one, metric, worst) for one in found]


def _panel(study: Study, one: Sensitivity, metric: str, worst: float) -> Panel:
    labels = [format_value(one.axis, value) for value in one.values]
    x = Categories(one.values, labels, LEFT, RIGHT)
    y = fitting([1.0, max(worst, 1.05)], BOTTOM, TOP)
    panel = Panel(f"{one.axis.name}: {format_ratio(one.effect())}", x, y, heading(one.axis), f"{metric}, times the best")
    tasks = [task for task in study.tasks() if task in one.means]
    for task in tasks:
        _draw(panel, one, task, series(study.tasks().index(task)), task)
    if len(tasks) > 1:
        _draw(panel, one, ALL, "all", "all tasks")
    return panel


def _draw(panel: Panel, one: Sensitivity, task: str | None, class_: str, name: str) -> None:
    points = []
    for value in one.values:
        mean = one.means[task].get(value)
        if mean is not None:
            title = f"{name or one.axis.name}: {one.axis.name} {format_value(one.axis, value)}: {format_ratio(mean.ratio)} ({mean.groups} points)"
            points.append((panel.x.at(value), panel.y.at(mean.ratio), title))
    panel.line([(x, y) for x, y, _ in points], class_, name or None)
    for x, y, title in points:
        panel.dot(x, y, class_, title)


def effects(study: Study) -> Markup:
    """A table: what the worst value of each axis costs in each metric, for all tasks and for each of them."""
    tasks = [task for task in study.tasks() if task] if len(study.tasks()) > 1 else []
    head = element("tr", *(element("th", text, scope="col") for text in ("metric", "axis", "all" if tasks else "effect", *tasks)))
    body = []
    for metric in study.metrics:
        for one in sensitivities(study, metric.name):
            if one.means:
                cells = [metric.name, one.axis.name, *(format_ratio(one.effect(key)) if key in one.means else "-" for key in (ALL, *tasks))]
                body.append(element("tr", *(element("td", cell, class_="number" if i > 1 else None) for i, cell in enumerate(cells))))
    return element("table", element("thead", head), element("tbody", *body)) if body else Markup()
