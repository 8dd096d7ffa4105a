# SPDX-License-Identifier: MIT
"""The command behind `cox campaign`: python3 -m coxswain.campaign JSON

JSON is an object with the options. A member that is left out has the default:

  {"kinds": [], "first": 1, "count": 1000, "seconds": 0, "output": "campaign.db", "reproducers": "reproducers", "scheduler": null,
   "workers": 2, "programs": "build/host/bin", "picture": "", "revision": "unknown", "accept_revision": false, "quiet": false}

kinds: names of kinds (docs/campaign.md) or of their groups; none: all that are built. count: seeds of each kind, from `first` on; 0 only
together with seconds. seconds: after this time no more seeds begin; 0: no limit. programs: the folder of the tests' programs. picture: an
SVG file for the coverage; "": none. Other members are ignored.

Exit status: 0 no seed failed, 1 a seed failed, or that of the WorkError (tools/command/exit_codes.h).
"""
from __future__ import annotations

import sys

from coxswain.work import WorkError


def main(arguments: list[str]) -> int:
    from . import campaign, options  # after the check for Dask, which coxswain.work makes

    try:
        return int(campaign.conduct(options.parse(arguments[0] if arguments else "{}")))
    except WorkError as error:
        print(f"cox: {error}", file=sys.stderr)
        return int(error.code)
    except KeyboardInterrupt:
        print("cox: interrupted. All results that arrived are kept; the same command goes on", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
