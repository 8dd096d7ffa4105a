#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the package coxswain on the native board."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import numpy as np
from support import COPY, ROOT, SHAPE, copy_bindings

import coxswain
from coxswain import _library, machine


def values(runs=1, seed=1):
    return np.random.default_rng(seed).integers(-128, 128, (runs, *SHAPE[1:]), np.int8)


class Tasks(unittest.TestCase):
    def test_a_task_tells_its_tensors(self):
        task = coxswain.assemble(COPY, copy_bindings())
        self.assertEqual([(t.name, t.format, t.shape, t.dtype) for t in task.inputs], [("in", "INT8", SHAPE, np.int8)])
        self.assertEqual([t.name for t in task.outputs], ["out"])
        self.assertIn("in: INT8 (1, 4, 4, 3)", repr(task))

    def test_a_saved_task_is_the_same(self):
        task = coxswain.assemble(COPY, copy_bindings())
        with tempfile.TemporaryDirectory() as folder:
            task.save(pathlib.Path(folder) / "copy.cxt")
            self.assertEqual(coxswain.load(pathlib.Path(folder) / "copy.cxt").image, task.image)

    def test_broken_images_are_refused_by_name(self):
        image = coxswain.assemble(COPY, copy_bindings()).image
        flipped = bytearray(image)
        flipped[40] ^= 1
        for broken, name in ((b"", "image_truncated"), (image[:-1], "image_truncated"), (b"x" + image[1:], "image_magic"), (bytes(flipped), "image_checksum")):
            with self.subTest(name), self.assertRaises(coxswain.StatusError) as caught:
                coxswain.Task(broken)
            self.assertEqual(caught.exception.name, name)

    def test_a_missing_file_is_named(self):
        with self.assertRaisesRegex(coxswain.InputError, "absent.cxt: No such file"):
            coxswain.load("absent.cxt")

    def test_the_command_says_what_is_wrong_with_a_stream(self):
        with self.assertRaisesRegex(coxswain.CommandError, 'did you mean "Tile"') as caught:
            coxswain.assemble(COPY.replace('"Tile"', '"Tle"'), copy_bindings())
        self.assertNotEqual(caught.exception.exit_status, 0)


class Inputs(unittest.TestCase):
    """Nothing runs: there is no device."""

    def setUp(self):
        self.task = coxswain.assemble(COPY, copy_bindings())

    def refused(self, pattern, **arrays):
        with self.assertRaisesRegex(coxswain.InputError, pattern):
            self.task.check_inputs(arrays)

    def test_names(self):
        self.refused("no input tensor 'input'; the inputs are: in", input=values())
        self.refused("no input tensor 'out'", out=values())
        self.refused("input tensor 'in' is not given: int8 of shape")

    def test_shapes(self):
        for shape in ((4, 4, 3), (1, 3, 4, 4), (0, 4, 4, 3), (1, 4, 4, 4), (48,), ()):
            self.refused(re.escape(f"takes shape {SHAPE}") + ".*" + re.escape(f"has {shape}"), **{"in": np.zeros(shape, np.int8)})

    def test_number_formats(self):
        for dtype in (np.uint8, np.int16, np.float32, ">i2"):
            self.refused("is INT8: it takes int8, not ", **{"in": np.zeros(SHAPE, dtype)})

    def test_an_array_is_not_copied(self):
        array = values()
        self.assertIs(self.task.check_inputs({"in": array})[1]["in"], array)


class Runs(unittest.TestCase):
    def setUp(self):
        self.task = coxswain.assemble(COPY, copy_bindings())

    def test_a_run_copies(self):
        run = coxswain.run(self.task, {"in": values()})
        np.testing.assert_array_equal(run.outputs["out"], values())
        self.assertGreater(run.cycles, 0)
        self.assertEqual(run.accelerator_instructions, 7)
        self.assertIsNone(run.control_instructions)

    def test_runs_take_the_same_cycles_each_time(self):
        self.assertEqual(len({coxswain.run(self.task, {"in": values()}).cycles for _ in range(3)}), 1)

    def test_several_runs_and_arrays_that_are_not_contiguous(self):
        images = values(10)[::-2]
        np.testing.assert_array_equal(coxswain.run(self.task, {"in": images}).outputs["out"], images)

    def test_runs_that_dram_cannot_hold_at_once_are_divided(self):
        images = values(60_000)
        with coxswain.Device(dram_bytes=16 << 20, events=False) as device:  # each run takes 128 bytes and a share of a job
            large = coxswain.assemble(COPY, {**copy_bindings(), "windows": [{"index": 0, "size": 4096, "writable": True}]})
            run = device.run(large, {"in": images[:8000]})
        np.testing.assert_array_equal(run.outputs["out"], images[:8000])

    def test_padded_channels(self):
        bindings = copy_bindings()
        bindings["windows"] = [{"index": 0, "size": 512, "writable": True}]
        for tensor, offset in zip(bindings["tensors"], (0, 128)):
            tensor.update(padded=True, offset=offset)
        task = coxswain.assemble(COPY, bindings)
        run = coxswain.run(task, {"in": values()})
        self.assertEqual(run.outputs["out"].shape, SHAPE)

    def test_other_number_formats_take_their_bytes(self):
        task = coxswain.assemble(COPY, copy_bindings("FP32", channels=1))
        array = np.zeros((1, 4, 4, 1), np.float32)
        array.view(np.uint8)[...] = np.arange(64).reshape(1, 4, 4, 4)
        out = coxswain.run(task, {"in": array}).outputs["out"]
        self.assertEqual(out.tobytes()[:48], array.tobytes()[:48])  # the task copies 48 of the 64 bytes

    def test_a_device_serves_several_tasks(self):
        with coxswain.Device() as device:
            for seed in range(3):
                other = coxswain.assemble(COPY, {**copy_bindings(), "name": f"copy{seed % 2}"})
                run = device.run(other, {"in": values(seed=seed)})
                np.testing.assert_array_equal(run.outputs["out"], values(seed=seed))
            self.assertIn("coxswain: ", device.console)

    def test_digits(self):
        task = coxswain.lower(ROOT / "examples/digits/network.json", batch=1)
        images = np.fromfile(ROOT / "examples/digits/images.bin", np.float16).reshape(-1, 8, 8, 1)
        labels = np.fromfile(ROOT / "examples/digits/labels.bin", np.uint8)
        found = coxswain.run(task, image=images).outputs["logits"].reshape(len(images), -1).argmax(1)
        self.assertGreater((found == labels).mean(), 0.97)


class Timelines(unittest.TestCase):
    def test_a_timeline_is_that_of_its_run(self):
        task = coxswain.assemble(COPY, copy_bindings())
        with coxswain.Device() as device:
            first = device.run(task, {"in": values()})
            second = device.run(task, {"in": values(5)})
            pictures = [run.timeline() for run in (first, second)]
        pictures.append(first.timeline())  # also when the device is off
        for picture in pictures:
            root = xml.etree.ElementTree.fromstring(picture._repr_svg_())
            self.assertTrue(root.tag.endswith("svg"))
            self.assertIn("sta_mov", picture.svg)
        self.assertEqual(pictures[0].svg, pictures[2].svg)
        with tempfile.TemporaryDirectory() as folder:
            pictures[0].save(pathlib.Path(folder) / "x.svg")
            self.assertEqual((pathlib.Path(folder) / "x.svg").read_text(), pictures[0].svg)

    def test_without_events_there_is_none(self):
        task = coxswain.assemble(COPY, copy_bindings())
        with coxswain.Device(events=False) as device, self.assertRaisesRegex(coxswain.InputError, "events=True"):
            device.run(task, {"in": values()}).timeline()


class Failures(unittest.TestCase):
    def setUp(self):
        self.task = coxswain.assemble(COPY, copy_bindings())
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def plan(self, text):
        path = pathlib.Path(self.folder.name) / "plan.txt"
        path.write_text(text + "\n")
        return {"faults": str(path)}

    def failed(self, name, **settings):
        with self.assertRaises(coxswain.StatusError) as caught:
            coxswain.run(self.task, {"in": values()}, **settings)
        self.assertEqual(caught.exception.name, name)
        self.assertIn("copy: ", str(caught.exception))
        return caught.exception

    def test_a_hung_device_ends_by_the_time_limit(self):
        self.failed("time_limit", options=self.plan("stuck queue=LD core=0 instruction=1"), time_limit=0.01)

    def test_a_device_fault_is_named(self):
        error = self.failed("device_fault", options=self.plan("bus_error queue=LD core=0 access=2"))
        self.assertEqual(error.what, "bus_error")

    def test_the_limit_of_this_host_cancels_the_run(self):
        with coxswain.Device(options=self.plan("stuck queue=LD core=0 instruction=1")) as device:
            with self.assertRaisesRegex(coxswain.StatusError, "host_limit"):
                device.run(self.task, {"in": values()}, time_limit=1000, host_limit=0.2)
            run = device.run(self.task, {"in": values()})
        np.testing.assert_array_equal(run.outputs["out"], values())

    def test_closing_ends_a_device_that_hangs(self):
        device = coxswain.Device(options=self.plan("stuck queue=LD core=0 instruction=1"))
        with self.assertRaises(coxswain.StatusError):
            device.run(self.task, {"in": values()}, time_limit=1000, host_limit=0.1)
        device.close()
        with self.assertRaisesRegex(coxswain.MachineError, "closed"):
            device.run(self.task, {"in": values()})

    def test_a_task_for_more_cores_than_there_are_is_refused(self):
        task = coxswain.lower(ROOT / "examples/digits/network.json", batch=2, cores=2)
        if task.cores == 1:
            self.skipTest("the lowering takes one core")
        with coxswain.Device(cores=1) as device, self.assertRaises(coxswain.StatusError) as caught:
            device.run(task, image=np.zeros((2, 8, 8, 1), np.float16))
        self.assertEqual((caught.exception.name, caught.exception.what), ("image_geometry", "tile_cores"))

    def test_one_native_device_at_a_time(self):
        with coxswain.Device(), self.assertRaisesRegex(coxswain.MachineError, "one at a time"):
            coxswain.Device()
        coxswain.Device().close()

    def test_options_and_boards_are_refused_by_name(self):
        with self.assertRaisesRegex(coxswain.MachineError, "geomtry"):
            coxswain.Device(options={"geomtry": {}, "hazards": True})
        with self.assertRaisesRegex(coxswain.InputError, "no board 'qemu'; the boards are: native"):
            coxswain.Device("qemu")
        for wrong in ({"time_limit": 0}, {"retries": 16}):
            with self.assertRaisesRegex(coxswain.InputError, next(iter(wrong))):
                coxswain.run(self.task, {"in": values()}, **wrong)

    def test_a_missing_library_and_command_are_named(self):
        for variable, pattern in (("COXSWAIN_LIBRARY", "names the host library"), ("COXSWAIN_COX", "names the command cox")):
            program = "import support, coxswain; coxswain.assemble('')"
            done = subprocess.run([sys.executable, "-c", program], cwd=pathlib.Path(__file__).parent, env={variable: "/absent"}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr.splitlines()[-1], f"MachineError: {variable} {pattern}: '/absent' does not exist")


class Facts(unittest.TestCase):
    """What the package repeats from the sources."""

    def test_version(self):
        numbers = re.findall(r"^#define COX_VERSION_\w+ (\d+)", (ROOT / "base/version.h").read_text(), re.MULTILINE)
        self.assertEqual(coxswain.__version__, ".".join(numbers))

    def test_errors(self):
        text = (ROOT / "base/cox_status.h").read_text()
        for name in ("NO_ROOM", "TIMEOUT"):
            self.assertIn(f"COX_ERROR_{name} = {getattr(_library, f'ERROR_{name}')},", text)

    def test_memory_map(self):
        dram = json.loads((ROOT / "boards" / machine.QEMU_BOARD / "board.json").read_text())["memory"]["dram"]
        self.assertEqual((int(dram["base"], 0), int(dram["default"], 0)), (machine._DRAM_BASE, machine._DRAM_BYTES))

    def test_structures(self):
        """The sizes and offsets in C of each structure that the package declares."""
        structures = {
            "cox_status": _library.Status, "cox_host_options": _library.HostOptions, "cox_host_window": _library.Window,
            "cox_host_job": _library.Job, "cox_host_waiting_unit": _library.WaitingUnit, "cox_host_outcome": _library.Outcome,
            "cox_host_task_info": _library.TaskInfo, "cox_host_task_tensor": _library.TaskTensor,
            "cox_host_task_window": _library.TaskWindow, "cox_native_options": _library.NativeOptions,
        }  # fmt: skip
        lines, expected = [], []
        for name, structure in structures.items():
            lines.append(f'printf("%zu\\n", sizeof({name}));')
            expected.append(_library.ctypes.sizeof(structure))
            for field, *_ in structure._fields_:
                lines.append(f'printf("%zu\\n", offsetof({name}, {field}));')
                expected.append(getattr(structure, field).offset)
        source = "#include <stddef.h>\n#include <stdio.h>\n#include \"coxswain/host/coxswain_native.h\"\n#include \"coxswain/host/coxswain_task.h\"\n"
        source += "int main(void) {\n" + "\n".join(lines) + "\nreturn 0;\n}\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "coxswain").mkdir()
            for layer in ("base", "host"):
                (path / "coxswain" / layer).symlink_to(ROOT / layer)
            (path / "sizes.c").write_text(source)
            subprocess.run(["cc", "-I", folder, "-o", path / "sizes", path / "sizes.c"], check=True)
            found = subprocess.run([path / "sizes"], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.assertEqual(list(map(int, found.split())), expected)

    def test_formats(self):
        schema = (ROOT / "firmware/image/task.fbs").read_text()
        formats = re.search(r"enum Format:ubyte \{([^}]*)\}", schema)[1]
        from coxswain.task import _FORMATS

        self.assertEqual(re.findall(r"(\w+) = \d+", formats), [name for name, _ in _FORMATS])


if __name__ == "__main__":
    unittest.main()
