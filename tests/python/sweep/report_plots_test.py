#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fronts, sensitivities and roofs of small studies, worked out by hand, and where the plots draw them."""
import math
import sys
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
from report_studies import row, study, two_tasks  # noqa: E402

from coxswain.sweep.report import overall, pareto_plot, roofline_plot, scales, sensitivity, sensitivity_plot, svg  # noqa: E402
from coxswain.sweep.report.page import page  # noqa: E402


def drawn(panel):
    return xml.etree.ElementTree.fromstring(panel.markup())


class Fronts(unittest.TestCase):
    def test_the_front_of_each_task(self):
        of = two_tasks()
        fast, slow = ([(r.metrics["cycles"], r.metrics["cost"]) for r in pareto_plot.front_rows(of, of.done(task))] for task in ("fast", "slow"))
        self.assertEqual(fast, [(25, 48), (50, 20), (100, 10), (200, 5)])
        self.assertEqual(slow, [(1000, 12), (2000, 5)])

    def test_the_panel(self):
        of = two_tasks()
        panel = drawn(pareto_plot.panel(of, "slow", of.done("slow")))
        rings = [circle for circle in panel.iter("circle") if "ring" in circle.get("class")]
        self.assertEqual(len(rings), 2)
        self.assertEqual(len([circle for circle in panel.iter("circle") if circle.get("class") == "other"]), 4)
        self.assertEqual(rings[0].find("title").text, "task slow, cores 1, l2 8\ncycles 1,000\ncost 12")
        right, left = ([float(ring.get(name)) for name in ("cx", "cy")] for ring in rings)
        self.assertGreater(right[0], left[0])  # costs more
        self.assertGreater(right[1], left[1])  # is below: takes fewer cycles
        line = panel.find("polyline").get("points")
        self.assertEqual(line, " ".join(f'{ring.get("cx")},{ring.get("cy")}' for ring in rings))

    def test_all_tasks_together(self):
        rows = {(r.settings["cores"], r.settings["l2"]): r for r in overall.overall_rows(two_tasks())}
        self.assertEqual(len(rows), 6)
        self.assertNotIn("task", rows[1, 8].settings)
        self.assertEqual(rows[4, 8].metrics, {"cycles": 1.0, "cost": 48})
        self.assertAlmostEqual(rows[1, 1].metrics["cycles"], math.sqrt(8 * 2))  # 8 times the best of fast, 2 times that of slow

    def test_a_geometry_that_a_task_lacks_is_left_out(self):
        rows = [row(task=task, cores=cores, metrics={"cycles": 1, "cost": 2}) for task in "ab" for cores in (1, 2)]
        rows[0] = row("failed", task="a", cores=1)
        self.assertEqual([r.settings["cores"] for r in overall.overall_rows(study(rows, axes=("task", "cores")))], [2])
        self.assertEqual(overall.overall_rows(study(rows[:2])), ())


class Sensitivities(unittest.TestCase):
    def test_by_hand(self):
        cores, l2 = sensitivity.sensitivities(two_tasks(), "cycles")
        self.assertEqual([cores.axis.name, cores.values], ["cores", (1, 2, 4)])
        self.assertEqual({value: mean.ratio for value, mean in cores.means["slow"].items()}, {1: 1, 2: 1, 4: 1})
        for value, ratio in ((1, 4), (2, 2), (4, 1)):
            self.assertAlmostEqual(cores.means["fast"][value].ratio, ratio)
            self.assertAlmostEqual(cores.means[None][value].ratio, math.sqrt(ratio))
            self.assertEqual([cores.means["fast"][value].groups, cores.means[None][value].groups], [2, 4])
        self.assertAlmostEqual(cores.effect(), 2)
        self.assertAlmostEqual(cores.effect("fast"), 4)
        self.assertEqual(l2.axis.name, "l2")
        self.assertAlmostEqual(l2.effect("slow"), 2)

    def test_more_is_better(self):
        (cores,) = sensitivity.sensitivities(study([row(cores=c, metrics={"macs_per_cycle": 10 * c}) for c in (1, 4)], axes=("cores",)), "macs_per_cycle")
        self.assertAlmostEqual(cores.means[""][1].ratio, 4)
        self.assertAlmostEqual(cores.means[""][4].ratio, 1)

    def test_an_axis_that_helps_as_often_as_it_harms(self):
        rows = [row(cores=c, l2=l2, metrics={"cycles": cycles}) for c, l2, cycles in ((1, 1, 10), (2, 1, 5), (1, 8, 5), (2, 8, 10))]
        one = sensitivity.sensitivities(study(rows, axes=("cores", "l2")), "cycles")[0]
        self.assertAlmostEqual(one.means[None][1].ratio, math.sqrt(2))
        self.assertAlmostEqual(one.effect(), 1)

    def test_values_are_compared_over_the_same_groups(self):
        rows = [row(cores=c, l2=l2, metrics={"cycles": cycles}) for c, l2, cycles in ((1, 1, 40), (2, 1, 20), (4, 1, 10), (2, 8, 1), (4, 8, 9))]

        def means_of(some):
            found = sensitivity.sensitivities(study(some, axes=("cores", "l2")), "cycles")
            return next(one for one in found if one.axis.name == "cores").means[None]

        # One core lacks an L2 of 8, with which four cores are bad. So only the group with an L2 of 1 counts.
        self.assertEqual({value: round(mean.ratio, 6) for value, mean in means_of(rows).items()}, {1: 4, 2: 2, 4: 1})
        self.assertEqual({value: mean.groups for value, mean in means_of(rows[1:]).items()}, {2: 2, 4: 2})
        self.assertEqual({value: mean.groups for value, mean in means_of([*rows[:2], *rows[3:]]).items()}, {1: 1, 2: 2, 4: 1})

    def test_only_points_that_differ_in_one_axis_are_compared(self):
        rows = [row(task="a", cores=1, l2=1, metrics={"cycles": 10}), row(task="a", cores=2, l2=8, metrics={"cycles": 5})]
        self.assertEqual([one.means for one in sensitivity.sensitivities(study(rows), "cycles")], [{}, {}])
        self.assertEqual(sensitivity_plot.panels(study(rows), "cycles"), [])
        rows.append(row(task="b", cores=2, l2=1, metrics={"cycles": 1}))  # another task is another group
        self.assertEqual(sensitivity_plot.panels(study(rows), "cycles"), [])
        rows.append(row(task="a", cores=2, l2=1, metrics={"cycles": 0}))  # is not positive
        self.assertEqual(sensitivity_plot.panels(study(rows), "cycles"), [])

    def test_panels(self):
        panels = sensitivity_plot.panels(two_tasks(), "cycles")
        self.assertEqual([panel.title for panel in panels], ["cores: x 2.00", "l2: x 2.00"])
        titles = [title.text for title in drawn(panels[0]).iter("title")]
        self.assertIn("fast: cores 1: x 4.00 (2 points)", titles)
        self.assertIn("all tasks: cores 4: x 1.00 (4 points)", titles)
        self.assertIn("<td>macs_per_cycle</td><td>cores</td>", sensitivity_plot.effects(two_tasks()))


class Roofs(unittest.TestCase):
    def point(self, macs=1000, dram_bytes=100, speed=80, peak=256, bandwidth=16):
        metrics = {"macs": macs, "dram_bytes": dram_bytes, "macs_per_cycle": speed, "peak_macs_per_cycle": peak, "peak_dram_bytes_per_cycle": bandwidth}
        return row(task="a", cores=1, l2=1, metrics={"cycles": 1, "cost": 1, **{key: value for key, value in metrics.items() if value is not None}})

    def test_by_hand(self):
        (bandwidth,) = roofline_plot.spots([self.point()])
        self.assertEqual([bandwidth.intensity, bandwidth.roof, bandwidth.memory_bound], [10, 160, True])
        (arithmetic,) = roofline_plot.spots([self.point(dram_bytes=10)])
        self.assertEqual([arithmetic.intensity, arithmetic.roof, arithmetic.memory_bound], [100, 256, False])
        of = study([self.point(), self.point(dram_bytes=10)])
        self.assertEqual(roofline_plot.summary(of, "a"), "Bandwidth is the roof of 1 of 2 points. The points reach 31 % to 50 % of their roof, median 41 %.")

    def test_points_without_numbers(self):
        self.assertEqual(roofline_plot.spots([self.point(macs=None), self.point(dram_bytes=0), self.point(speed=None)]), [])
        of = study([self.point(peak=None, bandwidth=None)])
        self.assertEqual(roofline_plot.summary(of, "a"), "")
        self.assertIn("The limits of the device are not known", page(of))
        self.assertEqual(len(list(drawn(roofline_plot.panel(of, "a")).iter("polyline"))), 0)
        self.assertIsNone(roofline_plot.panel(study([]), "a"))

    def test_no_point_is_above_the_lines(self):
        of = two_tasks()
        panel = roofline_plot.panel(of, "fast")
        lines = [[tuple(map(float, pair.split(","))) for pair in line.get("points").split()] for line in drawn(panel).iter("polyline")]
        self.assertEqual(len(lines), 1)  # the peaks are beyond the right edge
        (x1, y1), (x2, y2) = lines[0]
        for circle in drawn(panel).iter("circle"):
            x, y = float(circle.get("cx")), float(circle.get("cy"))
            self.assertGreater(y + 0.1, y1 + (y2 - y1) * (x - x1) / (x2 - x1))  # 100 MACs a cycle under a roof of 160
        self.assertIn("62 % of the roof of bandwidth", drawn(panel).find(".//circle/title").text)

    def test_shades(self):
        self.assertEqual([roofline_plot.shade(one, [8, 16, 32]) for one in (8, 16, 32, 5)], ["q0", "q2", "q4", "q0"])
        self.assertEqual(roofline_plot.shade(8, [8]), "q2")
        self.assertEqual(roofline_plot.legend(two_tasks()), [("q2", "16 bytes a cycle")])


class Scales(unittest.TestCase):
    def test_linear(self):
        scale = scales.fitting([0, 10], 100, 200)
        self.assertEqual([round(pixel, 1) for pixel, _ in scale.ticks(6)], [100, 118.9, 137.7, 156.6, 175.5, 194.3])
        self.assertEqual([label for _, label in scale.ticks(6)], ["0", "2", "4", "6", "8", "10"])

    def test_logarithmic(self):
        scale = scales.fitting([1, 10_000], 0, 400)
        self.assertEqual([label for _, label in scale.ticks(6)], ["1", "10", "100", "1k", "10k"])
        self.assertAlmostEqual(scale.at(100), 200)
        self.assertLess(len(scales.Logarithmic(1, 1e30, 0, 1).ticks(6)), 8)

    def test_values_that_are_equal_or_close(self):
        for values in ([5], [0], [-3, -3], [1e9, 1e9 + 1], [3.2, 3.3]):
            scale = scales.fitting(values, 0, 100)
            self.assertTrue(all(0 <= scale.at(value) <= 100 for value in values))
            self.assertGreaterEqual(len(scale.ticks(6)), 2)
        self.assertGreaterEqual(len(scales.Logarithmic(30, 31, 0, 1).ticks(6)), 2)
        self.assertGreaterEqual(len(scales.Logarithmic(30, 30, 0, 1).ticks(6)), 2)

    def test_categories(self):
        scale = scales.Categories(["rows", "images"], ["rows", "images"], 0, 100)
        self.assertEqual(scale.ticks(7), [(25, "rows"), (75, "images")])
        self.assertEqual(len(scales.Categories(range(50), map(str, range(50)), 0, 1).ticks(7)), 7)


class Pictures(unittest.TestCase):
    def test_a_picture_is_a_file_of_its_own(self):
        of = two_tasks()
        text = svg.picture(pareto_plot.panels(of), 2, roofline_plot.legend(of))
        root = xml.etree.ElementTree.fromstring(text)
        self.assertEqual([root.get("width"), root.get("height")], ["680", str(2 * svg.HEIGHT + 26)])
        self.assertNotIn("var(", text)
        self.assertIn(".s0 { fill: #2f62a8", text)
        self.assertEqual(len(root.findall("{http://www.w3.org/2000/svg}svg")), 3)


if __name__ == "__main__":
    unittest.main()
