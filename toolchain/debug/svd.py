# SPDX-License-Identifier: MIT
"""A command of gdb that shows device registers by the names of a CMSIS-SVD file (docs/flashing.md):

    source toolchain/debug/svd.py
    svd load FILE.svd [PERIPHERAL=ADDRESS]...    reads the file; an address replaces the one in the file
    svd                                          lists the peripherals
    svd PERIPHERAL                               lists its registers
    svd PERIPHERAL REGISTER                      reads the register and shows its fields
"""
import difflib
import xml.etree.ElementTree as xml

import gdb


def number_in(element, name, default=0):
    text = element.findtext(name)
    return default if text is None else int(text, 0)


def first_sentence(element):
    return " ".join((element.findtext("description") or "").split()).split(". ")[0].rstrip(".")


def find(names, name, what):
    """Returns the entry with this name, in any case of letters."""
    for known in names:
        if known.lower() == name.lower():
            return known
    near = difflib.get_close_matches(name.upper(), names, 1)
    raise gdb.GdbError(f"svd: there is no {what} {name}" + (f"; did you mean {near[0]}?" if near else ""))


class Peripheral:
    def __init__(self, element, base):
        self.base = base
        self.description = first_sentence(element)
        self.registers = {}  # name: offset and element
        self.add(element.find("registers"), "", 0)

    def add(self, parent, prefix, offset):
        """Adds registers and clusters, each as often as it is there."""
        for element in parent if parent is not None else ():
            if element.tag not in ("register", "cluster"):
                continue
            name, start = element.findtext("name"), offset + number_in(element, "addressOffset")
            for index in range(number_in(element, "dim", 1)):
                at = start + index * number_in(element, "dimIncrement")
                label = prefix + name.replace("%s", str(index))
                if element.tag == "cluster":
                    self.add(element, label + ".", at)
                else:
                    self.registers[label] = (at, element)


class Svd(gdb.Command):
    """Show device registers by the names of a CMSIS-SVD file: svd load FILE.svd [PERIPHERAL=ADDRESS]..., svd [PERIPHERAL [REGISTER]]"""

    def __init__(self):
        super().__init__("svd", gdb.COMMAND_DATA)
        self.peripherals = {}

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        if words[:1] == ["load"] and len(words) > 1:
            self.load(words[1], words[2:])
        elif not self.peripherals:
            raise gdb.GdbError("svd: no file is loaded: svd load device/npu.svd")
        elif not words:
            for name, peripheral in self.peripherals.items():
                print(f"{name:12} {peripheral.base:#010x}  {peripheral.description}")
        elif len(words) == 1:
            peripheral = self.peripherals[find(self.peripherals, words[0], "peripheral")]
            for name, (offset, element) in peripheral.registers.items():
                print(f"{peripheral.base + offset:#010x}  {name:28} {first_sentence(element)}")
        elif len(words) == 2:
            self.show(find(self.peripherals, words[0], "peripheral"), words[1])
        else:
            raise gdb.GdbError("svd: at most a peripheral and a register: svd NPU VERSION")

    def load(self, file, bases):
        try:
            device = xml.parse(file).getroot()
        except (OSError, xml.ParseError) as error:
            raise gdb.GdbError(f"svd: {file}: {error}") from None
        elements = {element.findtext("name"): element for element in device.iter("peripheral")}
        addresses = {name: number_in(element, "baseAddress") for name, element in elements.items()}
        for word in bases:
            name, _, address = word.partition("=")
            try:
                addresses[find(addresses, name, "peripheral")] = int(address, 0)
            except ValueError:
                raise gdb.GdbError(f"svd: {word}: write PERIPHERAL=ADDRESS, such as NPU=0x44000000") from None
        self.peripherals = {name: Peripheral(element, addresses[name]) for name, element in elements.items()}

    def show(self, name, register):
        peripheral = self.peripherals[name]
        register = find(peripheral.registers, register, f"register of {name}")
        offset, element = peripheral.registers[register]
        address = peripheral.base + offset
        if element.findtext("access") == "write-only":
            raise gdb.GdbError(f"svd: {name}.{register} at {address:#010x} is write-only")
        value = int.from_bytes(gdb.selected_inferior().read_memory(address, 4).tobytes(), "little")
        print(f"{name}.{register} at {address:#010x}: {value:#010x}  {first_sentence(element)}")
        for field in element.iterfind("fields/field"):
            low, width = number_in(field, "bitOffset"), number_in(field, "bitWidth", 1)
            part = value >> low & (1 << width) - 1
            values = [each for each in field.iterfind(".//enumeratedValue") if number_in(each, "value", -1) == part]
            meaning = "".join(f" ({each.findtext('name')})" for each in values)
            print(f"  {f'[{low + width - 1}:{low}]':8}{field.findtext('name'):24} {part:#x}{meaning}  {first_sentence(field)}")


Svd()
