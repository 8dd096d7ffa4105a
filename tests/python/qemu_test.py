#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the package coxswain with the firmware's image under QEMU. Exit status 77: QEMU or the image is missing."""
import pathlib
import sys
import tempfile
import unittest

import numpy as np
from support import COPY, ROOT, SHAPE, copy_bindings

import coxswain
from coxswain import _files, machine


class Qemu(unittest.TestCase):
    def test_the_outputs_are_those_of_the_native_board(self):
        task = coxswain.lower(ROOT / "examples/digits/network.json", batch=1)
        images = np.fromfile(ROOT / "examples/digits/images.bin", np.float16).reshape(-1, 8, 8, 1)[:5]
        runs = [coxswain.run(task, image=images, board=board) for board in coxswain.BOARDS]
        np.testing.assert_array_equal(runs[0].outputs["logits"].view(np.uint16), runs[1].outputs["logits"].view(np.uint16))
        self.assertGreater(runs[1].control_instructions, 0)
        self.assertGreater(runs[1].cycles, runs[0].cycles)  # natively the control core takes no time
        self.assertIn("<svg", runs[1].timeline().svg)

    def test_a_hung_device_ends_by_the_time_limit(self):
        task = coxswain.assemble(COPY, copy_bindings())
        with tempfile.TemporaryDirectory() as folder:
            plan = pathlib.Path(folder) / "plan.txt"
            plan.write_text("stuck queue=LD core=0 instruction=1\n")
            with coxswain.Device("qemu-npu-soc", options={"faults": str(plan)}) as device:
                array = np.arange(48, dtype=np.int8).reshape(SHAPE)
                with self.assertRaises(coxswain.StatusError) as caught:
                    device.run(task, {"in": array}, time_limit=0.01)
                self.assertEqual(caught.exception.name, "time_limit")
                np.testing.assert_array_equal(device.run(task, {"in": array}).outputs["out"], array)

    def test_a_machine_that_ends_is_named(self):
        task = coxswain.assemble(COPY, copy_bindings())
        device = coxswain.Device("qemu-npu-soc")
        device._machine._process.kill()
        device._machine._process.wait()
        with self.assertRaisesRegex(coxswain.MachineError, "QEMU ended with exit status -9"):
            device.run(task, {"in": np.zeros(SHAPE, np.int8)})
        device.close()

    def test_options_that_the_model_refuses(self):
        with self.assertRaisesRegex(coxswain.MachineError, "QEMU ended(.|\n)*geomtry"):
            coxswain.Device("qemu-npu-soc", options={"geomtry": {}})


if __name__ == "__main__":
    try:
        _files.qemu(), _files.firmware(machine.QEMU_BOARD)
    except coxswain.MachineError as error:
        print(error)
        sys.exit(77)
    unittest.main()
