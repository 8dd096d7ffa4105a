# SPDX-License-Identifier: MIT
"""Devices, and runs of tasks on them."""
from __future__ import annotations

import dataclasses
import json
import pathlib
import shutil
import tempfile
import threading
import time
import weakref
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

import numpy as np

from . import _library as c
from .errors import InputError, MachineError, StatusError
from .machine import BOARDS, MIB, QEMU_BOARD, NativeMachine, QemuMachine
from .task import Task, run_cox
from .timeline import Timeline

_BLOCK = 64  # bytes; core, accelerator and host never share one
_TASK_SLOT = 0
_LOAD_LIMIT_US = 60_000_000
_SLICE_US = 100_000  # between two looks for an interruption by the user
_MOST_RUNS_OF_A_JOB = 65536


class _Folder:
    """A temporary folder that lasts as long as this object."""

    def __init__(self) -> None:
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="coxswain-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


@dataclasses.dataclass(frozen=True)
class _Recording:
    """What a timeline is drawn from."""

    folder: _Folder
    task: Task
    start_cycle: int
    first_core: int

    def draw(self) -> str:
        folder = self.folder.path
        arguments = ["timeline", "events", "-o", "-"]
        if self.task.is_stream:
            arguments += ["--title", self.task.name]
        else:
            self.task.save(folder / "task.cxt")
            arguments += ["--task", "task.cxt", "--start", str(self.start_cycle), "--first-core", str(self.first_core)]
        return run_cox(arguments, folder)


@dataclasses.dataclass(frozen=True)
class Run:
    """What became of a run, or of several.

    ``outputs`` has the array of each output tensor. ``cycles`` is the device time from the first run's start to the last one's end, in
    cycles of 1 ns. ``control_instructions`` is None natively, which does not count them.
    """

    task: Task
    runs: int
    outputs: Dict[str, np.ndarray]
    cycles: int
    accelerator_instructions: int
    control_instructions: Optional[int]
    retried: int
    _recording: Optional[_Recording] = dataclasses.field(repr=False)

    def timeline(self) -> Timeline:
        """The picture of the first run: for a task of tile cores of that run alone, for a stream of all that its device has run."""
        if self._recording is None:
            raise InputError(f"{self.task.name}: the device does not record events: make it with events=True")
        return Timeline(self._recording.draw())


def _model_options(options: Optional[Mapping[str, Any]], cores: int) -> Dict[str, Any]:
    model = dict(options or {})
    geometry = dict(model.get("geometry", {}))
    geometry.setdefault("tile_cores", cores)
    model["geometry"] = geometry
    return model


class Device:
    """A device with the firmware. Use it in a ``with`` statement, or call close().

    - ``board``: ``"native"``, the firmware in this process; or ``"qemu-npu-soc"``, its image under QEMU.
    - ``cores``: tile cores of the device.
    - ``options``: further options of the model (docs/model.md, Options), for example ``{"geometry": {"l2_mib": 4}}``.
    - ``dram_bytes``: size of DRAM, whole MiB.
    - ``events``: record what the device does, for timelines.

    A process can have one native device at a time. Calls of several threads wait for each other.
    """

    def __init__(self, board: str = "native", *, cores: int = 1, options: Optional[Mapping[str, Any]] = None, dram_bytes: int = 256 * MIB, events: bool = True) -> None:
        if board not in BOARDS:
            raise InputError(f"there is no board '{board}'; the boards are: {', '.join(BOARDS)}")
        self.board = board
        self._lock = threading.RLock()
        self._loaded: Optional[Task] = None
        self._host: Optional[c.c_void_p] = None
        self._folder = _Folder()
        folder = self._folder.path
        self._events = events
        model = _model_options(options, cores)
        if events:
            model["events"] = str(folder / "events")
        text = json.dumps(model)
        machine: Union[NativeMachine, QemuMachine]
        machine = QemuMachine(text, dram_bytes, folder) if board == QEMU_BOARD else NativeMachine(text, dram_bytes)
        host = c.c_void_p()
        try:
            machine.open(host)
        except BaseException:
            machine.stop()
            raise
        self._machine, self._host = machine, host
        self._finalizer = weakref.finalize(self, _end, host, machine)

    def __enter__(self) -> "Device":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Cancels what runs, and switches the device off."""
        with self._lock:
            if self._host is not None:
                self._console = self._machine.console()
                self._host, self._loaded = None, None
                self._finalizer()

    @property
    def console(self) -> str:
        """What the firmware's console and the model's log have said."""
        return self._console if self._host is None else self._machine.console()

    def run(self, task: Task, inputs: Optional[Mapping[str, Any]] = None, *, time_limit: float = 10.0, retries: int = 0, host_limit: Optional[float] = None, **arrays: Any) -> Run:
        """Loads ``task``, unless it is loaded, and runs it with the given arrays: by name, or in ``inputs``.

        An array has the shape (N, H, W, C) of its tensor, or (N K, H, W, C) for K runs, one after another. Memory that a run writes is zero
        before it, but for constants and inputs. ``time_limit``: seconds of the control core's clock for each run. ``retries``: how often a
        run may begin again after a fault that passes. ``host_limit``: seconds of this host for all of it.

        Raises InputError before anything runs, or StatusError if the firmware refuses the task or a run fails.
        """
        runs, checked = task.check_inputs({**(inputs or {}), **arrays})
        if not 0 < time_limit <= 4294:
            raise InputError(f"time_limit is {time_limit}; it should be more than 0 and at most 4294 seconds")
        if not 0 <= retries <= 15:
            raise InputError(f"retries is {retries}; it should be 0 to 15")
        deadline = None if host_limit is None else time.monotonic() + host_limit
        with self._lock:
            if self._host is None:
                raise MachineError("the device is closed")
            self._load(task)
            job = c.Job(kind=c.KIND_RUN, task_slot=_TASK_SLOT, time_limit_us=max(1, round(time_limit * 1e6)), retries=retries)
            return self._run_all(task, runs, checked, job, deadline)

    def _check(self, status: c.Status, where: str) -> None:
        if status.error:
            gone = self._machine.why_gone()
            if gone:
                raise MachineError(f"{where}: {gone}")
        c.check(status, where)

    def _load(self, task: Task) -> None:
        if self._loaded is not None and (self._loaded is task or self._loaded.image == task.image):
            return
        library = c.library()
        if self._loaded is not None:
            self._check(library.cox_host_unload(self._host, _TASK_SLOT, _LOAD_LIMIT_US), self._loaded.name)
            self._loaded = None
        self._check(library.cox_host_load(self._host, _TASK_SLOT, task.image, len(task.image), _LOAD_LIMIT_US), task.name)
        self._loaded = task

    def _run_all(self, task: Task, runs: int, arrays: Dict[str, np.ndarray], job: c.Job, deadline: Optional[float]) -> Run:
        outputs = {t.name: np.empty((t.shape[0] * runs, *t.shape[1:]), t.dtype) for t in task.outputs}
        done, size = 0, min(runs, _MOST_RUNS_OF_A_JOB)
        outcomes: List[c.Outcome] = []
        while done < runs:
            count = min(size, runs - done)
            try:
                windows = _Windows(self, task, count)
            except StatusError as error:
                if error.name != "no_room" or count == 1:
                    raise
                size = count // 2
                continue
            finished = False
            try:
                windows.fill(arrays, done)
                windows.describe(job)
                outcome = self._do(job, task, done, deadline)
                finished = True
                c.check_outcome(outcome, task.name if runs == 1 else f"{task.name}, run {done + outcome.inferences}")
                windows.read(outputs, done)
            finally:
                # The device may still write to the memory of a job that has not ended.
                if finished or self._abandon():
                    windows.free()
            outcomes.append(outcome)
            done += count
        first, last = outcomes[0], outcomes[-1]
        counted = all(outcome.control_instructions != 2**64 - 1 for outcome in outcomes)
        return Run(
            task=task, runs=runs, outputs=outputs, cycles=last.end_cycle - first.start_cycle,
            accelerator_instructions=sum(outcome.accelerator_instructions for outcome in outcomes),
            control_instructions=sum(outcome.control_instructions for outcome in outcomes) if counted else None,
            retried=sum(outcome.retried for outcome in outcomes),
            _recording=_Recording(self._folder, task, first.start_cycle, first.first_core) if self._events else None,
        )  # fmt: skip

    def _do(self, job: c.Job, task: Task, first: int, deadline: Optional[float]) -> c.Outcome:
        """Submits a job and waits for it in slices, so that the user can interrupt the wait."""
        library, outcome = c.library(), c.Outcome()
        self._ticket = c.c_uint64()
        self._check(library.cox_host_submit(self._host, c.byref(job), _LOAD_LIMIT_US, c.byref(self._ticket)), task.name)
        while True:
            status = library.cox_host_wait(self._host, self._ticket, _SLICE_US, c.byref(outcome))
            if not status.error:
                return outcome
            if status.error != c.ERROR_TIMEOUT:
                self._check(status, task.name)
            if deadline is not None and time.monotonic() > deadline:
                raise StatusError("timeout", f"{task.name}, run {first}", "host_limit")

    def _abandon(self) -> bool:
        """Cancels the job that runs. Returns true if it has ended."""
        library = c.library()
        library.cox_host_cancel(self._host, self._ticket, _SLICE_US)
        return library.cox_host_wait(self._host, self._ticket, 10 * _SLICE_US, c.byref(c.Outcome())).error == 0


def _end(host: c.c_void_p, machine: Union[NativeMachine, QemuMachine]) -> None:
    c.library().cox_host_close(host)
    machine.stop()


class _Windows:
    """The memory of `count` runs in DRAM: windows of each run, or one for all runs if no run writes it and all have the same content."""

    def __init__(self, device: Device, task: Task, count: int) -> None:
        self._host, self._task, self._count = device._host, task, count
        self._memory: Dict[int, Tuple[int, int, np.ndarray]] = {}  # by window: address, stride, bytes of each run
        library = c.library()
        with_inputs = {tensor.window for tensor in task.inputs}
        try:
            for window in task.windows:
                if window.is_in_image:
                    continue
                copies = count if window.writable or window.index in with_inputs else 1
                pitch = -(-window.size // _BLOCK) * _BLOCK
                address = c.c_uint64()
                c.check(library.cox_host_allocate(self._host, pitch * copies, c.byref(address)), task.name)
                pointer = library.cox_host_memory(self._host, address, pitch * copies)
                bytes_of = np.ctypeslib.as_array((c.c_uint8 * (pitch * copies)).from_address(pointer)).reshape(copies, pitch)
                bytes_of.fill(0)
                self._memory[window.index] = (address.value, pitch if copies > 1 else 0, bytes_of)
        except BaseException:
            self.free()
            raise
        self._sizes = {window.index: window.size for window in task.windows}

    def fill(self, arrays: Mapping[str, np.ndarray], first: int) -> None:
        for name, array in arrays.items():
            tensor = self._task.tensors[name]
            n = tensor.shape[0]
            for run, memory in enumerate(self._memory[tensor.window][2]):
                tensor.view(memory)[...] = array[(first + run) * n : (first + run + 1) * n]

    def describe(self, job: c.Job) -> None:
        for index, (address, stride, _) in self._memory.items():
            job.windows[index] = c.Window(address, self._sizes[index])
            job.strides[index] = stride
        job.inferences = self._count

    def read(self, outputs: Mapping[str, np.ndarray], first: int) -> None:
        for name, array in outputs.items():
            tensor = self._task.tensors[name]
            n = tensor.shape[0]
            for run, memory in enumerate(self._memory[tensor.window][2]):
                array[(first + run) * n : (first + run + 1) * n] = tensor.view(memory)

    def free(self) -> None:
        for address, _, _ in self._memory.values():
            c.library().cox_host_free(self._host, address)
        self._memory = {}


def run(task: Task, inputs: Optional[Mapping[str, Any]] = None, *, board: str = "native", cores: Optional[int] = None, options: Optional[Mapping[str, Any]] = None, time_limit: float = 10.0, retries: int = 0, host_limit: Optional[float] = None, **arrays: Any) -> Run:
    """Boots a device, runs the task, and switches the device off. The parameters are those of Device and Device.run().

    ``cores`` is by default what the task needs.
    """
    task.check_inputs({**(inputs or {}), **arrays})
    with Device(board, cores=task.cores if cores is None else cores, options=options) as device:
        return device.run(task, inputs, time_limit=time_limit, retries=retries, host_limit=host_limit, **arrays)
