# SPDX-License-Identifier: MIT
"""Reads the table of a sweep (`cox sweep --table`) as a study again, for plots and findings."""
from __future__ import annotations

import csv
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from coxswain.sweep.study import TASK, Axis, Metric, Row, Study  # noqa: E402

METRICS = (
    Metric("cycles", "cycles", "less", ""),
    Metric("macs_per_cycle", "", "more", ""),
    Metric("utilisation", "share", "more", ""),
    Metric("dram_bytes", "bytes", "less", ""),
    Metric("cost", "", "less", ""),
)
UNITS = {"l2_mib": "MiB"}


def read(path: pathlib.Path, bandwidth: str, title: str) -> Study:
    """`bandwidth`: the axis that is the bandwidth to DRAM in bytes a cycle. The roofline's numbers follow from the columns."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    names = list(lines[0])
    axes = names[: names.index(METRICS[0].name)]
    rows = tuple(_row(line, axes, bandwidth) for line in lines)
    return Study(title, tuple(Axis(name, UNITS.get(name, "")) for name in axes), METRICS, ("cycles", "cost"), rows, {})


def _row(line: dict[str, str], axes: list[str], bandwidth: str) -> Row:
    settings = {name: line[name] if name == TASK else int(line[name]) for name in axes}
    metrics = {metric.name: float(line[metric.name]) for metric in METRICS if line[metric.name]}
    if line["status"] == "done":
        metrics["macs"] = round(metrics["macs_per_cycle"] * metrics["cycles"])
        metrics["peak_macs_per_cycle"] = round(metrics["macs_per_cycle"] / metrics["utilisation"])
        metrics["peak_dram_bytes_per_cycle"] = settings[bandwidth]
    return Row(settings, line["status"], line["message"], metrics)


def tile_cores() -> Study:
    return read(pathlib.Path(__file__).with_name("tile_cores.csv"), "dram_bytes_per_cycle", "Tile cores")


def unity() -> Study:
    return read(pathlib.Path(__file__).with_name("unity.csv"), "unity_dram_bytes_per_cycle", "Unity units")
