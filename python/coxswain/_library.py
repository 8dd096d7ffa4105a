# SPDX-License-Identifier: MIT
"""The C interface of libcoxswain_host.so: host/coxswain_host.h, host/coxswain_task.h and host/coxswain_native.h."""
from __future__ import annotations

import ctypes
import functools
from ctypes import POINTER, Structure, byref, c_char, c_char_p, c_int32, c_int64, c_size_t, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

from . import _files
from .errors import MachineError, StatusError

WINDOWS = 4
FOREVER = 0xFFFFFFFF
TILE_CORES = 0xFFFFFFFF
KIND_RUN = 2
ERROR_NO_ROOM = 3
ERROR_TIMEOUT = 4


class Status(Structure):
    _fields_ = [("error", c_uint32), ("index", c_int32), ("what", c_char_p), ("value", c_int64), ("limit", c_int64)]


class HostOptions(Structure):
    _fields_ = [("capacity", c_uint32), ("reserved", c_uint32), ("open_limit_us", c_uint32)]


class Window(Structure):
    _fields_ = [("address", c_uint64), ("size", c_uint64)]


class Job(Structure):
    _fields_ = [
        ("kind", c_uint32), ("task_slot", c_uint32), ("time_limit_us", c_uint32), ("argument", c_uint32),
        ("image_address", c_uint64), ("image_bytes", c_uint64), ("workspace_address", c_uint64), ("workspace_bytes", c_uint64),
        ("windows", Window * WINDOWS), ("owner", c_uint8), ("priority", c_uint8), ("core_mask", c_uint8), ("retries", c_uint8),
        ("inferences", c_uint32), ("strides", c_uint64 * WINDOWS),
    ]  # fmt: skip


class WaitingUnit(Structure):
    _fields_ = [
        ("offset", c_uint32), ("instruction", c_int32), ("held", c_uint16), ("wanted", c_uint8), ("table", c_uint8), ("entry", c_uint8),
        ("unit", c_uint8), ("reserved", c_uint8 * 2),
    ]  # fmt: skip


class Outcome(Structure):
    _fields_ = [
        ("error", c_uint32), ("index", c_int32), ("value", c_int64), ("limit", c_int64), ("what", c_char * 32),
        ("start_cycle", c_uint64), ("end_cycle", c_uint64), ("control_instructions", c_uint64), ("accelerator_instructions", c_uint64),
        ("first_core", c_uint8), ("cores", c_uint8), ("retried", c_uint8), ("waiting_units", c_uint8), ("inferences", c_uint32),
        ("waiting", WaitingUnit * 8),
    ]  # fmt: skip


class TaskInfo(Structure):
    _fields_ = [
        ("name", c_char_p), ("engine", c_uint32), ("cores", c_uint32), ("tensors", c_uint32), ("windows", c_uint32),
        ("instructions", c_uint32), ("reserved", c_uint32), ("workspace_bytes", c_uint64),
    ]  # fmt: skip


class TaskTensor(Structure):
    _fields_ = [
        ("name", c_char_p), ("is_output", c_uint32), ("format", c_uint32), ("shape", c_uint32 * 4), ("window", c_uint32),
        ("is_padded", c_uint32), ("offset", c_uint64), ("size", c_uint64),
    ]  # fmt: skip


class TaskWindow(Structure):
    _fields_ = [("index", c_uint32), ("is_writable", c_uint32), ("is_in_image", c_uint32), ("reserved", c_uint32), ("size", c_uint64)]


class NativeOptions(Structure):
    _fields_ = [("model_options", c_char_p), ("dram_bytes", c_uint64)]


_FUNCTIONS = {
    "cox_error_name": (c_char_p, [c_uint32]),
    "cox_host_open_qemu": (Status, [c_char_p, c_char_p, c_uint64, POINTER(HostOptions), POINTER(c_void_p)]),
    "cox_host_close": (None, [c_void_p]),
    "cox_host_allocate": (Status, [c_void_p, c_uint64, POINTER(c_uint64)]),
    "cox_host_free": (Status, [c_void_p, c_uint64]),
    "cox_host_memory": (c_void_p, [c_void_p, c_uint64, c_uint64]),
    "cox_host_submit": (Status, [c_void_p, POINTER(Job), c_uint32, POINTER(c_uint64)]),
    "cox_host_wait": (Status, [c_void_p, c_uint64, c_uint32, POINTER(Outcome)]),
    "cox_host_cancel": (Status, [c_void_p, c_uint64, c_uint32]),
    "cox_host_load": (Status, [c_void_p, c_uint32, c_char_p, c_size_t, c_uint32]),
    "cox_host_unload": (Status, [c_void_p, c_uint32, c_uint32]),
    "cox_host_task_read": (Status, [c_char_p, c_size_t, POINTER(c_void_p)]),
    "cox_host_task_free": (None, [c_void_p]),
    "cox_host_task_get": (Status, [c_void_p, POINTER(TaskInfo)]),
    "cox_host_task_get_tensor": (Status, [c_void_p, c_uint32, POINTER(TaskTensor)]),
    "cox_host_task_get_window": (Status, [c_void_p, c_uint32, POINTER(TaskWindow)]),
    "cox_native_start": (Status, [POINTER(NativeOptions), c_char_p, c_size_t, POINTER(c_void_p)]),
    "cox_native_open": (Status, [c_void_p, POINTER(HostOptions), POINTER(c_void_p)]),
    "cox_native_console": (c_size_t, [c_void_p, c_char_p, c_size_t]),
    "cox_native_stop": (Status, [c_void_p]),
}


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The host library. Raises MachineError if it is not found, or is of another version."""
    path = _files.library()
    try:
        loaded = ctypes.CDLL(str(path))
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(loaded, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        raise MachineError(f"{path}: {error}. Build or install the library of this package's version") from error
    return loaded


def error_name(error: int) -> str:
    return library().cox_error_name(error).decode()


def check(status: Status, where: str) -> None:
    """Raises StatusError if `status` is an error."""
    if status.error:
        what = status.what.decode() if status.what else ""
        raise StatusError(error_name(status.error), where, what, status.index, status.value, status.limit)


def check_outcome(outcome: Outcome, where: str) -> None:
    """Raises StatusError if the job failed."""
    if outcome.error:
        raise StatusError(error_name(outcome.error), where, outcome.what.decode(), outcome.index, outcome.value, outcome.limit)


