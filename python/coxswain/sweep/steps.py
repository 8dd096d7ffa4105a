# SPDX-License-Identifier: MIT
"""Runs the commands of a point."""
from __future__ import annotations

import os
import subprocess
from typing import Sequence

# Exit statuses of `cox` that mean that it understood the task and refuses it on this device (docs/cox.md, Exit status).
_REFUSALS = (1, 2, 3)
_MOST_TEXT = 2000  # characters of a message that are kept


class Refused(Exception):
    """`cox` refuses the point: the text is what it said."""


class StepFailed(Exception):
    """The command did not do its work: a crash, the time limit, a file that is missing."""


class Step:
    def __init__(self, cox: str, seconds: float):
        self._cox, self._seconds = cox, seconds

    def run(self, arguments: Sequence[str]) -> str:
        """Returns what `cox` printed. Raises Refused or StepFailed."""
        command = f"cox {arguments[0]}"
        try:
            done = subprocess.run([self._cox, *arguments, "--color", "never"], stdin=subprocess.DEVNULL, capture_output=True, timeout=self._seconds,
                                  env={**os.environ, "COX_END_WITH_PARENT": "1"}, check=False)  # fmt: skip
        except subprocess.TimeoutExpired:
            raise StepFailed(f"{command} took more than {self._seconds:g} s ([sweep]: seconds)") from None
        if done.returncode == 0:
            return done.stdout.decode(errors="replace")
        text = _said(done)
        if done.returncode in _REFUSALS:
            raise Refused(text or f"{command} ended with status {done.returncode}")
        raise StepFailed(f"{command} ended with {_end(done.returncode)}{': ' + text if text else ''}")


def _said(done: "subprocess.CompletedProcess[bytes]") -> str:
    """The lines of an error that name it, without the proposal that `cox` makes to a person at a terminal."""
    text = (done.stderr or done.stdout).decode(errors="replace").strip()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " ".join(line.removeprefix("cox: ") for line in lines)[:_MOST_TEXT]


def _end(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"status {status}"
