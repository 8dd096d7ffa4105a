#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates the C headers, the C++ constants and the register pages from npu.svd and engines.h. `--check` fails if a file is out of date."""

import argparse
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

import jinja2

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
SVD = HERE / "npu.svd"
ENGINES = HERE / "engines.h"
DOCS = ROOT / "docs"
# The names of peripherals other than the accelerator begin so, because vendors have a DMA_Type and a MAILBOX_Type too. Files and C++ names do not.
PREFIX = "COX_"
ACCESSES = ("read-only", "write-only", "read-write")


class Malformed(Exception):
    """The SVD or the table of engines contradicts itself; the message says where."""


class Engine:
    """A row of the table in engines.h; its numbers follow the same rules as EngineRow's."""

    FIRST_COMPLETION_QUEUE = 4
    FIRST_QUEUE_NUMBER = 36
    ROW = re.compile(r'^ *ROW\((\w+), (\d+), "([^"]+)", "([^"]+)", (\w+), (\w+)((?:, "[^"]+")*)\)', re.MULTILINE)

    def __init__(self, key, number, name, full_name, submission, home, warnings):
        self.key, self.name, self.full_name, self.submission, self.home = key, name, full_name, submission, home
        self.warnings = re.findall(r'"([^"]+)"', warnings)
        self.number = int(number) if submission != "slots" else None
        self.capability = 0 if self.number is None else 1 + self.number
        self.completion_queue = None if self.number is None else self.FIRST_COMPLETION_QUEUE + self.number
        self.queue = None if self.number is None else self.FIRST_QUEUE_NUMBER + self.number


def read_engines(path):
    """The rows with home `layers`. Rows with home `tests` are left out."""
    rows = [Engine(*match.groups()) for match in Engine.ROW.finditer(path.read_text())]
    if not rows:
        raise Malformed(f"{path.name}: no ROW(...)")
    return [engine for engine in rows if engine.home == "layers"]


def reset_from_table(register, engines):
    """Sets the bits of the register's reset value that say which engines the device has. The SVD's resetMask leaves these bits open."""
    if register.path != "CAPABILITIES":
        raise Malformed(f"{register.path}: resetMask: only the reset value of CAPABILITIES follows from engines.h")
    for engine in engines:
        register.reset |= 1 << engine.capability


def number(element, tag, default=None):
    text = element.findtext(tag)
    if text is None:
        if default is None:
            raise Malformed(f"<{element.tag}> {element.findtext('name')}: <{tag}> is missing")
        return default
    return int(text, 0)


def description(element, where):
    text = element.findtext("description")
    if not text:
        raise Malformed(f"{where}: no description")
    return " ".join(text.split())


class Field:
    def __init__(self, element, register):
        self.name = element.findtext("name")
        self.path = f"{register.path}_{self.name}"
        self.spelling = f"{register.spelling}.{self.name}"
        where = f"{register.path}.{self.name}"
        self.description = description(element, where)
        self.shift = number(element, "bitOffset")
        self.width = number(element, "bitWidth")
        self.access = element.findtext("access") or register.access
        self.modified_write = element.findtext("modifiedWriteValues")
        self.mask = ((1 << self.width) - 1) << self.shift
        if self.access not in ACCESSES:
            raise Malformed(f"{where}: access {self.access}")
        if self.width < 1 or self.shift + self.width > 32:
            raise Malformed(f"{where}: bits outside the register")
        self.enumeration = None
        values = element.find("enumeratedValues")
        if values is not None:
            self.enumeration = values.findtext("name")
            self.values = [
                {"name": value.findtext("name"), "value": number(value, "value"), "description": description(value, where)}
                for value in values.findall("enumeratedValue")
            ]
            if any(value["value"] >> self.width for value in self.values):
                raise Malformed(f"{where}: an enumerated value does not fit")

    @property
    def bits(self):
        return f"[{self.shift}]" if self.width == 1 else f"[{self.shift + self.width - 1}:{self.shift}]"


class Register:
    def __init__(self, element, parents):
        self.name = element.findtext("name")
        self.parents = parents  # the clusters around it, outermost first
        self.path = "_".join([cluster.name for cluster in parents] + [self.name])
        self.description = description(element, self.path)
        self.offset = number(element, "addressOffset")
        self.size = 4
        self.access = element.findtext("access") or "read-write"
        self.reset = number(element, "resetValue", 0)
        self.is_reset_known = element.find("resetMask") is None
        self.reading_latches = element.findtext("readAction") == "modifyExternal"
        self.fields = [Field(field, self) for field in element.findall("fields/field")]
        self.writable = 0
        used = 0
        for field in self.fields:
            if used & field.mask:
                raise Malformed(f"{self.path}.{field.name}: overlaps another field")
            used |= field.mask
            if field.access != "read-only":
                self.writable |= field.mask
        if self.access not in ACCESSES:
            raise Malformed(f"{self.path}: access {self.access}")
        if self.reset & ~used:
            raise Malformed(f"{self.path}: reset value outside the fields")
        if (self.access == "read-only") != (self.writable == 0):
            raise Malformed(f"{self.path}: access of the register and of its fields disagree")
        if self.offset % 4:
            raise Malformed(f"{self.path}: offset is not a multiple of 4")

    @property
    def block_offset(self):
        """The register's offset in the block; in an array, that of index 0."""
        return sum(cluster.offset for cluster in self.parents) + self.offset

    @property
    def spelling(self):
        """The register's name in text, for example CORE[].SQ[].TAIL."""
        return ".".join([f"{cluster.name}[]" for cluster in self.parents] + [self.name])


class Cluster:
    def __init__(self, element, parents):
        name = element.findtext("name")
        if not name.endswith("[%s]"):
            raise Malformed(f"cluster {name}: only arrays, NAME[%s], are supported")
        self.name = name[: -len("[%s]")]
        self.parents = parents
        self.path = "_".join([cluster.name for cluster in parents] + [self.name])
        self.description = description(element, self.path)
        self.offset = number(element, "addressOffset")
        self.count = number(element, "dim")
        self.stride = number(element, "dimIncrement")
        self.size = self.stride * self.count
        self.members = members_of(element, parents + [self])
        if self.members and self.members[-1].offset + self.members[-1].size > self.stride:
            raise Malformed(f"{self.path}: members longer than dimIncrement")

    @property
    def registers(self):
        return registers_of(self.members)


def members_of(element, parents):
    members = [Register(child, parents) for child in element.findall("register")]
    members += [Cluster(child, parents) for child in element.findall("cluster")]
    members.sort(key=lambda member: member.offset)
    for previous, following in zip(members, members[1:]):
        if previous.offset + previous.size > following.offset:
            raise Malformed(f"{following.path}: overlaps {previous.path}")
    return members


def registers_of(members):
    found = []
    for member in members:
        found += [member] if isinstance(member, Register) else member.registers
    return found


def clusters_of(members):
    """The clusters, innermost first, because C needs a structure before its use."""
    found = []
    for member in members:
        if isinstance(member, Cluster):
            found += clusters_of(member.members) + [member]
    return found


def with_gaps(members, size):
    """Returns a list of `size` bytes in order of offsets: (member, None) for a member, (None, number of words) for a gap."""
    rows = []
    at = 0
    for member in members:
        if member.offset > at:
            rows.append((None, (member.offset - at) // 4))
        rows.append((member, None))
        at = member.offset + member.size
    if size > at:
        rows.append((None, (size - at) // 4))
    return rows


def pascal(name):
    return "".join(part.capitalize() for part in name.split("_"))


def read_peripheral(peripheral, engines):
    members = members_of(peripheral.find("registers"), [])
    block = number(peripheral.find("addressBlock"), "size")
    if members[-1].offset + members[-1].size > block:
        raise Malformed("registers outside the address block")
    registers = registers_of(members)
    for register in registers:
        if not register.is_reset_known:
            reset_from_table(register, engines)
    name = peripheral.findtext("name")
    return {
        "name": name,
        "key": name.removeprefix(PREFIX).lower(),
        "description": description(peripheral, "peripheral"),
        "base": number(peripheral, "baseAddress"),
        "block": block,
        "interrupts": [
            {"name": i.findtext("name"), "value": number(i, "value"), "description": description(i, "interrupt")}
            for i in peripheral.findall("interrupt")
        ],
        "members": members,
        "registers": registers,
        "clusters": clusters_of(members),
        "enumerations": [field for register in registers for field in register.fields if field.enumeration],
    }


def outputs_of(path, engines):
    """Returns (template, variables, file) for each generated file. The accelerator, NPU, has templates of its own."""
    device = ElementTree.parse(path).getroot()
    cpu = {child.tag: child.text for child in device.find("cpu")}
    # CMSIS-SVD has no elements for the vector extension.
    extensions = device.find("vendorExtensions")
    cpu |= {child.tag: child.text for child in (extensions if extensions is not None else [])}
    shared = {"engines": engines, "cpu": cpu}
    outputs = []
    for element in device.findall("peripherals/peripheral"):
        variables = shared | read_peripheral(element, engines)
        key = variables["key"]
        kind = "npu" if key == "npu" else "peripheral"
        outputs += [
            (f"{kind}.h.jinja", variables, HERE / f"{key}.h"),
            (f"{kind}_registers.h.jinja", variables, HERE / f"{key}_registers.h"),
        ]
        if kind == "npu":
            outputs.append(("npu_soc.h.jinja", variables, HERE / "npu_soc.h"))
            outputs.append(("registers.md.jinja", variables, DOCS / "registers.md"))
        else:
            outputs.append(("peripheral.md.jinja", variables, DOCS / f"{key}-registers.md"))
    return outputs


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 if a generated file is out of date")
    parser.add_argument("--svd", type=pathlib.Path, default=SVD, help="read this file instead of npu.svd")
    arguments = parser.parse_args()

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"), undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    environment.filters["pascal"] = pascal
    environment.filters["hex8"] = lambda value: f"0x{value:08X}"
    environment.filters["hex"] = lambda value: f"0x{value:X}"
    environment.globals["with_gaps"] = with_gaps
    environment.tests["register"] = lambda member: isinstance(member, Register)

    try:
        outputs = outputs_of(arguments.svd, read_engines(ENGINES))
    except (Malformed, ElementTree.ParseError, ValueError) as error:
        print(f"{arguments.svd}: {error}", file=sys.stderr)
        return 1

    stale = []
    for template, variables, path in outputs:
        text = environment.get_template(template).render(variables)
        current = path.read_text() if path.exists() else None
        if text == current:
            continue
        stale.append(path)
        if not arguments.check:
            path.write_text(text)
    if arguments.check and stale:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is out of date: run device/generate.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
