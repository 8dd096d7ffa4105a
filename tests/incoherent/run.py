#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a command once for each seed of memory that is not coherent (docs/hal.md). Ends at the first seed for which it fails.

The variable COX_CACHE_SEEDS says how many seeds there are. The first is 1."""
import argparse
import os
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=int(os.environ.get("COX_CACHE_SEEDS", "3")), help="number of seeds")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    for seed in range(arguments.first, arguments.first + arguments.seeds):
        environment = dict(os.environ, COX_CACHE_SEED=str(seed))
        done = subprocess.run(arguments.command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            sys.stdout.write(done.stdout.decode(errors="replace")[-20000:])
            print(f"\nexit status {done.returncode}. To run it again: COX_CACHE_SEED={seed} {' '.join(arguments.command)}")
            return 1
    print(f"{arguments.seeds} seeds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
