#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The report as a page: it parses, stands alone, escapes names, and its figures are those of the table."""
import csv
import io
import pathlib
import re
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
from report_studies import Page, row, study, two_tasks  # noqa: E402

from coxswain.sweep.figures import format_value, heading  # noqa: E402
from coxswain.sweep.report import table, write_report  # noqa: E402
from coxswain.sweep.report.page import page  # noqa: E402
from coxswain.sweep.study import value_of  # noqa: E402

HOSTILE = """<script>alert("1")</script>'&amp;"""


def as_csv(of):
    out = io.StringIO()
    columns = [column.name for column in (*of.axes, *of.metrics)]
    writer = csv.writer(out)
    writer.writerow([*columns, "status"])
    for one in of.rows:
        writer.writerow([*("" if value_of(one, name) is None else value_of(one, name) for name in columns), one.status])
    return list(csv.reader(io.StringIO(out.getvalue())))


class Report(unittest.TestCase):
    def test_the_table_has_the_values_of_the_sweep(self):
        of = two_tasks()
        columns = (*of.axes, *of.metrics)
        head, *body = Page(page(of)).tables["points"]
        expected_head, *expected = as_csv(of)
        self.assertEqual([cell["data-name"] for cell in head], expected_head)
        self.assertEqual([cell["text"] for cell in head], [*map(heading, columns), "status"])
        self.assertEqual([[cell["data-value"] or "" for cell in line] for line in body], expected)
        for line, one in zip(body, of.rows):
            self.assertEqual([cell["text"] for cell in line], [*(format_value(column, value_of(one, column.name)) for column in columns), one.status])

    def test_it_stands_alone(self):
        text = page(two_tasks())
        parsed = Page(text)
        self.assertIsNone(re.search(r"https?:|//[a-z]|url\(|@import", re.sub(r"// [A-Z].*", "", text)))
        for tag, attributes in parsed.elements:
            self.assertNotIn(tag, ("link", "img", "iframe", "object", "embed"))
            self.assertFalse({"src", "xlink:href"} & set(attributes))
            self.assertTrue((attributes.get("href") or "#").startswith("#"))
        identities = {attributes["id"] for _, attributes in parsed.elements if "id" in attributes}
        self.assertLessEqual({attributes["href"][1:] for tag, attributes in parsed.elements if tag == "a"}, identities)

    def test_every_section_is_there(self):
        parsed = Page(page(two_tasks()))
        self.assertEqual(parsed.count("svg", "panel"), 3 + 2 + 2)  # fronts: all tasks and each of two; sensitivity: two axes; roofline: two tasks
        for text in ("Two tasks", "0123abcd", "time of a task (less is better)", "1, 2, 4"):
            self.assertIn(text, parsed.texts)

    def test_hostile_names_are_escaped(self):
        of = study(
            [row(task=HOSTILE, cores=cores, l2=HOSTILE, metrics={"cycles": 9 / cores, "cost": cores}) for cores in (1, 2)]
            + [row("infeasible", HOSTILE, task=HOSTILE, cores=3, l2=HOSTILE)],
            title=HOSTILE,
        )
        parsed = Page(page(of))
        self.assertEqual(parsed.count("script"), 1)
        self.assertIn(HOSTILE, parsed.texts)
        self.assertEqual(parsed.tables["points"][1][0]["text"], HOSTILE)
        self.assertEqual(parsed.tables["points"][1][0]["data-value"], HOSTILE)

    def test_points_without_results_are_listed_by_reason(self):
        reason = "the maps of one image do not fit"
        rows = [row("infeasible", reason, task="a", cores=cores, l2=1) for cores in (1, 2)]
        rows += [row("failed", "signal 11", task="a", cores=4, l2=1), row("open", task="a", cores=8, l2=1)]
        parsed = Page(page(study(rows)))
        self.assertIn(f" 2 points: {reason}", parsed.texts)
        self.assertIn(" 1 point: signal 11", parsed.texts)
        self.assertIn("No point has both objectives.", parsed.texts)
        self.assertEqual([line[-1]["text"] for line in parsed.tables["points"][1:]], ["infeasible", "infeasible", "failed", "open"])
        self.assertEqual([line[3]["text"] for line in parsed.tables["points"][1:]], ["-"] * 4)
        self.assertEqual(parsed.count("svg", "panel"), 0)

    def test_nothing_and_one_point(self):
        self.assertIn("The sweep has no points.", Page(page(study([]))).texts)
        parsed = Page(page(study([row(task="a", cores=1, l2=1, metrics={"cycles": 0, "cost": 0})])))
        self.assertEqual(parsed.count("svg", "panel"), 1)
        self.assertIn("No two points with results differ in one axis only.", parsed.texts)

    def test_a_study_without_tasks(self):
        rows = [row(cores=cores, metrics={"cycles": 10 / cores, "cost": cores}) for cores in (1, 2)]
        parsed = Page(page(study(rows, axes=("cores",))))
        self.assertEqual(parsed.count("svg", "panel"), 2)
        self.assertEqual(parsed.count("polyline"), 2)

    def test_a_long_table_keeps_the_front(self):
        rows = [row(task="a", cores=i, l2=1, metrics={"cycles": i, "cost": i}) for i in range(table.MOST_ROWS + 5, 0, -1)]
        shown, front = table.shown_rows(study(rows))
        self.assertEqual(len(shown), table.MOST_ROWS)
        self.assertEqual([one.settings["cores"] for one in shown if id(one) in front], [1])
        with unittest.mock.patch.object(table, "MOST_ROWS", 20):
            parsed = Page(page(study(rows[-30:])))
        self.assertIn("Marked rows are on the front of their task. The table shows 20 of 30 points, with all of the fronts.", parsed.texts)
        self.assertEqual(len(parsed.tables["points"]), 1 + 20)

    def test_a_file_that_cannot_be_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report.html"
            write_report(study([]), path)
            before = path.read_text()
            (pathlib.Path(folder) / "report.html.part").mkdir()
            with self.assertRaises(OSError):
                write_report(two_tasks(), path)
            self.assertEqual(path.read_text(), before)
            with self.assertRaises(OSError):
                write_report(two_tasks(), pathlib.Path(folder) / "absent" / "report.html")


if __name__ == "__main__":
    unittest.main()
