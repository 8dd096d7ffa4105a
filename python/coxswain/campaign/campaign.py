# SPDX-License-Identifier: MIT
"""A campaign from its options to its reproducers."""
from __future__ import annotations

import pathlib
import sys
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, Mapping

from coxswain.work import Engine, ExitCode, Outcome, Progress, Store, WorkError, WorkItem, check_outputs, run_items

from . import kinds, picture, plan, reproducer
from .coverage import Coverage, table
from .failure import Failure
from .options import Options, parse
from .shrink import shrink
from .trial import run_batch

_CANDIDATES = 3  # seeds of a failure whose inputs are minimised; the best one is filed

Ready = list[tuple[kinds.Kind, pathlib.Path]]


@dataclass
class Results:
    """What the results file says about this revision."""

    coverage: dict[str, Coverage]
    seeds: dict[str, int] = field(default_factory=dict)
    failures: dict[tuple[str, str], list[Failure]] = field(default_factory=dict)  # by kind and group, in the order of seeds
    inputs: dict[tuple[str, int], str] = field(default_factory=dict)  # of libFuzzer, by kind and seed
    minimised: dict[tuple[str, str], dict[int, dict[str, Any]]] = field(default_factory=dict)  # by seed: what shrink() returned
    broken: list[str] = field(default_factory=list)  # messages of items without a result

    @classmethod
    def read(cls, store: Store, ready: Ready, revision: str) -> "Results":
        results = cls({kind.name: Coverage(kind) for kind, _ in ready})
        builds = plan.builds_of(ready)
        outcomes = [(payload, outcome) for payload, outcome in store.outcomes() if plan.is_of(payload, builds, revision)]
        done = plan.seeds_done(payload for payload, outcome in outcomes if outcome.status == "done")
        for payload, outcome in outcomes:
            later = outcome.status != "done" and "group" not in payload and done.get(payload["kind"], set()).issuperset(
                range(payload["first"], payload["first"] + payload["count"]))  # fmt: skip
            if not later:  # its seeds have an outcome in other batches
                results._add(payload, outcome)
        for failures in results.failures.values():
            failures.sort(key=lambda failure: failure.seed)
        return results

    def _add(self, payload: dict[str, Any], outcome: Outcome) -> None:
        kind = payload["kind"]
        if outcome.status != "done":
            self.broken.append(f"{kind}, seeds from {payload['first']}: {outcome.message}")
        elif "group" in payload:
            self.minimised.setdefault((kind, payload["group"]), {})[payload["first"]] = dict(outcome.values)
        else:
            self.seeds[kind] = self.seeds.get(kind, 0) + payload["count"]
            self.coverage[kind].add(outcome.values["coverage"])
            for seed, data in outcome.values.get("inputs", {}).items():
                self.inputs[kind, int(seed)] = data
            for each in outcome.values["failures"]:
                failure = Failure.from_json(each)
                self.failures.setdefault((kind, failure.group), []).append(failure)


def smallest(minimised: dict[int, dict[str, Any]]) -> int:
    """Returns the seed with the best reproducer: one that fails again, then one that has lines, then the one with the fewest."""
    return min(minimised, key=lambda seed: (not minimised[seed]["fails"], not minimised[seed].get("of"), minimised[seed].get("lines", 0), seed))


class Campaign:
    def __init__(self, options: Options, ready: Ready, store: Store, engine: Engine, say: Callable[[str], None]):
        self._options, self._ready, self._store, self._engine, self._say = options, ready, store, engine, say

    def run(self) -> Results:
        """Runs the seeds that have no outcome yet, then minimises what failed, and files it."""
        self._run_seeds()
        results = self._read()
        self._minimise(results)
        results = self._read()
        self._file(results)
        return results

    def _read(self) -> Results:
        return Results.read(self._store, self._ready, self._options.revision)

    def _run_seeds(self) -> None:
        options = self._options
        builds = plan.builds_of(self._ready)
        kept = (payload for payload, outcome in self._store.outcomes() if outcome.status == "done" and plan.is_of(payload, builds, options.revision))
        done = plan.seeds_done(kept)
        plans = [plan.batches(kind, program, options.revision, options.first, options.count, done.get(kind.name, set())) for kind, program in self._ready]
        total = sum(plan.length(kind, options.first, options.count, done.get(kind.name, set())) for kind, _ in self._ready) if options.count else 0
        self._run(_until(plan.in_turn(plans), options.seconds), run_batch, "batches of seeds", total)

    def _minimise(self, results: Results) -> None:
        items = []
        for kind, program in self._ready:
            for (name, group), failures in results.failures.items():
                if name != kind.name or failures[0].state == "batch" or (name, group) in results.minimised:
                    continue
                for failure in failures[:_CANDIDATES]:
                    payload = plan.payload_of(kind, program, self._options.revision, failure.seed, 1) | {"group": group}
                    if kind.form == "fuzz":
                        payload["input"] = results.inputs.get((name, failure.seed), "")
                    items.append(plan.item_of(payload))
        self._run(iter(items), shrink, "minimised failures", len(items))

    def _run(self, items: Iterator[WorkItem], function: Callable[..., dict[str, Any]], name: str, total: int) -> None:
        progress = None if self._options.quiet or not total else Progress(total, name)

        def take(item: WorkItem, outcome: Outcome) -> None:
            self._store.add(item, outcome)
            if progress is not None:
                progress.step(outcome)

        run_items(items, function, self._engine, take, self._say)
        if progress is not None:
            progress.close()

    def _file(self, results: Results) -> None:
        by_name = {kind.name: (kind, program) for kind, program in self._ready}
        for (name, group), failures in sorted(results.failures.items()):
            kind, program = by_name[name]
            minimised = results.minimised.get((name, group), {failures[0].seed: {"fails": True}})
            seed = smallest(minimised)
            failure = next((each for each in failures if each.seed == seed), failures[0])
            seeds = tuple(each.seed for each in failures)
            place = reproducer.file(reproducer.Filed(kind, program, failure, seeds, self._options.revision, minimised[seed]), self._options.reproducers)
            lines = f", {minimised[seed]['lines']} of {minimised[seed]['of']} lines" if minimised[seed].get("of") else ""
            self._say(f"{name}: {len(seeds)} of {results.seeds.get(name, 0)} seeds: {failure.what}\n  {place}/reproduce (seed {seed}{lines})")


def _until(items: Iterator[WorkItem], seconds: float) -> Iterator[WorkItem]:
    """Ends when `seconds` have passed; 0: with the items."""
    end = time.monotonic() + seconds
    for item in items:
        if seconds and time.monotonic() >= end:
            return
        yield item


def conduct(options: Options, say: Callable[[str], None] = print) -> ExitCode:
    """Runs the campaign of the options. Returns FOUND if a seed failed. Raises WorkError."""
    ready, left_out = kinds.built(kinds.choose(options.kinds), options.programs, named=bool(options.kinds))
    if options.picture is not None:
        check_outputs({"--picture": options.picture}, {options.output: "the file of results"})
    for sentence in left_out:
        say(sentence)
    provenance = {"revision": options.revision, "kinds": ", ".join(kind.name for kind, _ in ready)}
    with Store.open(options.output, "campaign", provenance, options.accept_revision) as store, Engine.open(options.scheduler, options.workers) as engine:
        if not options.quiet:
            print(f"dashboard: {engine.dashboard}", file=sys.stderr)
        results = Campaign(options, ready, store, engine, say).run()
    _report(options, results, say)
    if results.broken:
        say(f"{len(results.broken)} work items have no result, and the same command runs them again. The first: {results.broken[0]}")
    if results.failures:
        return ExitCode.FOUND
    return ExitCode.FAILED if results.broken else ExitCode.OK


def _report(options: Options, results: Results, say: Callable[[str], None]) -> None:
    for name, coverage in results.coverage.items():
        failed = sum(len(failures) for (kind, _), failures in results.failures.items() if kind == name)
        say(f"{name}: {results.seeds.get(name, 0)} seeds, {failed} failed")
        if coverage.counts and not options.quiet:
            say(table(coverage))
    if options.picture is not None:
        try:
            options.picture.write_text(picture.draw(results.coverage.values()))
        except OSError as error:
            raise WorkError(f"{options.picture}: cannot be written: {error.strerror}", ExitCode.BAD_OUTPUT) from error


def campaign(values: Mapping[str, Any]) -> ExitCode:
    """The command, with its options (__main__.py)."""
    return conduct(parse(values))
