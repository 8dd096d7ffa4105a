# SPDX-License-Identifier: MIT
"""What the tests run as work. It is a module of its own, so that workers in other processes find it."""
import time

from dask_processes import PACKAGE  # noqa: F401  puts the package on the path

from coxswain.work import WorkItem, key_of


def squares(count, seconds=0.0):
    """Yields items whose result is known."""
    for number in range(count):
        payload = {"number": number, "seconds": seconds}
        yield WorkItem(key_of(payload), payload)


def square(payload):
    time.sleep(payload["seconds"])
    return {"values": {"square": payload["number"] ** 2}}
