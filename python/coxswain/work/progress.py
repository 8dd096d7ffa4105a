# SPDX-License-Identifier: MIT
"""One line that says how far the work is, and when it will be done."""
from __future__ import annotations

import sys
import time
from typing import Callable, TextIO

from .item import Outcome

_PERIOD_TERMINAL = 0.2  # seconds between two versions of the line on a terminal
_PERIOD_FILE = 10.0  # the same in a file or a pipe, which keeps every version


def duration(seconds: float) -> str:
    """Returns 0:07, 12:34 or 1:02:03."""
    whole = max(0, round(seconds))
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


class Progress:
    """Counts outcomes and shows them on `stream`: on a terminal as a line that changes, otherwise as a new line every ten seconds.

    The estimate supposes that the items still to come take as long as those of this command.
    """

    def __init__(self, total: int, name: str, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic):
        self.total, self._already, self._name = total, 0, name
        self._stream = stream if stream is not None else sys.stderr
        self._clock = clock
        self._terminal = self._stream.isatty()
        self._begin = clock()
        self._shown = self._begin
        self._width = 0
        self.counts = {"done": 0, "refused": 0, "failed": 0}

    @property
    def finished(self) -> int:
        return self._already + sum(self.counts.values())

    def skip(self, count: int) -> None:
        """Counts items that an earlier command has done."""
        self._already += count

    def step(self, outcome: Outcome) -> None:
        self.counts[outcome.status] += 1
        now = self._clock()
        if now - self._shown >= (_PERIOD_TERMINAL if self._terminal else _PERIOD_FILE):
            self._shown = now
            self._show(self.line())

    def line(self) -> str:
        elapsed = self._clock() - self._begin
        here = sum(self.counts.values())
        text = f"{self._name}: {self.finished} of {self.total}"
        if here and elapsed > 0:
            rate = here / elapsed
            text += f", {rate:.1f} a second, {duration((self.total - self.finished) / rate)} left"
        for status in ("refused", "failed"):
            if self.counts[status]:
                text += f", {self.counts[status]} {status}"
        return text

    def say(self, text: str) -> None:
        """Shows a line of its own, above the line of the progress."""
        self._show(text, stays=True)

    def close(self) -> None:
        if self._terminal and self._width:
            self._show(self.line(), stays=True)

    def _show(self, text: str, stays: bool = False) -> None:
        if not self._terminal:
            print(text, file=self._stream, flush=True)
            return
        self._stream.write("\r" + text.ljust(self._width) + ("\n" if stays else ""))
        self._stream.flush()
        self._width = 0 if stays else len(text)
