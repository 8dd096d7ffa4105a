# SPDX-License-Identifier: MIT
"""Programs of trials as processes: with a time limit for each seed, and with a word for how they ended."""
from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from typing import Any, Callable, Mapping

START_SECONDS = 15.0  # that a program may take before its first seed, besides the seed's own limit
_NO_SENSE = 3  # exit status of an input that makes no sense
_NOT_STARTED = (126, 127)  # exit statuses of setpriv


@dataclass(frozen=True)
class Ending:
    """How a process ended. state: "right", "wrong", "no sense", "crash" or "hang"."""

    state: str
    what: str = ""


@dataclass(frozen=True)
class Command:
    words: tuple[str, ...]
    environment: Mapping[str, str]

    def with_words(self, *more: str) -> "Command":
        return Command((*self.words, *more), self.environment)

    def start(self, output: Any, errors: Any) -> subprocess.Popen[bytes]:
        # A session of its own, so that a program is ended together with what it started. setpriv ends a program whose campaign was killed.
        return subprocess.Popen(("setpriv", "--pdeathsig", "KILL", *self.words), stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env={**os.environ, **self.environment},
                                start_new_session=True)  # fmt: skip


def run_trials(command: Command, first: int, count: int, limit: float) -> tuple[list[dict[str, Any]], Ending]:
    """Runs seeds `first` to `first` + `count` - 1. Returns the program's lines, and its end: "right" unless the seed behind the last line crashed
    or hung. `limit`: seconds for each seed."""
    with tempfile.TemporaryFile() as errors:
        process = command.with_words("--trials", "--first", str(first), "--count", str(count)).start(subprocess.PIPE, errors)
        try:
            lines, timely = _read_lines(process, count, limit)
        finally:
            kill(process)
        if not timely:
            return lines, Ending("hang", f"it did not end within {limit:g} s")
        if len(lines) == count and process.returncode == 0:
            return lines, Ending("right")
        return lines, Ending("crash", crash_text(process.returncode, last_line(errors)))


def run_input(command: Command, limit: float, sentence: Callable[[Any], str] | None = None) -> Ending:
    """Runs a command that judges one input by its exit status (docs/campaign.md, Programs). `sentence` finds in the file of its output what is
    wrong; by default it is the last line."""
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as output:
        process = command.start(output, errors)
        try:
            process.wait(timeout=limit + START_SECONDS)
        except subprocess.TimeoutExpired:
            return Ending("hang", f"it did not end within {limit:g} s")
        finally:
            kill(process)
        if process.returncode == 0:
            return Ending("right")
        if process.returncode == 1:
            return Ending("wrong", (sentence or last_line)(output) or last_line(errors))
        if process.returncode == _NO_SENSE:
            return Ending("no sense", last_line(output))
        return Ending("crash", crash_text(process.returncode, last_line(errors)))


def _read_lines(process: subprocess.Popen[bytes], count: int, limit: float) -> tuple[list[dict[str, Any]], bool]:
    """Reads lines until the program closes its output. The second value is false if it took too long."""
    assert process.stdout is not None
    descriptor = process.stdout.fileno()
    lines: list[dict[str, Any]] = []
    rest = b""
    deadline = time.monotonic() + limit + START_SECONDS
    while True:
        ready, _, _ = select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return lines, False
        part = os.read(descriptor, 1 << 16)
        if not part:
            break
        *whole, rest = (rest + part).split(b"\n")
        if whole:
            lines.extend(json.loads(line) for line in whole if line.startswith(b"{"))
            deadline = time.monotonic() + limit + (START_SECONDS if len(lines) == count else 0.0)
    try:
        process.wait(timeout=START_SECONDS)
    except subprocess.TimeoutExpired:
        return lines, False
    return lines, True


def kill(process: subprocess.Popen[bytes]) -> None:
    """Ends the process and what it started, if they still run."""
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
    if process.stdout is not None:
        process.stdout.close()


def crash_text(status: int, last: str) -> str:
    """Raises OSError if the program did not start, which is no failure of a seed."""
    if status in _NOT_STARTED:
        raise OSError(f"the program cannot be started: {last}")
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        text = f"it crashed with {name}"
    else:
        text = f"it ended with status {status}"
    return f"{text}: {last}" if last else text


def last_line(file: Any) -> str:
    """Returns the last line of a file that says something, at most 300 characters of it."""
    file.seek(0, os.SEEK_END)
    file.seek(max(0, file.tell() - 4096))
    lines = [line.strip() for line in file.read().decode(errors="replace").splitlines() if line.strip()]
    return lines[-1][:300] if lines else ""


def from_payload(payload: Mapping[str, Any]) -> Command:
    """The program of a work item with the arguments of its kind."""
    return Command((str(payload["program"]), *payload["arguments"]), dict(payload.get("environment", {})))


def for_seed(command: Command, seed: int) -> Command:
    """Puts the seed into arguments and environment that have {seed}."""
    return Command(
        tuple(word.replace("{seed}", str(seed)) for word in command.words),
        {name: value.replace("{seed}", str(seed)) for name, value in command.environment.items()},
    )
