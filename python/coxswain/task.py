# SPDX-License-Identifier: MIT
"""Task images: their tensors, and the numpy arrays that hold the values."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import subprocess
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _files
from . import _library as c
from .errors import CommandError, InputError

Path = Union[str, "os.PathLike[str]"]

# Enum Format of firmware/image/task.fbs. numpy has no type for the formats of None: their values are bytes.
_FORMATS = [("INT4", None), ("INT8", "i1"), ("INT16", "<i2"), ("FP16", "<f2"), ("BF16", "<u2"), ("INT32", "<i4"), ("FP32", "<f4"), ("MX9", None)]  # fmt: skip
_PADDING = 8  # bytes; the channels of a pixel of a padded tensor take a multiple of them
_MX9_BLOCK, _MX9_BYTES = 16, 18  # channels and bytes of a block


@dataclasses.dataclass(frozen=True)
class Tensor:
    """A named input or output of a task.

    ``shape`` is that of one run's array, (N, H, W, C), and ``dtype`` its type. BF16 is uint16 with the bits of a value. INT4 and MX9 are
    uint8, and the last axis has the bytes of a pixel.
    """

    name: str
    is_output: bool
    format: str
    shape: Tuple[int, int, int, int]
    dtype: np.dtype
    window: int
    offset: int
    size: int
    _pitch: int  # bytes of a pixel in memory

    def view(self, memory: np.ndarray) -> np.ndarray:
        """The tensor in the bytes of its window."""
        n, h, w, channels = self.shape
        pixels = memory[self.offset : self.offset + self.size].reshape(n, h, w, self._pitch)
        return pixels[..., : channels * self.dtype.itemsize].view(self.dtype)


@dataclasses.dataclass(frozen=True)
class Window:
    """Memory that a run of a task needs."""

    index: int
    size: int
    writable: bool
    is_in_image: bool  # a constant of the image: needs no memory of its own


def _tensor(found: c.TaskTensor) -> Tensor:
    name = found.name.decode()
    n, channels, h, w = found.shape
    if found.format >= len(_FORMATS):
        raise InputError(f"tensor '{name}': this package does not know the number format {found.format}")
    format_name, code = _FORMATS[found.format]
    dtype = np.dtype(code or "u1")
    if format_name == "INT4":
        channels = (channels + 1) // 2
    elif format_name == "MX9":
        channels = channels // _MX9_BLOCK * _MX9_BYTES
    pitch = channels * dtype.itemsize
    if found.is_padded:
        pitch = -(-pitch // _PADDING) * _PADDING
    return Tensor(name, bool(found.is_output), format_name, (n, h, w, channels), dtype, found.window, found.offset, found.size, pitch)


class Task:
    """A task image (docs/task-image.md). ``image`` has its bytes.

    Raises StatusError if the image is not one that the firmware would accept as a container.
    """

    def __init__(self, image: bytes, name: str = "") -> None:
        self.image = bytes(image)
        library = c.library()
        task = c.c_void_p()
        c.check(library.cox_host_task_read(self.image, len(self.image), c.byref(task)), name or "task")
        try:
            info = c.TaskInfo()
            c.check(library.cox_host_task_get(task, c.byref(info)), name)
            self.name: str = info.name.decode() or name or "task"
            self.cores: int = max(info.cores, 1)
            self.is_stream: bool = info.engine != c.TILE_CORES
            self.instructions: int = info.instructions
            self.tensors: Dict[str, Tensor] = {}
            self.windows: List[Window] = []
            for number in range(info.tensors):
                tensor = c.TaskTensor()
                c.check(library.cox_host_task_get_tensor(task, number, c.byref(tensor)), self.name)
                self.tensors[tensor.name.decode()] = _tensor(tensor)
            for number in range(info.windows):
                window = c.TaskWindow()
                c.check(library.cox_host_task_get_window(task, number, c.byref(window)), self.name)
                self.windows.append(Window(window.index, window.size, bool(window.is_writable), bool(window.is_in_image)))
        finally:
            library.cox_host_task_free(task)

    @property
    def inputs(self) -> List[Tensor]:
        return [tensor for tensor in self.tensors.values() if not tensor.is_output]

    @property
    def outputs(self) -> List[Tensor]:
        return [tensor for tensor in self.tensors.values() if tensor.is_output]

    def save(self, path: Path) -> None:
        """Writes the image to a file, ``.cxt``."""
        pathlib.Path(path).write_bytes(self.image)

    def __repr__(self) -> str:
        def names(tensors: Sequence[Tensor]) -> str:
            return ", ".join(f"{t.name}: {t.format} {t.shape}" for t in tensors)

        return f"<Task {self.name!r}: ({names(self.inputs)}) -> ({names(self.outputs)}), {self.cores} cores>"

    def check_inputs(self, arrays: Mapping[str, Any]) -> Tuple[int, Dict[str, np.ndarray]]:
        """The number of runs, and the arrays of all runs, not copied. Raises InputError."""
        known = {tensor.name: tensor for tensor in self.inputs}
        for name in arrays:
            if name not in known:
                raise InputError(f"{self.name}: there is no input tensor '{name}'; the inputs are: {', '.join(known) or 'none'}")
        missing = [name for name in known if name not in arrays]
        if missing:
            raise InputError(f"{self.name}: input tensor '{missing[0]}' is not given: {known[missing[0]].dtype} of shape {known[missing[0]].shape}")
        runs, first = 1, ""
        checked = {}
        for name, value in arrays.items():
            tensor = known[name]
            array = np.asarray(value)
            if array.dtype != tensor.dtype:
                raise InputError(f"{self.name}: input tensor '{name}' is {tensor.format}: it takes {tensor.dtype}, not {array.dtype}")
            n, *rest = tensor.shape
            count = array.shape[0] // n if array.ndim == len(tensor.shape) else 0
            if count == 0 or array.shape != (count * n, *rest):
                several = f"({n} K, {', '.join(map(str, rest))}) for K runs"
                raise InputError(f"{self.name}: input tensor '{name}' takes shape {tensor.shape}, or {several}; the array has {array.shape}")
            if first and count != runs:
                raise InputError(f"{self.name}: input tensor '{name}' has values for {count} runs, but '{first}' for {runs}")
            runs, first = count, name
            checked[name] = array
        return runs, checked


def run_cox(arguments: Sequence[str], folder: Optional[Path] = None) -> str:
    """Runs the command ``cox`` and returns what it prints. Raises CommandError with the command's message."""
    done = subprocess.run([str(_files.command()), *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        message = done.stderr.strip() or done.stdout.strip() or f"cox {arguments[0]} ended with exit status {done.returncode}"
        raise CommandError(message, done.returncode)
    return done.stdout


def load(path: Path) -> Task:
    """Reads a task image, or assembles a stream with the bindings beside it (docs/cox.md)."""
    path = pathlib.Path(path)
    try:
        with path.open("rb") as file:
            is_image = file.read(4) == b"CXT1"
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    if is_image or path.suffix == ".cxt":
        return Task(path.read_bytes(), path.stem)
    with tempfile.TemporaryDirectory(prefix="coxswain-") as folder:
        image = pathlib.Path(folder) / "task.cxt"
        run_cox(["as", str(path.resolve()), "-o", str(image)])
        return Task(image.read_bytes(), path.stem)


def assemble(text: str, bindings: Optional[Mapping[str, Any]] = None, kind: str = "jsonl", name: str = "task") -> Task:
    """Assembles a program of the given text (docs/cox.md, Streams).

    ``bindings`` is the object of the bindings file (docs/task-image.md, Bindings). ``kind`` is the ending of a file's name: ``jsonl`` for
    tile instructions, ``cube``, ``mx``, ``pim``, ``xdsa``.
    """
    with tempfile.TemporaryDirectory(prefix="coxswain-") as folder:
        source = pathlib.Path(folder) / f"{name}.{kind}"
        source.write_text(text)
        if bindings is not None:
            source.with_suffix(".bindings.json").write_text(json.dumps(bindings))
        return load(source)


def lower(network: Path, batch: Optional[int] = None, cores: Optional[int] = None) -> Task:
    """Lowers a quantised network to a task (docs/lowering.md) of ``batch`` images on up to ``cores`` tile cores."""
    network = pathlib.Path(network)
    with tempfile.TemporaryDirectory(prefix="coxswain-") as folder:
        stream = pathlib.Path(folder) / f"{network.stem}.jsonl"
        options = ["--batch", str(batch)] if batch is not None else []
        options += ["--cores", str(cores)] if cores is not None else []
        run_cox(["lower", str(network), "-o", str(stream), *options])
        return load(stream)
