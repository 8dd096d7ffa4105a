# SPDX-License-Identifier: MIT
"""Digests of files, which are read again only if they change."""
from __future__ import annotations

import functools
import hashlib
import os


def state_of(path: str | os.PathLike[str]) -> tuple[int, int]:
    """Size and time of the last change: a file with the same state is supposed to have the same content."""
    state = os.stat(path)
    return state.st_size, state.st_mtime_ns


def file_digest(path: str | os.PathLike[str]) -> str:
    """SHA-256 as hexadecimal digits. Raises OSError."""
    return _digest(os.fspath(path), *state_of(path))


@functools.lru_cache(maxsize=4096)
def _digest(path: str, size: int, modified: int) -> str:
    """`size` and `modified`: the file is read again if they change."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
