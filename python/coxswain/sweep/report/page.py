# SPDX-License-Identifier: MIT
"""The page of a report."""
from __future__ import annotations

import os
import pathlib
from typing import Sequence, Union

from ..figures import format_value, heading
from ..study import Axis, Study, distinct
from . import pareto_plot, roofline_plot, sensitivity_plot, table
from .markup import Markup, element, join
from .svg import Panel, plot_style, series

_COUNTS = (("done", "done"), ("infeasible", "infeasible"), ("failed", "failed"), ("open", "still open"))


def write_report(study: Study, path: Union[str, "os.PathLike[str]"]) -> None:
    """Writes the report as one HTML file without references to other files. Raises OSError if that fails; an earlier file then stays."""
    path = pathlib.Path(path)
    unfinished = path.with_name(path.name + ".part")
    try:
        unfinished.write_text(page(study), encoding="utf-8")
        os.replace(unfinished, path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise


def page(study: Study) -> str:
    sections = [
        ("swept", "What was swept", _swept(study)),
        ("front", "Pareto front", _pareto(study)),
        ("sensitivity", "Sensitivity", _sensitivity(study)),
        ("roofline", "Roofline", _roofline(study)),
        ("missing", "Points without results", _missing(study)),
        ("table", "All points", _table(study)),
        ("provenance", "Provenance", _pairs(study.provenance.items())),
    ]
    sections = [section for section in sections if section[2]]
    links = element("nav", *(element("a", name, href=f"#{key}") for key, name, _ in sections))
    body = [element("section", element("h2", name), content, id=key) for key, name, content in sections]
    main = element("main", element("h1", study.title), _counts(study), links, *body)
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", study.title),
        element("style", Markup(plot_style() + _text("page.css"))),
    )
    script = element("script", Markup(_text("table.js")))
    return f"<!DOCTYPE html>\n{element('html', head, element('body', main, script), lang='en')}\n"


def _text(name: str) -> str:
    return pathlib.Path(__file__).with_name(name).read_text(encoding="utf-8")


def _counts(study: Study) -> Markup:
    figures = [("points", len(study.rows)), *((label, len(study.with_status(status))) for status, label in _COUNTS)]
    shown = [(label, count) for label, count in figures if count or label in ("points", "done")]
    return element("div", *(element("div", element("b", f"{count:,}"), element("span", label), class_="figure") for label, count in shown), class_="figures")


def _swept(study: Study) -> Markup:
    axes = [(heading(axis), _values(study, axis)) for axis in study.axes]
    directions = {"less": "less is better", "more": "more is better"}
    metrics = [(heading(metric), f"{metric.what} ({directions[metric.better]})" if metric.what else directions[metric.better]) for metric in study.metrics]
    return join([element("h3", "Axes"), _pairs(axes), element("h3", "Metrics"), _pairs(metrics)])


def _values(study: Study, axis: Axis) -> str:
    values = distinct(row.settings[axis.name] for row in study.rows if axis.name in row.settings)
    texts = [format_value(axis, value) for value in values]
    return ", ".join(texts) if len(texts) <= 16 else f"{len(texts)} values, from {texts[0]} to {texts[-1]}"


def _pareto(study: Study) -> Markup:
    drawn = pareto_plot.panels(study)
    if not drawn:
        return _note("No point has both objectives.")
    first, second = study.objectives
    text = (
        f"Better is {study.better(first)} of {first} and {study.better(second)} of {second}. Large points are on the front: no other point is as good in"
        " both and better in one."
    )
    more = " Of all tasks together, the values are geometric means over the tasks, each as a multiple of the task's best." if len(study.tasks()) > 1 else ""
    tables = [pareto_plot.front_table(study, name, rows) for name, rows in pareto_plot.groups(study) if rows]
    return join([_note(text + more), _panels(drawn), *tables])


def _sensitivity(study: Study) -> Markup:
    metric = next((name for name in study.objectives if name not in [axis.name for axis in study.axes]), "")
    drawn = sensitivity_plot.panels(study, metric) if metric else []
    if not drawn:
        return _note("No two points with results differ in one axis only.")
    text = (
        f"Points that differ only in one axis are compared: {metric} as a multiple of the best of them, geometric mean. A line at 1 means that the axis"
        " does not matter. Axes with the greatest effect come first."
    )
    tasks = study.tasks()
    legend = _legend([(series(i), task) for i, task in enumerate(tasks)] + [("all", "all tasks")]) if len(tasks) > 1 else Markup()
    below = _note("How many times worse each metric is with the worst value of an axis than with the best.")
    return join([_note(text), legend, _panels(drawn), element("h3", "Effect on each metric"), below, _scroll(sensitivity_plot.effects(study))])


def _roofline(study: Study) -> Markup:
    drawn = [(panel, task) for task in study.tasks() if (panel := roofline_plot.panel(study, task)) is not None]
    if not drawn:
        return _note("No point has multiply-accumulates and bytes of DRAM.")
    text = "A sloping line is the roof of a bandwidth to DRAM, a dashed one that of the multipliers. Points have the colour of their bandwidth."
    if not roofline_plot.bandwidths(study):
        text = "The limits of the device are not known, so the plots have no roofs."
    panels = _panels([panel for panel, _ in drawn], [roofline_plot.summary(study, task) for _, task in drawn])
    return join([_note(text), _legend(roofline_plot.legend(study)), panels])


def _missing(study: Study) -> Markup:
    return join(table.without_results(study))


def _table(study: Study) -> Markup:
    if not study.rows:
        return _note("The sweep has no points.")
    text = "Marked rows are on the front of their task."
    if len(study.rows) > table.MOST_ROWS:
        text += f" The table shows {table.MOST_ROWS:,} of {len(study.rows):,} points, with all of the fronts."
    return join([_note(text), table.points_table(study)])


def _panels(panels: Sequence[Panel], captions: Sequence[str] = ()) -> Markup:
    texts = [*captions, *[""] * (len(panels) - len(captions))]
    figures = [element("figure", panel.markup(), element("figcaption", text) if text else "") for panel, text in zip(panels, texts)]
    return element("div", *figures, class_="panels")


def _legend(entries: Sequence[tuple[str, str]]) -> Markup:
    def mark(class_: str) -> Markup:
        return element("svg", element("circle", cx=6, cy=6, r=5, class_=class_), viewBox="0 0 12 12", aria_hidden="true")

    return element("div", *(element("span", mark(class_), name) for class_, name in entries), class_="legend")


def _pairs(pairs) -> Markup:
    rows = [element("tr", element("th", name, scope="row"), element("td", str(value), class_="long")) for name, value in pairs]
    return _scroll(element("table", *rows)) if rows else Markup()


def _scroll(content: Markup) -> Markup:
    return element("div", content, class_="scroll") if content else content


def _note(text: str) -> Markup:
    return element("p", text)
