# SPDX-License-Identifier: MIT
"""Which build of a program runs. A revision does not say it for a tree with changes, whose builds all have the same revision."""
from __future__ import annotations

import os

from .digest import file_digest

_WITH_CHANGES = ("-dirty", "unknown")  # ends of revisions that many builds have


def build_of(program: str | os.PathLike[str]) -> str:
    """Returns a digest of the program; empty if it cannot be read."""
    try:
        return file_digest(program)[:32]
    except OSError:
        return ""


def build_beyond(program: str | os.PathLike[str], revision: str) -> str:
    """Returns build_of() if the revision leaves open which build it is, else nothing."""
    return build_of(program) if revision.endswith(_WITH_CHANGES) else ""
