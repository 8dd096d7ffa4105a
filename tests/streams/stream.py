# SPDX-License-Identifier: MIT
"""Reads published instruction streams and derives the DRAM address of each layer's weights."""
import ast
import re

WEIGHT_UNIT = 64  # bytes of a WL0 address


def parse_line(line):
    """(name, mapping, fields) of a line in the printed form. Enumerations become their names."""
    name, rest = line.strip()[1:-1].split(", ", 1)
    mapping, fields = ast.literal_eval("(" + re.sub(r"<\w+\.(\w+): -?\d+>", r"'\1'", rest) + ")")
    return name, mapping, fields


def read(path):
    with open(path) as file:
        return [parse_line(line) for line in file if line.strip()]


def align8(value):
    return (value + 7) // 8 * 8


def record_bytes(channels, rows, columns):
    return rows * columns * align8(channels) + 32


def weight_addresses(instructions):
    """For each layer, the set of DRAM addresses from which its workloads take the record of kernel 0. A correct stream has one address per layer.

    Follows the weights through the stream: `ldw_mov` to L2, `lw_mov` from DRAM or L2 to WL0, and `pe_conv` from there. Kernel 0 of a convolution writes the
    lowest address of its workload's output, and the kernels of a layer are contiguous.
    """
    l2, wl0 = {}, {}  # (first byte, end) -> DRAM address of the first byte
    starts = {}  # (layer, workload) -> {destination address: DRAM address}

    def put(memory, first, size, source):
        for block in [b for b in memory if b[0] < first + size and first < b[1]]:
            del memory[block]
        memory[first, first + size] = source

    def look_up(memory, address):
        for (first, end), source in memory.items():
            if first <= address < end:
                return source + address - first
        raise ValueError(f"no weights at {address}")

    for name, mapping, fields in instructions:
        if name in ("ldw_mov", "lw_mov"):
            kernels, *shape = fields["Wsize"]
            size = kernels * record_bytes(*shape)
            if name == "ldw_mov":
                put(l2, fields["DTaddr"], size, fields["STaddr"])
            else:
                source = fields["STaddr"] if fields["SS"] == 1 else look_up(l2, fields["STaddr"])
                put(wl0, fields["DTaddr"] * WEIGHT_UNIT, size, source)
        elif name == "pe_conv":
            key = mapping["slyr"], mapping["wkl"]
            starts.setdefault(key, {})[fields["DTaddr"]] = look_up(wl0, fields["SWaddr"] * WEIGHT_UNIT)
    addresses = {}
    for (layer, _), by_destination in starts.items():
        addresses.setdefault(layer, set()).add(min(by_destination.values()))
    return addresses


def mend_resnet50_b4(lines):
    """The published batch of four with the weight loads that it lacks (docs/published-streams.md).

    Counts lines from 1. Inserts copies of lines 113 and 114 after line 221. Adds LW to Next_Insts of line 221 and to Prev_Insts of line 230.
    """
    mended = list(lines)
    for number, field in ((221, "Next_Insts"), (230, "Prev_Insts")):
        line = mended[number - 1]
        assert line.startswith("[pe_conv") and f"'{field}': ['VP']" in line, line
        mended[number - 1] = line.replace(f"'{field}': ['VP']", f"'{field}': ['VP', 'LW']")
    assert lines[112].startswith("[lw_cfg") and lines[113].startswith("[lw_mov")
    mended[221:221] = lines[112:114]
    return mended
