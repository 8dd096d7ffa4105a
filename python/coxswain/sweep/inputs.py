# SPDX-License-Identifier: MIT
"""What the files of a task hold, as digests: a point is the same only if they are."""
from __future__ import annotations

import functools
import hashlib
import json
import pathlib
from typing import Any, Iterator

from ..work.digest import file_digest, state_of

BINDINGS = ".bindings.json"  # ends the name of the file beside a stream that names its constants


def digest_of(path: pathlib.Path) -> str:
    """Digest of a file and of the files that it needs: weights that a network names, bindings beside a stream, constants that they name."""
    total = hashlib.sha256()
    for file in sorted(_with_needed(path)):
        total.update(file_digest(file).encode())
    return total.hexdigest()[:32]


def _with_needed(path: pathlib.Path) -> set[pathlib.Path]:
    found = {path}
    bindings = path.parent / (path.name.removesuffix("".join(path.suffixes[-1:])) + BINDINGS)
    if path.suffix != ".json" and bindings.is_file():
        found.add(bindings)
    for file in list(found):
        found.update(file.parent / text for text in _texts_in(str(file), *state_of(file)) if _is_file(file.parent / text))
    return found


@functools.lru_cache(maxsize=256)
def _texts_in(path: str, size: int, modified: int) -> frozenset[str]:
    """All texts of this file if it is JSON, for they may name files. Its name may have any ending. `size` and `modified`: the file is read
    again if they change."""
    try:
        with open(path, "rb") as file:
            content = json.loads(file.read()) if file.peek(64)[:64].lstrip()[:1] == b"{" else None
    except (ValueError, RecursionError):
        return frozenset()  # `cox` refuses a network that is not JSON, and says where it is wrong
    return frozenset(filter(None, _texts(content)))


def _is_file(path: pathlib.Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a text that is too long for a name
        return False


def _texts(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict):
            waiting.extend(each.values())
        elif isinstance(each, list):
            waiting.extend(each)
