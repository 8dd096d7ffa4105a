# SPDX-License-Identifier: MIT
"""The kinds of work of a campaign. Each has a program that turns seeds into trials."""
from __future__ import annotations

import pathlib
from dataclasses import dataclass, field
from typing import Iterable, Mapping

from coxswain.work import ExitCode, WorkError, did_you_mean

_FAULTS = ("bus_error", "stuck", "stuck, until a reset", "slow", "interrupt", "completion", "flip of one bit", "flip of two bits", "doorbell",
           "reset", "clock", "clock, for ever")  # fmt: skip
_ENGINES = ("tile", "mx", "cube", "dma", "pim", "unity", "mixed")
_NOT_OF_DMA = frozenset((fault, "dma") for fault in ("completion", "reset", "clock", "clock, for ever"))  # tests/faults/plan.cpp, without_unit()
_CORES = ("1 core", "2 cores", "3 cores", "4 cores")
_INSTRUCTIONS = ("ct_bc", "lda_mov", "ldw_mov", "lw_mov", "sta_mov", "pe_conv", "vp_self", "vp_pool", "dt_cal", "si_mov", "so_mov")
_PIM_ENDS = ("no fault", "field_out_of_range", "address_outside_buffer", "address_outside_window", "deadlock", "unsupported", "batch_without_compute",
             "branch_outside_program", "own_core", "message_mismatch", "barrier_mismatch", "reserved_bits")  # fmt: skip
_UNITY_PARTS = ("instructions", "keys", "BLK", "several programs of a unit", "COND", "CASE", "SWITCH_CASE", "WHILE_LOOP", "EXIT")

# libFuzzer's targets, and the size in bytes of the largest input of each (docs/testing.md, Fuzzing).
FUZZ_TARGETS = {"stream": 8192, "text_forms": 4096, "cube_stream": 3073, "pim_program": 4096, "unity_program": 4096, "bindings": 4096,
                "network": 8192, "flash": 4096, "image": 65536, "signed": 4096, "task": 65536, "jobs": 400, "console": 512, "tflite": 16384}  # fmt: skip


@dataclass(frozen=True)
class Kind:
    name: str
    what: str
    program: str  # file name of the program
    build: str  # how to build it
    form: str = "trials"  # how it is called: "trials" (docs/campaign.md, Programs), "fuzz" (libFuzzer) or "gtest" (a seed in the environment)
    batch: int = 20  # seeds of a work item
    limit: float = 60.0  # seconds that a seed may take
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)  # "{seed}" stands for the seed
    rows: tuple[str, ...] = ()  # of the picture, in this order
    columns: tuple[str, ...] = ()
    absent: frozenset[tuple[str, str]] = frozenset()  # cells that there cannot be

    @property
    def group(self) -> str:
        """The first part of the name: "fuzz" of "fuzz.task"."""
        return self.name.partition(".")[0]


def _host(target: str) -> str:
    return f"ninja -C build/host {target}"


KINDS = (
    Kind("faults", "random plans of faults on inferences of each engine", "fault_campaign", _host("fault_campaign"), batch=50, rows=_FAULTS, columns=_ENGINES,
         absent=_NOT_OF_DMA),
    Kind("tasks", "random tasks of tile cores beside an interpreter", "task_trials", _host("task_trials"), batch=100, rows=_INSTRUCTIONS,
         columns=_CORES, absent=frozenset((("si_mov", "1 core"), ("so_mov", "1 core")))),
    Kind("pim", "random programs of the PIM cores beside a slow interpreter", "pim_trials", _host("pim_trials"), batch=200, rows=_PIM_ENDS,
         columns=(*_CORES, "5 cores", "6 cores")),
    Kind("unity", "random programs of the Unity units: fast path, reference and an interpreter", "unity_trials", _host("unity_trials"), batch=200,
         rows=_UNITY_PARTS, columns=("1 unit", *(f"{units} units" for units in range(2, 9)))),
    Kind("soak.digits", "inferences of the digits network with random cores and batches", "digits_trials", _host("cox"), batch=10,
         rows=("batch 1", "batch 2 to 8", "batch 9 to 16"), columns=_CORES),
    Kind("soak.jobs", "jobs of all engines from eight threads of a host", "host_test", _host("host_test"), form="gtest", batch=5, limit=300.0,
         arguments=("--gtest_filter=Native/ManyJobs.*",), environment={"COX_HOST_SEED": "{seed}", "COX_HOST_JOBS": "400"}),
    *(Kind(f"fuzz.{target}", f"libFuzzer on {target}_fuzz", f"{target}_fuzz", "make fuzz", form="fuzz", batch=1, limit=120.0,
           arguments=(f"-max_len={size}", "-runs=2000")) for target, size in FUZZ_TARGETS.items()),
)  # fmt: skip


def choose(names: Iterable[str]) -> list[Kind]:
    """Returns the kinds with these names, or of groups with these names; without names all. Raises WorkError for an unknown name."""
    wanted = list(names)
    if not wanted:
        return list(KINDS)
    known = [kind.name for kind in KINDS] + sorted({kind.group for kind in KINDS})
    for name in wanted:
        if name not in known:
            raise WorkError(f"there is no kind {name!r}{did_you_mean(name, known) or '.'} The kinds are {', '.join(kind.name for kind in KINDS)}", ExitCode.USAGE)
    return [kind for kind in KINDS if kind.name in wanted or kind.group in wanted]


def find_program(kind: Kind, programs: pathlib.Path) -> pathlib.Path | None:
    """Returns the kind's program: in the folder, or for fuzz targets in the folder of the preset host-fuzz beside it."""
    for folder in (programs, programs.parent.parent / "host-fuzz/bin" if kind.form == "fuzz" else programs):
        path = folder / kind.program
        if path.is_file():
            return path.resolve()
    return None


def built(kinds: Iterable[Kind], programs: pathlib.Path, named: bool) -> tuple[list[tuple[Kind, pathlib.Path]], list[str]]:
    """Returns the kinds that can run, each with its program, and sentences about the others.

    Raises WorkError if a kind is not built that the user has named, or if none is built.
    """
    ready: list[tuple[Kind, pathlib.Path]] = []
    missing: dict[str, list[str]] = {}  # names by how to build them
    for kind in kinds:
        program = find_program(kind, programs)
        if program is not None:
            ready.append((kind, program))
        elif named:
            raise WorkError(f"{kind.name}: {programs / kind.program} is not built ({kind.build}). --programs names another folder", ExitCode.BAD_INPUT)
        else:
            missing.setdefault(kind.build, []).append(kind.name)
    if not ready:
        raise WorkError(f"{programs}: has no program of any kind (make host). --programs names another folder", ExitCode.BAD_INPUT)
    return ready, [f"{', '.join(names)}: left out, not built ({build})" for build, names in missing.items()]
