# SPDX-License-Identifier: MIT
"""Which seeds run in which work items."""
from __future__ import annotations

import itertools
import pathlib
from typing import Any, Iterable, Iterator, Mapping

from coxswain.work import WorkItem, build_of, key_of

from .kinds import Kind

_NO_LIMIT = 1 << 62


def payload_of(kind: Kind, program: pathlib.Path, revision: str, first: int, count: int) -> dict[str, Any]:
    payload: dict[str, Any] = {"kind": kind.name, "form": kind.form, "program": str(program), "arguments": list(kind.arguments), "environment": dict(kind.environment),
                               "limit": kind.limit, "revision": revision, "build": build_of(program), "first": first, "count": count}  # fmt: skip
    if kind.form == "fuzz":
        # The seeds of the target in the source tree: the program is in build/host-fuzz/bin.
        corpus = program.parents[3] / "tests/fuzz/corpus" / kind.name.partition(".")[2] if len(program.parents) > 3 else program
        payload["corpus"] = [str(corpus)] if corpus.is_dir() else []
    return payload


def item_of(payload: dict[str, Any]) -> WorkItem:
    """The key does not depend on where the program is, so that a results file may move with its source tree."""
    return WorkItem(key_of({name: value for name, value in payload.items() if name not in ("program", "corpus", "limit")}), payload)


def builds_of(ready: Iterable[tuple[Kind, pathlib.Path]]) -> dict[str, str]:
    """Returns the build of each kind's program. --programs names programs of other builds, which have the same revision."""
    return {kind.name: build_of(program) for kind, program in ready}


def is_of(payload: dict[str, Any], builds: Mapping[str, str], revision: str) -> bool:
    """Returns whether the work was of this revision and of one of these builds."""
    return payload["revision"] == revision and payload.get("build") == builds.get(payload["kind"], "none")


def seeds_done(payloads: Iterable[dict[str, Any]]) -> dict[str, set[int]]:
    """Returns the seeds of each kind."""
    done: dict[str, set[int]] = {}
    for payload in payloads:
        if "group" not in payload:
            done.setdefault(payload["kind"], set()).update(range(payload["first"], payload["first"] + payload["count"]))
    return done


def batches(kind: Kind, program: pathlib.Path, revision: str, first: int, count: int, done: set[int]) -> Iterator[WorkItem]:
    """Yields items for the seeds that are not done. An item has consecutive seeds, as many as the kind's batch at most. `count` 0: no limit."""
    begin, end = first, first + (count or _NO_LIMIT)
    while begin < end:
        if begin in done:
            begin += 1
            continue
        size = 1
        while size < kind.batch and begin + size < end and begin + size not in done:
            size += 1
        yield item_of(payload_of(kind, program, revision, begin, size))
        begin += size


def in_turn(plans: Iterable[Iterator[WorkItem]]) -> Iterator[WorkItem]:
    """Yields one item of each plan, and so on, until all have ended."""
    end = object()
    for turn in itertools.zip_longest(*plans, fillvalue=end):
        yield from (item for item in turn if item is not end)


def length(kind: Kind, first: int, count: int, done: set[int]) -> int:
    """The number of items that batches() yields for a count above 0."""
    end = first + count
    inside = sorted(seed for seed in done if first <= seed < end)
    gaps = [after - before - 1 for before, after in zip([first - 1, *inside], [*inside, end])]
    return sum(-(-gap // kind.batch) for gap in gaps)
