# SPDX-License-Identifier: MIT
"""Multiply-accumulates a cycle over multiply-accumulates for each byte of DRAM, under the roofs of arithmetic and of bandwidth."""
from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Sequence

from ..figures import format_short, format_value
from ..study import Axis, Row, Study, number_of
from .pareto_plot import MOST_POINTS, describe
from .scales import Logarithmic
from .svg import BOTTOM, LEFT, RIGHT, TOP, Panel

SHADES = 5  # number of colours of bandwidths
_ANY = Axis("")


@dataclass(frozen=True)
class Spot:
    """A point of the roofline. `peak` and `bandwidth` (bytes a cycle) are 0 if they are unknown."""

    row: Row
    intensity: float
    speed: float
    peak: float
    bandwidth: float

    @property
    def roof(self) -> float:
        """The most multiply-accumulates a cycle at this intensity; 0 if it is unknown."""
        return min(self.peak, self.bandwidth * self.intensity) if self.peak and self.bandwidth else 0.0

    @property
    def memory_bound(self) -> bool:
        return self.bandwidth * self.intensity < self.peak


def spots(rows: Sequence[Row]) -> list[Spot]:
    """Of the rows whose multiply-accumulates and bytes are known and not 0."""
    found = []
    for row in rows:
        macs, moved, speed = (number_of(row, name) or 0.0 for name in ("macs", "dram_bytes", "macs_per_cycle"))
        peak, bandwidth = (number_of(row, name) or 0.0 for name in ("peak_macs_per_cycle", "peak_dram_bytes_per_cycle"))
        if macs > 0 and moved > 0 and speed > 0:
            found.append(Spot(row, macs / moved, speed, peak, bandwidth))
    return found


def bandwidths(study: Study) -> list[float]:
    return sorted({spot.bandwidth for spot in spots(study.done()) if spot.bandwidth})


def shade(bandwidth: float, of: Sequence[float]) -> str:
    """The class of a bandwidth's colour: the wider, the darker."""
    if bandwidth not in of:
        return "q0"
    return f"q{of.index(bandwidth) * (SHADES - 1) // max(1, len(of) - 1) if len(of) > 1 else SHADES // 2}"


def panel(study: Study, task: str) -> Panel | None:
    """None if no point of the task has multiply-accumulates and bytes."""
    found = spots(study.done(task))
    if not found:
        return None
    peaks = sorted({spot.peak for spot in found if spot.peak})
    speeds = [spot.speed for spot in found]
    x = Logarithmic(min(s.intensity for s in found) / 3, max(s.intensity for s in found) * 3, LEFT, RIGHT)
    y = Logarithmic(min(speeds) / 2, 1.4 * max([*speeds, *peaks]), BOTTOM, TOP)
    drawn = Panel(task or study.title, x, y, "MACs for each byte of DRAM", "MACs a cycle")
    _draw_roofs(drawn, x, y, peaks, sorted({spot.bandwidth for spot in found if spot.bandwidth}), bandwidths(study))
    for spot in found[:: 1 + len(found) // MOST_POINTS]:
        drawn.dot(x.at(spot.intensity), y.at(spot.speed), shade(spot.bandwidth, bandwidths(study)), _describe(study, spot))
    return drawn


def panels(study: Study) -> list[Panel]:
    return [drawn for task in study.tasks() if (drawn := panel(study, task)) is not None]


def legend(study: Study) -> list[tuple[str, str]]:
    return [(shade(one, bandwidths(study)), f"{format_value(_ANY, one)} bytes a cycle") for one in bandwidths(study)]


def summary(study: Study, task: str) -> str:
    """A sentence about the points that have a roof; empty if none has."""
    found = [spot for spot in spots(study.done(task)) if spot.roof]
    if not found:
        return ""
    bound = sum(spot.memory_bound for spot in found)
    shares = [spot.speed / spot.roof for spot in found]
    return (
        f"Bandwidth is the roof of {bound} of {len(found)} points. The points reach {_percent(min(shares))} to {_percent(max(shares))} of their "
        f"roof, median {_percent(statistics.median(shares))}."
    )


def _draw_roofs(drawn: Panel, x: Logarithmic, y: Logarithmic, peaks: Sequence[float], own: Sequence[float], all_of_them: Sequence[float]) -> None:
    top = max(peaks, default=y.greatest)
    for bandwidth in own:
        left, right = max(x.least, y.least / bandwidth), min(x.greatest, top / bandwidth)
        if left < right:
            ends = [(x.at(at), y.at(bandwidth * at)) for at in (left, right)]
            drawn.line(ends, f"roof {shade(bandwidth, all_of_them)}", f"{format_value(_ANY, bandwidth)} bytes a cycle")
    labelled = BOTTOM
    for peak in peaks:
        left = max(x.least, peak / max(own)) if own else x.least
        if left < x.greatest:
            drawn.line([(x.at(left), y.at(peak)), (x.at(x.greatest), y.at(peak))], "roof peak", f"peak: {format_value(_ANY, peak)} MACs a cycle")
            if labelled - y.at(peak) >= 11:
                drawn.text(RIGHT - 2, y.at(peak) - 3, format_short(peak), "tick", "end")
                labelled = y.at(peak)


def _describe(study: Study, spot: Spot) -> str:
    text = f"{describe(study, spot.row)}\n{spot.speed:,.1f} MACs a cycle, {spot.intensity:,.1f} MACs for each byte"
    return f"{text}\n{_percent(spot.speed / spot.roof)} of the roof of {'bandwidth' if spot.memory_bound else 'arithmetic'}" if spot.roof else text


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
