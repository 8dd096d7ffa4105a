# SPDX-License-Identifier: MIT
"""Machines with a control core: the firmware in a thread of this process, or under QEMU."""
from __future__ import annotations

import pathlib
import shutil
import subprocess
import time
from typing import Optional

from . import _files
from . import _library as c
from .errors import MachineError

MIB = 1 << 20
QEMU_BOARD = "qemu-npu-soc"
BOARDS = ("native", QEMU_BOARD)
_DRAM_BASE = 0x60000000  # BOARD_DRAM_BASE of boards/qemu-npu-soc; tests/python compares them
_DRAM_BYTES = 256 * MIB
_START_LIMIT = 60.0  # seconds until the firmware has booted
_BANNER = "coxswain: "  # the beginning of what it says then


class NativeMachine:
    """The firmware in a thread of this process."""

    def __init__(self, model_options: str, dram_bytes: int) -> None:
        self._machine = c.c_void_p()
        options = c.NativeOptions(model_options.encode(), dram_bytes)
        reason = c.ctypes.create_string_buffer(1024)
        status = c.library().cox_native_start(c.byref(options), reason, len(reason), c.byref(self._machine))
        if status.error:
            # Linux puts the heap of Python, which is not position-independent, at a random address below 1.1 GiB.
            advice = ". Start Python again, or as `setarch -R python3`, which keeps the address free" if b"cannot map" in reason.value else ""
            raise MachineError(f"native: {reason.value.decode()}{advice}")

    def open(self, host: c.c_void_p) -> None:
        c.check(c.library().cox_native_open(self._machine, None, c.byref(host)), "native")

    def console(self) -> str:
        if not self._machine:
            return ""
        size = c.library().cox_native_console(self._machine, None, 0)
        text = c.ctypes.create_string_buffer(size + 1)
        c.library().cox_native_console(self._machine, text, size)
        return text.raw[:size].decode(errors="replace")

    def why_gone(self) -> Optional[str]:
        return None

    def stop(self) -> None:
        machine, self._machine = self._machine, c.c_void_p()
        c.check(c.library().cox_native_stop(machine), "native")


class QemuMachine:
    """The firmware's image on a Cortex-M55 under QEMU. `folder` is for its files."""

    def __init__(self, model_options: str, dram_bytes: int, folder: pathlib.Path) -> None:
        qemu, model, firmware = _files.qemu(), _files.model(), _files.firmware(QEMU_BOARD)
        dram_bytes = dram_bytes or _DRAM_BYTES
        self._memory, self._socket, self._log = folder / "dram", folder / "mailbox", folder / "console"
        with self._memory.open("wb") as file:
            file.truncate(dram_bytes)
        (folder / "options.json").write_text(model_options)

        def quoted(path: pathlib.Path) -> str:  # in QEMU's options, two commas stand for one
            return str(path).replace(",", ",,")

        words = [
            str(qemu),
            "-machine", f"npu-soc,memory-backend=dram,mailbox=host,model={quoted(model)},model-options=@{quoted(folder / 'options.json')}",
            "-chardev", f"socket,id=host,server=on,wait=off,path={quoted(self._socket)}",
            "-object", f"memory-backend-file,id=dram,share=on,size={dram_bytes},mem-path={quoted(self._memory)}",
            "-m", f"{dram_bytes}B", "-icount", "shift=1,sleep=off", "-kernel", str(firmware),
            "-display", "none", "-monitor", "none", "-serial", "stdio", "-semihosting-config", "enable=on,target=native",
        ]  # fmt: skip
        setpriv = shutil.which("setpriv")
        if setpriv:  # QEMU ends with this process, however that ends
            words = [setpriv, "--pdeathsig", "KILL", *words]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)

    def open(self, host: c.c_void_p) -> None:
        """Opens a link, and waits until the firmware has booted."""
        deadline = time.monotonic() + _START_LIMIT
        while True:
            status = c.library().cox_host_open_qemu(str(self._socket).encode(), str(self._memory).encode(), _DRAM_BASE, None, c.byref(host))
            if not status.error or status.what != b"socket" or not self._goes_on(deadline):
                break
        c.check(status, "QEMU")
        try:
            # QEMU listens before the model has read its options.
            while _BANNER not in self.console() and self._goes_on(deadline):
                pass
        except MachineError:
            c.library().cox_host_close(host)
            raise

    def _goes_on(self, deadline: float) -> bool:
        """Waits a little. Raises MachineError if QEMU has ended, or the time is over."""
        time.sleep(0.01)
        gone = self.why_gone()
        if gone is None and time.monotonic() > deadline:
            gone = f"the firmware did not boot within {_START_LIMIT:g} s; its console: {self.console().strip() or 'nothing'}"
        if gone is not None:
            raise MachineError(gone)
        return True

    def console(self) -> str:
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    def why_gone(self) -> Optional[str]:
        if self._process.poll() is None:
            return None
        end = "\n".join(self.console().strip().splitlines()[-12:]) or "nothing"
        return f"QEMU ended with exit status {self._process.returncode}; its console's end: {end}"

    def stop(self) -> None:
        self._process.terminate()  # the model then completes its log
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
