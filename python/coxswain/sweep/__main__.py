# SPDX-License-Identifier: MIT
"""What `cox sweep` starts: `python3 -m coxswain.sweep JSON`. tools/cox/sweep.cpp reads the command line, and passes its options and what it
knows of the model as one JSON object."""
import sys

from ..work.command import run_command
from .command import sweep

if __name__ == "__main__":
    sys.exit(run_command("sweep", sweep))
