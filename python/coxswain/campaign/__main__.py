# SPDX-License-Identifier: MIT
"""What `cox campaign` starts: `python3 -m coxswain.campaign JSON`. tools/cox/campaign.cpp reads the command line.

JSON is an object with the options. A member that is left out has the default:

  {"kinds": [], "first": 1, "count": 1000, "seconds": 0, "output": "campaign.results", "reproducers": "reproducers", "scheduler": null,
   "workers": 2, "programs": "build/host/bin", "picture": "", "revision": "unknown", "accept_revision": false, "quiet": false}

kinds: names of kinds (docs/campaign.md) or of their groups; none: all that are built. count: seeds of each kind, from `first` on; 0 only
together with seconds. seconds: after this time no more seeds begin; 0: no limit. programs: the folder of the tests' programs. picture: an
SVG file for the coverage; "": none. Other members are ignored.

Exit status: 0 no seed failed, 1 a seed failed, or that of the WorkError (tools/command/exit_codes.h).
"""
import sys

from ..work.command import run_command
from .campaign import campaign

if __name__ == "__main__":
    sys.exit(run_command("campaign", campaign))
