#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Disassembles coxswain.elf. In each of the scheduler's loops, one full barrier lies between the copy of a group and its doorbell."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "examples/machine"))
sys.dont_write_bytecode = True

import machine  # noqa: E402

SKIPPED = 77
OBJDUMP = "arm-none-eabi-objdump"
LOOPS = ("11give_tokens", "10Dispatcher9serve_one", "10Dispatcher10serve_many")
INSTRUCTION = re.compile(r"^\s+[0-9a-f]+:\t[0-9a-f ]+\t(\S+)(?:\t(.*))?$")


def instructions_of_loop(text, name):
    first = re.compile(rf"^[0-9a-f]+ <_ZN3cox8firmware8schedule{name}[^>]*>:$")
    found, inside = [], False
    for line in text.splitlines():
        if first.match(line):
            inside = True
        elif inside and not line.strip():
            break
        elif inside and (match := INSTRUCTION.match(line)):
            found.append((match.group(1).split(".")[0], match.group(2) or ""))
    return found


def check(instructions):
    """Checks the order of the instructions that access the ring and the device."""
    names = [name for name, _ in instructions]
    if names.count("stmia") != 1 or names.count("le") != 1:
        sys.exit(f"the copy of a group is not as expected: {names}")
    copied = names.index("le")
    doorbells = [i for i, (name, operands) in enumerate(instructions) if i > copied and name == "str" and operands.startswith("ip, [r3, #12]")]
    if len(doorbells) != 1:
        sys.exit(f"{len(doorbells)} doorbells behind the copy, not one")
    between = [f"{name} {operands}" for name, operands in instructions[copied + 1 : doorbells[0]]]
    if between.count("dmb sy") != 1:
        sys.exit(f"no full barrier between copy and doorbell: {between}")
    if any(name.startswith("st") for name in between):
        sys.exit(f"a store between the copy and the doorbell: {between}")


def main():
    try:
        image = machine.target_image("coxswain.elf")
    except machine.Missing as missing:
        print(f"skipped: {missing}")
        sys.exit(SKIPPED)
    if shutil.which(OBJDUMP) is None:
        print(f"skipped: there is no {OBJDUMP}")
        sys.exit(SKIPPED)
    text = subprocess.run([OBJDUMP, "-d", image], stdout=subprocess.PIPE, text=True, check=True).stdout
    for name in LOOPS:
        instructions = instructions_of_loop(text, name)
        if not instructions:
            sys.exit(f"{image} has no {name}()")
        check(instructions)


if __name__ == "__main__":
    main()
