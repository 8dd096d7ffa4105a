#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""boards/generate_map.py: what it writes for a good board.json, and what it says about each fault."""
import copy
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GENERATOR = ROOT / "boards/generate_map.py"
BOARDS = sorted(path.parent for path in ROOT.glob("boards/*/board.json")) + sorted(path.parent for path in ROOT.glob("examples/*/*/board.json"))
GOOD = json.loads((ROOT / "boards/qemu-npu-soc/board.json").read_text())

specification = importlib.util.spec_from_file_location("generate_map", GENERATOR)
generate_map = importlib.util.module_from_spec(specification)
specification.loader.exec_module(generate_map)

# Each case: the field's path, its new value (None: remove it), and what the message must say.
FAULTS = [
    ("descripton", "x", r'field "descripton" is unknown; did you mean "description"'),
    ("memory.dramm", {}, r'memory: field "dramm" is unknown; did you mean "dram"'),
    ("devices.uart.irq", 1, r'devices.uart: field "irq" is unknown; known are "?base, interrupt, size'),
    ("memory.sram", None, r'memory: field "sram" is missing; write its base and size'),
    ("devices.accelerator", None, r'devices: field "accelerator" is missing'),
    ("devices.dma.interrupt", None, r'devices.dma: field "interrupt" is missing'),
    ("clocks", [], r"clocks must be an object"),
    ("memory.sram.base", "20000000", r'memory.sram.base is "20000000": write a decimal number, or a hexadecimal one as a string'),
    ("memory.sram.size", -32, r"memory.sram.size is -32"),
    ("memory.sram.size", True, r"memory.sram.size is true"),
    ("memory.dram.base", "0x160000000", r"memory.dram.base is 0x160000000, more than 32 bits hold"),
    ("memory.dram.bus", "0x160000000", r"memory.dram.bus is 0x160000000, more than 32 bits hold"),
    ("memory.dram.bus", "0xd0000000", r"memory.dram ends at 0x10fffffff on the bus; the firmware computes with addresses of 32 bits"),
    ("memory.dram.bus", "0x20100000", r"on the bus, memory.sram, 0x20000000 to 0x201fffff, overlaps memory.dram, 0x20100000 to 0x600fffff; move one"),
    ("memory.sram.bus", "0x30000800", r"memory.sram.bus is 0x30000800: it must differ from the base 0x20000000 by a multiple of 4096 bytes"),
    ("memory.l2.bus", 0, r'memory.l2: field "bus" is unknown'),
    ("memory.dram.base", "0xd0000000", r"memory.dram ends at 0x10fffffff, above the 32 bits"),
    ("memory.sram.base", "0x5fffff00", r"memory.sram, 0x5fffff00 to 0x601ffeff, overlaps memory.dram, 0x60000000 to 0x9fffffff; move one"),
    ("devices.probe.base", "0x40004000", r"devices.uart, 0x40004000 to 0x40004fff, overlaps devices.probe, 0x40004000 to 0x40004fff"),
    ("devices.watchdog.base", "0xe000e000", r"devices.watchdog, .*, overlaps the core's own peripherals from 0xe0000000"),
    ("memory.sram.size", 0, r"memory.sram has no bytes"),
    ("memory.sram.base", "0x20000010", r"memory.sram: the base 0x20000010 is no multiple of 32 bytes"),
    ("memory.code.base", "0x00000100", r"memory.code: the base 0x00000100 is no multiple of 512, the size of the vector table"),
    ("memory.code.base", "0x40800000", r"memory.code, .*, is where the architecture has peripherals"),
    ("memory.dram.min", "0x01000001", r"memory.dram.min is 0x01000001: it must be whole MiB"),
    ("memory.dram.default", "0x00800000", r"memory.dram: min, default and max must be in ascending order"),
    ("memory.l2.cores", 0, r"memory.l2.cores is 0"),
    ("sram_layout.stack", 1000, r"sram_layout.stack is 0x000003e8: it must be a multiple of 32 bytes"),
    ("sram_layout.heap", 4, r"sram_layout.heap is 0x00000004: it must be a multiple of 8"),
    ("sram_layout.retained", 512, r"sram_layout.retained is 0x00000200: the firmware retains 0x00000400"),
    ("sram_layout.queues", "0x10000", r"sram_layout.queues is 0x00010000, less than the 0x0004c400 bytes that 4 tile cores"),
    ("sram_layout.stack", "0x180000", r"sram_layout takes .* of the 0x00200000 bytes of memory.sram"),
    ("interrupts", 500, r"interrupts is 500: an NVIC has 1 to 480"),
    ("devices.uart.interrupt", 64, r"devices.uart.interrupt is 64: the NVIC has the interrupts 0 to 63"),
    ("devices.uart.interrupt", 9, r"devices.accelerator.fault_interrupt is 9, as is devices.uart.interrupt"),
    ("clocks.core", 1234567, r"clocks.core is 1234567: it must be whole MHz"),
    ("clocks.reference", 0, r"clocks.reference is 0"),
    ("clocks.ticks_per_second", 3, r"clocks.ticks_per_second is 3: a tick must last whole microseconds"),
    ("clocks.ticks_per_second", 20, r"clocks: a tick has 25000000 clocks of the core, more than the 24 bits of SysTick"),
    ("machine", "NPU SoC", r'machine is "NPU SoC"'),
    ("description", "a\nb", r"description must be a text of one line"),
    ("stream_jobs", 1, r"stream_jobs must be true or false"),
    ("model_options", "{}", r"model_options must be an object"),
    ("peripherals", {"uart": {"base": 0, "size": 32}}, r"peripherals.uart: the name is taken"),
    ("peripherals", {"Power": {"base": 0, "size": 32}}, r"peripherals.Power: a name has lower-case letters"),
    ("peripherals", {"power": {"base": "0x40004000", "size": "0x1000"}}, r"devices.uart, .*, overlaps peripherals.power"),
    ("peripherals", {f"p{i}": {"base": 0x41000000 + 32 * i, "size": 32} for i in range(5)}, r"the map needs 17 regions of the MPU, which has 16"),
]


def changed(path, value):
    document = copy.deepcopy(GOOD)
    *parents, name = path.split(".")
    place = document
    for parent in parents:
        place = place[parent]
    if value is None:
        del place[name]
    else:
        place[name] = value
    return document


class MapTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name) / "my-board"
        self.folder.mkdir()

    def run_generator(self, *words):
        return subprocess.run([sys.executable, GENERATOR, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)

    def refusal(self, text):
        (self.folder / "board.json").write_text(text)
        with self.assertRaises(generate_map.Wrong) as caught:
            generate_map.Board(self.folder)
        return str(caught.exception)

    def test_each_fault_is_named(self):
        for path, value, message in FAULTS:
            with self.subTest(path=path, value=value):
                self.assertRegex(self.refusal(json.dumps(changed(path, value))), message)

    def test_text_that_is_no_board(self):
        self.assertRegex(self.refusal('{\n "a": 1,\n}'), r"line 3, column 1: not JSON")
        self.assertRegex(self.refusal('{"interrupts": 1, "interrupts": 2}'), r'field "interrupts" is there twice')
        self.assertRegex(self.refusal("[]"), r"the file must be an object")
        self.assertRegex(self.refusal("[" * 100000), r"nested too deeply|not JSON")

    def test_the_command_names_the_file(self):
        done = self.run_generator(self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"my-board/board.json: the file does not exist; a board's folder has its memory map in board.json")
        (self.folder / "board.json").write_text(json.dumps(changed("memory.l2", None)))
        self.assertRegex(self.run_generator(self.folder).stderr, r'my-board/board.json: memory: field "l2" is missing')

    def test_a_memory_may_be_elsewhere_on_the_bus(self):
        (self.folder / "board.json").write_text(json.dumps(changed("memory.dram.bus", "0xa0000000")))
        text = generate_map.Board(self.folder).header()
        for line in ("#define BOARD_DRAM_BASE 0x60000000", "#define BOARD_DRAM_BUS_BASE 0xa0000000", "#define BOARD_CODE_BUS_BASE 0x00000000"):
            self.assertIn(line + "\n", text)

    def test_output_is_written_once_and_checked(self):
        (self.folder / "board.json").write_text(json.dumps(changed("peripherals", {"power": {"base": "0x41000000", "size": 4096, "interrupt": 63}})))
        header, variables = self.folder / "board_map.h", self.folder / "board_map.cmake"
        words = (self.folder, "-o", header, "--cmake", variables)
        self.assertEqual(self.run_generator(*words, "--check").returncode, 1)
        self.assertFalse(header.exists())
        self.assertEqual(self.run_generator(*words).returncode, 0)
        before = header.stat().st_mtime_ns
        self.assertEqual(self.run_generator(*words).returncode, 0)
        self.assertEqual(header.stat().st_mtime_ns, before)
        self.assertEqual(self.run_generator(*words, "--check").returncode, 0)
        text = header.read_text()
        for line in ('#define BOARD_NAME "my-board"', "#define BOARD_DRAM_SIZE_MAX 0x40000000", "#define BOARD_NPU_FAULT_IRQ 9",
                     "#define BOARD_POWER_IRQ 63", "#define BOARD_PERIPHERAL_REGIONS(REGION) REGION(0x41000000, 0x00001000)",
                     "#define BOARD_UART_CLOCK 500000000", "#define BOARD_STREAM_JOBS 1", "#define BOARD_SRAM_BUS_BASE 0x20000000",
                     "#define BOARD_DRAM_BUS_BASE 0x60000000"):
            self.assertIn(line + "\n", text)
        self.assertIn("set(BOARD_STACK_SIZE 0x00010000)\n", variables.read_text())
        header.write_text(text + "\n")
        done = self.run_generator(*words, "--check")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"board_map.h is not up to date")

    def test_the_boards_of_the_tree(self):
        self.assertGreaterEqual(len(BOARDS), 3)
        for folder in BOARDS:
            with self.subTest(board=folder.name):
                generate_map.Board(folder)

    def test_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("there is no python3-jsonschema")
        schema = json.loads((ROOT / "schemas/board.schema.json").read_text())
        jsonschema.Draft7Validator.check_schema(schema)
        validator = jsonschema.Draft7Validator(schema)
        for folder in BOARDS:
            validator.validate(json.loads((folder / "board.json").read_text()))
        # The schema and the generator know the same fields.
        for path, value, message in FAULTS:
            if re.search("unknown|missing|must be an object|write a decimal", message):
                self.assertFalse(validator.is_valid(changed(path, value)), path)


if __name__ == "__main__":
    unittest.main()
