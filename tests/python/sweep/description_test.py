#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sweep files: what is read, and what is refused with which words."""
import pathlib
import tempfile
import unittest

from sweep_support import DIGITS, catalogue

from coxswain.sweep.catalogue import option_arguments
from coxswain.sweep.description import read_description
from coxswain.sweep.expression import Expression
from coxswain.work import ExitCode, WorkError

CATALOGUE = catalogue()
GOOD = f"""
[sweep]
title = "Good"
cost = "cores * (4 + l2_mib)"
[tasks.digits]
network = "{DIGITS}"
batch = 4
[fixed]
doorbell_latency = 10
[axes]
cores = [1, 2]
l2_mib = {{ from = 1, to = 8, scale = "doubling" }}
"""


class Description(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / "sweep.toml"

    def tearDown(self):
        self.folder.cleanup()

    def read(self, text):
        self.path.write_text(text)
        return read_description(str(self.path), CATALOGUE)

    def refuse(self, old, new, *words, code=ExitCode.USAGE):
        """GOOD with `new` in place of `old` must be refused with these words, and with the name of the file."""
        self.assertIn(old, GOOD)
        with self.assertRaises(WorkError) as caught:
            self.read(GOOD.replace(old, new, 1))
        self.assertTrue(str(caught.exception).startswith(str(self.path)), str(caught.exception))
        for word in words:
            self.assertIn(word, str(caught.exception))
        self.assertEqual(caught.exception.code, code)

    def test_a_setting_has_one_value(self):
        self.refuse("[axes]", '[axes]\n"geometry.l2_mib" = [1]', "[axes]: l2_mib and geometry.l2_mib are one axis")
        self.refuse("[fixed]", '[fixed]\n"geometry.doorbell_latency" = 1', "[fixed]: doorbell_latency and geometry.doorbell_latency are one setting")

    def test_ranges_stay_in_their_bounds(self):
        for text in ('{ from = 1, to = 4294967295, scale = "doubling" }', "{ from = 1, to = 4294967295, step = 4294967293 }"):
            (values,) = self.read(GOOD.split("[axes]")[0].replace("l2_mib", "1").replace("cores", "1") + f"[axes]\nfault_seed = {text}").axes
            self.assertLessEqual(max(values.values), 4294967295)
        self.assertEqual(len(values.values), 2)
        self.refuse("cores = [1, 2]", "cores = [1, 2]\ndram_bytes_per_cycle = { from = 8, to = 64, step = 1e-320 }", "values are too many")

    def test_a_cost_may_have_settings_of_all_tasks(self):
        moved = GOOD.replace("batch = 4", "batch = 4\ndoorbell_latency = 10").replace("[fixed]\ndoorbell_latency = 10\n", "")
        moved = moved.replace("4 + l2_mib", "4 + doorbell_latency")
        self.read(moved)
        with self.assertRaisesRegex(WorkError, '"doorbell_latency" is neither an axis nor fixed'):
            self.read(moved + f'[tasks.other]\nnetwork = "{DIGITS}"\n')

    def test_a_good_file_is_read(self):
        description = self.read(GOOD)
        self.assertEqual(description.title, "Good")
        self.assertEqual([(axis.kind.name, axis.values) for axis in description.axes], [("cores", (1, 2)), ("l2_mib", (1, 2, 4, 8))])
        self.assertEqual(dict(description.fixed), {"doorbell_latency": 10})
        self.assertEqual(dict(description.tasks[0].fixed), {"batch": 4})
        self.assertEqual([metric.name for metric in description.metrics], ["cycles", "macs_per_cycle", "utilisation", "dram_bytes", "cost"])
        self.assertEqual(description.objectives, ("cycles", "cost"))
        self.assertEqual(description.cost.value({"cores": 2, "l2_mib": 8}), 24)

    def test_names_are_proposed(self):
        self.refuse("cores =", "coers =", 'unknown axis "coers"', 'did you mean "cores"?')
        self.refuse("doorbell_latency", "doorbel_latency", '[fixed]: unknown axis "doorbel_latency"', '"doorbell_latency"')
        self.refuse('title = "Good"', 'metrics = ["cycels"]', 'unknown metric "cycels"', 'did you mean "cycles"?')
        self.refuse("[fixed]", "[fixd]", 'unknown table "fixd"', 'did you mean "fixed"?')
        self.refuse("title", "titel", 'unknown member "titel"', 'did you mean "title"?')
        self.refuse("cost = \"cores", "cost = \"coers", '"coers" is neither an axis', 'did you mean "cores"?')
        self.refuse('title = "Good"', 'objectives = ["cycles", "l2_mb"]', '"l2_mb"', 'did you mean "l2_mib"?')
        self.refuse('scale = "doubling"', 'scale = "dubling"', 'scale "dubling"', 'did you mean "doubling"?')
        self.refuse("[axes]", '[search]\nmethod = "gird"\n[axes]', 'method "gird"', 'did you mean "grid"?')

    def test_values_out_of_range_are_refused(self):
        self.refuse("cores = [1, 2]", "cores = [0, 2]", "[axes]: cores: 0 is not a whole number from 1 to 4")
        self.refuse("cores = [1, 2]", "cores = [1, 5]", "5 is not a whole number from 1 to 4")
        self.refuse("cores = [1, 2]", "cores = [1, 2.5]", "2.5 is not a whole number")
        self.refuse("cores = [1, 2]", "cores = [true]", "true is not a whole number")
        self.refuse("cores = [1, 2]", 'cores = ["1"]', '"1" is not a whole number')
        self.refuse("cores = [1, 2]", "cores = []", "the list is empty")
        self.refuse("cores = [1, 2]", "cores = [1, 1]", "1 is in the list twice")
        self.refuse("cores = [1, 2]", "cores = 3", "neither a list of values nor a range")
        self.refuse("to = 8", "to = 9", "9 is not a whole number from 1 to 8")
        self.refuse("from = 1", "from = 9", "9 is not a whole number from 1 to 8")
        self.refuse("batch = 4", "batch = 257", "[tasks.digits]: batch: 257 is not a whole number from 1 to 256")
        self.refuse("batch = 4", 'divide = "row"', '"row" is not one of cheapest, images, kernels, rows', 'did you mean "rows"?')
        self.refuse("doorbell_latency = 10", "doorbell_latency = 1000001", "1000001 is not a whole number from 0 to 1000000")
        self.refuse("cores = [1, 2]", "control_core_ns = [2, 3]\ncores = [1]", "3 is not one of 1, 2, 4, 8, 16, 32")

    def test_ends_of_ranges_are_taken(self):
        description = self.read(GOOD.replace("cores = [1, 2]", "cores = [1, 4]\ndram_bytes_per_cycle = [0.0009765625, 1024]"))
        self.assertEqual(description.axes[1].values, (0.0009765625, 1024))

    def test_contradictions_are_refused(self):
        self.refuse("doorbell_latency = 10", "cores = 1", "[fixed]: cores is an axis, too")
        self.refuse("batch = 4", "cores = 1", "[tasks.digits]: cores is an axis, too")
        self.refuse("doorbell_latency = 10", "tile_cores = 2", "cores and tile_cores are one parameter")
        self.refuse("batch = 4", "units = 2", "units has no meaning for the network of [tasks.digits]")
        self.refuse("batch = 4", 'program = "x"', "takes one of network, program and model, and has network and program")
        self.refuse("[axes]", "[search]\npoints = 3\n[axes]", 'unknown member "points" of the method grid')
        self.refuse("[axes]", '[search]\nmethod = "random"\n[axes]', "points is missing")
        self.refuse("[axes]", '[search]\nmethod = "random"\npoints = 9\n[axes]', "points is 9, but the axes have only 8 settings")
        self.refuse(', scale = "doubling"', "", "l2_mib is a range without a step")
        self.refuse("l2_mib = { from = 1, to = 8, scale = \"doubling\" }", "dram_bytes_per_cycle = { from = 1, to = 8, step = nan }", "step nan is not a number above 0")
        self.refuse(', scale = "doubling"', ", step = 0", "step 0 is not a whole number above 0")

    def test_files_that_are_missing_or_no_toml_are_refused(self):
        self.refuse(str(DIGITS), "absent.json", "[tasks.digits]: network", "absent.json does not exist", code=ExitCode.BAD_INPUT)
        self.refuse("[fixed]", "[fixed", "is no TOML", code=ExitCode.BAD_INPUT)
        with self.assertRaises(WorkError) as caught:
            read_description(str(self.path) + ".absent", CATALOGUE)
        self.assertEqual(caught.exception.code, ExitCode.BAD_INPUT)

    def test_tasks_and_axes_are_needed(self):
        with self.assertRaisesRegex(WorkError, r"\[tasks\] is missing"):
            self.read("[axes]\ncores = [1]")
        with self.assertRaisesRegex(WorkError, r"\[axes\] is missing"):
            self.read(f'[tasks.digits]\nnetwork = "{DIGITS}"')


class Arguments(unittest.TestCase):
    def test_each_setting_becomes_options_of_cox(self):
        def arguments(name, value):
            return option_arguments(CATALOGUE.find(name, ""), value)

        self.assertEqual(arguments("cores", 3), (["--option", "geometry.tile_cores=3"], ["--cores", "3"], []))
        self.assertEqual(arguments("geometry.l2_mib", 2), (["--option", "geometry.l2_mib=2"], [], []))
        self.assertEqual(arguments("dram_bytes_per_cycle", 0.5)[0], ["--option", "geometry.dram_bytes_per_1024_cycles=512"])
        self.assertEqual(arguments("divide", "rows"), ([], ["--divide", "rows"], []))
        self.assertEqual(arguments("hazards", True), ([], [], ["--option", "hazards=true"]))
        self.assertEqual(arguments("control_core_ns", 4), ([], [], ["--control-core-ns", "4"]))
        self.assertEqual(arguments("pim_configuration", "/x.json"), ([], [], ["--configuration", "pim=/x.json"]))


class Expressions(unittest.TestCase):
    def test_arithmetic(self):
        values = {"a": 3, "b": 0.5}
        for text, result in (("a + b * 2", 4), ("(a + 1) / b", 8), ("-a ** 2", -9), ("a - 1 - 1", 1), ("2 ** a", 8)):
            self.assertEqual(Expression(text, "here").value(values), result, text)

    def test_lines_and_spaces_around(self):
        self.assertEqual(Expression("\n  a + 1\n", "here").value({"a": 3}), 4)

    def test_no_value(self):
        tower = "(" * 60 + "9" + " ** 16)" * 60  # as a whole number it would take more memory than there is
        for text in ("1 / (a - a)", "a ** 17", "10.0 ** 16 ** 16", tower):
            self.assertIsNone(Expression(text, "here").value({"a": 3}), text)

    def test_nothing_else_is_evaluated(self):
        for text in ("True", "(" * 300 + "1" + ")" * 300, "1" + "-1" * 3000, "f(1)", "a.b", "a[0]", "'x'", "a if a else 1", "a < 1", "lambda: 1", "a +", ""):
            with self.assertRaises(WorkError, msg=text):
                Expression(text, "here")


if __name__ == "__main__":
    unittest.main()
