#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Metrics of the statistics that `cox run` writes."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))
sys.dont_write_bytecode = True

from coxswain.sweep.metrics import metrics_of  # noqa: E402

TASK = {"end_cycle": 100, "images": 1, "multiply_accumulates": 204_800, "dram_bytes": 50, "peak_macs_per_cycle": 4096, "dram_bytes_per_cycle": 8.0}
MODEL = {"inference_cycles": [40, 60], "units": 2, "peak_macs_per_cycle": 512, "dram_bytes_per_cycle": 16,
         "operators": [{"multiply_accumulates": 1000, "dram_bytes": 7}, {"multiply_accumulates": 24, "dram_bytes": 3}]}  # fmt: skip


class Metrics(unittest.TestCase):
    def test_of_a_task(self):
        metrics = metrics_of({**TASK, "tile_cores": 1, "task_cores": 1})
        self.assertEqual([metrics[name] for name in ("cycles", "macs", "macs_per_cycle", "utilisation")], [100, 204_800, 2048, 0.5])

    def test_cores_that_the_task_does_not_use_count(self):
        metrics = metrics_of({**TASK, "tile_cores": 4, "task_cores": 1})
        self.assertEqual([metrics["peak_macs_per_cycle"], metrics["utilisation"]], [4 * 4096, 0.125])

    def test_of_a_model(self):
        metrics = metrics_of(MODEL)
        names = ("cycles", "macs", "dram_bytes", "macs_per_cycle", "utilisation", "peak_dram_bytes_per_cycle")
        self.assertEqual([metrics[name] for name in names], [100, 2048, 20, 20.48, 0.04, 16])

    def test_of_a_stream_without_limits(self):
        metrics = metrics_of({**TASK, "peak_macs_per_cycle": None, "tile_cores": 1, "task_cores": 1})
        self.assertNotIn("utilisation", metrics)
        self.assertNotIn("peak_macs_per_cycle", metrics)


if __name__ == "__main__":
    unittest.main()
