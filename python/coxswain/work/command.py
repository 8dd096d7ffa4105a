# SPDX-License-Identifier: MIT
"""The frame of a command that `cox` starts: options as JSON, errors as sentences, the exit status."""
from __future__ import annotations

import json
import sys
import traceback
from typing import Any, Callable, Mapping

from .errors import ExitCode, WorkError

Command = Callable[[Mapping[str, Any]], ExitCode]


def run_command(name: str, command: Command) -> int:
    """Calls `command` with the JSON object of the command line. Returns the exit status."""
    try:
        return int(command(json.loads(sys.argv[1])))
    except WorkError as error:
        print(f"cox {name}: {error}", file=sys.stderr)
        return int(error.code)
    except BrokenPipeError:  # the reader of the output has ended
        return int(ExitCode.BAD_OUTPUT)
    except KeyboardInterrupt:
        print(f"cox {name}: interrupted. All results that arrived are kept; the same command goes on", file=sys.stderr)
        return int(ExitCode.FAILED)
    except Exception:
        traceback.print_exc()
        print(f"cox {name}: this is a defect of cox itself; please report the lines above and the command's files", file=sys.stderr)
        return int(ExitCode.INTERNAL)
