# SPDX-License-Identifier: MIT
"""The exception that ends a command early, with the exit status of `cox` (tools/command/exit_codes.h)."""
from __future__ import annotations

import enum


class ExitCode(enum.IntEnum):
    OK = 0
    FOUND = 1  # a campaign found a failure
    USAGE = 2
    BAD_INPUT = 3
    FAILED = 4
    BAD_OUTPUT = 5
    INTERNAL = 70


class WorkError(Exception):
    """Its text says what is wrong, where, and what mends it. The command prints it and exits with `code`."""

    def __init__(self, message: str, code: ExitCode = ExitCode.FAILED):
        super().__init__(message)
        self.code = code
