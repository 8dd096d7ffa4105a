#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fronts and ranks: cases worked out by hand, and random points against the definition."""
import math
import pathlib
import random
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))
sys.dont_write_bytecode = True

from coxswain.sweep import pareto  # noqa: E402

LESS = ("less", "less")


def dominates(a, b):
    """For points of which less is better."""
    return all(x <= y for x, y in zip(a, b)) and any(x < y for x, y in zip(a, b))


def ranks_by_definition(points):
    rank, left, result = 0, set(range(len(points))), [0] * len(points)
    while left:
        best = {i for i in left if not any(dominates(points[j], points[i]) for j in left)}
        for i in best:
            result[i] = rank
        left -= best
        rank += 1
    return result


class Fronts(unittest.TestCase):
    def test_by_hand(self):
        #         0       1       2       3       4
        points = [(1, 9), (2, 5), (3, 6), (4, 1), (5, 5)]
        self.assertEqual(pareto.front(points, LESS), [0, 1, 3])
        self.assertEqual(pareto.ranks(points, LESS), [0, 0, 1, 0, 1])
        self.assertEqual(pareto.ranks([*points, (6, 6)], LESS), [0, 0, 1, 0, 1, 2])

    def test_more_is_better(self):
        points = [(1, 9), (2, 5), (3, 6), (4, 1), (5, 5)]
        self.assertEqual(pareto.front(points, ("less", "more")), [0])
        self.assertEqual(pareto.front(points, ("more", "more")), [0, 2, 4])

    def test_equal_points_share_a_front(self):
        self.assertEqual(pareto.front([(1, 1), (2, 2), (1, 1)], LESS), [0, 2])
        self.assertEqual(pareto.ranks([(1, 1), (2, 2), (1, 1), (2, 2)], LESS), [0, 1, 0, 1])

    def test_equal_in_one_objective(self):
        self.assertEqual(pareto.front([(1, 2), (1, 1), (2, 1)], LESS), [1])

    def test_missing_values_are_never_on_the_front(self):
        self.assertEqual(pareto.front([(None, 0), (1, 1), (0, math.nan)], LESS), [1])
        self.assertEqual(pareto.ranks([(None, 0), (1, 1), (2, 2)], LESS), [2, 0, 1])
        self.assertEqual(pareto.front([(None, None)], LESS), [])

    def test_nothing(self):
        self.assertEqual(pareto.front([], LESS), [])
        self.assertEqual(pareto.ranks([], LESS), [])
        self.assertEqual(pareto.survivors([], LESS, 3), [])

    def test_a_point_of_another_length(self):
        with self.assertRaisesRegex(ValueError, "point 1 has 1 objectives; it should have 2"):
            pareto.front([(1, 2), (1,)], LESS)

    def test_random_points_against_the_definition(self):
        generator = random.Random(1)
        for objectives in (1, 2, 3):
            for _ in range(60):
                points = [tuple(generator.randrange(7) for _ in range(objectives)) for _ in range(generator.randrange(30))]
                self.assertEqual(pareto.ranks(points, ("less",) * objectives), ranks_by_definition(points), points)

    def test_many_points(self):
        generator = random.Random(2)
        points = [(generator.random(), generator.random()) for _ in range(20_000)]
        on_front = pareto.front(points, LESS)
        self.assertFalse(any(dominates(points[a], points[b]) for a in on_front for b in on_front))


class Crowding(unittest.TestCase):
    def test_by_hand(self):
        room = pareto.crowding([(0, 10), (1, 6), (4, 5), (10, 0)], LESS)
        self.assertEqual([room[0], room[3]], [math.inf, math.inf])
        self.assertAlmostEqual(room[1], 4 / 10 + 5 / 10)
        self.assertAlmostEqual(room[2], 9 / 10 + 6 / 10)

    def test_equal_points_have_room_once(self):
        room = pareto.crowding([(0, 10), (1, 6), (1, 6), (10, 0)], LESS)
        self.assertGreater(room[1], 0)
        self.assertEqual(room[2], 0)

    def test_survivors(self):
        points = [(0, 10), (1, 6), (4, 5), (10, 0), (11, 11), (12, 12)]
        self.assertEqual(pareto.survivors(points, LESS, 3), [0, 2, 3])  # of the front, point 1 has the least room
        self.assertEqual(pareto.survivors(points, LESS, 5), [0, 1, 2, 3, 4])
        self.assertEqual(pareto.survivors(points, LESS, 99), [0, 1, 2, 3, 4, 5])
        self.assertEqual(pareto.survivors(points, LESS, 0), [])


if __name__ == "__main__":
    unittest.main()
