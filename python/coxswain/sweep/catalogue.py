# SPDX-License-Identifier: MIT
"""The axes that a sweep can have: names, ranges, and the options of `cox` that each sets (docs/sweep.md, Axes)."""
from __future__ import annotations

import pathlib
from dataclasses import dataclass
from typing import Any, Mapping, Union

from ..work import ExitCode, WorkError, did_you_mean

Value = Union[bool, int, float, str]

NETWORK, PROGRAM, MODEL = "network", "program", "model"  # kinds of tasks: lowered, given as a program, TensorFlow Lite
_ALL = (NETWORK, PROGRAM, MODEL)
_DRAM_UNIT = 1024  # the model's parameter is bytes in so many cycles


@dataclass(frozen=True)
class AxisKind:
    """One setting of a run. `geometry`: the parameter of the model that it sets, if any. `lower`, `run`: the option of `cox lower` and of
    `cox run` that takes the value. `tasks`: the kinds of tasks that have it."""

    name: str
    what: str
    least: float | None = None  # a number from `least` to `most`
    most: float | None = None
    real: bool = False  # the number need not be whole
    allowed: tuple[int, ...] = ()  # the only numbers that it takes, if not all from `least` to `most`
    choices: tuple[str, ...] = ()
    flag: bool = False  # true or false
    file: bool = False  # the path of a file, from the folder of the sweep file
    default: Value | None = None
    geometry: str = ""
    lower: str = ""
    run: str = ""
    tasks: tuple[str, ...] = _ALL
    unit: str = ""

    def check(self, value: Any, where: str) -> Value:
        """Returns the value as the axis takes it. Raises WorkError that names `where`."""
        if self.flag:
            if not isinstance(value, bool):
                raise _wrong(where, value, "true or false")
        elif self.choices:
            if value not in self.choices:
                near = did_you_mean(str(value), self.choices)
                raise _wrong(where, value, "one of " + ", ".join(self.choices), near)
        elif self.file:
            if not isinstance(value, str):
                raise _wrong(where, value, "the path of a file")
        else:
            whole = isinstance(value, int) and not isinstance(value, bool)
            if not (whole or (self.real and isinstance(value, float))) or not self.least <= value <= self.most:
                kind = "a number" if self.real else "a whole number"
                raise _wrong(where, value, f"{kind} from {self.least:g} to {self.most:.10g}")
            if self.allowed and value not in self.allowed:
                raise _wrong(where, value, "one of " + ", ".join(map(str, self.allowed)))
        return value

    @property
    def numeric(self) -> bool:
        return not (self.choices or self.flag or self.file)

    @property
    def range(self) -> str:
        """For people: what values there are."""
        if self.flag:
            return "true, false"
        if self.choices:
            return ", ".join(self.choices)
        if self.allowed:
            return ", ".join(map(str, self.allowed))
        return "a file" if self.file else f"{self.least:g} to {self.most:.10g}"


def _wrong(where: str, value: Any, wanted: str, near: str = "") -> WorkError:
    text = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    return WorkError(f"{where}: {text} is not {wanted}{near}", ExitCode.USAGE)


class Catalogue:
    """All axes. `facts` is what `cox` knows: parameters, boards, divisions, limits (tools/cox/sweep.cpp)."""

    def __init__(self, facts: Mapping[str, Any]):
        self._axes = {axis.name: axis for axis in [*_named_axes(facts), *_parameters(facts)]}

    def __iter__(self):
        return iter(self._axes.values())

    def find(self, name: str, where: str) -> AxisKind:
        """Raises WorkError with the nearest name if there is none."""
        short = name.removeprefix("geometry.")
        axis = self._axes.get(short)
        if axis is None or (short != name and not axis.geometry):
            raise WorkError(f'{where}: unknown axis "{name}"{did_you_mean(name, self._axes)} (`cox sweep --axes` lists all)', ExitCode.USAGE)
        return axis


def _named_axes(facts: Mapping[str, Any]) -> list[AxisKind]:
    limits = facts["limits"]
    dram = next(parameter for parameter in facts["parameters"] if parameter["name"] == "dram_bytes_per_1024_cycles")
    return [
        AxisKind("cores", "tile cores that the device has and the task may use", 1, limits["cores"], default=1, geometry="tile_cores", lower="--cores"),
        AxisKind("dram_bytes_per_cycle", "bandwidth of DRAM", dram["least"] / _DRAM_UNIT, dram["most"] / _DRAM_UNIT, real=True, unit="bytes/cycle",
             default=dram["default"] / _DRAM_UNIT, geometry="dram_bytes_per_1024_cycles"),
        AxisKind("batch", "images of a task", 1, limits["batch"], default=1, lower="--batch", tasks=(NETWORK,)),
        AxisKind("divide", "what the cores share", choices=tuple(facts["divisions"]), default="cheapest", lower="--divide", tasks=(NETWORK,)),
        AxisKind("l2_kib", "L2 of each core that the task may use", 1, limits["l2_kib"], lower="--l2-kib", tasks=(NETWORK,), unit="KiB"),
        AxisKind("units", "Unity units that a model uses", 1, limits["units"], default=1, run="--units", tasks=(MODEL,)),
        AxisKind("repeat", "runs of the task in one boot", 1, 1_000_000, default=1, run="--repeat"),
        AxisKind("board", "where the firmware runs", choices=tuple(facts["boards"]), default="native", run="--board", tasks=(NETWORK, PROGRAM)),
        AxisKind("dispatch", "ideal: doorbells and interrupts take no time", choices=("firmware", "ideal"), default="firmware", run="--dispatch",
             tasks=(NETWORK, PROGRAM)),
        AxisKind("control_core_ns", "time of an instruction of the control core under QEMU", 1, 32,
             allowed=tuple(1 << shift for shift in range(6)), default=2, run="--control-core-ns", tasks=(NETWORK, PROGRAM), unit="ns"),
        AxisKind("retries", "how often a run may begin again after a fault", 0, limits["retries"], default=0, run="--retries", tasks=(NETWORK, PROGRAM)),
        AxisKind("path", "implementation of the model's arithmetic", choices=("fast", "reference"), default="fast", run="--option path"),
        AxisKind("hazards", "look for hazards while the task runs", flag=True, default=False, run="--option hazards"),
        AxisKind("faults", "plan of faults", file=True, run="--option faults"),
        AxisKind("fault_seed", "seed of random faults", 0, (1 << 32) - 1, run="--option fault_seed"),
        AxisKind("fault_count", "number of random faults", 0, 10_000, run="--option fault_count"),
        AxisKind("pim_configuration", "description of the PIM cores", file=True, run="--configuration pim"),
    ]  # fmt: skip


def _parameters(facts: Mapping[str, Any]) -> list[AxisKind]:
    return [
        AxisKind(parameter["name"], f"parameter of the model ({parameter['engine'] or 'device'})", parameter["least"], parameter["most"],
             default=parameter["default"], geometry=parameter["name"])
        for parameter in facts["parameters"]
    ]  # fmt: skip


def option_arguments(axis: AxisKind, value: Value) -> tuple[list[str], list[str], list[str]]:
    """Arguments that set the axis: of all commands (the device), of `cox lower`, of `cox run`."""
    device, lower, run = [], [], []
    if axis.geometry:
        number = round(value * _DRAM_UNIT) if axis.name == "dram_bytes_per_cycle" else value
        device = ["--option", f"geometry.{axis.geometry}={number}"]
    if axis.lower:
        lower = [axis.lower, str(value)]
    if axis.run:
        option, _, key = axis.run.partition(" ")
        text = str(value).lower() if axis.flag else str(value)
        run = [option, f"{key}={text}"] if key else [option, text]
    return device, lower, run


def absolute(axis: AxisKind, value: Value, folder: pathlib.Path) -> Value:
    """The value with the path of a file made absolute."""
    return str((folder / str(value)).resolve()) if axis.file else value
