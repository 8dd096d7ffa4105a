# SPDX-License-Identifier: MIT
"""Where items run: an embedded cluster of this process, or a Dask scheduler elsewhere."""
from __future__ import annotations

import contextlib
import importlib.util
import logging
import re
import time
from typing import Any, Callable

from .errors import ExitCode, WorkError

_ADDRESS = re.compile(r"(tcp|tls|ws|wss|ucx)://[^/]+:\d{1,5}")
_LOCAL = "127.0.0.1"  # only this computer sees the pages of an embedded scheduler
CONNECT_SECONDS = 5.0  # how long a scheduler may take to answer
_ALLOWED_DEATHS = 10  # workers that may die with an item before it counts as the reason. Dask's default of 3 blames innocent ones


def _silence() -> None:
    """Turns the messages of Dask off, because this package says by itself what the user must know. Dask sets the level of several loggers,
    and some of its exceptions come out of asyncio and tornado."""
    for name in ("asyncio", "tornado.application", "distributed", *(name for name in logging.root.manager.loggerDict if name.startswith("distributed."))):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _allow_deaths() -> Callable[..., None]:
    """Returns a function for the scheduler, which may have started without our settings. As a nested function it goes there by value, so the
    scheduler does not need this package."""

    def allow(dask_scheduler: Any) -> None:
        dask_scheduler.allowed_failures = max(dask_scheduler.allowed_failures, least)

    least = _ALLOWED_DEATHS
    return allow


def import_dask() -> tuple[Any, Any]:
    """Returns dask and distributed. They are imported when work is to run, because that takes half a second. Raises WorkError."""
    try:
        import dask
        import distributed
    except ImportError as missing:
        raise WorkError(f"sweeps and campaigns need Dask ({missing}). Install python3-dask and python3-distributed", ExitCode.FAILED) from missing
    return dask, distributed


def _close(opened: Any, seconds: float) -> None:
    """Closes a client or a cluster. One whose other side is away may not end in time; it then ends with this process."""
    with contextlib.suppress(OSError, TimeoutError):
        opened.close(timeout=seconds)


class Engine:
    """A connection to a scheduler. With `scheduler` None it is an embedded cluster with `workers` threads, which all end with this process.

    The threads only wait for the processes in which the items run, so threads serve as well as processes and start at once.
    """

    def __init__(self, scheduler: str | None, workers: int):
        if scheduler is not None and not _ADDRESS.fullmatch(scheduler):
            raise WorkError(f"--scheduler {scheduler}: is no address of a scheduler, which looks like tcp://HOST:8786", ExitCode.USAGE)
        self.scheduler = scheduler
        self._cluster: Any = None
        self.client: Any = None
        self._connection: Any = None
        self._threads, self._asked = 0, float("-inf")
        dask, self._distributed = import_dask()
        _silence()
        # The embedded scheduler gives its only worker all items that it has, so that a thread never waits for the next one.
        dask.config.set({"distributed.admin.tick.limit": "60s", "distributed.scheduler.worker-saturation": float("inf")})
        if scheduler is None:
            self._cluster = self._distributed.LocalCluster(
                n_workers=1, threads_per_worker=workers, processes=False, dashboard_address=f"{_LOCAL}:0",
                memory_limit=0, silence_logs=logging.CRITICAL,
            )  # fmt: skip
        self.connect()

    @classmethod
    def open(cls, scheduler: str | None = None, workers: int = 1) -> "Engine":
        """Raises WorkError if the scheduler does not answer."""
        return cls(scheduler, workers)

    def connect(self, seconds: float | None = None) -> None:
        """Connects anew, after the scheduler was away. Raises WorkError if it does not answer within `seconds`, CONNECT_SECONDS by default."""
        seconds = CONNECT_SECONDS if seconds is None else seconds
        if self.client is not None:
            _close(self.client, 1)
        try:
            self.client = self._distributed.Client(self._cluster or self.scheduler, timeout=seconds, set_as_default=False)
            self._connection = self.client.scheduler_comm
            self.client.run_on_scheduler(_allow_deaths())
        except (OSError, ValueError, TypeError, RuntimeError, TimeoutError) as error:
            self.client = None
            raise WorkError(f"--scheduler {self.scheduler}: no scheduler answers there within {seconds:g} s ({error})") from error

    @property
    def connected(self) -> bool:
        """False once the scheduler has been away, also if the client has found it again by itself: it has forgotten all items then."""
        return self.client is not None and self.client.status == "running" and self.client.scheduler_comm is self._connection

    @property
    def threads(self) -> int:
        """Number of items that all workers can run at a time; 0 if there are no workers. The scheduler is asked at most once a second."""
        if self.connected and time.monotonic() - self._asked >= 1:
            self._asked = time.monotonic()
            self._threads = sum(worker["nthreads"] for worker in self.client.scheduler_info().get("workers", {}).values())
        return self._threads

    def worker_of_failure(self, key: str) -> str:
        """Returns the address of the worker on which an item raised its exception; empty if the scheduler does not know it any more."""
        try:
            return str(self.client.run_on_scheduler(lambda dask_scheduler: next(iter(dask_scheduler.tasks[key].erred_on), "")))
        except (KeyError, OSError):
            return ""

    @property
    def dashboard(self) -> str:
        """Address of the scheduler's pages for a browser. The pages with pictures need bokeh, which Debian 12 lacks; the embedded scheduler
        without it has tables."""
        if self._cluster is None:
            return str(self.client.dashboard_link)
        page = "status" if importlib.util.find_spec("bokeh") else "info/main/workers.html"
        return f"http://{_LOCAL}:{self._cluster.scheduler_info['services']['dashboard']}/{page}"

    def close(self) -> None:
        if self.client is not None:
            _close(self.client, 2)
        if self._cluster is not None:
            _close(self._cluster, 5)

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
