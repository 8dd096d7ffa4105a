# SPDX-License-Identifier: MIT
"""The exceptions of this package."""
from __future__ import annotations


class Error(Exception):
    """All exceptions of this package are of this class."""


class InputError(Error, ValueError):
    """An argument is wrong: an unknown tensor, a wrong shape or number format. Nothing has run."""


class MachineError(Error, RuntimeError):
    """A machine could not be started, or one of its files is missing."""


class CommandError(Error, RuntimeError):
    """The command ``cox`` refused what it was given. ``exit_status`` is that of the command."""

    def __init__(self, message: str, exit_status: int) -> None:
        super().__init__(message)
        self.exit_status = exit_status


class StatusError(Error, RuntimeError):
    """A call of the host library, or a job, ended with an error of base/cox_status.h.

    ``name`` is the error's name, for example ``"time_limit"``; ``what`` the field, register or object; ``index`` the instruction or element,
    -1 if there is none; ``value`` what was found; ``limit`` the limit that it breaks.
    """

    def __init__(self, name: str, where: str, what: str = "", index: int = -1, value: int = 0, limit: int = 0) -> None:
        parts = [where] if where else []
        if index >= 0:
            parts.append(f"instruction or element {index}")
        parts.append(name)
        if what:
            parts.append(what)
        message = ": ".join(parts)
        if value or limit:
            message += f": {value}" + (f", the limit is {limit}" if limit else "")
        super().__init__(message)
        self.name, self.what, self.index, self.value, self.limit = name, what, index, value, limit
