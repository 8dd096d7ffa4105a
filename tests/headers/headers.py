#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles each public header by itself, in C and in C++, before and after a vendor's device header (foreign_device.h).

    headers.py [--native CXX] [--target CXX] [--cmsis DIR] [--sample N] [--only TEXT]

The public headers are those of the installed layers (toolchain/cmake/CoxLayer.cmake), apart from INTERNAL. --sample N takes every Nth header of
C++, and all that C may include. Exit status 77: the compiler, or the folder of CMSIS-Core, is not there.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
BOARD = ROOT / "boards/qemu-npu-soc"
# Headers for the sources of their own library, by their reason. The package does not install them either (toolchain/cmake/CoxPackage.cmake).
INTERNAL = {
    r"/cmsis/|/templates/": "a subset of CMSIS-Core's own header",
    r"/flatbuffer\.h$|^firmware/load/geometry\.h$|^tflite/lists\.h$": "they need generated readers of FlatBuffers",
    r"/native_transport\.h$|/socket_mailbox\.h$": "they need the native board",
}
# Device headers: they have IRQn_Type themselves, so a program includes one of them.
DEVICE_HEADERS = ("device/npu_soc.h",)
# The model's side of a bus without a device exists only in host processes.
NATIVE_ONLY = r"^host/|^hal/native_bus\.h$"
WARNINGS = "-Wall -Wextra -Werror -fsyntax-only".split()
CORE = "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard".split()


def layers():
    text = (ROOT / "toolchain/cmake/CoxLayer.cmake").read_text()
    return re.search(r"set\(COX_INSTALLED_LAYERS ([^)]*)\)", text).group(1).split()


def public_headers():
    found = []
    for layer in layers():
        for path in sorted((ROOT / layer).rglob("*.h")):
            name = path.relative_to(ROOT).as_posix()
            if not any(re.search(pattern, name) for pattern in INTERNAL):
                found.append(name)
    return found


def is_c(name):
    """C headers say so: they have `extern "C"` only for C++."""
    return "#ifdef __cplusplus" in (ROOT / name).read_text()


class Compiler:
    """A compiler with the options for the C++ and C headers of a program."""

    def __init__(self, command, is_native, cmsis, folder):
        self.command = shlex.split(command)
        self.is_native = is_native
        include = ["-I", str(folder), "-I", str(folder / "board"), "-I", str(BOARD), "-I", str(ROOT / "tests/headers")]
        include += ["-isystem" if cmsis else "-I", str(cmsis or ROOT / "hal/cmsis")]
        self.options = include + (["-DCOX_HAL_NATIVE"] if is_native else CORE) + WARNINGS

    def is_there(self):
        return shutil.which(self.command[0]) is not None

    def refusal(self, language, text):
        """Compiles the text. Returns the compiler's messages, "" if it has none."""
        standard = "-std=c++20" if language == "c++" else "-std=c11"
        command = [*self.command, "-x", language, standard, *self.options, "-"]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=False).stderr


def programs(name):
    """Returns (what, text) of the programs that include a header: by itself and then the device header, and behind it."""
    own, foreign = f'#include "coxswain/{name}"\n', '#include "foreign_device.h"\n'
    if name in DEVICE_HEADERS:
        return [("by itself", own + own)]
    return [("before a device header", own + foreign), ("after a device header", foreign + own)]


def make_view(folder):
    """Makes the include path of a program: coxswain/LAYER, and the board's map."""
    (folder / "coxswain").mkdir()
    for layer in layers():
        os.symlink(ROOT / layer, folder / "coxswain" / layer)
    os.symlink(ROOT / "boards", folder / "boards")
    (folder / "board").mkdir()
    subprocess.run([sys.executable, ROOT / "boards/generate_map.py", BOARD, "-o", folder / "board/board_map.h"], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--native", help="command of a C++ compiler for this machine")
    parser.add_argument("--target", help="command of a C++ compiler for the Cortex-M55")
    parser.add_argument("--cmsis", help="folder of the real core_cm55.h, instead of hal/cmsis; only for --target")
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument("--only", default="", help="only headers whose path has this text")
    arguments = parser.parse_args()
    if arguments.cmsis is not None and not (pathlib.Path(arguments.cmsis) / "core_cm55.h").exists():
        print(f"skipped: no core_cm55.h in {arguments.cmsis or 'COX_CMSIS_DIR, which is empty'}: configure with -DCOX_CMSIS_DIR=FOLDER of CMSIS-Core")
        return SKIPPED
    headers = [name for name in public_headers() if arguments.only in name]
    plain = [name for name in headers if not is_c(name)]
    chosen = [name for name in headers if is_c(name)] + plain[::arguments.sample]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        make_view(folder)
        tasks = []
        for command, is_native in ((arguments.native, True), (arguments.target, False)):
            if command is None:
                continue
            compiler = Compiler(command, is_native, None if is_native else arguments.cmsis, folder)
            if not compiler.is_there():
                print(f"skipped: there is no {compiler.command[0]}")
                return SKIPPED
            for name in chosen:
                if not is_native and re.search(NATIVE_ONLY, name):
                    continue
                if is_native and name in DEVICE_HEADERS:
                    continue
                for language in ("c++", "c") if is_c(name) else ("c++",):
                    tasks += [(compiler, language, name, what, text) for what, text in programs(name)]
        failed = 0
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for task, refusal in zip(tasks, pool.map(lambda task: task[0].refusal(task[1], task[4]), tasks)):
                compiler, language, name, what, _ = task
                if refusal:
                    failed += 1
                    where = "natively" if compiler.is_native else "for the target"
                    print(f"coxswain/{name}: does not compile in {language.upper()} {where}, {what}:\n" + "\n".join(refusal.splitlines()[:6]))
    print(f"{len(tasks)} programs with {len(chosen)} of {len(headers)} public headers: {failed} do not compile")
    return 1 if failed or not tasks else 0


if __name__ == "__main__":
    sys.exit(main())
