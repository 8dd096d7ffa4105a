# SPDX-License-Identifier: MIT
"""Hands items to Dask and takes their outcomes."""
from __future__ import annotations

import queue
import time
from typing import Any, Callable, Iterable, Iterator, Mapping

import distributed

from .engine import Engine
from .errors import WorkError
from .item import Outcome, WorkItem

# Items that are with the scheduler at a time, for each thread of the workers. A thread then always has a next item, and a plan of any length
# takes little memory.
_AHEAD = 4
_LEAST_AHEAD = 16
_LOOK_SECONDS = 1.0  # how often the connection is looked at while no outcome comes
_AWAY_SECONDS = 600  # how long a scheduler may be away

Function = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def perform(function: Function, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Runs on a worker. Returns the members of an Outcome without its key."""
    begin = time.perf_counter()
    values = dict(function(payload))
    try:
        worker = distributed.get_worker().address
    except ValueError:  # not on a worker: a direct call
        worker = ""
    return {"status": "done", **values, "seconds": time.perf_counter() - begin, "worker": worker}


def run_items(
    items: Iterable[WorkItem],
    function: Function,
    engine: Engine,
    on_outcome: Callable[[Outcome], None],
    say: Callable[[str], None] = lambda text: None,
    away_seconds: float = _AWAY_SECONDS,
) -> None:
    """Runs `function(payload)` on the engine's workers for each item. `function` returns members of Outcome (status, message, values).

    on_outcome() is called here, for one outcome after another in the order in which they arrive. An exception of `function`, and a worker
    that died with an item too often, give the outcome "failed". If the scheduler goes away, run_items() waits for it and submits again what
    had no outcome; `say` gets a sentence about it. Raises WorkError if the scheduler stays away for `away_seconds`.
    """
    flight = _Flight(function, engine, on_outcome)
    source = iter(items)
    while True:
        flight.fill(source)
        if not flight.waiting:
            return
        if not flight.take():
            _reconnect(engine, say, away_seconds)
            flight.submit_again()


def _reconnect(engine: Engine, say: Callable[[str], None], away_seconds: float) -> None:
    say(f"the scheduler at {engine.scheduler} is away; waiting for it")
    end = time.monotonic() + away_seconds
    while True:
        try:
            engine.connect()
            break
        except WorkError:
            if time.monotonic() >= end:
                raise WorkError(
                    f"the scheduler at {engine.scheduler} was away for {away_seconds:g} s. All results that arrived are kept; the same command goes on"
                ) from None
            time.sleep(_LOOK_SECONDS)
    say(f"the scheduler at {engine.scheduler} is back")


class _Flight:
    """The items that the scheduler has."""

    def __init__(self, function: Function, engine: Engine, on_outcome: Callable[[Outcome], None]):
        self._function, self._engine, self._on_outcome = function, engine, on_outcome
        self._finished: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.waiting: dict[str, tuple[WorkItem, Any]] = {}

    def fill(self, source: Iterator[WorkItem]) -> None:
        if not self._engine.connected:
            return
        most = max(_LEAST_AHEAD, _AHEAD * self._engine.threads)
        while len(self.waiting) < most:
            item = next(source, None)
            if item is None:
                return
            self._submit(item)

    def submit_again(self) -> None:
        for item, _ in list(self.waiting.values()):
            self._submit(item)

    def take(self) -> bool:
        """Takes an outcome, if one comes soon. Returns false if the connection is lost."""
        try:
            future = self._finished.get(timeout=_LOOK_SECONDS)
        except queue.Empty:
            return self._engine.connected
        item, current = self.waiting.get(future.key, (None, None))
        if item is None or current is not future:
            return True  # of a connection that was lost meanwhile
        if future.status not in ("finished", "error"):
            return False  # lost with its connection, or cancelled by its scheduler
        outcome = self._outcome(item, future)
        if outcome is None:
            return False
        del self.waiting[future.key]
        self._on_outcome(outcome)
        return True

    def _submit(self, item: WorkItem) -> None:
        future = self._engine.client.submit(perform, self._function, dict(item.payload), key=item.key, pure=True)
        self.waiting[item.key] = item, future
        future.add_done_callback(self._finished.put)

    def _outcome(self, item: WorkItem, future: Any) -> Outcome | None:
        if future.status == "error":
            error = future.exception()
            if isinstance(error, distributed.scheduler.KilledWorker):
                return Outcome(item.key, "failed", f"the workers that ran it died: {error}")
            return Outcome(item.key, "failed", f"{type(error).__name__}: {error}")
        try:
            return Outcome(item.key, **future.result(timeout=30))
        except (OSError, TimeoutError, distributed.client.FutureCancelledError):
            return None
