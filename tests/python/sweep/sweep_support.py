# SPDX-License-Identifier: MIT
"""What the tests of sweeps share: the command, its facts about axes, and small networks."""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests/tools/lower"), str(ROOT / "tests/python")]

COX = os.environ["COXSWAIN_COX"]
DIGITS = ROOT / "examples/digits/network.json"


def cox(*arguments, folder, code=0, **more):
    """Runs cox in a folder, and requires its exit status. Returns the finished process."""
    done = subprocess.run([COX, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=600, **more)
    if done.returncode != code:
        raise AssertionError(f"cox {' '.join(map(str, arguments))}: status {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
    return done


def facts():
    """What cox tells the package about axes: an interpreter that only prints its arguments shows it."""
    printed = subprocess.run([COX, "sweep", "--axes"], env={**os.environ, "COX_PYTHON": "/bin/echo"}, capture_output=True, text=True, check=True).stdout
    return json.loads(printed[printed.index("{") :])["facts"]


def catalogue():
    from coxswain.sweep.catalogue import Catalogue

    return Catalogue(facts())


def small_networks(folder):
    """Writes two networks that run in a few milliseconds. Returns their paths."""
    import random_networks

    return [getattr(random_networks, name)(folder).write() for name in ("odd", "functions")]
