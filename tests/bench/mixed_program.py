# SPDX-License-Identifier: MIT
"""The network of examples/mixed_network: device cycles over three engines, and on the best single engine."""
import dataclasses
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "examples/mixed_network"))

import mixed_runs  # noqa: E402


@dataclasses.dataclass
class Figures:
    mixed: int  # device cycles of all images
    tile: int  # on the tile core, without the neighbours
    units: int

    @property
    def speedup(self):
        return min(self.tile, self.units) / self.mixed


def measure(folder):
    """Runs the programs natively. Their files go to `folder`. Ends the program if a byte differs from NumPy's."""
    runs = mixed_runs.Runs(folder)
    done = [runs.run(*runs.three_engines(), "native"), runs.tile_alone(), runs.run(*runs.units_alone(), "native")]
    if any(run.differing for run in done):
        sys.exit("run_bench: examples/mixed_network: results differ from NumPy's")
    return Figures(*(run.cycles for run in done))
