# SPDX-License-Identifier: MIT
"""Work that outgrows one process: items that Dask runs, and the file that keeps their outcomes (docs/sweep.md, How it works).

Sweeps and campaigns share this package. It needs Debian's python3-dask and python3-distributed.
"""
from .build import build_beyond, build_of
from .engine import Engine
from .errors import ExitCode, WorkError
from .item import Outcome, WorkItem, key_of
from .outputs import check_outputs
from .progress import Progress
from .runner import run_items
from .store import Store
from .suggestion import did_you_mean

__all__ = ["Engine", "ExitCode", "Outcome", "Progress", "Store", "WorkError", "WorkItem", "build_beyond", "build_of", "check_outputs", "did_you_mean",
           "key_of", "run_items"]  # fmt: skip
