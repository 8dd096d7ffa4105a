# SPDX-License-Identifier: MIT
"""Work items and their outcomes."""
from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, Mapping

STATUSES = ("done", "refused", "failed")


@dataclass(frozen=True)
class WorkItem:
    """A piece of work that depends on nothing but its payload, so it may run anywhere, and again after a worker has died."""

    key: str  # the same for the same work, different for different work
    payload: Mapping[str, Any]  # what JSON can hold


@dataclass(frozen=True)
class Outcome:
    """What came out of an item.

    status: "done"; "refused" if the work is impossible, for the reason in `message`; "failed" if it went wrong in a way that may be
    different the next time. A command that goes on after a kill runs only failed items again.
    """

    key: str
    status: str
    message: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)  # what JSON can hold
    seconds: float = 0.0
    worker: str = ""

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"status {self.status!r} is none of {', '.join(STATUSES)}")


def key_of(payload: Mapping[str, Any]) -> str:
    """Returns 32 hexadecimal digits that depend on all of the payload and not on the order of its members."""
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
