# SPDX-License-Identifier: MIT
"""Points of a sweep as work items."""
from __future__ import annotations

import pathlib
from dataclasses import dataclass, field
from typing import Mapping

from ..work import ExitCode, WorkError, WorkItem, key_of
from .catalogue import NETWORK, Catalogue, Value, option_arguments
from .description import Description, Task
from .inputs import digest_of
from .search import Setting
from .study import TASK


@dataclass(frozen=True)
class Point:
    """A task with a value for each axis."""

    settings: Mapping[str, Value]  # the task and the axes
    item: WorkItem = field(compare=False)


class PointMaker:
    """Makes the points of a description. An item holds all that a worker needs but the contents of the files. It names them, and their
    digest; the key depends on the digest instead of the name, so a folder of files can move."""

    def __init__(self, description: Description, catalogue: Catalogue, revision: str, build: str = ""):
        self._description, self._catalogue, self._revision, self._build = description, catalogue, revision, build
        self._tasks = {task.name: task for task in description.tasks}
        self._file_digests: dict[str, str] = {}  # by path
        self._digests = {task.name: self._digests_of(task) for task in description.tasks}
        self._arguments: dict[tuple[str, Value], tuple[list[str], list[str], list[str]]] = {}

    def make(self, task_name: str, setting: Setting) -> Point:
        task = self._tasks[task_name]
        settings = {**self._description.fixed, **task.fixed, **setting}
        files = {name: str(value) for name, value in sorted(settings.items()) if self._catalogue.find(name, "").file}
        digests = {**self._digests[task_name], **{name: self._digest(path) for name, path in files.items()}}
        work = {"kind": task.kind, "digests": digests, "revision": self._revision, "build": self._build}
        key = key_of({**work, **self._work(task, {**settings, **{name: digests[name] for name in files}})})
        payload = {**work, **self._work(task, settings), "file": str(task.file), "files": files, "inputs": _texts(task.inputs),
                   "expected": _texts(task.expected), "seconds": self._description.seconds}  # fmt: skip
        return Point({TASK: task_name, **setting}, WorkItem(key, payload))

    def _work(self, task: Task, settings: Setting) -> dict[str, list[str]]:
        """The arguments of the commands."""
        device, lower, run = [], [], []
        for name, value in sorted(settings.items()):
            of_device, of_lower, of_run = self._options(name, value)
            device += of_device
            lower += of_lower
            run += of_run
        if not any(option == "--board" for option in run) and task.kind != "model":
            run += ["--board", "native"]
        return {"lower": lower if task.kind == NETWORK else [], "device": device, "run": run}

    def _options(self, name: str, value: Value) -> tuple[list[str], list[str], list[str]]:
        if (name, value) not in self._arguments:
            self._arguments[name, value] = option_arguments(self._catalogue.find(name, ""), value)
        return self._arguments[name, value]

    def _digests_of(self, task: Task) -> dict[str, str]:
        files: dict[str, pathlib.Path] = {"file": task.file}
        files.update({f"in {tensor}": path for tensor, path in task.inputs.items()})
        files.update({f"expected {tensor}": path for tensor, path in task.expected.items()})
        return {name: self._digest(str(path)) for name, path in sorted(files.items())}

    def _digest(self, path: str) -> str:
        if path not in self._file_digests:
            try:
                self._file_digests[path] = digest_of(pathlib.Path(path))
            except OSError as error:
                raise WorkError(f"{error.filename or path}: {error.strerror}", ExitCode.BAD_INPUT) from error
        return self._file_digests[path]


def _texts(paths: Mapping[str, pathlib.Path]) -> dict[str, str]:
    return {name: str(path) for name, path in paths.items()}
