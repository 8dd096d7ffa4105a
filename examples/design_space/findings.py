#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of docs/design-space.md, from the tables of the sweeps beside this file.

Without an option it prints them. --write puts them into the page, in place of those that follow the lines `<!-- table NAME -->`.
"""
from __future__ import annotations

import argparse
import re
import statistics
import sys
from typing import Callable, Iterable

sys.dont_write_bytecode = True

import study  # noqa: E402

from coxswain.sweep.figures import format_ratio, format_value  # noqa: E402
from coxswain.sweep.report import overall, roofline_plot, sensitivity  # noqa: E402
from coxswain.sweep.study import TASK, Row, Study  # noqa: E402

PAGE = study.ROOT / "docs/design-space.md"
WITHIN = 1.1  # "nearly as fast" means within a tenth of the fastest


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(head), *map(list, rows)]
    texts = ["| " + " | ".join(line) + " |\n" for line in lines]
    return "".join([texts[0], "|" + "---|" * len(lines[0]) + "\n", *texts[1:]])


def effects(of: Study) -> str:
    """Cycles of each task, and what the worst value of each axis costs."""
    found = sensitivity.sensitivities(of, "cycles")
    rows = []
    for task in of.tasks():
        cycles = [row.metrics["cycles"] for row in of.done(task)]
        span = [f"{max(cycles):,.0f}", f"{min(cycles):,.0f}", format_ratio(max(cycles) / min(cycles))]
        rows.append([f"`{task}`", *span, *(format_ratio(one.effect(task)) for one in found)])
    rows.append(["all", "", "", "", *(format_ratio(one.effect()) for one in found)])
    return table(["task", "slowest", "fastest", "between them", *(f"`{one.axis.name}`" for one in found)], rows)


def cheapest(of: Study) -> str:
    """For each task, and for all, the cheapest geometry that is nearly as fast as the fastest."""
    axes = [axis for axis in of.axes if axis.name != TASK]
    rows = []
    for name, candidates in [*((f"`{task}`", of.done(task)) for task in of.tasks()), ("all", overall.overall_rows(of))]:
        best = min(row.metrics["cycles"] for row in candidates)
        near = [row for row in candidates if row.metrics["cycles"] <= WITHIN * best]
        row = min(near, key=lambda one: (one.metrics["cost"], one.metrics["cycles"]))
        settings = [format_value(axis, row.settings[axis.name]) for axis in axes]
        rows.append([name, *settings, f"{row.metrics['cost']:g}", format_ratio(row.metrics["cycles"] / best), _utilisation(row)])
    return table(["task", *(f"`{axis.name}`" for axis in axes), "cost", "cycles, times the fastest", "utilisation"], rows)


def _utilisation(row: Row) -> str:
    return f"{100 * row.metrics['utilisation']:.1f} %" if "utilisation" in row.metrics else ""


def roofs(of: Study) -> str:
    """How near the points come to their roof, and how much of the multipliers they use."""
    rows = []
    for task in of.tasks():
        spots = roofline_plot.spots(of.done(task))
        shares = [spot.speed / spot.roof for spot in spots]
        used = [spot.row.metrics["utilisation"] for spot in spots]
        bound = sum(spot.memory_bound for spot in spots)
        intensity = {round(spot.intensity) for spot in spots}
        span = f"{min(intensity):,}" if len(intensity) == 1 else f"{min(intensity):,} to {max(intensity):,}"
        percent = [f"{100 * value:.1f} %" for value in (statistics.median(shares), max(shares), statistics.median(used), max(used))]
        rows.append([f"`{task}`", span, f"{bound} of {len(spots)}", *percent])
    head = ["task", "MACs for each byte", "roof is bandwidth", "of the roof, median", "most", "of the multipliers, median", "most"]
    return table(head, rows)


def steps(of: Study, axis: str) -> str:
    """How much faster the next value of an axis is, geometric mean over all other settings."""
    one = next(one for one in sensitivity.sensitivities(of, "cycles") if one.axis.name == axis)
    pairs = list(zip(one.values, one.values[1:]))
    rows = []
    for task in (*of.tasks(), sensitivity.ALL):
        means = one.means[task]
        rows.append([f"`{task}`" if task else "all", *(_times(means.get(low), means.get(high)) for low, high in pairs)])
    return table(["task", *(f"{low} to {high}" for low, high in pairs)], rows)


def _times(slow: sensitivity.Mean | None, fast: sensitivity.Mean | None) -> str:
    return format_ratio(slow.ratio / fast.ratio) if slow and fast else "-"


def four_cores(of: Study, task: str) -> str:
    """How many times as fast four cores are as one, for each L2 and bandwidth."""
    cycles = {tuple(row.settings[name] for name in ("cores", "l2_mib", "dram_bytes_per_cycle")): row.metrics["cycles"] for row in of.done(task)}
    sizes, widths = (sorted({key[i] for key in cycles}) for i in (1, 2))
    rows = [
        [f"{size} MiB", *(format_ratio(cycles[1, size, width] / cycles[4, size, width]) if (1, size, width) in cycles else "-" for width in widths)]
        for size in sizes
    ]
    return table(["L2 of a core", *(f"{width} bytes a cycle" for width in widths)], rows)


def batch(of: Study, l2_mib: int) -> str:
    """Cycles of an image of ResNet-50, alone and in a batch of 16, on one core and on four."""
    cycles = {tuple(row.settings.values()): row.metrics["cycles"] for row in of.done() if row.task.startswith("resnet50")}
    rows = []
    for width in sorted({key[-1] for key in cycles}):
        cells = [f"{width} bytes a cycle"]
        for cores in (1, 4):
            alone, together = cycles["resnet50_b1", cores, l2_mib, width], cycles["resnet50_b16", cores, l2_mib, width] / 16
            cells += [f"{alone:,.0f}", f"{together:,.0f}", format_ratio(alone / together)]
        rows.append(cells)
    head = [f"{number}: {what}" for number in ("one core", "four cores") for what in ("alone", "of 16", "faster")]
    return table([f"L2 of {l2_mib} MiB", *head], rows)


def worse(of: Study) -> str:
    """Pairs of points that differ in one step of one axis, where more of it takes longer."""
    rows = []
    for axis in (axis for axis in of.axes if axis.name != TASK):
        values = sorted({row.settings[axis.name] for row in of.rows})
        cycles = {frozenset(row.settings.items()): row.metrics["cycles"] for row in of.done()}
        ratios = []
        for row in of.done():
            at = values.index(row.settings[axis.name])
            more = frozenset({**row.settings, axis.name: values[min(at + 1, len(values) - 1)]}.items())
            if at + 1 < len(values) and more in cycles:
                ratios.append((cycles[more] / row.metrics["cycles"], row))
        bad = sorted((one for one in ratios if one[0] > 1), key=lambda one: -one[0])
        where = ", ".join(f"{name} {value}" for name, value in bad[0][1].settings.items() if name != TASK) if bad else ""
        worst = [format_ratio(bad[0][0]), f"`{bad[0][1].task}`, from {where}"] if bad else ["", ""]
        rows.append([f"`{axis.name}`", f"{len(bad)} of {len(ratios)}", *worst])
    return table(["more of", "takes longer", "most", "at"], rows)


def small(tile: Study, units: Study) -> str:
    """The fastest points of the networks that run on both engines."""
    rows = []
    for task in units.tasks():
        cells = []
        for of in (tile, units):
            row = min(of.done(task), key=lambda one: (one.metrics["cycles"], one.metrics["cost"]))
            count = row.settings.get("cores") or row.settings["units"]
            cells += [f"{row.metrics['cycles']:,.0f}", f"{row.metrics['peak_macs_per_cycle']:,} ({count})"]
        rows.append([f"`{task}`", *cells])
    return table(["task", "tile cores: cycles", "multipliers (cores)", "Unity: cycles", "multipliers (units)"], rows)


def tables() -> dict[str, str]:
    tile, units = study.tile_cores(), study.unity()
    return {
        "tile effects": effects(tile), "tile cheapest": cheapest(tile), "tile roofs": roofs(tile), "tile cores": steps(tile, "cores"),
        "tile l2": steps(tile, "l2_mib"), "tile bandwidth": steps(tile, "dram_bytes_per_cycle"),
        **{f"tile four cores {task}": four_cores(tile, task) for task in ("resnet50_b1", "resnet50_b16", "yolov5s")},
        "tile batch": batch(tile, 8), "tile worse": worse(tile), "small networks": small(tile, units), "unity worse": worse(units), "unity units": steps(units, "units"),
        "unity effects": effects(units), "unity cheapest": cheapest(units), "unity roofs": roofs(units),
    }  # fmt: skip


def with_tables(page: str, of: Callable[[str], str]) -> str:
    """The page with the tables as they should be. Raises KeyError for a name that is none of a table."""
    return re.sub(r"<!-- table (.+?) -->\n+(?:\|.*\n)*\n*", lambda found: f"<!-- table {found.group(1)} -->\n\n{of(found.group(1))}\n", page)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write the tables into {PAGE.name}")
    if parser.parse_args().write:
        made = tables()
        PAGE.write_text(with_tables(PAGE.read_text(), made.__getitem__))
        return
    for name, text in tables().items():
        print(f"{name}\n\n{text}")


if __name__ == "__main__":
    main()
