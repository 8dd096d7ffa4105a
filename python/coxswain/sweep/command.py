# SPDX-License-Identifier: MIT
"""The command `cox sweep`."""
from __future__ import annotations

import os
import pathlib
import sys
from typing import Any, Mapping

from ..work import Engine, ExitCode, Progress, Store, WorkError, build_beyond, check_outputs
from .catalogue import Catalogue
from .description import Description, read_description
from .figures import UNKNOWN
from .metrics import METRICS
from .points import PointMaker
from .study import Study
from .sweep import Sweep, count_of
from .table import csv_text, front_text

Options = Mapping[str, Any]


def sweep(options: Options) -> ExitCode:
    """`options`: "sweep", "output", "table", "report", "scheduler", "workers", "list_axes", "plan", "no_run", "accept_revision", "quiet", "cox",
    "revision", "facts". Raises WorkError."""
    catalogue = Catalogue(options["facts"])
    if options["list_axes"]:
        print(_axes_text(catalogue), end="")
        return ExitCode.OK
    os.environ["COXSWAIN_COX"] = options["cox"]  # for the embedded workers
    description = read_description(options["sweep"], catalogue)
    maker = PointMaker(description, catalogue, options["revision"], build_beyond(options["cox"], options["revision"]))
    if options["plan"]:
        print(_plan_text(description, maker), end="")
        return ExitCode.OK
    output = options["output"] or pathlib.Path(options["sweep"]).stem + ".results"
    _check_outputs(options, output)
    provenance = {"revision": options["revision"], "title": description.title, "description": description.text, "seed": str(description.search.seed)}
    with Store.open(output, "sweep", provenance, options["accept_revision"], writes=not options["no_run"]) as store:
        study = _run(options, Sweep(description, maker, store), description, output)
    return _present(options, study, output)


def _run(options: Options, swept: Sweep, description: Description, output: str) -> Study:
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        progress = Progress(count_of(description), "sweep", nowhere if options["quiet"] or options["no_run"] else sys.stderr)

        def open_engine() -> Engine:
            engine = Engine.open(options["scheduler"], options["workers"])
            where = options["scheduler"] or f"{options['workers']} workers of this process"
            progress.say(f"{progress.finished} of {progress.total} points have results in {output}; the others run on {where} ({engine.dashboard})")
            return engine

        study = swept.run(None if options["no_run"] else open_engine, progress)
        progress.close()
    return study


def _present(options: Options, study: Study, output: str) -> ExitCode:
    if options["table"]:
        _write(options["table"], csv_text(study))
    if options["report"]:
        from .report import write_report  # only a report needs the plots

        try:
            write_report(study, pathlib.Path(options["report"]))
        except OSError as error:
            raise WorkError(f"{options['report']}: {error.strerror}", ExitCode.BAD_OUTPUT) from error
    if not options["quiet"] and options["table"] != "-":
        print(front_text(study), end="")
        print(_end_text(study, output), end="")
    return ExitCode.FAILED if study.with_status("failed") else ExitCode.OK


def _end_text(study: Study, output: str) -> str:
    counts = {status: len(study.with_status(status)) for status in ("done", "infeasible", "failed", "open")}
    text = f"{output}: " + ", ".join(f"{count} {status}" for status, count in counts.items() if count) + "\n"
    for status in ("infeasible", "failed"):
        reasons: dict[str, int] = {}
        for row in study.with_status(status):
            reasons[row.message] = reasons.get(row.message, 0) + 1
        for reason, count in sorted(reasons.items(), key=lambda pair: -pair[1])[:3]:
            text += f"  {status}, {count} {'point' if count == 1 else 'points'}: {reason}\n"
    if counts["failed"]:
        text += "The same command runs the failed points again.\n"
    return text


def _axes_text(catalogue: Catalogue) -> str:
    lines = ["Axes, each also a fixed setting:"]
    for axis in catalogue:
        default = UNKNOWN if axis.default is None else str(axis.default).lower() if axis.flag else str(axis.default)
        lines.append(f"  {axis.name:<28} {axis.range:<28} {default:<10} {axis.what}{f' ({axis.unit})' if axis.unit else ''}")
    lines.append("Metrics:")
    lines += [f"  {metric.name:<28} {metric.what}{f' ({metric.unit})' if metric.unit else ''}" for metric in METRICS.values()]
    return "\n".join(lines) + "\n"


def _plan_text(description: Description, maker: PointMaker) -> str:
    """What would run, without running it."""
    lines = [f"{count_of(description)} points: method {description.search.method}"]
    settings = description.search.count(description.axes)
    for tasks in description.search.rungs:
        lines.append(f"  {settings} settings x {', '.join(tasks)}")
        settings = description.search.kept(settings)
    first = next(iter(description.search.settings(description.axes)))
    item = maker.make(description.tasks[0].name, first).item
    lines.append("the first: " + ", ".join(f"{name} {value}" for name, value in first.items()))
    lines.append("  cox run " + " ".join([item.payload["file"], *item.payload["device"], *item.payload["run"]]))
    return "\n".join(lines) + "\n"


def _check_outputs(options: Options, output: str) -> None:
    """Raises WorkError."""
    if options["report"] == "-":
        raise WorkError("--report -: only a table goes to standard output; name a file", ExitCode.USAGE)
    paths = {"--table": "" if options["table"] == "-" else options["table"], "--report": options["report"]}
    check_outputs({option: path for option, path in paths.items() if path}, {options["sweep"]: "the sweep file", output: "the file of results"})


def _write(path: str, text: str) -> None:
    try:
        if path == "-":
            sys.stdout.write(text)
            sys.stdout.flush()
        else:
            pathlib.Path(path).write_text(text, encoding="utf-8")
    except BrokenPipeError:
        raise
    except OSError as error:
        raise WorkError(f"{path}: {error.strerror}", ExitCode.BAD_OUTPUT) from error
