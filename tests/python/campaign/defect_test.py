#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A campaign finds a known defect in programs that were built with it, and files a small reproducer that passes on the good build.

usage: defect_test.py PROGRAMS: the folder of the good programs; PROGRAMS/defect has those with a defect (tests/campaign/defect.cmake)
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

import fake  # noqa: F401  (finds the package)

from coxswain.campaign import campaign, kinds
from coxswain.campaign.options import parse
from coxswain.work import ExitCode

PROGRAMS = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else fake.ROOT / "build/host/bin").resolve()


class DefectTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def run_campaign(self, kind, count, programs):
        options = {"kinds": [kind], "count": count, "output": str(self.folder / f"{programs.name}.db"), "reproducers": str(self.folder / "reproducers"),
                   "programs": str(programs), "picture": str(self.folder / "coverage.svg"), "quiet": True}  # fmt: skip
        return campaign.conduct(parse(options), lambda text: None)

    def check(self, kind, count, most_lines):
        self.assertEqual(self.run_campaign(kind, count, PROGRAMS), ExitCode.OK)
        self.assertEqual(self.run_campaign(kind, count, PROGRAMS / "defect"), ExitCode.FOUND)
        places = list((self.folder / "reproducers").glob("*"))
        self.assertGreater(len(places), 0)
        (program,) = {found.program for found in kinds.choose([kind])}
        for place in places:
            lines = [line for line in (place / "input.txt").read_text().splitlines() if not line.startswith("! ")]
            self.assertLessEqual(len(lines), most_lines, lines)
            self.assertEqual(subprocess.run([place / "reproduce"], stdout=subprocess.DEVNULL).returncode, 1)
            self.assertEqual(subprocess.run([place / "reproduce", PROGRAMS / program], stdout=subprocess.DEVNULL).returncode, 0)
        return places

    def test_a_defect_of_the_arithmetic(self):
        """At most ten instructions: a task also has ct_st and ct_ed."""
        self.check("tasks", 100, 8)

    def test_a_defect_of_the_recovery(self):
        self.check("faults", 200, 3)
        root = xml.fromstring((self.folder / "coverage.svg").read_text())
        names = {text.text for text in root.iter("{http://www.w3.org/2000/svg}text") if text.get("class") in ("row", "column")}
        (kind,) = kinds.choose(["faults"])
        self.assertEqual(names, {*kind.rows, *kind.columns}, "the program reports faults or engines that python/coxswain/campaign/kinds.py does not list")

    def test_the_other_programs(self):
        """Their inputs can be written and run again, and a line that is wrong makes no sense."""
        for kind, count, bad_line in (("pim", 20, "at x 0"), ("unity", 20, None), ("soak.digits", 2, "image=999")):
            self.assertEqual(self.run_campaign(kind, count, PROGRAMS), ExitCode.OK, kind)
            program, text = PROGRAMS / kinds.choose([kind])[0].program, self.folder / "input.txt"
            subprocess.run([program, "--seed", "3", "--write", text], check=True)
            self.assertEqual(subprocess.run([program, "--input", text]).returncode, 0, kind)
            if bad_line:
                text.write_text(text.read_text() + bad_line + "\n")
                self.assertEqual(subprocess.run([program, "--input", text], stdout=subprocess.DEVNULL).returncode, 3, kind)


if __name__ == "__main__":
    unittest.main()
