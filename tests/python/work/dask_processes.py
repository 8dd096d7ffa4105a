# SPDX-License-Identifier: MIT
"""A Dask scheduler and workers as processes of their own, for tests of what happens when they die."""
from __future__ import annotations

import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "python"
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(PACKAGE), str(HERE)]

PYTHON = "/usr/bin/python3"  # the distribution's, which has Dask


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster:
    """A scheduler at one address and its workers. Context manager: kills all that is left at its end."""

    def __init__(self) -> None:
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.workers: list[subprocess.Popen[bytes]] = []
        self._folder = tempfile.TemporaryDirectory()
        self._scheduler: subprocess.Popen[bytes] | None = None

    def start_scheduler(self) -> None:
        """Starts it and waits until it answers."""
        self._scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard", path=())
        end = time.monotonic() + 30
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise TimeoutError(f"no scheduler at {self.address} after 30 s: {self.log('scheduler')}")

    def kill_scheduler(self) -> None:
        assert self._scheduler is not None
        self._scheduler.kill()
        self._scheduler.wait()

    def start_worker(self, threads: int = 1, path: tuple[pathlib.Path, ...] = (PACKAGE, HERE)) -> None:
        """`path`: folders of modules that the worker finds. Returns at once."""
        arguments = (self.address, "--nthreads", str(threads), "--no-nanny", "--no-dashboard", "--death-timeout", "60")
        self.workers.append(self._start("worker", *arguments, path=path))

    def kill_worker(self) -> None:
        """Kills the oldest worker."""
        worker = self.workers.pop(0)
        worker.kill()
        worker.wait()

    def log(self, kind: str) -> str:
        return (pathlib.Path(self._folder.name) / f"{kind}.log").read_text()[-2000:]

    def _start(self, kind: str, *arguments: str, path: tuple[pathlib.Path, ...]) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
        with open(pathlib.Path(self._folder.name) / f"{kind}.log", "ab") as log:
            return subprocess.Popen([PYTHON, "-m", f"distributed.cli.dask_{kind}", *arguments], cwd=self._folder.name, env=environment,
                                    stdin=subprocess.DEVNULL, stdout=log, stderr=log)  # fmt: skip

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self.workers, *([self._scheduler] if self._scheduler else [])]:
            process.send_signal(signal.SIGKILL)
            process.wait()
        self._folder.cleanup()
