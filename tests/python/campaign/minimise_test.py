#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The minimiser by itself, on made-up tests of lines."""
import random
import unittest

import fake  # noqa: F401  (finds the package)

from coxswain.campaign import minimise
from coxswain.campaign.minimise import Oracle
from coxswain.campaign.shrink import join, split

LINES = tuple(f"line {i}" for i in range(40))


def needs(*wanted):
    return lambda lines: all(line in lines for line in wanted)


class MinimiseTest(unittest.TestCase):
    def test_finds_one_line(self):
        for line in LINES:
            self.assertEqual(minimise.minimise(LINES, Oracle(needs(line))), (line,))

    def test_finds_lines_that_only_fail_together(self):
        draw = random.Random(1)
        for _ in range(50):
            wanted = draw.sample(LINES, draw.randint(1, 6))
            self.assertEqual(set(minimise.minimise(LINES, Oracle(needs(*wanted)))), set(wanted))

    def test_keeps_the_order(self):
        result = minimise.minimise(LINES, Oracle(needs("line 30", "line 2", "line 17")))
        self.assertEqual(result, ("line 2", "line 17", "line 30"))

    def test_removes_an_instruction_together_with_its_configurations(self):
        """An instruction makes no sense without its two configurations, nor do they without it."""
        lines = ("first", *(f"{word} {i}" for i in range(9) for word in ("shape", "format", "use")))

        def fails(candidate):
            parts = [[line.split()[1] for line in candidate if line.startswith(word)] for word in ("shape", "format", "use")]
            return parts[0] == parts[1] == parts[2] and "5" in parts[0]

        self.assertEqual(minimise.minimise(lines, Oracle(fails)), ("shape 5", "format 5", "use 5"))

    def test_fails_without_any_line(self):
        self.assertEqual(minimise.minimise(LINES, Oracle(lambda lines: True)), ())

    def test_result_is_minimal_for_random_tests(self):
        """A test that is not monotonic: a line can hide the failure."""
        draw = random.Random(2)
        for _ in range(30):
            wanted, hiding = draw.sample(LINES, 3), draw.sample(LINES, 3)

            def fails(lines):
                return all(line in lines for line in wanted) and (hiding[0] not in lines or hiding[1] in lines)

            if not fails(LINES):
                continue
            result = minimise.minimise(LINES, Oracle(fails))
            self.assertTrue(fails(result))
            for i in range(len(result)):
                self.assertFalse(fails(result[:i] + result[i + 1 :]))

    def test_makes_numbers_small(self):
        def fails(lines):
            return any(line.startswith("flip at=") and int(line.split("=")[1].split()[0]) >= 100 and "bits=2" in line for line in lines)

        result = minimise.minimise(("reset at=5", "flip at=38000 bits=2", "slow factor=9"), Oracle(fails))
        self.assertEqual(len(result), 1)
        at = int(result[0].split("=")[1].split()[0])
        self.assertTrue(100 <= at < 200, result)
        self.assertTrue(result[0].endswith("bits=2"), result)

    def test_tries_0_and_1_first(self):
        self.assertEqual(minimise.simplify_numbers(("a=77 b=0x1F c=1", "d 12"), Oracle(lambda lines: "b=0 " not in lines[0])), ("a=0 b=1 c=0", "d 12"))

    def test_asks_nothing_twice_and_stops_at_the_limit(self):
        asked = []

        def fails(lines):
            asked.append(lines)
            return "line 3" in lines and "line 20" in lines

        minimise.minimise(LINES, Oracle(fails))
        self.assertEqual(len(asked), len(set(asked)))
        asked.clear()
        oracle = Oracle(fails, most=5)
        result = minimise.minimise(LINES, oracle)
        self.assertEqual(len(asked), 5)
        self.assertIn("line 3", result)
        self.assertIn("line 20", result)

    def test_header_stays(self):
        header, lines = split("! batch mx\n# comment\n\na\nb\n")
        self.assertEqual((header, lines), (["! batch mx"], ["a", "b"]))
        self.assertEqual(join(header, ("b",)), "! batch mx\nb\n")


if __name__ == "__main__":
    unittest.main()
