#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""boards/partition.py: the parts of a board, the regions of the SAU, and what it refuses."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

BOARDS = pathlib.Path(__file__).resolve().parents[3] / "boards"
sys.dont_write_bytecode = True
sys.path.insert(0, str(BOARDS))
import partition  # noqa: E402


def document_of(board):
    return partition.numbers(json.loads((BOARDS / board / "board.json").read_text()))


class Parts(unittest.TestCase):
    def write(self, board, build, part, folder, change=lambda document: None):
        source = pathlib.Path(folder, "board")
        source.mkdir(exist_ok=True)
        document = json.loads((BOARDS / board / "board.json").read_text())
        change(document)
        (source / "board.json").write_text(json.dumps(document))
        out = pathlib.Path(folder, f"{build}-{part}")
        command = [sys.executable, str(BOARDS / "partition.py"), str(source), "--build", build, "--part", part, "-o", str(out)]
        return out, subprocess.run(command, capture_output=True, text=True, check=False)

    def test_both_parts_are_boards_and_divide_the_memories(self):
        for board in ("qemu-npu-soc", "mps3-an547"):
            whole = document_of(board)["memory"]
            for build in ("nonsecure", "service"):
                with self.subTest(board=board, build=build), tempfile.TemporaryDirectory() as folder:
                    parts = {}
                    for part in ("secure", "nonsecure"):
                        out, run = self.write(board, build, part, folder)
                        self.assertEqual(run.returncode, 0, run.stderr)
                        checked = subprocess.run([sys.executable, str(BOARDS / "generate_map.py"), str(out)], capture_output=True, text=True, check=False)
                        self.assertEqual(checked.returncode, 0, checked.stderr)
                        parts[part] = json.loads((out / "board.json").read_text())["memory"]
                    for name in ("code", "sram"):
                        first, second = parts["secure"][name], parts["nonsecure"][name]
                        self.assertEqual(first["base"], whole[name]["base"])
                        self.assertEqual(first["base"] + first["size"], second["base"])
                        self.assertEqual(first["size"] + second["size"], whole[name]["size"])

    def test_a_part_has_its_part_of_the_bus(self):
        def change(document):
            document["memory"]["sram"]["bus"] = "0x30000000"
            document["memory"]["dram"]["bus"] = "0xa0000000"

        with tempfile.TemporaryDirectory() as folder:
            memory = {}
            for part in ("secure", "nonsecure"):
                out, run = self.write("qemu-npu-soc", "service", part, folder, change)
                self.assertEqual(run.returncode, 0, run.stderr)
                memory[part] = json.loads((out / "board.json").read_text())["memory"]
            for name, offset in (("sram", 0x10000000), ("dram", 0x40000000)):
                for part in ("secure", "nonsecure"):
                    self.assertEqual(memory[part][name]["bus"] - memory[part][name]["base"], offset)
            self.assertNotIn("bus", memory["secure"]["code"])

    def test_the_regions_cover_what_is_non_secure_and_nothing_that_is_secure(self):
        for board, secure_devices in (("qemu-npu-soc", []), ("mps3-an547", ["watchdog"])):
            for build in ("nonsecure", "service"):
                divided = partition.Partition(document_of(board), secure_devices, build)
                for most in range(8, 0, -1):
                    try:
                        regions = divided.sau_regions(most)
                    except partition.Wrong:
                        break
                    self.assertLessEqual(len(regions), most)
                    for base, size in divided.nonsecure.values():
                        self.assertTrue(any(first <= base and base + size <= last for first, last in regions))
                    for base, size in divided.secure.values():
                        self.assertFalse(any(first < base + size and base < last for first, last in regions))
                self.assertLess(most, 8)

    def test_too_few_regions(self):
        divided = partition.Partition(document_of("qemu-npu-soc"), [], "nonsecure")
        with self.assertRaisesRegex(partition.Wrong, "needs 2 regions of the SAU, which has 1"):
            divided.sau_regions(1)

    def test_too_little_memory(self):
        with tempfile.TemporaryDirectory() as folder:
            _, run = self.write("qemu-npu-small", "nonsecure", "secure", folder)
            self.assertEqual(run.returncode, 1)
            self.assertIn("memory.sram has 128 KiB, and the secure part of the build nonsecure needs 128 KiB of it", run.stderr)

    def test_a_device_that_the_board_does_not_have(self):
        with self.assertRaisesRegex(partition.Wrong, 'secure_devices: the board has no "wachdog"'):
            partition.Partition(document_of("mps3-an547"), ["wachdog"], "nonsecure")

    def test_security_json(self):
        schema = json.loads((BOARDS.parent / "schemas/security.schema.json").read_text())
        for board in BOARDS.glob("*/security.json"):
            fields = json.loads(board.read_text())
            self.assertEqual(sorted(schema["properties"]), ["$schema", *sorted(fields)], "the schema describes each field")
        for text, message in (
            ("{", "security.json: not JSON: "),
            ("[]", "security.json must be an object"),
            ('{"secure_device": []}', 'security.json: field "secure_device" is unknown; the file has one field, secure_devices'),
            ("{}", 'security.json: field "secure_devices" is missing'),
            ('{"secure_devices": "watchdog"}', "security.json: secure_devices must be a list of different names"),
            ('{"secure_devices": [1]}', "security.json: secure_devices must be a list of different names"),
            ('{"secure_devices": ["dma", "dma"]}', "security.json: secure_devices must be a list of different names"),
            ('{"secure_devices": ["wachdog"]}', 'security.json: secure_devices: the board has no "wachdog"; its devices are '),
            ('{"$schema": "../../schemas/security.schema.json", "secure_devices": ["dma"]}', None),
        ):
            with self.subTest(text), tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, "board").mkdir()
                pathlib.Path(folder, "board/security.json").write_text(text)
                _, run = self.write("qemu-npu-soc", "nonsecure", "secure", folder)
                self.assertEqual(run.returncode, 0 if message is None else 1, run.stderr)
                if message is not None:
                    self.assertIn(f"board/{message}", run.stderr)
                self.agrees(schema, text, message)

    def agrees(self, schema, text, message):
        """The schema refuses what the script refuses, unless it would have to know the board."""
        try:
            import jsonschema
        except ImportError:
            return
        if message is None or "not JSON" not in message and "the board has no" not in message:
            self.assertEqual(jsonschema.Draft7Validator(schema).is_valid(json.loads(text)), message is None)

    def test_ranges_that_are_not_aligned(self):
        def change(document):
            document["devices"]["uart"]["size"] = 16

        with tempfile.TemporaryDirectory() as folder:
            _, run = self.write("mps3-an547", "nonsecure", "secure", folder, change)
            self.assertEqual(run.returncode, 1)
            self.assertIn("the SAU's regions are multiples of 32 bytes", run.stderr)


if __name__ == "__main__":
    unittest.main()
