# SPDX-License-Identifier: MIT
"""The file that keeps outcomes: SQLite, with what made them."""
from __future__ import annotations

import fcntl
import json
import os
import pathlib
import sqlite3
import time
from typing import Any, Iterator, Mapping

from .errors import ExitCode, WorkError
from .item import Outcome, WorkItem

FORMAT = 1
_APPLICATION = 0x436F7873  # "Coxs": marks our files among those of SQLite
_TABLES = """
CREATE TABLE provenance (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE outcomes (
  key TEXT PRIMARY KEY,
  payload TEXT NOT NULL,   -- JSON: what the item was
  status TEXT NOT NULL,    -- done, refused, failed
  message TEXT NOT NULL,
  output TEXT NOT NULL,    -- JSON: what came out
  seconds REAL NOT NULL,
  worker TEXT NOT NULL,
  finished TEXT NOT NULL   -- UTC
);
"""


class Store:
    """Outcomes of work items in one file. One process at a time writes it. Each outcome is in the file when add() returns, so a process that
    is killed loses only items that had no outcome yet."""

    def __init__(self, path: pathlib.Path, database: sqlite3.Connection, lock: int | None):
        self.path = path
        self._database = database
        self._lock = lock

    @classmethod
    def open(cls, path: str | os.PathLike[str], kind: str, provenance: Mapping[str, str], accept_revision: bool = False, writes: bool = True) -> "Store":
        """Opens the file, or makes it. `provenance` must have the member "revision". With `writes` False the file stays as it is, or
        absent, and another process may write it.

        Raises WorkError if the file is not of this kind, is in use, cannot be written, or has results of another revision; with
        `accept_revision` results of both revisions stand beside each other.
        """
        path = pathlib.Path(path)
        lock = _lock(path) if writes else None
        try:
            database = sqlite3.connect(_address(path, writes), uri=True, isolation_level=None)
            store = cls(path, database, lock)
            store._prepare(kind, provenance, accept_revision, writes or not path.is_file())
        except sqlite3.Error as error:
            _unlock(lock)
            raise _store_error(path, error) from error
        except WorkError:
            _unlock(lock)
            raise
        return store

    def _prepare(self, kind: str, provenance: Mapping[str, str], accept_revision: bool, writes: bool) -> None:
        run = self._database.execute
        if writes and run("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
            self._database.executescript(f"PRAGMA journal_mode=WAL; PRAGMA application_id={_APPLICATION}; PRAGMA user_version={FORMAT}; BEGIN; {_TABLES} COMMIT;")
        _check_format(self.path, run("PRAGMA application_id").fetchone()[0], run("PRAGMA user_version").fetchone()[0])
        found = self.provenance()
        if found.get("kind", kind) != kind:
            raise WorkError(f"{self.path}: has the results of a {found['kind']}, not of a {kind}", ExitCode.BAD_INPUT)
        revision = found.get("revision", provenance["revision"])
        if revision != provenance["revision"] and not accept_revision:
            raise WorkError(
                f"{self.path}: has results of revision {revision}, and this is {provenance['revision']}. Write another file with --output, "
                "or let both stand beside each other with --accept-revision",
                ExitCode.BAD_INPUT,
            )
        if not writes:
            return
        run("PRAGMA synchronous=NORMAL")  # an outcome survives the end of this process; after a power cut the last ones may be missing
        with_kind = {"created": _now(), **found, "kind": kind, **provenance}
        run("BEGIN")
        self._database.executemany("INSERT OR REPLACE INTO provenance VALUES (?, ?)", with_kind.items())
        run("COMMIT")

    def provenance(self) -> dict[str, str]:
        return dict(self._database.execute("SELECT name, value FROM provenance"))

    def add(self, item: WorkItem, outcome: Outcome) -> None:
        """Raises WorkError if the file cannot take it, for example because the disk is full. What it had before stays."""
        row = (outcome.key, json.dumps(item.payload, sort_keys=True), outcome.status, outcome.message, json.dumps(outcome.values), outcome.seconds,
               outcome.worker, _now())  # fmt: skip
        try:
            self._database.execute("INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            raise _store_error(self.path, error) from error

    def outcomes(self) -> Iterator[tuple[dict[str, Any], Outcome]]:
        """Payload and outcome of each item, in no particular order."""
        try:
            for key, payload, status, message, output, seconds, worker in self._database.execute(
                "SELECT key, payload, status, message, output, seconds, worker FROM outcomes"
            ):
                yield json.loads(payload), Outcome(key, status, message, json.loads(output), seconds, worker)
        except sqlite3.Error as error:
            raise _store_error(self.path, error) from error

    def close(self) -> None:
        self._database.close()
        _unlock(self._lock)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _lock(path: pathlib.Path) -> int:
    """Returns a descriptor of the file that holds its lock, until it is closed. The lock of SQLite is of another kind, so both go together."""
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise WorkError(f"{path}: cannot be written: {error.strerror}", ExitCode.BAD_OUTPUT) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise WorkError(f"{path}: another process writes this file; wait for it, or name another one with --output", ExitCode.BAD_OUTPUT) from error
    return lock


def _address(path: pathlib.Path, writes: bool) -> str:
    """For SQLite, which would keep a path such as ":memory:" in memory."""
    if not writes and not path.is_file():
        return "file::memory:"  # no results
    return f"{path.absolute().as_uri()}?mode={'rw' if os.access(path, os.W_OK) else 'ro'}"


def _unlock(lock: int | None) -> None:
    if lock is not None:
        os.close(lock)


def _check_format(path: pathlib.Path, application: int, version: int) -> None:
    if application != _APPLICATION:
        raise WorkError(f"{path}: is a database, but not one of results; name another file with --output", ExitCode.BAD_INPUT)
    if version != FORMAT:
        raise WorkError(f"{path}: has format {version}; this version of cox reads {FORMAT}. Name another file with --output", ExitCode.BAD_INPUT)


def _store_error(path: pathlib.Path, error: sqlite3.Error) -> WorkError:
    text = str(error)
    if "full" in text or "disk I/O" in text:
        return WorkError(f"{path}: the disk is full or fails ({text}). All results before are kept; make room, and the same command goes on", ExitCode.BAD_OUTPUT)
    if "not a database" in text or "malformed" in text:
        return WorkError(f"{path}: is no file of results ({text}); name another one with --output", ExitCode.BAD_INPUT)
    return WorkError(f"{path}: {text}", ExitCode.BAD_OUTPUT)
