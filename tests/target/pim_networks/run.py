#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The networks on PIM cores: every byte of their results, and what they take. CMakeLists.txt has the environment variables."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "examples" / folder) for folder in ("machine", "pim_networks")]
sys.dont_write_bytecode = True

import demo  # noqa: E402
import machine  # noqa: E402

SKIPPED = 77
GROUPS = {
    "Digits": {"network": "digits"},
    "DigitsOnFourCores": {"network": "digits", "cores": 4, "images": 20},
    "Resnet18": {"network": "resnet18"},
    "Resnet18Pipeline": {"network": "resnet18", "cores": 16, "pipeline": True},
    "Resnet18On64Cores": {"network": "resnet18", "cores": 64, "pipeline": True},
}


def main():
    where, group = sys.argv[1:]
    arguments = GROUPS[group]
    try:
        status, printed = demo.measure(**arguments, native=where == "native")
    except machine.Missing as missing:
        print(f"{group}: {missing}")
        sys.exit(SKIPPED)
    print(printed)
    figures = demo.figures(printed)
    network = arguments["network"]
    if status != 0 or figures.get(f"pim.{network}.differing_bytes") != 0:
        sys.exit(f"{group}: exit status {status}")
    images = arguments.get("images", 297 if network == "digits" else 1)
    if figures[f"pim.{network}.images"] != images:
        sys.exit(f"{group}: not all images")
    if group == "Digits" and figures["pim.digits.accuracy"] < 0.97:
        sys.exit(f"{group}: accuracy {figures['pim.digits.accuracy']}")


if __name__ == "__main__":
    main()
