# SPDX-License-Identifier: MIT
"""Hands items to Dask and takes their outcomes."""
from __future__ import annotations

import functools
import itertools
import pathlib
import time
from typing import Any, Callable, Iterable, Iterator, Mapping

from .engine import CONNECT_SECONDS, Engine, import_dask
from .errors import WorkError
from .item import Outcome, WorkItem

# Items that are with the scheduler at a time, for each thread of the workers. A thread then always has a next item, and a plan of any length
# takes little memory. Items are handed over several at a time, which costs half as much as one by one.
_AHEAD = 8
_LEAST_AHEAD = 32
_PACKAGE = __package__.partition(".")[0]
_LOOK_SECONDS = 0.005  # how often the client looks for outcomes
_RETRY_SECONDS = 1.0  # how often the client looks for a scheduler that is away
AWAY_SECONDS = 600.0  # how long a scheduler may be away

Function = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def perform(function: Function, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Runs on a worker. Returns the members of an Outcome without its key."""
    begin = time.perf_counter()
    values = dict(function(payload))
    return {"status": "done", **values, "seconds": time.perf_counter() - begin, "worker": _worker_name()}


def _worker_name() -> str:
    try:
        return str(import_dask()[1].get_worker().address)
    except ValueError:  # a direct call, not on a worker
        return ""


def run_items(
    items: Iterable[WorkItem],
    function: Function,
    engine: Engine,
    on_outcome: Callable[[WorkItem, Outcome], None],
    say: Callable[[str], None] = lambda text: None,
    away_seconds: float = AWAY_SECONDS,
) -> None:
    """Runs `function(payload)` on the engine's workers for each item. `function` returns members of Outcome (status, message, values).

    on_outcome() is called in this thread, for one outcome after another in the order in which they arrive. An exception of `function`, and
    a worker that died with an item too often, give the outcome "failed". If the scheduler goes away, run_items() waits for it and hands over
    again what had no outcome; `say` gets a sentence about it, and one if there are no workers. Raises WorkError if the scheduler stays away
    for `away_seconds`, or if a worker does not find this package.
    """
    flight = _Flight(function, engine)
    source = iter(items)
    idle = False  # there are no workers, and `say` has got the sentence about it
    while True:
        flight.fill(source)
        if not flight.items:
            return
        if not engine.threads and not idle:
            say(f"the scheduler at {engine.scheduler} has no workers; waiting for one")
        idle = not engine.threads
        for item, outcome in flight.take():
            on_outcome(item, outcome)
        if flight.unfit is not None:
            raise flight.unfit
        if not engine.connected:
            _wait_for_scheduler(engine, say, away_seconds)
            flight.begin_again()
        elif flight.has_lost:
            flight.begin_again()


def _wait_for_scheduler(engine: Engine, say: Callable[[str], None], away_seconds: float) -> None:
    say(f"the scheduler at {engine.scheduler} is away; waiting for it")
    end = time.monotonic() + away_seconds
    while True:
        try:
            engine.connect(min(CONNECT_SECONDS, max(1.0, end - time.monotonic())))
            break
        except WorkError:
            if time.monotonic() >= end:
                raise WorkError(
                    f"the scheduler at {engine.scheduler} was away for {away_seconds:g} s. All results that arrived are kept; the same command goes on"
                ) from None
            time.sleep(_RETRY_SECONDS)
    say(f"the scheduler at {engine.scheduler} is back")


class _Flight:
    """The items that the scheduler has, through one connection."""

    def __init__(self, function: Function, engine: Engine):
        self._perform = functools.partial(perform, function)
        self._engine = engine
        self._completed = self._no_futures()
        self.items: dict[str, WorkItem] = {}
        self.unfit: WorkError | None = None  # a worker cannot run any item
        self.has_lost = False  # the client forgot items, because the scheduler was away for a moment

    def fill(self, source: Iterator[WorkItem]) -> None:
        """Hands over items if fewer than half of the allowed number are with the scheduler."""
        most = max(_LEAST_AHEAD, _AHEAD * self._engine.threads)
        if len(self.items) < most // 2:
            self._submit(list(itertools.islice(source, most - len(self.items))))

    def begin_again(self) -> None:
        self.has_lost = False
        self._completed = self._no_futures()
        self._submit(list(self.items.values()))

    def take(self) -> list[tuple[WorkItem, Outcome]]:
        """Returns the outcomes that have arrived; waits a little if there are none."""
        taken = []
        batch = self._completed.next_batch(block=False)
        for future, result in batch:
            if future.status not in ("finished", "error"):  # cancelled or lost, because the scheduler went away
                self.has_lost = True
                continue
            if future.status == "error" and self._lacks_package(future.key, result[1]):
                continue
            taken.append((self.items.pop(future.key), _outcome(future.key, future.status, result)))
        if not batch:
            time.sleep(_LOOK_SECONDS)
        return taken

    def _lacks_package(self, key: str, error: BaseException) -> bool:
        """Returns True, and sets `unfit`, if the worker cannot run any item. It would spoil all of them."""
        if not isinstance(error, ModuleNotFoundError) or error.name != _PACKAGE:
            return False
        self.unfit = WorkError(
            f"the worker {self._engine.worker_of_failure(key)} does not find the Python package {_PACKAGE}. Start workers with "
            f"PYTHONPATH={pathlib.Path(__file__).parents[2]}, or where the package is on their machines"
        )
        return True

    def _no_futures(self) -> Any:
        return import_dask()[1].as_completed(loop=self._engine.client.loop, with_results=True, raise_errors=False)

    def _submit(self, items: list[WorkItem]) -> None:
        if not items:
            return
        self.items.update((item.key, item) for item in items)
        self._completed.update(self._engine.client.map(self._perform, [dict(item.payload) for item in items], key=[item.key for item in items]))


def _outcome(key: str, status: str, result: Any) -> Outcome:
    if status == "finished":
        return Outcome(key, **result)
    error = result[1]
    if type(error).__name__ == "KilledWorker":
        return Outcome(key, "failed", "each worker that had it died")
    return Outcome(key, "failed", f"{type(error).__name__}: {error}")
