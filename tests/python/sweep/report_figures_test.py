#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How figures are written, and the data types of a study."""
import math
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))
sys.dont_write_bytecode = True

from coxswain.sweep.figures import format_ratio, format_short, format_value, heading  # noqa: E402
from coxswain.sweep.study import Axis, Metric, Row, Study, distinct, number_of, value_of  # noqa: E402

CYCLES = Metric("cycles", "cycles", "less", "")
SHARE = Metric("utilisation", "share", "more", "")


class Figures(unittest.TestCase):
    def test_values(self):
        for value, text in (
            (1234567, "1,234,567"), (1234567.0, "1,234,567"), (0, "0"), (2016.94, "2,016.9"), (55.25, "55.25"), (1.23456, "1.235"),
            (0.0123456, "0.01235"), (-3.5, "-3.500"), (None, "-"), (math.nan, "-"), (math.inf, "-"), ("rows", "rows"), (True, "true"), (False, "false"),
        ):  # fmt: skip
            self.assertEqual(format_value(CYCLES, value), text)
        self.assertEqual(format_value(SHARE, 0.7538), "75.4 %")
        self.assertEqual(format_value(SHARE, 1), "100.0 %")
        self.assertEqual(format_value(SHARE, None), "-")

    def test_values_of_an_axis_keep_their_digits(self):
        axis = Axis("bandwidth", "bytes a cycle")
        self.assertEqual([format_value(axis, value) for value in (8, 17.177734375, 0.5, 16.0, 65536)], ["8", "17.17773438", "0.5", "16", "65,536"])

    def test_short(self):
        for value, text in ((0, "0"), (0.25, "0.25"), (1, "1"), (999, "999"), (1000, "1k"), (1500, "1.5k"), (999_999, "1M"), (25_000_000, "25M"), (2e9, "2G"), (3e12, "3T")):
            self.assertEqual(format_short(value), text)

    def test_ratio_and_heading(self):
        self.assertEqual([format_ratio(1.825), format_ratio(1234.5)], ["x 1.82", "x 1,234"])
        self.assertEqual([heading(CYCLES), heading(SHARE), heading(Axis("l2", "MiB"))], ["cycles", "utilisation", "l2 (MiB)"])


class Types(unittest.TestCase):
    def test_an_unknown_direction_or_status(self):
        with self.assertRaisesRegex(ValueError, '"lower"; it should be "less" or "more"'):
            Metric("cycles", "", "lower", "")
        with self.assertRaisesRegex(ValueError, "'refused' is not one of done, infeasible"):
            Row({}, "refused", "", {})

    def test_objectives_must_be_columns(self):
        with self.assertRaisesRegex(ValueError, '"cost" is no column of the study; its columns are cores, cycles'):
            Study("", (Axis("cores"),), (CYCLES,), ("cycles", "cost"), (), {})

    def test_values_and_tasks(self):
        rows = (Row({"task": "b", "cores": 2}, "done", "", {"cycles": 5}), Row({"task": "a", "cores": 1}, "failed", "x", {}))
        study = Study("", (Axis("task"), Axis("cores")), (CYCLES,), ("cycles", "cores"), rows, {})
        self.assertEqual(study.tasks(), ("b", "a"))
        self.assertEqual(study.done("a"), ())
        self.assertEqual(study.done(), rows[:1])
        self.assertEqual([value_of(rows[0], "cores"), value_of(rows[0], "cycles"), value_of(rows[1], "cycles")], [2, 5, None])
        self.assertEqual([number_of(rows[0], "cores"), number_of(rows[0], "task"), number_of(rows[1], "cycles")], [2, None, None])
        self.assertEqual([study.better("cycles"), study.better("cores")], ["less", "less"])

    def test_distinct(self):
        self.assertEqual(distinct([4, "rows", 1, 4, "images", 2.5]), [1, 2.5, 4, "rows", "images"])
        self.assertEqual(distinct([False, True, False]), [False, True])


if __name__ == "__main__":
    unittest.main()
