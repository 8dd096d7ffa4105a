#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts of coverage, their table and their picture."""
import unittest
import xml.etree.ElementTree as xml

import fake  # noqa: F401  (finds the package)

from coxswain.campaign import picture
from coxswain.campaign.coverage import Coverage, table
from coxswain.campaign.kinds import Kind

SVG = "{http://www.w3.org/2000/svg}"
KIND = Kind("faults", "plans", "program", "make", rows=("flip", "reset"), columns=("tile", "mx"))


def coverage(*cells):
    result = Coverage(KIND)
    result.add(cells)
    return result


class CoverageTest(unittest.TestCase):
    def test_adds_up(self):
        result = coverage(("flip", "mx", "retried", 2), ("flip", "mx", "reset", 1))
        result.add([["flip", "mx", "retried", 4]])
        self.assertEqual(result.total("flip", "mx"), 7)
        self.assertEqual(result.states, ["retried", "reset"])
        self.assertEqual(result.missing, [("flip", "tile"), ("reset", "tile"), ("reset", "mx")])

    def test_shows_rows_and_columns_that_nobody_expected(self):
        result = coverage(("new", "pim", "odd", 1))
        self.assertEqual((result.rows, result.columns, result.states), (["flip", "reset", "new"], ["tile", "mx", "pim"], ["odd"]))

    def test_table(self):
        self.assertEqual(table(coverage(("flip", "mx", "retried", 12))).splitlines(), ["       tile  mx", "flip      .  12", "reset     .   ."])


    def test_cells_that_there_cannot_be(self):
        result = Coverage(Kind("faults", "plans", "program", "make", rows=("flip", "reset"), columns=("tile", "mx"), absent=frozenset([("reset", "mx")])))
        result.add([("flip", "mx", "retried", 1)])
        self.assertEqual(result.missing, [("flip", "tile"), ("reset", "tile")])
        self.assertEqual(table(result).splitlines()[2], "reset     .")
        self.assertEqual(picture.draw([result]).count(">never<"), 2)


class PictureTest(unittest.TestCase):
    def parse(self, *coverages):
        return xml.fromstring(picture.draw(coverages))

    def test_has_each_cell_with_its_count(self):
        root = self.parse(coverage(("flip", "mx", "retried", 1200), ("reset", "tile", "reset", 3)))
        texts = [text.text for text in root.iter(f"{SVG}text")]
        self.assertIn("1,200", texts)
        self.assertEqual(texts.count("never"), 2)
        titles = [title.text for title in root.iter(f"{SVG}title")]
        self.assertIn("flip, mx: 1200\nretried: 1200", titles)

    def test_bars_are_divided_by_state(self):
        root = self.parse(coverage(("flip", "mx", "retried", 3), ("flip", "mx", "reset", 1)))
        bars = {rect.get("fill"): float(rect.get("width")) for rect in root.iter(f"{SVG}rect") if rect.get("height") == "8"}
        self.assertEqual(len(bars), 2)
        self.assertAlmostEqual(max(bars.values()), 3 * min(bars.values()), places=0)

    def test_fits_into_its_size(self):
        root = self.parse(coverage(("flip", "mx", "retried", 1)), coverage(("a state <&>", "x", "<script>", 1)))
        width, height = float(root.get("width")), float(root.get("height"))
        for rect in root.iter(f"{SVG}rect"):
            self.assertLessEqual(float(rect.get("x") or 0) + float(rect.get("width")), width)
        self.assertGreater(height, 0)
        self.assertNotIn("<script>", picture.draw([coverage(("<script>", "x", "<script>", 1))]))

    def test_nothing_to_draw(self):
        self.assertEqual(list(self.parse(Coverage(Kind("pim", "", "", ""))).iter(f"{SVG}text")), [])


if __name__ == "__main__":
    unittest.main()
