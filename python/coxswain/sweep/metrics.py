# SPDX-License-Identifier: MIT
"""What a sweep measures, from the statistics that `cox run --stats` writes (docs/tracing.md, The statistics)."""
from __future__ import annotations

from typing import Any, Callable, Mapping

from .study import Metric

Statistics = Mapping[str, Any]
_Function = Callable[[Statistics], Any]


def _ratio(above: Any, below: Any) -> float | None:
    return above / below if above is not None and below else None


def _of_model(statistics: Statistics) -> bool:
    return "inference_cycles" in statistics


def _operators(statistics: Statistics, member: str) -> int:
    """Sum over all inferences. The operators' numbers are those of one."""
    return sum(operator[member] for operator in statistics["operators"]) * len(statistics["inference_cycles"])


def _cycles(statistics: Statistics) -> int:
    return sum(statistics["inference_cycles"]) if _of_model(statistics) else statistics["end_cycle"]


def _images(statistics: Statistics) -> int:
    return len(statistics["inference_cycles"]) if _of_model(statistics) else statistics["images"]


def _macs(statistics: Statistics) -> int:
    return _operators(statistics, "multiply_accumulates") if _of_model(statistics) else statistics["multiply_accumulates"]


def _dram_bytes(statistics: Statistics) -> int:
    return _operators(statistics, "dram_bytes") if _of_model(statistics) else statistics["dram_bytes"]


def _awake(statistics: Statistics) -> float | None:
    asleep = statistics.get("asleep")
    return None if asleep is None else 1 - asleep


def _peak(statistics: Statistics) -> float | None:
    """Of all cores of the device. The statistics have it for the cores that the task uses, and a task may use fewer."""
    peak, cores, used = (statistics.get(name) for name in ("peak_macs_per_cycle", "tile_cores", "task_cores"))
    return peak * cores / used if peak and cores and used else peak


def _queue(name: str) -> _Function:
    return lambda statistics: statistics.get("queues", {}).get(name, {}).get("utilisation")


def _picojoules(statistics: Statistics) -> float | None:
    return _ratio(statistics.get("energy_femtojoules"), 1000)


_TABLE: list[tuple[Metric, _Function]] = [
    (Metric("cycles", "cycles", "less", "from the first instruction to the last end"), _cycles),
    (Metric("cycles_per_image", "cycles", "less", "cycles by images"), lambda s: _ratio(_cycles(s), _images(s))),
    (Metric("macs", "", "less", "multiply-accumulates"), _macs),
    (Metric("macs_per_cycle", "MACs/cycle", "more", "multiply-accumulates by cycles"), lambda s: _ratio(_macs(s), _cycles(s))),
    (Metric("utilisation", "share", "more", "MACs a cycle by those that the device's grids can do"),
     lambda s: _ratio(_ratio(_macs(s), _cycles(s)), _peak(s))),
    (Metric("dram_bytes", "bytes", "less", "moved to and from DRAM"), _dram_bytes),
    (Metric("dram_bytes_a_cycle", "bytes/cycle", "less", "DRAM bytes by cycles"), lambda s: _ratio(_dram_bytes(s), _cycles(s))),
    (Metric("macs_per_dram_byte", "MACs/byte", "more", "multiply-accumulates by DRAM bytes"), lambda s: _ratio(_macs(s), _dram_bytes(s))),
    (Metric("instructions", "", "less", "of the accelerator"), lambda s: s.get("accelerator_instructions", s.get("instructions"))),
    (Metric("control_core_instructions", "", "less", "that the control core executed; under QEMU only"), lambda s: s.get("control_core_instructions")),
    (Metric("control_core_share", "share", "less", "share of the time in which the control core was awake; under QEMU only"), _awake),
    (Metric("instructions_per_dispatch", "", "less", "control-core instructions by accelerator instructions; under QEMU only"),
     lambda s: s.get("instructions_per_dispatch")),
    (Metric("clock_gated", "share", "more", "share of the tile cores' time without a clock"), lambda s: s.get("clock_gated")),
    (Metric("energy_pj", "pJ", "less", "energy of the PIM cores"), _picojoules),
    (Metric("retries", "", "less", "runs that began again after a fault"), lambda s: s.get("retries")),
    (Metric("peak_macs_per_cycle", "MACs/cycle", "more", "that the device's grids can do"), _peak),
    (Metric("peak_dram_bytes_per_cycle", "bytes/cycle", "more", "that DRAM can give"), lambda s: s.get("dram_bytes_per_cycle")),
    *[(Metric(f"busy_{name}", "share", "more", f"share of the time in which the queue {name} worked"), _queue(name))
      for name in ("LD", "LW", "PE", "VP", "DT", "ST", "SI", "SO")],
]  # fmt: skip

METRICS: Mapping[str, Metric] = {metric.name: metric for metric, _ in _TABLE}
COST = Metric("cost", "", "less", "the sweep's own expression over axes")


def metrics_of(statistics: Statistics) -> dict[str, float]:
    """All metrics that these statistics have."""
    values = {metric.name: function(statistics) for metric, function in _TABLE}
    return {name: value for name, value in values.items() if value is not None}


def compact(statistics: Statistics) -> dict[str, Any]:
    """The statistics without what is there once for each run or core, which no metric uses."""
    return {name: value for name, value in statistics.items() if name not in ("runs", "cores", "file")}
