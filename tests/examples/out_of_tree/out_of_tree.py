#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds examples/out_of_tree in a folder outside of the tree, as its README.md says, and boots its board under QEMU. Then it breaks the
project in each way that a newcomer might, and looks at what CMake says.

    out_of_tree.py ROOT COX QEMU MODEL [--firmware]

--firmware: also builds the firmware for this board, and runs a task there with `cox run`.

Both on the board as it is, and on one whose memories the accelerator sees at other addresses.
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

EXPECTED = "DRAM: 64 MiB at 0x80000000\ncopied by a tile core\nReLU(2 * 7) = 14, ReLU(2 * -8) = 0\n"
SKIPPED = 77
# Sources are compiled in batches, which halves the time of the build (docs/testing.md, Build time).
BATCHES = ["-DCOX_PRECOMPILE=ON", "-DCOX_JUMBO=ON", "-DCOX_JUMBO_LAYERS=isa;hal;firmware"]


def run(*command, expected=0, **options):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode != expected and expected is not None:
        sys.exit(f"{command}: exit status {done.returncode}, not {expected}\n{done.stdout}")
    return done.stdout.replace("\r", "")


def configure(source, build, root, cox, *options, expected=0):
    return run("cmake", "-G", "Ninja", "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_TOOLCHAIN_FILE={source}/toolchain.cmake",
               f"-DCOXSWAIN={root}", f"-DCOX_COMMAND={cox}", *BATCHES, *options, expected=expected)


def refusals(project, build, root, cox):
    """What CMake says about a project with a fault. Each configuration ends early."""
    board = project / "board"
    original = (board / "board.json").read_text()

    def refused(pattern, *options):
        shutil.rmtree(build, ignore_errors=True)
        printed = re.sub(r"\s+", " ", configure(project, build, root, cox, *options, expected=1))
        if not re.search(pattern, printed):
            sys.exit(f"CMake does not say /{pattern}/:\n{printed}")

    document = json.loads(original)
    document["memory"]["sram"]["base"] = "0x80000000"
    (board / "board.json").write_text(json.dumps(document))
    refused(r"board/board.json: memory.sram, 0x80000000 to 0x8007ffff, overlaps memory.dram, 0x80000000 to 0x83ffffff; move one of them")
    del document["memory"]["sram"]
    (board / "board.json").write_text(json.dumps(document))
    refused(r'board/board.json: memory: field "sram" is missing')
    (board / "board.json").write_text(original)
    for name in ("board.json", "board.h", "board.cpp"):
        (board / name).rename(board / "away")
        refused(rf"{name}")
        (board / "away").rename(board / name)
    lines = (project / "CMakeLists.txt").read_text()
    without = "\n".join(line for line in lines.splitlines() if "COX_BOARD_DIR" not in line)
    (project / "CMakeLists.txt").write_text(without)
    refused(r"there is no board: set COX_BOARD_DIR to the folder of yours, or COX_BOARD to one of")
    (project / "CMakeLists.txt").write_text(lines)


def move_memories(board):
    """Lets the accelerator see the memories of the board at addresses where the core has nothing."""
    document = json.loads((board / "board.json").read_text())
    for name, bus in (("code", "0x1c000000"), ("sram", "0x32000000"), ("dram", "0xb0000000")):
        document["memory"][name]["bus"] = bus
    (board / "board.json").write_text(json.dumps(document))


def has_hook(project, build, boot, machine):
    """The board's own translation replaces the default. This one gives DRAM an address of more bits than the core has."""
    board = project / "board/board.cpp"
    original = board.read_text()
    board.write_text(original + '#include "coxswain/hal/cox_bus.h"\n\n'
                     'extern "C" uint64_t cox_bus_address(const void *memory) { return 0x880000000 + reinterpret_cast<uintptr_t>(memory); }\n')
    run("ninja", "-C", build, "application")
    printed = run(*boot, "-machine", machine, "-kernel", build / "application.elf", timeout=60, expected=None)
    if not printed.endswith("unsupported: bus address of DRAM\n"):
        sys.exit(f"with addresses of more than 32 bits, the application prints:\n{printed}")
    board.write_text(original)


def main():
    root, cox, qemu, model = (Path(path) for path in sys.argv[1:5])
    missing = [str(path) for path in (cox, qemu, model) if not path.exists()]
    missing += [tool for tool in ("arm-none-eabi-gcc", "ninja") if shutil.which(tool) is None]
    if missing:
        print(f"skipped: no {', '.join(missing)}")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project, build = folder / "project", folder / "build"
        shutil.copytree(root / "examples/out_of_tree", project)
        configure(project, build, root, cox)
        run("ninja", "-C", build, "application")
        machine = f"npu-board,board-map={project}/board/board.json,model={model}"
        boot = [qemu, "-icount", "shift=1,sleep=off", "-display", "none", "-monitor", "none", "-serial", "stdio", "-semihosting-config", "enable=on"]
        printed = run(*boot, "-machine", machine, "-kernel", build / "application.elf", timeout=60)
        if not printed.endswith(EXPECTED):
            sys.exit(f"the application prints:\n{printed}expected at the end:\n{EXPECTED}")
        has_hook(project, build, boot, machine)
        run("ninja", "-C", build, "application")
        # On the other map, this image and the accelerator mean different memory. The image that is built for it is right again.
        move_memories(project / "board")
        printed = run(*boot, "-machine", machine, "-kernel", build / "application.elf", timeout=60, expected=None)
        if "copied by a tile core" in printed:
            sys.exit(f"the accelerator sees memory at the core's addresses; the application prints:\n{printed}")
        run("ninja", "-C", build, "application")
        printed = run(*boot, "-machine", machine, "-kernel", build / "application.elf", timeout=60)
        moved = EXPECTED.replace("0x80000000", "0xb0000000")
        if not printed.endswith(moved):
            sys.exit(f"with other addresses on the bus, the application prints:\n{printed}expected at the end:\n{moved}")
        if "--firmware" not in sys.argv:
            refusals(project, folder / "refused", root, cox)
            return
        # The firmware image for the board, from Coxswain's own build.
        run("cmake", "-G", "Ninja", "-S", root, "-B", folder / "firmware", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_TOOLCHAIN_FILE={root}/toolchain/arm-none-eabi.cmake",
            f"-DCOX_BOARD_DIR={project}/board", "-DCOX_ONLY=base;device;isa;hal;firmware;boards", *BATCHES)
        run("ninja", "-C", folder / "firmware", "coxswain.elf")
        (folder / "in.bin").write_bytes(bytes(range(48)))
        run(cox, "run", project / "copy.jsonl", "--in", "in=in.bin", "--out", "out=out.bin", "--board", project / "board",
            "--image", folder / "firmware/bin/coxswain.elf", cwd=folder)
        if (folder / "out.bin").read_bytes() != bytes(range(48)):
            sys.exit("the task has copied other bytes")


if __name__ == "__main__":
    main()
