# SPDX-License-Identifier: MIT
"""Files failures: a folder each, with the input, a script that shows the failure, and what was seen."""
from __future__ import annotations

import base64
import os
import pathlib
import shlex
from dataclasses import dataclass
from typing import Any, Mapping

from coxswain.work import ExitCode, WorkError

from .failure import Failure, short_name
from .kinds import Kind

_MOST_SEEDS = 20  # that are listed

_SCRIPT = """#!/bin/sh
# Shows the failure that README.md describes. Exit status: 0 if the defect is gone, 3 if the input makes no sense any more.
# usage: reproduce [PROGRAM]
here=$(cd "$(dirname "$0")" && pwd)
program=${{1:-{program}}}
{command}
"""


@dataclass(frozen=True)
class Filed:
    """A failure with all that is known about it."""

    kind: Kind
    program: pathlib.Path
    failure: Failure  # of the seed whose input was minimised
    seeds: tuple[int, ...]
    revision: str
    minimised: Mapping[str, Any]  # what shrink() returned

    @property
    def name(self) -> str:
        return short_name(self.kind.name, self.failure.group)


def file(filed: Filed, folder: pathlib.Path) -> pathlib.Path:
    """Writes the folder of a failure, or writes it anew, and returns it. Raises WorkError if it cannot be written."""
    place = folder / filed.name
    try:
        place.mkdir(parents=True, exist_ok=True)
        if "input" in filed.minimised:
            (place / "input.txt").write_text(filed.minimised["input"])
        if "data" in filed.minimised:
            (place / "input.bin").write_bytes(base64.b64decode(filed.minimised["data"]))
        script = place / "reproduce"
        script.write_text(_SCRIPT.format(program=shlex.quote(str(filed.program)), command=_command(filed)))
        script.chmod(0o755)
        (place / "README.md").write_text(_readme(filed))
    except OSError as error:
        raise WorkError(f"{place}: cannot be written: {error.strerror}. The results are kept; the same command files the failure", ExitCode.BAD_OUTPUT) from error
    return place


def _command(filed: Filed) -> str:
    """Returns the shell command that runs the input. A limit of time is the double of that of a seed, because machines differ."""
    kind, state, seed = filed.kind, filed.failure.state, filed.failure.seed
    limit = f"exec timeout {2 * kind.limit:g} " if state == "hang" else "exec "
    if kind.form == "gtest":
        environment = " ".join(f"{name}={value.replace('{seed}', str(seed))}" for name, value in kind.environment.items())
        return f'{environment} {limit}"$program" {" ".join(map(shlex.quote, kind.arguments))}'
    if kind.form == "fuzz":
        return f'{limit}"$program" "$here/input.bin"'
    if state == "batch":
        return f'{limit}"$program" --trials --first {filed.failure.first} --count {seed - filed.failure.first + 1}'
    return f'{limit}"$program" --input "$here/input.txt"'


def _readme(filed: Filed) -> str:
    seeds = ", ".join(map(str, filed.seeds[:_MOST_SEEDS])) + (f" and {len(filed.seeds) - _MOST_SEEDS} more" if len(filed.seeds) > _MOST_SEEDS else "")
    text = f"# {filed.name}\n\n{filed.failure.what}\n\n"
    text += f"| | |\n|---|---|\n| kind | {filed.kind.name}: {filed.kind.what} |\n| seeds | {seeds} |\n| revision | {filed.revision} |\n"
    if filed.minimised.get("of"):
        text += f"| input | {filed.minimised['lines']} of {filed.minimised['of']} lines, after {filed.minimised['tried']} tries |\n"
    if not filed.minimised.get("fails", True):
        text += "\nThe seed did not fail in the same way when it ran again by itself. It may fail only now and then, or on a busy machine.\n"
    return text + f"\nRun `{os.path.join('.', 'reproduce')}`. It fails while the defect is there; an argument names another build's program.\n"
