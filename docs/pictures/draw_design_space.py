#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the pictures of docs/design-space.md from the tables in examples/design_space, with the plots of `cox sweep --report`."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "examples/design_space"))
sys.dont_write_bytecode = True

import study  # noqa: E402

from coxswain.sweep.report import pareto_plot, roofline_plot, sensitivity_plot  # noqa: E402
from coxswain.sweep.report.svg import picture, series  # noqa: E402

LARGE = ("resnet50_b1", "resnet50_b16", "yolov5s")  # tasks that more than bandwidth can limit
COLUMNS = 3


def sensitivity(of):
    legend = [(series(i), task) for i, task in enumerate(of.tasks())] + [("all", "all tasks")]
    return picture(sensitivity_plot.panels(of, "cycles"), COLUMNS, legend)


def pictures():
    """The text of each picture by name."""
    tile, unity = study.tile_cores(), study.unity()
    roofs = [roofline_plot.panel(tile, task) for task in LARGE]
    return {
        "design-space-front.svg": picture(pareto_plot.panels(tile), COLUMNS),
        "design-space-sensitivity.svg": sensitivity(tile),
        "design-space-roofline.svg": picture(roofs, COLUMNS, roofline_plot.legend(tile)),
        "design-space-unity.svg": sensitivity(unity),
    }


def main():
    for name, text in pictures().items():
        (ROOT / "docs/pictures" / name).write_text(text + "\n")


if __name__ == "__main__":
    main()
