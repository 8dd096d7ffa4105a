# SPDX-License-Identifier: MIT
"""Failures of seeds, and which of them are the same failure."""
from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any, Mapping

# Hexadecimal numbers, bytes as GoogleTest prints them, and decimal numbers.
_NUMBERS = re.compile(r"0x[0-9A-Fa-f]+|<[0-9A-F]{2}(?:-[0-9A-F]{2})*>|\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Failure:
    seed: int
    what: str  # a sentence
    state: str = "wrong"  # "wrong", "crash", "hang"; "batch": only in one process with the seeds from `first` on
    first: int = -1

    @property
    def group(self) -> str:
        return group_of(self.state, self.what)

    def as_json(self) -> dict[str, Any]:
        return {"seed": self.seed, "what": self.what, "state": self.state, "first": self.first}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Failure":
        return cls(int(values["seed"]), str(values["what"]), str(values["state"]), int(values["first"]))


def group_of(state: str, what: str) -> str:
    """Returns the same text for failures that differ only in numbers."""
    return f"{state}: {_NUMBERS.sub('N', what)}"


def short_name(kind: str, group: str) -> str:
    """Name of the folder in which a failure is filed."""
    return f"{kind}-{hashlib.sha256(f'{kind} {group}'.encode()).hexdigest()[:8]}"
