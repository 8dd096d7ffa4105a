#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Divides a board between the secure and the non-secure state of the core (docs/trustzone.md).

    partition.py FOLDER --build nonsecure|service --part secure|nonsecure -o FOLDER

FOLDER is a board's folder. The result is the folder of a board that has only the memories and devices of one part, and security_map.h with
what the secure part must know of the other one: its memories and the regions of the SAU. Without overlaps, the secure part of code and SRAM
comes first, so that the core begins there after a reset.
"""
import argparse
import json
import pathlib
import sys

KIB, MIB = 1 << 10, 1 << 20
SAU_REGIONS = 8  # of the Cortex-M55
UNIT = 32  # bytes: the SAU's regions begin and end at multiples

# Sizes of the secure part, by build. The secure image of `nonsecure` only starts the non-secure one; that of `service` has the firmware.
SECURE_SIZES = {
    "nonsecure": {"code": 32 * KIB, "sram": 128 * KIB, "dram": 0},
    "service": {"code": 384 * KIB, "sram": 1 * MIB, "dram": None},  # half of the DRAM
}
# SRAM of an image without tasks: the boot image, and the application that uses the service.
SMALL_LAYOUT = {"fault_stack": 2 * KIB, "stack_guard": KIB, "stack": 8 * KIB, "heap": 4 * KIB, "queues": 80 * KIB, "retained": KIB}


class Wrong(Exception):
    """What is wrong, and what mends it."""


def hexadecimal(value):
    return f"0x{value:08x}"


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def numbers(value):
    """The board's document with each number as an integer."""
    if isinstance(value, dict):
        return {name: field if name in ("description", "machine", "$schema", "model_options") else numbers(field) for name, field in value.items()}
    return value if isinstance(value, bool) else number(value)


class Partition:
    """The ranges (base, size) of both states."""

    def __init__(self, document, secure_devices, build):
        self.build = build
        memory = document["memory"]
        sizes = dict(SECURE_SIZES[build])
        if sizes["dram"] is None:
            sizes["dram"] = memory["dram"]["default"] // 2
        self.secure, self.nonsecure = {}, {}
        for name in ("code", "sram", "dram"):
            base, size, first = memory[name]["base"], memory[name].get("size", memory[name].get("default")), sizes[name]
            if first >= size:
                raise Wrong(f"memory.{name} has {size // KIB} KiB, and the secure part of the build {build} needs {first // KIB} KiB of it; choose a board with more")
            if first:
                self.secure[name] = (base, first)
            self.nonsecure[name] = (base + first, size - first)
        l2 = memory["l2"]
        devices = {"l2": (l2["base"], l2["stride"] * l2["cores"])}
        devices |= {name: (fields["base"], fields["size"]) for name, fields in (document["devices"] | document.get("peripherals", {})).items()}
        for name in secure_devices:
            if name not in devices:
                raise Wrong(f'security.json: secure_devices: the board has no "{name}"; its devices are {", ".join(sorted(devices))}')
        for name, place in devices.items():
            state = self.secure if name in secure_devices or (build == "service" and name != "uart") else self.nonsecure
            state[name] = place

    def sau_regions(self, most):
        """The non-secure ranges as at most `most` regions. Joins ranges across gaps that hold nothing secure, the smallest gaps first."""
        regions = sorted((base, base + size) for base, size in self.nonsecure.values())
        secure = [(base, base + size) for base, size in self.secure.values()]
        for first, last in regions:
            if first % UNIT or last % UNIT:
                raise Wrong(f"{hexadecimal(first)} to {hexadecimal(last - 1)}: the SAU's regions are multiples of {UNIT} bytes; align the range")
            for low, high in secure:
                if first < high and low < last:
                    raise Wrong(f"{hexadecimal(first)} to {hexadecimal(last - 1)} would be secure and non-secure; move one of the ranges")
        while True:
            gaps = [
                (regions[i + 1][0] - regions[i][1], i)
                for i in range(len(regions) - 1)
                if not any(low < regions[i + 1][0] and regions[i][1] < high for low, high in secure)
            ]
            if not gaps or (len(regions) <= most and min(gaps)[0] > 0):
                break
            i = min(gaps)[1]
            regions[i : i + 2] = [(regions[i][0], regions[i + 1][1])]
        if len(regions) > most:
            raise Wrong(f"the non-secure part needs {len(regions)} regions of the SAU, which has {most} for it; place its ranges side by side")
        return regions


def document_of_part(document, partition, part):
    """The board.json of one part."""
    own = partition.secure if part == "secure" else partition.nonsecure
    result = json.loads(json.dumps(document))
    memory = result["memory"]

    def bus(name):
        whole = document["memory"][name]
        return {"bus": whole["bus"] + own[name][0] - whole["base"]} if "bus" in whole else {}

    for name in ("code", "sram"):
        memory[name] = {"base": own[name][0], "size": own[name][1]} | bus(name)
    if "dram" in own:
        memory["dram"] = {"base": own["dram"][0]} | dict.fromkeys(("min", "default", "max"), own["dram"][1]) | bus("dram")
    # A board has a console and an accelerator; the images without tasks do not touch the accelerator. Both parts print faults.
    if part == "nonsecure":
        for group in ("devices", "peripherals"):
            result[group] = {name: fields for name, fields in result.get(group, {}).items() if name in own or name == "accelerator"}
    if (partition.build, part) in (("nonsecure", "secure"), ("service", "nonsecure")):
        result["sram_layout"] = SMALL_LAYOUT
        memory["l2"]["cores"] = 1
    return result


def security_map(document, partition, part):
    regions = partition.sau_regions(SAU_REGIONS - 1)  # one more for the entries of a service
    devices = document["devices"] | document.get("peripherals", {})
    interrupts = [number for name in devices if name in partition.nonsecure for field, number in devices[name].items() if field.endswith("interrupt")]
    lines = ["/* SPDX-License-Identifier: MIT */", "/* The board between the security states. Generated by boards/partition.py; do not edit. */"]
    lines += ["#ifndef SECURITY_MAP_H", "#define SECURITY_MAP_H", ""]
    for name in ("code", "sram", "dram"):
        base, size = partition.nonsecure[name]
        lines += [f"#define SECURITY_NONSECURE_{name.upper()}_BASE {hexadecimal(base)}", f"#define SECURITY_NONSECURE_{name.upper()}_SIZE {hexadecimal(size)}"]
    text = " ".join(f"REGION({hexadecimal(first)}, {hexadecimal(last - 1)})" for first, last in regions)
    lines += ["", "/* REGION(first byte, last byte) for each region of the SAU. */", f"#define SECURITY_SAU_REGIONS(REGION) {text}"]
    text = " ".join(f"IRQ({line})" for line in sorted(interrupts))
    lines += ["", "/* IRQ(number) for each interrupt of a non-secure device. */", f"#define SECURITY_NONSECURE_INTERRUPTS(IRQ) {text}"]
    lines += ["", "/* 1: the image is the secure part; 1: both parts have DRAM. */", f"#define SECURITY_PART_SECURE {int(part == 'secure')}"]
    lines += [f"#define SECURITY_SPLIT_DRAM {int('dram' in partition.secure)}"]
    return "\n".join(lines + ["", "#endif", ""])


def put(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def read_secure_devices(path):
    """The field of security.json (schemas/security.schema.json). Without the file no device is secure."""
    if not path.exists():
        return []
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise Wrong(f"security.json: not JSON: {error}") from None
    if not isinstance(document, dict):
        raise Wrong('security.json must be an object: {"secure_devices": []}')
    for name in document:
        if name not in ("$schema", "secure_devices"):
            raise Wrong(f'security.json: field "{name}" is unknown; the file has one field, secure_devices')
    if "secure_devices" not in document:
        raise Wrong('security.json: field "secure_devices" is missing; write [] if the secure state keeps no device')
    names = document["secure_devices"]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len(set(names)) != len(names):
        raise Wrong('security.json: secure_devices must be a list of different names: ["watchdog"]')
    return names


def write_part(folder, build, part, out):
    document = numbers(json.loads((folder / "board.json").read_text()))
    secure_devices = read_secure_devices(folder / "security.json")
    partition = Partition(document, secure_devices, build)
    out.mkdir(parents=True, exist_ok=True)
    put(out / "security_map.h", security_map(document, partition, part))
    put(out / "board.json", json.dumps(document_of_part(document, partition, part), indent=2) + "\n")
    folder = folder.resolve()
    put(out / "board.h", f'/* Generated by boards/partition.py. */\n#include "{folder}/board.h"\n')
    sources = [folder / name for name in ("board.cpp", "security.cpp") if (folder / name).exists() and (name == "board.cpp" or part == "secure")]
    put(out / "board.cpp", "// Generated by boards/partition.py.\n" + "".join(f'#include "{source}"\n' for source in sources))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--build", choices=SECURE_SIZES, required=True)
    parser.add_argument("--part", choices=("secure", "nonsecure"), required=True)
    parser.add_argument("-o", type=pathlib.Path, required=True, dest="out")
    options = parser.parse_args()
    try:
        write_part(options.folder, options.build, options.part, options.out)
    except Wrong as error:
        at = "" if str(error).startswith("security.json") else "board.json: "
        print(f"{options.folder}/{at}{error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
