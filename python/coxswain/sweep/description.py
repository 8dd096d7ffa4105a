# SPDX-License-Identifier: MIT
"""Reads a sweep file (docs/sweep.md, The sweep file). Everything in it is checked before anything runs."""
from __future__ import annotations

import pathlib
import tomllib
from dataclasses import dataclass, field
from typing import Any, Mapping

from ..work import ExitCode, WorkError, did_you_mean
from .catalogue import MODEL, NETWORK, PROGRAM, AxisKind, Catalogue, Value, absolute
from .expression import Expression
from .metrics import COST, METRICS
from .search import Search, read_search
from .study import Metric
from .values import AxisValues, read_values

_KINDS = (NETWORK, PROGRAM, MODEL)
_TABLES = ("sweep", "tasks", "fixed", "axes", "search")
_SWEEP = ("title", "metrics", "objectives", "cost", "seconds")
_DEFAULT_METRICS = ("cycles", "macs_per_cycle", "utilisation", "dram_bytes")
_DEFAULT_SECONDS = 600.0  # limit of each command of a point
_SAME = (("cores", "tile_cores"), ("dram_bytes_per_cycle", "dram_bytes_per_1024_cycles"))  # two names of one parameter


@dataclass(frozen=True)
class Task:
    """What runs at each point."""

    name: str
    kind: str  # NETWORK, PROGRAM or MODEL
    file: pathlib.Path
    fixed: Mapping[str, Value] = field(default_factory=dict)
    inputs: Mapping[str, pathlib.Path] = field(default_factory=dict)  # inputs without a file are zeros
    expected: Mapping[str, pathlib.Path] = field(default_factory=dict)  # bytes that outputs must have


@dataclass(frozen=True)
class Description:
    title: str
    text: str  # of the file, for the provenance
    tasks: tuple[Task, ...]
    fixed: Mapping[str, Value]
    axes: tuple[AxisValues, ...]
    metrics: tuple[Metric, ...]  # columns of the table
    objectives: tuple[str, str]
    cost: Expression | None
    search: Search
    seconds: float


def read_description(path: str, catalogue: Catalogue) -> Description:
    """Raises WorkError that names the file and the place in it."""
    file = pathlib.Path(path)
    try:
        text = file.read_text(encoding="utf-8")
        tables = tomllib.loads(text)
    except OSError as error:
        raise WorkError(f"{path}: {error.strerror}", ExitCode.BAD_INPUT) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WorkError(f"{path}: is no TOML: {error}", ExitCode.BAD_INPUT) from error
    return _Reader(file, catalogue).read(tables, text)


class _Reader:
    def __init__(self, file: pathlib.Path, catalogue: Catalogue):
        self._file, self._catalogue, self._folder = file, catalogue, file.resolve().parent

    def read(self, tables: Mapping[str, Any], text: str) -> Description:
        self._known(tables, _TABLES, "table", "")
        for name in tables:
            self._table(tables, name)
        sweep = self._table(tables, "sweep")
        self._known(sweep, _SWEEP, "member", "[sweep]")
        fixed = self._settings(self._table(tables, "fixed"), "[fixed]")
        axes = tuple(self._axis(name, values) for name, values in self._table(tables, "axes").items())
        tasks = tuple(self._task(name, members) for name, members in self._table(tables, "tasks").items())
        if not tasks:
            raise self._error("[tasks] is missing: name at least one, for example [tasks.digits] with network = \"network.json\"")
        if not axes:
            raise self._error("[axes] is missing: name at least one, for example l2_mib = [1, 2, 4, 8]")
        names = [axis.kind.name for axis in axes]
        for name in names:
            if names.count(name) > 1:
                raise self._error(f"[axes]: {name} and geometry.{name} are one axis; leave one of them out")
        for task in tasks:
            self._check_settings(task, fixed, axes)
        cost = self._cost(sweep, fixed, axes, tasks)
        metrics = self._metrics(sweep.get("metrics", list(_DEFAULT_METRICS)), cost)
        return Description(
            title=self._text(sweep, "title", self._file.stem),
            text=text,
            tasks=tasks,
            fixed=fixed,
            axes=axes,
            metrics=metrics,
            objectives=self._objectives(sweep, metrics, axes, cost),
            cost=cost,
            search=read_search(self._table(tables, "search"), axes, [task.name for task in tasks], self._where("[search]")),
            seconds=self._seconds(sweep),
        )

    def _where(self, place: str) -> str:
        return f"{self._file}: {place}"

    def _error(self, text: str) -> WorkError:
        return WorkError(f"{self._file}: {text}", ExitCode.USAGE)

    def _table(self, tables: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        table = tables.get(name, {})
        if not isinstance(table, dict):
            raise self._error(f"{name} is not a table: write [{name}]")
        return table

    def _known(self, members: Mapping[str, Any], known: tuple[str, ...], what: str, place: str) -> None:
        for name in members:
            if name not in known:
                raise self._error(f'{place + ": " if place else ""}unknown {what} "{name}"{did_you_mean(name, known)}')

    def _text(self, members: Mapping[str, Any], name: str, otherwise: str) -> str:
        value = members.get(name, otherwise)
        if not isinstance(value, str):
            raise self._error(f"[sweep]: {name} is not a text")
        return value

    def _seconds(self, sweep: Mapping[str, Any]) -> float:
        value = sweep.get("seconds", _DEFAULT_SECONDS)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= 1e6:
            raise self._error(f"[sweep]: seconds is {value}; it is the limit of each command of a point, above 0 and at most 1000000")
        return float(value)

    def _settings(self, members: Mapping[str, Any], place: str) -> dict[str, Value]:
        """Values of axes by name, checked."""
        settings = {}
        for name, value in members.items():
            axis = self._catalogue.find(name, self._where(place))
            if axis.name in settings:
                raise self._error(f"{place}: {axis.name} and geometry.{axis.name} are one setting; leave one of them out")
            settings[axis.name] = self._checked(axis, value, place)
        return settings

    def _checked(self, axis: AxisKind, value: Any, place: str) -> Value:
        checked = absolute(axis, axis.check(value, self._where(f"{place}: {axis.name}")), self._folder)
        if axis.file and not pathlib.Path(str(checked)).is_file():
            raise self._error(f"{place}: {axis.name}: {checked} does not exist")
        return checked

    def _axis(self, name: str, values: Any) -> AxisValues:
        axis = self._catalogue.find(name, self._where("[axes]"))
        return read_values(axis, values, self._where(f"[axes]: {axis.name}"), lambda value: self._checked(axis, value, "[axes]"))

    def _task(self, name: str, members: Any) -> Task:
        place = f"[tasks.{name}]"
        if not isinstance(members, dict):
            raise self._error(f'{place}: is not a table: write [tasks.{name}] with network = "FILE", program = "FILE" or model = "FILE"')
        kinds = [kind for kind in _KINDS if kind in members]
        if len(kinds) != 1:
            raise self._error(f"{place}: takes one of network, program and model, and has {' and '.join(kinds) or 'none'}")
        fixed = self._settings({key: value for key, value in members.items() if key not in (*_KINDS, "inputs", "expected")}, place)
        return Task(name, kinds[0], self._path(members[kinds[0]], f"{place}: {kinds[0]}"), fixed, self._paths(members, "inputs", place),
                    self._paths(members, "expected", place))  # fmt: skip

    def _paths(self, members: Mapping[str, Any], name: str, place: str) -> dict[str, pathlib.Path]:
        table = members.get(name, {})
        if not isinstance(table, dict):
            raise self._error(f'{place}: {name} is not a table: write {name} = {{ TENSOR = "FILE" }}')
        return {tensor: self._path(path, f"{place}: {name}.{tensor}") for tensor, path in table.items()}

    def _path(self, value: Any, where: str) -> pathlib.Path:
        if not isinstance(value, str):
            raise self._error(f"{where}: is not the path of a file")
        path = (self._folder / value).resolve()
        if not path.is_file():
            raise WorkError(f"{self._file}: {where}: {path} does not exist", ExitCode.BAD_INPUT)
        return path

    def _check_settings(self, task: Task, fixed: Mapping[str, Value], axes: tuple[AxisValues, ...]) -> None:
        """Each setting must mean something for the task, and be set once."""
        swept = {axis.kind.name for axis in axes}
        for name in swept:
            for place, settings in (("[fixed]", fixed), (f"[tasks.{task.name}]", task.fixed)):
                if name in settings:
                    raise self._error(f"{place}: {name} is an axis, too; leave one of them out")
        names = {**fixed, **task.fixed}.keys() | swept
        for one, other in _SAME:
            if one in names and other in names:
                raise self._error(f"{one} and {other} are one parameter; leave one of them out")
        for name in sorted(names):
            if task.kind not in self._catalogue.find(name, "").tasks:
                raise self._error(f"{name} has no meaning for the {task.kind} of [tasks.{task.name}]; sweep it in a file of its own")

    def _metrics(self, names: Any, cost: Expression | None) -> tuple[Metric, ...]:
        if not isinstance(names, list) or not names:
            raise self._error("[sweep]: metrics is not a list of names")
        columns = tuple(self._metric(name, cost, "metrics") for name in names)
        return columns if cost is None or COST in columns else (*columns, COST)

    def _metric(self, name: Any, cost: Expression | None, member: str) -> Metric:
        if name == COST.name and cost is not None:
            return COST
        metric = METRICS.get(name) if isinstance(name, str) else None
        if metric is None:
            raise self._error(f'[sweep]: {member}: unknown metric "{name}"{did_you_mean(str(name), METRICS)} (`cox sweep --axes` lists all)')
        return metric

    def _cost(self, sweep: Mapping[str, Any], fixed: Mapping[str, Value], axes: tuple[AxisValues, ...], tasks: tuple[Task, ...]) -> Expression | None:
        if "cost" not in sweep:
            return None
        cost = Expression(self._text(sweep, "cost", ""), self._where("[sweep]: cost"))
        swept = {axis.kind.name for axis in axes if axis.kind.numeric}
        for task in tasks:  # each has settings of its own
            cost.check_names({**dict.fromkeys(swept), **{name: None for name, value in {**fixed, **task.fixed}.items() if not isinstance(value, (str, bool))}})
        return cost

    def _objectives(self, sweep: Mapping[str, Any], metrics: tuple[Metric, ...], axes: tuple[AxisValues, ...], cost: Expression | None) -> tuple[str, str]:
        known = [metric.name for metric in metrics] + [axis.kind.name for axis in axes if axis.kind.numeric]
        default = [metrics[0].name, COST.name if cost is not None else known[1] if len(known) > 1 else known[0]]
        names = sweep.get("objectives", default)
        if not isinstance(names, list) or len(names) != 2:
            raise self._error("[sweep]: objectives is not a list of two names, of metrics or axes")
        for name in names:
            if name not in known:
                raise self._error(f'[sweep]: objectives: "{name}" is neither a metric of the table nor an axis of numbers{did_you_mean(str(name), known)}')
        return names[0], names[1]
