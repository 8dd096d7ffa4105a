# SPDX-License-Identifier: MIT
"""Task images that `cox lower` and `cox as` made, kept for the next points that need the same one."""
from __future__ import annotations

import atexit
import collections
import contextlib
import fcntl
import os
import pathlib
import shutil
import tempfile
import threading
from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping

from ..work import key_of
from .steps import Refused, Step

_PREFIX, _IN_USE = "coxswain-images-", "in-use"  # names of the folder and of the file in it that is locked
_MOST_IMAGES = 8  # of this process that no point uses at the moment; each may have some tens of megabytes


def _remove_left() -> None:
    """Removes the folders of processes that were killed."""
    for mark in pathlib.Path(tempfile.gettempdir()).glob(f"{_PREFIX}*/{_IN_USE}"):
        try:
            with open(mark, "r+", encoding="utf-8") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(mark.parent, ignore_errors=True)
        except OSError:  # in use, of another user, or just removed
            continue


@dataclass
class _Entry:
    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0


class _Images:
    """Points with the same lowering follow each other, so a few images are enough."""

    def __init__(self) -> None:
        _remove_left()
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix=_PREFIX))
        atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        in_use = os.open(self._folder / _IN_USE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)  # locked until this process ends, also by a kill
        with contextlib.suppress(OSError):  # a file system without locks, on which no process can take the lock to remove it
            fcntl.flock(in_use, fcntl.LOCK_EX)
        self._lock = threading.Lock()  # of the entries
        self._entries: collections.OrderedDict[str, _Entry] = collections.OrderedDict()

    @contextlib.contextmanager
    def get(self, step: Step, file: pathlib.Path, payload: Mapping[str, Any]) -> Iterator[pathlib.Path]:
        key = key_of({"file": payload["digests"]["file"], **{name: payload[name] for name in ("lower", "device", "revision", "build")}})
        entry = self._enter(key)
        try:
            with entry.lock:
                image = self._made(step, file, payload, self._folder / key)
            yield image
        finally:
            self._leave(entry)

    def _made(self, step: Step, file: pathlib.Path, payload: Mapping[str, Any], folder: pathlib.Path) -> pathlib.Path:
        image, refusal = folder / "task.cxt", folder / "refusal"
        if refusal.exists():
            raise Refused(refusal.read_text(encoding="utf-8"))
        if image.exists():
            return image
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as parts:
            stream, made = pathlib.Path(parts) / "task.jsonl", pathlib.Path(parts) / "task.cxt"
            try:
                step.run(["lower", str(file), "-o", str(stream), *payload["lower"], *payload["device"]])
                step.run(["as", str(stream), "-o", str(made), *payload["device"]])
            except Refused as error:
                refusal.write_text(str(error).replace(parts + "/", ""), encoding="utf-8")
                raise Refused(refusal.read_text(encoding="utf-8")) from error
            made.rename(image)
        return image

    def _enter(self, key: str) -> _Entry:
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            entry.users += 1
            idle = [name for name, each in self._entries.items() if each.users == 0]
            for name in idle[:-_MOST_IMAGES]:
                shutil.rmtree(self._folder / name, ignore_errors=True)
                del self._entries[name]
            return entry

    def _leave(self, entry: _Entry) -> None:
        with self._lock:
            entry.users -= 1


_images: _Images | None = None
_first = threading.Lock()


def lowered(step: Step, file: pathlib.Path, payload: Mapping[str, Any]) -> contextlib.AbstractContextManager[pathlib.Path]:
    """Gives the image of a network's task for the device of the payload. Entering it raises Refused or StepFailed."""
    global _images
    with _first:
        _images = _images or _Images()
    return _images.get(step, file, payload)
