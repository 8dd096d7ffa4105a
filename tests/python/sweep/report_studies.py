# SPDX-License-Identifier: MIT
"""Small studies for the tests of the report, and a reader of its page."""
import html.parser
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))

from coxswain.sweep.study import Axis, Metric, Row, Study  # noqa: E402

CYCLES = Metric("cycles", "cycles", "less", "time of a task")
COST = Metric("cost", "", "less", "of the chip")
SPEED = Metric("macs_per_cycle", "", "more", "multiply-accumulates a cycle")
SHARE = Metric("utilisation", "share", "more", "of the multipliers")


def row(status="done", message="", metrics=None, **settings):
    return Row(settings, status, message, metrics or {})


def two_tasks():
    """Cycles are 100 * task / cores, and twice as many with an L2 of 1; on "slow" the cores do not matter."""
    rows = []
    for task, work in (("fast", 100), ("slow", 1000)):
        for cores in (1, 2, 4):
            for l2 in (1, 8):
                cycles = work * (2 if l2 == 1 else 1) / (cores if task == "fast" else 1)
                cost = cores * (4 + l2)
                roof = {"macs": 100 * cycles, "dram_bytes": 10 * cycles, "peak_macs_per_cycle": 4096 * cores, "peak_dram_bytes_per_cycle": 16}
                metrics = {"cycles": cycles, "cost": cost, "macs_per_cycle": 100.0, "utilisation": 1 / cores / 3, **roof}
                rows.append(row(task=task, cores=cores, l2=l2, metrics=metrics))
    return study(rows)


def study(rows, title="Two tasks", objectives=("cycles", "cost"), axes=("task", "cores", "l2")):
    return Study(title, tuple(Axis(name, "MiB" if name == "l2" else "") for name in axes), (CYCLES, COST, SPEED, SHARE), objectives, tuple(rows), {"revision": "0123abcd"})


class Page(html.parser.HTMLParser):
    """Reads a page, and refuses elements that are not nested."""

    VOID = ("meta", "input", "br")

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.tables, self.texts = [], [], {}, []
        self._table, self._row = None, None
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append((tag, attributes))
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "table":
            self._table = self.tables.setdefault(attributes.get("id", len(self.tables)), [])
        elif tag == "tr":
            self._row = []
            self._table.append(self._row)
        elif tag in ("td", "th"):
            self._row.append({"text": "", **attributes})

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> is not nested"

    def handle_data(self, data):
        self.texts.append(data)
        if self.open and self.open[-1] in ("td", "th"):
            self._row[-1]["text"] += data

    def count(self, tag, class_=None):
        return sum(name == tag and (class_ is None or class_ in (attributes.get("class") or "").split()) for name, attributes in self.elements)
