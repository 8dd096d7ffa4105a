#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Values of axes, and the settings that each method takes."""
import collections
import unittest

from sweep_support import catalogue

from coxswain.sweep.search import read_search
from coxswain.sweep.values import read_values
from coxswain.work import WorkError

CATALOGUE = catalogue()


def axis(name, values):
    kind = CATALOGUE.find(name, "")
    return read_values(kind, values, "here", lambda value: kind.check(value, "here"))


class Values(unittest.TestCase):
    def test_ranges(self):
        self.assertEqual(axis("l2_mib", {"from": 1, "to": 8, "scale": "doubling"}).values, (1, 2, 4, 8))
        self.assertEqual(axis("l2_mib", {"from": 3, "to": 8, "scale": "doubling"}).values, (3, 6))
        self.assertEqual(axis("l2_mib", {"from": 1, "to": 8, "step": 3}).values, (1, 4, 7))
        self.assertEqual(axis("dram_bytes_per_cycle", {"from": 0.5, "to": 2, "step": 0.5}).values, (0.5, 1, 1.5, 2))

    def test_a_share_of_a_list_or_a_range(self):
        values = axis("l2_mib", [1, 2, 4, 8])
        self.assertEqual([values.at(share) for share in (0, 0.24, 0.25, 0.5, 0.75, 0.999)], [1, 1, 2, 4, 8, 8])
        whole = axis("l2_mib", {"from": 1, "to": 4})
        self.assertEqual([whole.at(share) for share in (0, 0.249, 0.25, 0.5, 0.75, 0.999)], [1, 1, 2, 3, 4, 4])
        doubling = axis("doorbell_latency", {"from": 10, "to": 1000, "scale": "log"})
        self.assertEqual(doubling.at(0), 10)
        self.assertEqual(doubling.at(0.5), 100)
        self.assertEqual(doubling.at(0.9999999), 1000)
        real = axis("dram_bytes_per_cycle", {"from": 8, "to": 64})
        self.assertEqual(real.at(0.5), 36)


class Methods(unittest.TestCase):
    AXES = [axis("cores", [1, 2, 3, 4]), axis("doorbell_latency", {"from": 0, "to": 999})]

    def settings(self, method, axes=None, **members):
        axes = axes or self.AXES
        return list(read_search({"method": method, **members}, axes, ["a"], "here").settings(axes))

    def test_a_grid_has_all(self):
        axes = [axis("cores", [1, 2]), axis("l2_mib", [4, 8, 1])]
        self.assertEqual([(s["cores"], s["l2_mib"]) for s in self.settings("grid", axes)], [(1, 4), (1, 8), (1, 1), (2, 4), (2, 8), (2, 1)])

    def test_random_settings_are_distinct_and_follow_the_seed(self):
        first = self.settings("random", points=300, seed=7)
        self.assertEqual(len({tuple(s.values()) for s in first}), 300)
        self.assertEqual(first, self.settings("random", points=300, seed=7))
        self.assertNotEqual(first, self.settings("random", points=300, seed=8))
        self.assertGreater(min(collections.Counter(s["cores"] for s in first).values()), 40)

    def test_random_can_take_all_of_a_small_space(self):
        axes = [axis("cores", [1, 2]), axis("l2_mib", [4, 8, 1])]
        self.assertEqual(len({tuple(s.values()) for s in self.settings("random", axes, points=6)}), 6)

    def test_a_range_with_too_few_values_is_refused(self):
        near = [axis("dram_bytes_per_cycle", {"from": 8.0, "to": 8.000000000000002})]
        for method in ("random", "latin_hypercube"):
            with self.assertRaisesRegex(WorkError, "have only about 2 settings, and points is 5"):
                self.settings(method, near, points=5)

    def test_a_latin_hypercube_has_each_part_once(self):
        points = self.settings("latin_hypercube", points=100, seed=3)
        self.assertEqual(sorted(s["doorbell_latency"] // 10 for s in points), list(range(100)))
        self.assertEqual(set(collections.Counter(s["cores"] for s in points).values()), {25})
        self.assertEqual(points, self.settings("latin_hypercube", points=100, seed=3))

    def test_a_latin_hypercube_of_lists_has_no_setting_twice(self):
        axes = [axis("cores", [1, 2, 3]), axis("l2_mib", [4, 8, 1])]
        self.assertEqual(len({tuple(s.values()) for s in self.settings("latin_hypercube", axes, points=9)}), 9)

    def test_halving_keeps_a_share_rounded_up(self):
        search = read_search({"method": "halving", "points": 9, "keep": 0.25}, self.AXES, ["a", "b", "c"], "here")
        self.assertEqual(search.rungs, (("a",), ("b",), ("c",)))
        self.assertEqual([search.kept(count) for count in (9, 3, 1)], [3, 1, 1])


if __name__ == "__main__":
    unittest.main()
