# SPDX-License-Identifier: MIT
"""What workers do: run a batch of seeds of one kind."""
from __future__ import annotations

import collections
import re
from typing import Any, Callable, Mapping

from . import fuzz, process
from .failure import Failure

Payload = Mapping[str, Any]

_PLACE = re.compile(r"\S+:\d+")  # file and line, before the next failure


def run_batch(payload: Payload) -> dict[str, Any]:
    """Runs seeds first to first + count - 1. The value "failures" has a list of Failure, "coverage" the list of [row, column, state, count]."""
    runners: dict[str, Callable[[Payload], dict[str, Any]]] = {"trials": _run_trials, "gtest": _run_gtest, "fuzz": fuzz.run_seeds}
    return {"values": runners[payload["form"]](payload)}


def values_of(failures: list[Failure], coverage: Mapping[tuple[str, str, str], int]) -> dict[str, Any]:
    return {"failures": [failure.as_json() for failure in failures], "coverage": [[*cell, count] for cell, count in sorted(coverage.items())]}


def _run_trials(payload: Payload) -> dict[str, Any]:
    """A seed that crashes or hangs ends the program. It then runs once more alone, which tells whether it needs the seeds before it."""
    command, limit = process.from_payload(payload), float(payload["limit"])
    failures: list[Failure] = []
    coverage: collections.Counter[tuple[str, str, str]] = collections.Counter()

    def take(lines: list[dict[str, Any]]) -> None:
        for line in lines:
            if not line["passed"]:
                failures.append(Failure(line["seed"], line["what"]))
            for row, column, state in line["coverage"]:
                coverage[row, column, state] += 1

    seed, end = int(payload["first"]), int(payload["first"]) + int(payload["count"])
    while seed < end:
        begin = seed
        lines, ending = process.run_trials(command, seed, end - seed, limit)
        take(lines)
        seed += len(lines)
        if ending.state == "right" or seed == end:
            break
        alone, own_ending = process.run_trials(command, seed, 1, limit)
        take(alone)
        if not alone:
            failures.append(Failure(seed, own_ending.what, own_ending.state))
        elif alone[0]["passed"]:
            failures.append(Failure(seed, f"{ending.what}, after the seeds from {begin} on; alone it passes", "batch", begin))
        seed += 1
    return values_of(failures, coverage)


def first_failure(output: Any) -> str:
    """Returns what GoogleTest says about the first failure, in one line of at most 300 characters."""
    output.seek(0)
    _, found, rest = output.read().decode(errors="replace").partition(": Failure\n")
    own = rest.partition(": Failure\n")[0].partition("\n[")[0].partition("\n\n")[0]
    lines = [line.strip() for line in own.splitlines() if line.strip() and not _PLACE.fullmatch(line)]
    return "; ".join(lines)[:300] if found else ""


def run_gtest(payload: Payload, seed: int) -> process.Ending:
    return process.run_input(process.for_seed(process.from_payload(payload), seed), float(payload["limit"]), first_failure)


def _run_gtest(payload: Payload) -> dict[str, Any]:
    """Runs a GoogleTest program once for each seed, which it takes from its environment."""
    failures = []
    for seed in range(int(payload["first"]), int(payload["first"]) + int(payload["count"])):
        ending = run_gtest(payload, seed)
        if ending.state != "right":
            failures.append(Failure(seed, ending.what, "crash" if ending.state == "no sense" else ending.state))
    return values_of(failures, {})
