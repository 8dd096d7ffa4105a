#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The networks of examples/design_space have the layers of the networks that they stand for, and docs/design-space.md has the figures of the
tables beside them.

The argument is the program `yolov5s`, which lists the layers of examples/yolov5s. Published data: ../shared/data; without it the test says
what it skipped.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "examples/design_space"))
sys.path.insert(0, str(ROOT / "docs/pictures"))
sys.dont_write_bytecode = True

import draw_design_space  # noqa: E402
import findings  # noqa: E402
import mlperf_tiny  # noqa: E402
import networks  # noqa: E402
import study  # noqa: E402
import yolov5s  # noqa: E402
from random_networks import reference  # noqa: E402

PROGRAM = ""


def layers_of(path):
    """Shape of the output and multiply-accumulates of each layer, by name."""
    network = reference.Network.read(path)
    found = {}
    for layer in network.layers:
        shape = layer["output"]["shape"]
        macs = int(np.prod(network.kernel_shape(layer))) * shape[1] * shape[2] if "weights" in layer else 0
        found[layer["name"]] = tuple(shape), macs
    return found


class Networks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def lower(self, path):
        cox = os.environ.get("COXSWAIN_COX", str(ROOT / "build/host/bin/cox"))
        return subprocess.run([cox, "lower", path, "-o", self.folder / "out.jsonl"], capture_output=True, text=True)

    def test_yolov5s(self):
        made = layers_of(yolov5s.build(self.folder, 640).write())
        text = subprocess.run([PROGRAM, "layers"], capture_output=True, text=True, check=True).stdout
        listed = re.findall(r"^(\S+) +.*-> (\d+) x (\d+) x (\d+), (\d+) MAC$", text, re.MULTILINE)
        self.assertEqual(len(listed), 75)
        for name, *shape, macs in listed:
            if int(macs) and not name.endswith(".sigmoid"):
                expected = tuple(map(int, shape)), int(macs)
                self.assertEqual(made[name.removesuffix(".conv")], expected, name)
        self.assertEqual(sum(macs for _, macs in made.values()), sum(int(macs) for *_, macs in listed))

    def test_a_small_yolov5s_is_lowered(self):
        done = self.lower(yolov5s.build(self.folder, 64).write())
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_mlperf_tiny(self):
        descriptions = [networks.DATA / f"mlperf-tiny/nets/{model}.json" for model in mlperf_tiny.MODELS]
        if not all(path.exists() for path in descriptions):
            self.skipTest(f"{networks.DATA}/mlperf-tiny is not there")
        for path in descriptions:
            network = mlperf_tiny.build(self.folder, path).write()
            published = json.loads(path.read_text())
            self.assertEqual(sum(macs for _, macs in layers_of(network).values()), published["macs"], path)
            self.assertEqual(self.lower(network).returncode, 0, path)

    def test_resnet50(self):
        if not (networks.DATA / "tile-streams/resnet50_b1.frontend.json").exists():
            self.skipTest(f"{networks.DATA}/tile-streams is not there")
        networks.make(self.folder, networks.DATA, 32)
        self.assertEqual(sum(macs for _, macs in layers_of(self.folder / "resnet50/resnet50.json").values()), 4_089_184_256)

    def test_tasks_without_data_are_left_out(self):
        networks.make(self.folder, self.folder / "absent", 32)
        lacking = networks.copy_sweep(networks.HERE / "tile_cores.toml", self.folder)
        self.assertEqual(sorted(lacking), sorted(["resnet50_b1", "resnet50_b16", *mlperf_tiny.MODELS]))
        tables = (self.folder / "tile_cores.toml").read_text()
        self.assertEqual(re.findall(r"^\[(.*)\]$", tables, re.MULTILINE), ["sweep", "tasks.yolov5s", "tasks.digits", "axes", "search"])


class Page(unittest.TestCase):
    def test_the_tables_are_those_of_the_sweeps(self):
        page = findings.PAGE.read_text()
        made = findings.tables()
        self.assertEqual(findings.with_tables(page, made.__getitem__), page, "mend with: examples/design_space/findings.py --write")
        self.assertEqual(set(re.findall("<!-- table (.+?) -->", page)), set(made))

    def test_a_wrong_figure_is_found(self):
        page = "<!-- table t -->\n\n| a |\n|---|\n| 2 |\n\nText\n"
        self.assertNotEqual(findings.with_tables(page, lambda name: "| a |\n|---|\n| 1 |\n"), page)
        self.assertEqual(findings.with_tables(page, lambda name: "| a |\n|---|\n| 2 |\n"), page)

    def test_the_pictures_are_those_of_the_sweeps(self):
        for name, text in draw_design_space.pictures().items():
            drawn = (ROOT / "docs/pictures" / name).read_text()
            self.assertTrue(drawn == text + "\n", f"{name}: mend with: docs/pictures/draw_design_space.py")

    def test_the_tables_are_complete(self):
        for of, tasks in ((study.tile_cores(), 8), (study.unity(), 4)):
            self.assertEqual([len(of.tasks()), len(of.rows), len(of.done())], [tasks, tasks * 64, tasks * 64])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
