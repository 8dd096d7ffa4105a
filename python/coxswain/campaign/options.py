# SPDX-License-Identifier: MIT
"""The options of `cox campaign`, which the command hands over as one JSON object (__main__.py)."""
from __future__ import annotations

import pathlib
from dataclasses import dataclass
from typing import Any, Mapping

from coxswain.work import ExitCode, WorkError


@dataclass(frozen=True)
class Options:
    kinds: tuple[str, ...] = ()  # names of kinds or groups; none: all that are built
    first: int = 1  # first seed
    count: int = 1000  # seeds of each kind; 0: no limit
    seconds: float = 0.0  # after which no more seeds begin; 0: no limit
    output: pathlib.Path = pathlib.Path("campaign.results")
    reproducers: pathlib.Path = pathlib.Path("reproducers")
    scheduler: str | None = None
    workers: int = 2
    programs: pathlib.Path = pathlib.Path("build/host/bin")
    picture: pathlib.Path | None = None
    revision: str = "unknown"
    accept_revision: bool = False
    quiet: bool = False


_PATHS = ("output", "reproducers", "programs")


def parse(values: Mapping[str, Any]) -> Options:
    """Raises WorkError for a value that is out of range. `cox` has checked the names and the types."""
    known = {name: values[name] for name in Options.__dataclass_fields__ if name in values}
    known["kinds"] = tuple(known.get("kinds", ()))
    known.update({name: pathlib.Path(known[name]) for name in _PATHS if name in known})
    known["picture"] = pathlib.Path(known["picture"]) if known.get("picture") else None
    options = Options(**known)
    if options.first < 0 or options.first >= 1 << 63:
        raise WorkError(f"--first {options.first}: a seed is a number from 0 to 9223372036854775807", ExitCode.USAGE)
    if options.count < 0:
        raise WorkError(f"--count {options.count}: should be 0 (no limit) or more", ExitCode.USAGE)
    if options.seconds < 0:
        raise WorkError(f"--seconds {options.seconds:g}: should be 0 (no limit) or more", ExitCode.USAGE)
    if not options.count and not options.seconds:
        raise WorkError("--count 0 needs --seconds, or the campaign would never end", ExitCode.USAGE)
    if options.workers < 1:
        raise WorkError(f"--workers {options.workers}: should be 1 or more", ExitCode.USAGE)
    return options
