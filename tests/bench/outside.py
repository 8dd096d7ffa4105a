# SPDX-License-Identifier: MIT
"""What Coxswain costs a project outside of the tree: bytes of each component in an image, and seconds until its first build has ended."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ABI = "armv8.1m-mve.fp-hard"
TOOLCHAIN = ROOT / "tests/packages/arm.cmake"
RUNS = 3
SMALLEST = """cmake_minimum_required(VERSION 3.23)
project(smallest C CXX)
find_package(coxswain REQUIRED COMPONENTS kernels_mx)
add_library(smallest STATIC main.c)
target_link_libraries(smallest PRIVATE coxswain::kernels_mx)
"""
CMSIS_NN = """cmake_minimum_required(VERSION 3.23)
project(smallest C)
add_subdirectory("{folder}" cmsis-nn)
add_library(smallest STATIC main.c)
target_link_libraries(smallest PRIVATE cmsis-nn)
add_dependencies(smallest cmsis-nn)
"""
IMAGES = """cmake_minimum_required(VERSION 3.23)
project(sizes C CXX ASM)
find_package(coxswain REQUIRED COMPONENTS board)
"""


def call(*command):
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        raise SystemExit(f"run_bench: exit status {result.returncode}: {command}\n{result.stdout}")
    return result.stdout


def configure(folder, package, *options):
    call("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build", f"-DCMAKE_TOOLCHAIN_FILE={TOOLCHAIN}", f"-DCMAKE_PREFIX_PATH={package}", "-DCMAKE_BUILD_TYPE=MinSizeRel", *options)


def functions(package, component):
    """The functions of the component's C interface."""
    library = package / f"lib/coxswain/{ABI}" / ("libcox_firmware.a" if component == "runtime" else f"libcox_{component}.a")
    symbols = call("arm-none-eabi-nm", "--defined-only", "--extern-only", "--format=just-symbols", library).split()
    return sorted(symbol for symbol in set(symbols) if re.fullmatch(r"cox_\w+", symbol))


def sizes(package):
    """Text and RAM in bytes that each component adds to an image that has only the board: all functions of its C interface, and what they
    need. `everything` has all components."""
    configuration = (package / "lib/cmake/coxswain/coxswain-config.cmake").read_text()
    components = re.search(r"COX_COMPONENTS ([^)]*)\)", configuration).group(1).replace(";", " ").split()
    components = [name for name in components if name == "runtime" or name.startswith("kernels_")]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "main.c").write_text("int main(void) { return 0; }\n")
        lines = IMAGES
        for image, parts in [("nothing", []), *((each, [each]) for each in components), ("everything", components)]:
            lines += f"coxswain_add_image({image} SOURCES main.c LIBRARIES {' '.join(f'coxswain::{part}' for part in parts)})\n"
            roots = [f"-Wl,-u,{function}" for part in parts for function in functions(package, part)]
            if roots:
                lines += f"target_link_options({image} PRIVATE {' '.join(roots)} --specs=nano.specs)\n"
            else:
                lines += f"target_link_options({image} PRIVATE --specs=nano.specs)\n"
        (folder / "CMakeLists.txt").write_text(lines)
        configure(folder, package, "-DCOX_BOARD=qemu-npu-soc")
        call("ninja", "-C", folder / "build")
        found = {}
        for image in ["nothing", *components, "everything"]:
            text, data, bss = (int(number) for number in call("arm-none-eabi-size", folder / f"build/{image}.elf").splitlines()[1].split()[:3])
            found[image] = (text + data, data + bss)
    nothing = found.pop("nothing")
    return {image: (text - nothing[0], ram - nothing[1]) for image, (text, ram) in found.items()}


def seconds_of(lines, source, package):
    """The least time of some runs of configure and build, each in an empty folder without a compiler cache."""
    best = None
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "CMakeLists.txt").write_text(lines)
            (folder / "main.c").write_text(source)
            begin = time.monotonic()
            configure(folder, package)
            call("ninja", "-C", folder / "build", "smallest")
            taken = time.monotonic() - begin
        best = taken if best is None else min(best, taken)
    return best


def measure(build):
    """The sizes, the seconds, and the seconds of CMSIS-NN or None."""
    os.environ.pop("CMAKE_C_COMPILER_LAUNCHER", None)
    os.environ.pop("CMAKE_CXX_COMPILER_LAUNCHER", None)
    package = pathlib.Path(tempfile.mkdtemp())
    try:
        call("cmake", "--install", build, "--prefix", package, "--component", "development")
        of_components = sizes(package)
        seconds = seconds_of(SMALLEST, '#include "coxswain/kernels/mx/coxswain_mx.h"\ncox_status f(void) { return cox_mx_open(); }\n', package)
        other = None
        folder = os.environ.get("COX_CMSIS_NN_DIR")
        if folder:
            other = seconds_of(CMSIS_NN.format(folder=folder), '#include "arm_nnfunctions.h"\nvoid f(int8_t *data) { arm_relu_q7(data, 16); }\n', package)
        return of_components, seconds, other
    finally:
        shutil.rmtree(package)
