# SPDX-License-Identifier: MIT
"""What workers do with a failure: make its input smaller."""
from __future__ import annotations

import base64
import pathlib
import tempfile
from typing import Any, Mapping

from . import fuzz, minimise, process
from .failure import group_of
from .trial import run_gtest

_SECONDS = 120.0  # for the input of a failure
_LIMIT = 10.0  # seconds that an input may take, unless the failure is that it does not end


def shrink(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the value "input": the text of the smallest input found that fails in the same way; for libFuzzer "data", in base 64.

    The value "fails" is false if the seed does not fail in the same way when it runs again by itself. The whole input is then kept.
    """
    if payload["form"] == "fuzz":
        return {"values": {"data": base64.b64encode(fuzz.minimise(payload)).decode(), "fails": True}}
    if payload["form"] == "gtest":
        again = run_gtest(payload, int(payload["first"]))
        return {"values": {"fails": group_of(again.state, again.what) == payload["group"]}}
    with tempfile.TemporaryDirectory() as folder:
        return {"values": _shrink_lines(payload, pathlib.Path(folder))}


def _shrink_lines(payload: Mapping[str, Any], folder: pathlib.Path) -> dict[str, Any]:
    command, limit = process.from_payload(payload), float(payload["limit"])
    if not payload["group"].startswith("hang"):
        limit = min(limit, _LIMIT)
    original, trial = folder / "original.txt", folder / "trial.txt"
    written = process.run_input(command.with_words("--seed", str(payload["first"]), "--write", str(original)), limit)
    if written.state != "right":
        raise RuntimeError(f"the input of seed {payload['first']} could not be written: {written.what or written.state}")
    header, lines = split(original.read_text())

    def fails(candidate: minimise.Lines) -> bool:
        trial.write_text(join(header, candidate))
        ending = process.run_input(command.with_words("--input", str(trial)), limit)
        return group_of(ending.state, ending.what) == payload["group"]

    oracle = minimise.Oracle(fails, seconds=_SECONDS)
    if not oracle(lines):
        return {"input": join(header, lines), "fails": False, "lines": len(lines), "of": len(lines), "tried": oracle.asked}
    small = minimise.minimise(lines, oracle)
    return {"input": join(header, small), "fails": True, "lines": len(small), "of": len(lines), "tried": oracle.asked}


def split(text: str) -> tuple[list[str], list[str]]:
    """Returns the lines of an input's header, and the others without blank lines and comments."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [line for line in lines if line.startswith("! ")], [line for line in lines if not line.startswith("! ")]


def join(header: list[str], lines: minimise.Lines | list[str]) -> str:
    return "".join(f"{line}\n" for line in (*header, *lines))
