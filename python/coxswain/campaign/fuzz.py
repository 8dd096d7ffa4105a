# SPDX-License-Identifier: MIT
"""libFuzzer's targets as trials: a seed is a run of libFuzzer with that seed, which stops at the first input that fails."""
from __future__ import annotations

import base64
import pathlib
import re
import subprocess
import tempfile
from typing import Any, Mapping

from .failure import Failure
from .process import Command, crash_text, from_payload, kill

_MINIMISE_SECONDS = 60
_LEAK = re.compile(r"SUMMARY: (.*)")


def run_seeds(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Runs libFuzzer once for each seed, from the corpus of the payload. The input of a failure comes back as "inputs", by seed."""
    failures, inputs = [], {}
    for seed in range(int(payload["first"]), int(payload["first"]) + int(payload["count"])):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "corpus").mkdir()
            words = [f"-seed={seed}", f"-artifact_prefix={folder}/", "-rss_limit_mb=4096", f"-timeout={payload['limit'] / 2:g}", f"{folder}/corpus",
                     *payload.get("corpus", [])]  # fmt: skip
            what, state = _call(from_payload(payload).with_words(*words), float(payload["limit"]))
            if not what:
                continue
            failures.append(Failure(seed, what, state).as_json())
            for artefact in pathlib.Path(folder).glob("*-*"):
                inputs[str(seed)] = base64.b64encode(artefact.read_bytes()).decode()
    return {"failures": failures, "coverage": [], "inputs": inputs}


def minimise(payload: Mapping[str, Any]) -> bytes:
    """Returns a smaller input that fails, made by libFuzzer's own -minimize_crash; the same if there is none."""
    original = base64.b64decode(payload["input"])
    with tempfile.TemporaryDirectory() as folder:
        crash, small = pathlib.Path(folder) / "crash", pathlib.Path(folder) / "small"
        crash.write_bytes(original)
        words = ("-minimize_crash=1", f"-max_total_time={_MINIMISE_SECONDS}", f"-exact_artifact_path={small}", str(crash))
        _call(from_payload(payload).with_words(*words), _MINIMISE_SECONDS + float(payload["limit"]))
        return small.read_bytes() if small.is_file() else original


def _call(command: Command, limit: float) -> tuple[str, str]:
    """Returns what is wrong and its state; "" if nothing is."""
    with tempfile.TemporaryFile() as log:
        process = command.start(log, subprocess.STDOUT)
        try:
            process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            return f"it did not end within {limit:g} s", "hang"
        finally:
            kill(process)
        if process.returncode == 0:
            return "", "right"
        log.seek(0)
        found = _LEAK.search(log.read().decode(errors="replace"))
        return (found.group(1)[:300] if found else crash_text(process.returncode, "")), "crash"
