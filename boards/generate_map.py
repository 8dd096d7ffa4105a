#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks a board's board.json and writes its numbers as macros (docs/porting.md).

    generate_map.py FOLDER [-o board_map.h] [--cmake FILE] [--check]

FOLDER has board.json. The header holds only macros, because C++ code, the linker's layout and the preprocessor read it. --cmake writes
the same numbers as CMake variables. A file that would not change is not written. --check writes nothing: it ends with status 1 if a file
named by -o or --cmake is not up to date. Needs only Python's standard library, because other projects run this script.
"""
import argparse
import difflib
import json
import os
import pathlib
import re
import sys

KIB, MIB = 1 << 10, 1 << 20
MPU_UNIT = 32  # bytes: bases and sizes of what the MPU protects
MPU_REGIONS = 16
NVIC_INTERRUPTS = 480  # most of an Armv8-M core
SYSTICK_CLOCKS = 1 << 24
RETAINED = KIB  # hal::kRetainedBytes (hal/board.h)
QUEUES_OF_A_CORE = (9 * 8 + 4) * KIB  # nine rings of 8 KiB and one of 4 KiB (docs/hal.md)

# What a core with the Armv8-M architecture does with an address before the MPU is on. It cannot fetch instructions from the first two.
NOT_EXECUTABLE = ((0x40000000, 0x60000000, "peripherals"), (0xA0000000, 0xE0000000, "devices"))
CORE_OWN = (0xE0000000, 0x100000000)  # the core's own peripherals: NVIC, SysTick, MPU

BASE_SIZE = ("base", "size")
MEMORIES = ("code", "sram", "dram")  # that the accelerator reaches
BUS_UNIT = 4 * KIB  # memory has the same alignment on the bus as for the core
# The fields of each object. A name that ends in "?" is optional.
FIELDS = {
    "": ("$schema?", "description", "machine?", "memory", "sram_layout", "devices", "peripherals?", "clocks", "interrupts", "stream_jobs?", "model_options?"),
    "memory": ("code", "sram", "l2", "dram"),
    "memory.code": (*BASE_SIZE, "bus?"),
    "memory.sram": (*BASE_SIZE, "bus?"),
    "memory.l2": ("base", "stride", "cores"),
    "memory.dram": ("base", "min", "default", "max", "bus?"),
    "sram_layout": ("fault_stack", "stack_guard", "stack", "heap", "queues", "retained"),
    "devices": ("uart", "probe?", "watchdog?", "mailbox?", "dma?", "accelerator"),
    "devices.uart": (*BASE_SIZE, "interrupt"),
    "devices.probe": BASE_SIZE,
    "devices.watchdog": BASE_SIZE,
    "devices.mailbox": (*BASE_SIZE, "interrupt"),
    "devices.dma": (*BASE_SIZE, "interrupt"),
    "devices.accelerator": (*BASE_SIZE, "completion_interrupt", "fault_interrupt"),
    "peripherals.*": (*BASE_SIZE, "interrupt?"),
    "clocks": ("core", "uart?", "reference", "ticks_per_second"),
}
INTERRUPTS = ("interrupt", "completion_interrupt", "fault_interrupt")
# Names that macros of their own have, so that no peripheral may have them.
TAKEN = {"code", "sram", "l2", "dram", "npu", "stack", "stack_guard", "fault_stack", "heap", "queues", "retained"}

TEXTS = {"NAME", "DESCRIPTION", "MACHINE", "MODEL_OPTIONS"}  # macros whose value is a text


class Wrong(Exception):
    """A fault of the file: what is wrong, where, and what mends it."""


def hexadecimal(value):
    return f"0x{value:08x}"


def extent(base, size):
    return f"{hexadecimal(base)} to {hexadecimal(base + size - 1)}"


def suggestion(name, known):
    near = difflib.get_close_matches(name, known, 1, 0.6)
    return f'did you mean "{near[0]}"?' if near else "known are " + ", ".join(sorted(known))


def no_duplicates(pairs):
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise Wrong(f'field "{name}" is there twice; remove one')
    return dict(pairs)


def read_json(path):
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Wrong("the file does not exist; a board's folder has its memory map in board.json (docs/porting.md)") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Wrong(f"cannot be read: {error}") from None
    try:
        return json.loads(text, object_pairs_hook=no_duplicates)
    except json.JSONDecodeError as error:
        raise Wrong(f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise Wrong("objects are nested too deeply") from None


class Board:
    """The numbers of a board.json that has passed all checks."""

    def __init__(self, folder):
        self.name = folder.name
        self.document = read_json(folder / "board.json")
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.+-]*", self.name):
            raise Wrong(f'the folder is called "{self.name}": a board\'s name has letters, digits, -, _, + and .')
        self.number_fields(self.document, "")
        self.check_texts()
        self.check_interrupts()
        self.check_memory()
        self.check_bus()
        self.check_sram()
        self.check_clocks()

    # -- fields ---------------------------------------------------------------------------------------------------------

    def object_at(self, value, place):
        if not isinstance(value, dict):
            raise Wrong(f"{place or 'the file'} must be an object")
        known = FIELDS[place if place in FIELDS else re.sub(r"^peripherals\..*", "peripherals.*", place)]
        names = [name.rstrip("?") for name in known]
        inside = f"{place}: " if place else ""
        for name in value:
            if name not in names:
                raise Wrong(f'{inside}field "{name}" is unknown; {suggestion(name, [n for n in names if n != "$schema"])}')
        for name in known:
            if not name.endswith("?") and name not in value:
                raise Wrong(f'{inside}field "{name}" is missing; {self.remedy(place, name)}')
        return value

    @staticmethod
    def remedy(place, name):
        if name == "accelerator" or place == "memory" and name in ("code", "sram"):
            return "write its base and size" + (" and interrupts" if name == "accelerator" else "")
        return "docs/porting.md says what it means"

    def number_fields(self, value, place):
        """Checks the names of all fields, and replaces each number's text by the number."""
        self.object_at(value, place)
        for name, field in value.items():
            inner = f"{place}.{name}" if place else name
            if inner == "peripherals":
                self.peripheral_fields(field)
            elif inner in FIELDS or place == "peripherals":
                self.number_fields(field, inner)
            elif inner not in ("$schema", "description", "machine", "stream_jobs", "model_options"):
                value[name] = self.number(field, inner)

    def peripheral_fields(self, peripherals):
        if not isinstance(peripherals, dict):
            raise Wrong("peripherals must be an object")
        for name, field in peripherals.items():
            place = f"peripherals.{name}"
            if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
                raise Wrong(f"{place}: a name has lower-case letters, digits and _, because it becomes part of a macro")
            if name in TAKEN or name in [n.rstrip("?") for n in FIELDS["devices"]]:
                raise Wrong(f"{place}: the name is taken; choose another one")
            self.object_at(field, place)
            for inner, number in field.items():
                field[inner] = self.number(number, f"{place}.{inner}")

    @staticmethod
    def number(value, place):
        if isinstance(value, str) and re.fullmatch(r"0[xX][0-9a-fA-F]{1,16}", value):
            value = int(value, 16)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise Wrong(f'{place} is {json.dumps(value)}: write a decimal number, or a hexadecimal one as a string, "0x20000000"')
        if value > 0xFFFFFFFF:
            raise Wrong(f"{place} is {value:#x}, more than 32 bits hold; the core's addresses end at 0xffffffff")
        return value

    def check_texts(self):
        document = self.document
        for name in ("description", "machine"):
            text = document.get(name, "-")
            if not isinstance(text, str) or not text or not text.isprintable() or not text.isascii():
                raise Wrong(f"{name} must be a text of one line in ASCII")
        if not re.fullmatch(r"[a-z0-9.-]+", document.get("machine", "-")):
            raise Wrong(f'machine is "{document["machine"]}": a name of QEMU\'s machines has lower-case letters, digits, - and .')
        if not isinstance(document.get("stream_jobs", True), bool):
            raise Wrong("stream_jobs must be true or false")
        if not isinstance(document.get("model_options", {}), dict):
            raise Wrong("model_options must be an object (docs/model.md has the options)")

    # -- regions --------------------------------------------------------------------------------------------------------

    def devices(self):
        """Returns (place, fields) of each device and peripheral."""
        found = [(f"devices.{name}", fields) for name, fields in self.document["devices"].items()]
        return found + [(f"peripherals.{name}", fields) for name, fields in self.document.get("peripherals", {}).items()]

    def regions(self):
        """Returns (place, base, size) of each region of the memory map. DRAM is counted with its largest size."""
        memory = self.document["memory"]
        found = [(f"memory.{name}", memory[name]["base"], memory[name]["size"]) for name in ("code", "sram")]
        found.append(("memory.l2", memory["l2"]["base"], memory["l2"]["stride"] * memory["l2"]["cores"]))
        found.append(("memory.dram", memory["dram"]["base"], memory["dram"]["max"]))
        return found + [(place, fields["base"], fields["size"]) for place, fields in self.devices()]

    def check_memory(self):
        memory = self.document["memory"]
        dram, l2, code = memory["dram"], memory["l2"], memory["code"]
        for name in ("min", "default", "max"):
            if dram[name] == 0 or dram[name] % MIB != 0:
                raise Wrong(f"memory.dram.{name} is {hexadecimal(dram[name])}: it must be whole MiB, because QEMU's -m and cox count in MiB")
        if not dram["min"] <= dram["default"] <= dram["max"]:
            raise Wrong("memory.dram: min, default and max must be in ascending order")
        if not 1 <= l2["cores"] <= 16:
            raise Wrong(f'memory.l2.cores is {l2["cores"]}: it must be 1 to 16')
        regions = self.regions()
        for place, base, size in regions:
            if size == 0:
                raise Wrong(f"{place} has no bytes; write its size, or leave the region out if it is optional")
            for what, value in (("base", base), ("size", size)):
                if value % MPU_UNIT != 0:
                    raise Wrong(f"{place}: the {what} {hexadecimal(value)} is no multiple of {MPU_UNIT} bytes, the unit of the MPU")
            if base + size > 1 << 32:
                raise Wrong(f"{place} ends at {base + size - 1:#x}, above the 32 bits of the core's addresses; move it down or make it smaller")
            if base + size > CORE_OWN[0]:
                raise Wrong(f"{place}, {extent(base, size)}, overlaps the core's own peripherals from {hexadecimal(CORE_OWN[0])}; move it down")
        ordered = sorted(regions, key=lambda region: region[1])
        for (one, base, size), (other, other_base, other_size) in zip(ordered, ordered[1:]):
            if base + size > other_base:
                raise Wrong(f"{one}, {extent(base, size)}, overlaps {other}, {extent(other_base, other_size)}; move one of them")
        vectors = 4 * (16 + self.document["interrupts"])
        table = 1 << (vectors - 1).bit_length()
        if code["base"] % table != 0:
            raise Wrong(f"memory.code: the base {hexadecimal(code['base'])} is no multiple of {table}, the size of the vector table rounded up to a power of two")
        for first, end, what in NOT_EXECUTABLE:
            if code["base"] < end and code["base"] + code["size"] > first:
                raise Wrong(f"memory.code, {extent(code['base'], code['size'])}, is where the architecture has {what}; the core executes nothing from {hexadecimal(first)} to {hexadecimal(end - 1)}")
        mapped = len(regions) + 2  # SRAM takes three of the MPU's regions: below the guard, above it, queues
        if mapped > MPU_REGIONS:
            raise Wrong(f"the map needs {mapped} regions of the MPU, which has {MPU_REGIONS}; join neighbouring peripherals into one")

    def on_bus(self, name):
        """Returns where the accelerator sees a memory: (base, size)."""
        fields = self.document["memory"][name]
        return fields.get("bus", fields["base"]), fields["max" if name == "dram" else "size"]

    def check_bus(self):
        for name in MEMORIES:
            bus, size = self.on_bus(name)
            base = self.document["memory"][name]["base"]
            if (bus - base) % BUS_UNIT != 0:
                raise Wrong(f"memory.{name}.bus is {hexadecimal(bus)}: it must differ from the base {hexadecimal(base)} by a multiple of {BUS_UNIT} bytes, so that memory has the same alignment for core and accelerator")
            if bus + size > 1 << 32:
                raise Wrong(f"memory.{name} ends at {bus + size - 1:#x} on the bus; the firmware computes with addresses of 32 bits (docs/porting.md)")
        ordered = sorted((*self.on_bus(name), name) for name in MEMORIES)
        for (base, size, one), (other_base, other_size, other) in zip(ordered, ordered[1:]):
            if base + size > other_base:
                raise Wrong(f"on the bus, memory.{one}, {extent(base, size)}, overlaps memory.{other}, {extent(other_base, other_size)}; move one of them")

    def check_sram(self):
        sram, parts, cores = self.document["memory"]["sram"], self.document["sram_layout"], self.document["memory"]["l2"]["cores"]
        for name in ("fault_stack", "stack_guard", "stack", "queues"):
            if parts[name] == 0 or parts[name] % MPU_UNIT != 0:
                raise Wrong(f"sram_layout.{name} is {hexadecimal(parts[name])}: it must be a multiple of {MPU_UNIT} bytes, the unit of the MPU, and not 0")
        if parts["heap"] % 8 != 0:
            raise Wrong(f"sram_layout.heap is {hexadecimal(parts['heap'])}: it must be a multiple of 8 bytes")
        if parts["retained"] != RETAINED:
            raise Wrong(f"sram_layout.retained is {hexadecimal(parts['retained'])}: the firmware retains {hexadecimal(RETAINED)} bytes")
        needed = RETAINED + cores * QUEUES_OF_A_CORE
        if parts["queues"] < needed:
            raise Wrong(f"sram_layout.queues is {hexadecimal(parts['queues'])}, less than the {hexadecimal(needed)} bytes that {cores} tile cores (memory.l2.cores) need; enlarge it")
        taken = sum(parts[name] for name in ("fault_stack", "stack_guard", "stack", "heap", "queues"))
        if taken >= sram["size"]:
            raise Wrong(f"sram_layout takes {hexadecimal(taken)} of the {hexadecimal(sram['size'])} bytes of memory.sram, so none are left for data; make a part smaller")

    # -- interrupts and clocks --------------------------------------------------------------------------------------------

    def check_interrupts(self):
        count = self.document["interrupts"]
        if not 1 <= count <= NVIC_INTERRUPTS:
            raise Wrong(f"interrupts is {count}: an NVIC has 1 to {NVIC_INTERRUPTS}")
        owners = {}
        for place, fields in self.devices():
            for name in INTERRUPTS:
                number = fields.get(name)
                if number is None:
                    continue
                if number >= count:
                    raise Wrong(f"{place}.{name} is {number}: the NVIC has the interrupts 0 to {count - 1} (interrupts)")
                if number in owners:
                    raise Wrong(f"{place}.{name} is {number}, as is {owners[number]}; each interrupt has a number of its own")
                owners[number] = f"{place}.{name}"

    def check_clocks(self):
        clocks = self.document["clocks"]
        if clocks["core"] == 0 or clocks["core"] % 1000000 != 0:
            raise Wrong(f"clocks.core is {clocks['core']}: it must be whole MHz, because the firmware counts the core's clocks in a microsecond")
        for name in ("uart", "reference"):
            if clocks.get(name) == 0:
                raise Wrong(f"clocks.{name} is 0: write the frequency in Hz")
        ticks = clocks["ticks_per_second"]
        if ticks == 0 or 1000000 % ticks != 0:
            raise Wrong(f"clocks.ticks_per_second is {ticks}: a tick must last whole microseconds")
        if clocks["core"] // ticks > SYSTICK_CLOCKS:
            raise Wrong(f"clocks: a tick has {clocks['core'] // ticks} clocks of the core, more than the 24 bits of SysTick count ({SYSTICK_CLOCKS}); raise ticks_per_second")

    # -- output -----------------------------------------------------------------------------------------------------------

    def macros(self):
        """Returns (name without BOARD_, value) of each macro, None between groups."""
        document, memory = self.document, self.document["memory"]
        yield "NAME", self.name
        yield "DESCRIPTION", document["description"]
        if "machine" in document:
            yield "MACHINE", document["machine"]
        yield None
        for name in ("code", "sram"):
            yield f"{name.upper()}_BASE", hexadecimal(memory[name]["base"])
            yield f"{name.upper()}_SIZE", hexadecimal(memory[name]["size"])
            yield f"{name.upper()}_BUS_BASE", hexadecimal(self.on_bus(name)[0])
        yield "L2_BASE", hexadecimal(memory["l2"]["base"])
        yield "L2_STRIDE", hexadecimal(memory["l2"]["stride"])
        yield "L2_CORES_MAX", memory["l2"]["cores"]
        yield "DRAM_BASE", hexadecimal(memory["dram"]["base"])
        for name in ("min", "default", "max"):
            yield f"DRAM_SIZE_{name.upper()}", hexadecimal(memory["dram"][name])
        yield "DRAM_BUS_BASE", hexadecimal(self.on_bus("dram")[0])
        yield None
        for place, fields in self.devices():
            name = place.split(".")[1].replace("accelerator", "npu").upper()
            yield f"{name}_BASE", hexadecimal(fields["base"])
            yield f"{name}_SIZE", hexadecimal(fields["size"])
            for interrupt in INTERRUPTS:
                if interrupt in fields:
                    yield f"{name}_{interrupt.replace('interrupt', 'irq').upper()}", fields[interrupt]
        yield None
        for name, size in document["sram_layout"].items():
            yield f"{name.upper()}_SIZE", hexadecimal(size)
        yield None
        yield "CORE_CLOCK", document["clocks"]["core"]
        yield "UART_CLOCK", document["clocks"].get("uart", document["clocks"]["core"])
        yield "REFERENCE_CLOCK", document["clocks"]["reference"]
        yield "TICKS_PER_SECOND", document["clocks"]["ticks_per_second"]
        yield "INTERRUPTS", document["interrupts"]
        yield "STREAM_JOBS", int(document.get("stream_jobs", True))
        yield "MODEL_OPTIONS", json.dumps(document.get("model_options", {}))

    def header(self):
        guard = "BOARD_MAP_" + re.sub(r"[^A-Z0-9]", "_", self.name.upper()) + "_H"
        lines = ["/* SPDX-License-Identifier: MIT */", f"/* The numbers of the board {self.name}. Generated by generate_map.py from its board.json; do not edit. Sizes are in bytes, clocks in Hz. */"]
        lines += [f"#ifndef {guard}", f"#define {guard}", ""]
        for macro in self.macros():
            if macro is None:
                lines.append("")
                continue
            name, value = macro
            lines.append(f"#define BOARD_{name} " + (json.dumps(value) if name in TEXTS else str(value)))
        # The interrupts that have names, for the device header, the vector table and the linker's layout: ROW(NAME, number) for each.
        named = [(name.removesuffix("_IRQ"), value) for name, value in filter(None, self.macros()) if name.endswith("_IRQ")]
        rows = " ".join(f"ROW({name}, {number})" for name, number in named)
        lines += ["", ("#define BOARD_INTERRUPT_ROWS(ROW) " + rows).rstrip()]
        # Regions that the MPU maps besides those that the shared code knows: REGION(base, size) for each.
        others = " ".join(f"REGION({hexadecimal(f['base'])}, {hexadecimal(f['size'])})" for f in self.document.get("peripherals", {}).values())
        lines += ["", ("#define BOARD_PERIPHERAL_REGIONS(REGION) " + others).rstrip(), "", "#endif", ""]
        return "\n".join(lines)

    def cmake(self):
        lines = [f"# The numbers of the board {self.name}. Generated by generate_map.py from its board.json; do not edit."]
        for macro in self.macros():
            if macro is not None:
                name, value = macro
                lines.append(f"set(BOARD_{name} " + (f"[==[{value}]==]" if name in TEXTS else str(value)) + ")")
        return "\n".join(lines) + "\n"


def put(path, text, check):
    """Writes the text if the file has another one. With check, returns whether the file has the text."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return True
    if check:
        print(f"generate_map.py: {path} is not up to date; run this script without --check", file=sys.stderr)
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, path)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="the board's folder")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="the header to write")
    parser.add_argument("--cmake", type=pathlib.Path, help="the file of CMake variables to write")
    parser.add_argument("--check", action="store_true", help="write nothing; check board.json, and that the files are up to date")
    arguments = parser.parse_args()
    folder = arguments.folder.parent if arguments.folder.name == "board.json" else arguments.folder
    try:
        board = Board(folder.resolve())
    except Wrong as error:
        print(f"{folder / 'board.json'}: {error}", file=sys.stderr)
        return 1
    good = True
    for path, text in ((arguments.output, board.header), (arguments.cmake, board.cmake)):
        if path is not None:
            good = put(path, text(), arguments.check) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
