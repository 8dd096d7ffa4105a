# SPDX-License-Identifier: MIT
"""Measures one point. This runs on a worker, which may be another computer: it uses only the payload, the files that it names, and the
worker's own `cox`."""
from __future__ import annotations

import contextlib
import functools
import json
import pathlib
import subprocess
import tempfile
from typing import Any, Iterator, Mapping

from .. import _files
from ..work import WorkError, build_beyond, build_of
from .catalogue import NETWORK
from .images import lowered
from .inputs import digest_of
from .metrics import compact, metrics_of
from .steps import Refused, Step, StepFailed

Payload = Mapping[str, Any]


def measure(payload: Payload) -> dict[str, Any]:
    """Returns members of an Outcome: "done" with all metrics, or "refused" or "failed" with what `cox` said."""
    try:
        return {"values": _run(payload)}
    except Refused as refusal:
        return {"status": "refused", "message": str(refusal)}
    except (StepFailed, WorkError, OSError) as error:
        return {"status": "failed", "message": str(error)}


def _run(payload: Payload) -> dict[str, Any]:
    cox = str(_files.command())
    _check_revision(cox, payload["revision"], payload["build"])
    file = pathlib.Path(payload["file"])
    for path, digest in _files_of(payload):
        _check_file(path, digest)
    step = Step(cox, payload["seconds"])
    image = lowered(step, file, payload) if payload["kind"] == NETWORK else contextlib.nullcontext(file)
    with image as path, tempfile.TemporaryDirectory(prefix="coxswain-") as folder:
        statistics = _statistics(step, path, payload, pathlib.Path(folder))
    return {"metrics": metrics_of(statistics), "statistics": compact(statistics)}


def _files_of(payload: Payload) -> Iterator[tuple[pathlib.Path, str]]:
    """All files of a point with the digests that they had when the sweep began."""
    digests = payload["digests"]
    yield pathlib.Path(payload["file"]), digests["file"]
    for name, path in payload["files"].items():
        yield pathlib.Path(path), digests[name]
    for member, prefix in (("inputs", "in"), ("expected", "expected")):
        for tensor, path in payload[member].items():
            yield pathlib.Path(path), digests[f"{prefix} {tensor}"]


def _statistics(step: Step, image: pathlib.Path, payload: Payload, folder: pathlib.Path) -> dict[str, Any]:
    arguments = ["run", str(image), "--quiet", "--zero-inputs", "--stats", str(folder / "statistics.json"), *payload["device"], *payload["run"]]
    for tensor, path in payload["inputs"].items():
        arguments += ["--in", f"{tensor}={path}"]
    outputs = {tensor: folder / f"output{i}" for i, tensor in enumerate(payload["expected"])}
    for tensor, path in outputs.items():
        arguments += ["--out", f"{tensor}={path}"]
    step.run(arguments)
    for tensor, path in outputs.items():
        if path.read_bytes() != pathlib.Path(payload["expected"][tensor]).read_bytes():
            raise StepFailed(f"output {tensor} differs from {payload['expected'][tensor]}")
    return json.loads((folder / "statistics.json").read_bytes())


@functools.lru_cache(maxsize=4)
def _revision_of(cox: str, build: str) -> str:
    """`build`: the file is asked again if it changes."""
    try:
        return subprocess.run([cox, "--version"], capture_output=True, text=True, check=True, timeout=60).stdout.strip()
    except subprocess.SubprocessError:
        raise StepFailed(f"{cox} of this worker does not say its version; start the worker with another one (COXSWAIN_COX)") from None


def _check_revision(cox: str, wanted: str, build: str) -> None:
    found = _revision_of(cox, build_of(cox))
    if found != wanted:
        raise StepFailed(f"{cox} of this worker is {found}, and the sweep is of {wanted}; start the worker with that one (COXSWAIN_COX)")
    if build_beyond(cox, found) != build:
        raise StepFailed(f"{cox} of this worker is another build of {found} than that of the sweep; start the worker with that one (COXSWAIN_COX)")


def _check_file(path: pathlib.Path, digest: str) -> None:
    try:
        found = digest_of(path)
    except OSError as error:
        raise StepFailed(f"{path}: {error.strerror}; workers need the files of the sweep at the same paths") from error
    if found != digest:
        raise StepFailed(f"{path} has changed since the sweep began")
