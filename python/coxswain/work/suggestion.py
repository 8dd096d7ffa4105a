# SPDX-License-Identifier: MIT
"""Proposals for names that were mistyped."""
from __future__ import annotations

import difflib
from typing import Iterable


def did_you_mean(typed: str, names: Iterable[str]) -> str:
    """Returns `; did you mean "NAME"?` with the nearest name, or nothing if no name is near."""
    near = difflib.get_close_matches(typed, list(names), n=1)
    return f'; did you mean "{near[0]}"?' if near else ""
