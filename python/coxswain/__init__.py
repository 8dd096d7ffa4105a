# SPDX-License-Identifier: MIT
"""Runs tasks of Coxswain's accelerators from Python (docs/python.md).

    import coxswain
    task = coxswain.load("digits.cxt")
    run = coxswain.run(task, image=images)
    run.outputs["logits"], run.cycles
    run.timeline()
"""
from ._version import VERSION as __version__
from .device import Device, Run, run
from .errors import CommandError, Error, InputError, MachineError, StatusError
from .machine import BOARDS
from .task import Task, Tensor, assemble, load, lower
from .timeline import Timeline

__all__ = [
    "BOARDS", "CommandError", "Device", "Error", "InputError", "MachineError", "Run", "StatusError", "Task", "Tensor", "Timeline", "assemble", "load",
    "lower", "run", "__version__",
]  # fmt: skip
