#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of coxswain.work with a scheduler and workers in other processes, which die."""
import threading
import time
import unittest
from unittest.mock import patch

from dask_processes import Cluster, free_port
from items import square, squares

from coxswain.work import engine
from coxswain.work import Engine, WorkError, run_items


class Run(threading.Thread):
    """run_items() in a thread, so that the test can kill something meanwhile."""

    def __init__(self, engine, items, away_seconds=30.0):
        super().__init__(daemon=True)
        self.open = threading.Event()  # while it is not set, the outcomes stand still
        self.open.set()
        self.outcomes, self.said, self.error = [], [], None
        self._work = lambda: run_items(items, square, engine, self._take, self.said.append, away_seconds)
        self.start()

    def run(self):
        try:
            self._work()
        except Exception as error:  # the test looks at it
            self.error = error

    def _take(self, item, outcome):
        self.outcomes.append((item, outcome))
        self.open.wait()

    def wait_for(self, count):
        """Waits until so many outcomes have arrived."""
        end = time.monotonic() + 120
        while len(self.outcomes) < count:
            if time.monotonic() > end or not self.is_alive():
                raise AssertionError(f"{len(self.outcomes)} of {count} outcomes; error {self.error}; said {self.said}")
            time.sleep(0.01)


class ExternalScheduler(unittest.TestCase):
    def setUp(self):
        self.cluster = self.enterContext(Cluster())

    def open(self):
        return self.enterContext(Engine.open(self.cluster.address))

    def assert_complete(self, run, count):
        """All items came to their results, each once."""
        run.join(120)
        self.assertFalse(run.is_alive(), f"{len(run.outcomes)} of {count} outcomes; said {run.said}; workers: {self.cluster.log('worker')}")
        self.assertIsNone(run.error)
        self.assertEqual({outcome.status for _, outcome in run.outcomes}, {"done"}, [outcome.message for _, outcome in run.outcomes][:3])
        results = sorted((item.payload["number"], outcome.values["square"]) for item, outcome in run.outcomes)
        self.assertEqual(results, [(number, number**2) for number in range(count)])

    def test_items_run_in_workers_that_come_late(self):
        self.cluster.start_scheduler()
        run = Run(self.open(), squares(100))
        time.sleep(1.2)
        self.assertEqual(run.outcomes, [])
        self.cluster.start_worker(threads=2)
        self.assert_complete(run, 100)
        self.assertEqual(run.said, [f"the scheduler at {self.cluster.address} has no workers; waiting for one"])
        self.assertEqual(len({outcome.worker for _, outcome in run.outcomes}), 1)

    def test_a_scheduler_that_comes_back_gets_the_rest(self):
        self.cluster.start_scheduler()
        self.cluster.start_worker(threads=4)
        run = Run(self.open(), squares(200, seconds=0.02))
        run.wait_for(40)
        self.cluster.kill_scheduler()
        time.sleep(1)
        self.cluster.start_scheduler()
        self.cluster.start_worker(threads=4)
        self.assert_complete(run, 200)
        self.assertIn(f"the scheduler at {self.cluster.address} is away; waiting for it", run.said)
        self.assertIn(f"the scheduler at {self.cluster.address} is back", run.said)

    def test_a_scheduler_that_was_away_unseen_gets_the_rest(self):
        """Dask connects again by itself while the thread that hands over items does something else."""
        self.cluster.start_scheduler()
        self.cluster.start_worker(threads=4)
        engine = self.open()
        run = Run(engine, squares(200, seconds=0.02))
        run.wait_for(40)
        run.open.clear()
        run.wait_for(len(run.outcomes) + 1)  # the thread stands in Run._take()
        self.cluster.kill_scheduler()
        while engine.client.status == "running":
            time.sleep(0.01)
        self.cluster.start_scheduler()
        while engine.client.status not in ("running", "closed"):  # "closed" if the scheduler took long to start
            time.sleep(0.01)
        run.open.set()
        self.cluster.start_worker(threads=4)
        self.assert_complete(run, 200)

    def test_a_scheduler_that_stays_away_ends_the_run(self):
        self.cluster.start_scheduler()
        self.cluster.start_worker()
        run = Run(self.open(), squares(200, seconds=0.05), away_seconds=0.5)
        run.wait_for(3)
        self.cluster.kill_scheduler()
        run.join(60)
        self.assertIsInstance(run.error, WorkError)
        self.assertRegex(str(run.error), "was away for 0.5 s. All results that arrived are kept; the same command goes on")

    def test_workers_that_die_lose_nothing(self):
        self.cluster.start_scheduler()
        for _ in range(3):
            self.cluster.start_worker(threads=4)
        engine = self.open()
        run = Run(engine, squares(200, seconds=0.2))
        for count in range(10, 200, 50):
            run.wait_for(count)
            self.cluster.kill_worker()
            self.cluster.start_worker(threads=4)
        self.assert_complete(run, 200)
        deaths_until_blame = engine.client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.allowed_failures)
        self.assertGreaterEqual(deaths_until_blame, 10)

    def test_a_worker_without_the_package_ends_the_run_with_the_reason(self):
        self.cluster.start_scheduler()
        self.cluster.start_worker(path=())
        run = Run(self.open(), squares(10))
        run.join(60)
        self.assertIsInstance(run.error, WorkError)
        self.assertEqual(run.outcomes, [])  # the items stay open for the next command
        self.assertRegex(str(run.error), r"the worker tcp://127.0.0.1:\d+ does not find the Python package coxswain\. Start workers with PYTHONPATH=")

    def test_no_scheduler_at_the_address(self):
        address = f"tcp://127.0.0.1:{free_port()}"
        with self.assertRaisesRegex(WorkError, f"--scheduler {address}: no scheduler answers there"), patch("coxswain.work.engine.CONNECT_SECONDS", 1):
            Engine.open(address)


class Closing(unittest.TestCase):
    def test_a_client_that_does_not_close_in_time_is_left(self):
        class Slow:
            def close(self, timeout):
                raise TimeoutError(f"timed out after {timeout} s.")

        engine._close(Slow(), 1)


if __name__ == "__main__":
    unittest.main()
