#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does what docs/porting.md says, command by command in an empty folder, with a board that differs from every board of the tree. Only the
places of what `make host qemu` has built are replaced, and sources are compiled in batches.

    porting.py ROOT COX QEMU MODEL            the walk-through
    porting.py ROOT --table                   only compares the table of boards with their files
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import page  # noqa: E402

SKIPPED = 77
# Sources are compiled in batches, which halves the time of the build (docs/testing.md, Build time).
BATCHES = "-DCOX_JUMBO=ON '-DCOX_JUMBO_LAYERS=isa;hal;firmware'"
# Three tile cores, and neither watchdog nor caches.
BOARD = {
    "description": "The board of a newcomer",
    "machine": "npu-board",
    "memory": {
        "code": {"base": "0x18000000", "size": "0x00080000"},
        "sram": {"base": "0x31000000", "size": "0x00100000"},
        "l2": {"base": "0x68000000", "stride": "0x00800000", "cores": 3},
        "dram": {"base": "0x90000000", "min": "0x08000000", "default": "0x08000000", "max": "0x08000000"},
    },
    "sram_layout": {"fault_stack": "0x800", "stack_guard": "0x400", "stack": "0x8000", "heap": "0x1000", "queues": "0x3A000", "retained": "0x400"},
    "devices": {
        "uart": {"base": "0x52000000", "size": "0x1000", "interrupt": 17},
        "accelerator": {"base": "0x4C000000", "size": "0x00100000", "completion_interrupt": 40, "fault_interrupt": 33},
    },
    "clocks": {"core": 120000000, "reference": 32768, "ticks_per_second": 200},
    "interrupts": 64,
}
BOOTED = "DRAM: 64 MiB at 0x80000000\n"
BOOTED_THERE = "DRAM: 128 MiB at 0x90000000\n"


def walk(root, cox, qemu, model):
    text = (root / "docs/porting.md").read_text()
    copied, checked = page.blocks(text, "1. The files")
    (built,) = page.blocks(text, "2. The build")
    boot, printed_there = page.blocks(text, "3. First boot")
    (tasks,) = page.blocks(text, "4. Tasks for the firmware")
    lists = (root / "examples/out_of_tree/CMakeLists.txt").read_text()
    for line in page.blocks(text, "2. The build", "cmake")[0].splitlines():
        if line not in lists:
            sys.exit(f"examples/out_of_tree/CMakeLists.txt has no line: {line}")
    if not printed_there.startswith(BOOTED):
        sys.exit(f"docs/porting.md does not say any more that the program prints {BOOTED}")
    places = {
        "$COXSWAIN/build/qemu/bin/qemu-system-arm": qemu,
        "$COXSWAIN/build/host/lib/libcox_model.so": model,
        "$COXSWAIN/build/host/bin/cox": cox,
    }
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / "board.json").write_text(json.dumps(BOARD))
        commands = copied + f"cp {home}/board.json board\n" + checked + built + boot + tasks
        # The project finds cox in Coxswain's own build, which is elsewhere here.
        options = {"-DCOXSWAIN=$COXSWAIN": f"-DCOXSWAIN=$COXSWAIN -DCOX_COMMAND={cox} {BATCHES}", "-DCOX_BOARD_DIR=$PWD/board": f"-DCOX_BOARD_DIR=$PWD/board {BATCHES}"}
        commands = page.replaced(commands, places | options | {"export COXSWAIN=$PWD": f"export COXSWAIN={root}"})
        done = subprocess.run(["bash", "-euc", commands], cwd=home, env=page.environment(home), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    printed = done.stdout.replace("\r", "")
    for expected in ("good\n", printed_there.replace(BOOTED, BOOTED_THERE), "the same bytes\n"):
        if done.returncode != 0 or expected not in printed:
            sys.exit(f"{printed}exit status {done.returncode}, expected 0 and: {expected}")


def number(text):
    return int(str(text), 0)


def hexadecimal(text):
    digits = f"{number(text):08X}"
    return f"0x{digits[:4]}_{digits[4:]}"


def with_interrupt(device):
    return f"{hexadecimal(device['base'])}, {device['interrupt']}" if device else "none"


def bytes_of(size):
    size = number(size)
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB")):
        if size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size >> 10} KiB"


def region(memory):
    return f"{hexadecimal(memory['base'])}, {bytes_of(memory['size'])}"


def column(board):
    """What the table says of a board, apart from the sizes of a core's memories, which are the model's."""
    memory, devices, dram = board["memory"], board["devices"], board["memory"]["dram"]
    place = {name: hexadecimal(devices[name]["base"]) if name in devices else "none" for name in ("uart", "probe", "watchdog", "accelerator")}
    accelerator = devices["accelerator"]
    return {
        "code": region(memory["code"]),
        "SRAM": region(memory["sram"]),
        "UART": place["uart"],
        "probe": place["probe"],
        "watchdog": place["watchdog"],
        "mailbox, interrupt": with_interrupt(devices.get("mailbox")),
        "DMA engine, interrupt": with_interrupt(devices.get("dma")),
        "accelerator's registers": place["accelerator"],
        "accelerator's interrupts": f"{accelerator['completion_interrupt']} and {accelerator['fault_interrupt']}",
        "L2 buffers": hexadecimal(memory["l2"]["base"]),
        "DRAM": f"{hexadecimal(dram['base'])}, {'to ' if dram['min'] != dram['max'] else ''}{bytes_of(dram['max'])}",
        "core clock": f"{board['clocks']['core'] // 1000000} MHz",
        "interrupts of the NVIC": str(board["interrupts"]),
    }


def compare_table(root):
    text = page.section((root / "docs/porting.md").read_text(), "A board of this tree")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\|.*\|$", text[text.index("| | qemu"):], re.MULTILINE)]
    names = {path.parent.name for path in root.glob("boards/*/board.json")}
    if set(rows[0][1:]) != names:
        sys.exit(f"the table of docs/porting.md has the boards {rows[0][1:]}, and boards/ has {sorted(names)}")
    for index, name in enumerate(rows[0][1:], 1):
        for what, expected in column(json.loads((root / "boards" / name / "board.json").read_text())).items():
            found = [row[index] for row in rows if row[0] == what]
            if found != [expected]:
                sys.exit(f"the table of docs/porting.md says of {name}: {what}: {found}, and its board.json: {expected}")


def main():
    root = Path(sys.argv[1])
    if sys.argv[2:] == ["--table"]:
        compare_table(root)
        return
    places = [Path(path) for path in sys.argv[2:]]
    missing = [str(path) for path in places if not path.exists()]
    missing += [tool for tool in ("arm-none-eabi-gcc", "ninja") if shutil.which(tool) is None]
    if missing:
        print(f"skipped: no {', '.join(missing)}")
        sys.exit(SKIPPED)
    walk(root, *places)


if __name__ == "__main__":
    main()
