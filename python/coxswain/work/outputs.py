# SPDX-License-Identifier: MIT
"""Checks of output files, before any work is done."""
from __future__ import annotations

import os
import pathlib
from typing import Mapping

from .errors import ExitCode, WorkError


def check_outputs(outputs: Mapping[str, str | os.PathLike[str]], taken: Mapping[str | os.PathLike[str], str]) -> None:
    """Raises WorkError if an output cannot be written, or would take the place of another file of the command.

    outputs: the path of each option. taken: for paths of other files what they are, such as "the file of results".
    """
    places = {pathlib.Path(path).resolve(): what for path, what in taken.items()}
    for option, path in outputs.items():
        place = pathlib.Path(path).resolve()
        if not place.parent.is_dir() or not os.access(place.parent, os.W_OK) or place.is_dir():
            raise WorkError(f"{path}: cannot be written", ExitCode.BAD_OUTPUT)
        if place in places:
            raise WorkError(f"{option} {path}: is {places[place]}, too; name another file", ExitCode.USAGE)
        places[place] = f"the file of {option}"
