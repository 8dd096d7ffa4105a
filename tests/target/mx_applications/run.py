#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The applications on the MX engine under QEMU: their results, and their messages about bad data. CMakeLists.txt has the environment variables."""
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "examples" / folder) for folder in ("machine", "digits_mx", "digits")]
sys.dont_write_bytecode = True

import demo  # noqa: E402
import machine  # noqa: E402
import mx9  # noqa: E402
import yolov5s_data  # noqa: E402

FAILED = 3


class Application(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.dram = self.folder / "dram.bin"

    def refused(self, image, message, **arguments):
        status, console = machine.run(machine.target_image(image), self.dram, seconds=60, **arguments)
        self.assertEqual(status, 1, console)
        self.assertRegex(console, message)
        return console


class Digits(Application):
    def test_every_logit_and_the_accuracy(self):
        figures = self.folder / "figures.json"
        done = subprocess.run([sys.executable, ROOT / "examples/digits_mx/demo.py", "--json", figures], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        result = json.loads(figures.read_text())
        self.assertRegex(done.stdout, r"(?m)^mx\.digits\.accuracy 0\.\d+$")
        self.assertEqual(result["mx.digits.images"], 297)
        self.assertEqual(result["mx.digits.differing_images"], 0)
        self.assertGreaterEqual(result["mx.digits.accuracy"], result["mx.digits.accuracy_fp32"] - 0.005)
        self.assertGreater(result["mx.digits.control_instructions_per_image"], 0)


class DigitsRefusals(Application):
    IMAGES = np.zeros((3, 8, 8, 1), np.float32)

    def lay_out(self, **changes):
        return demo.lay_out(self.dram, changes.pop("images", self.IMAGES), demo.packed_weights(), **changes)

    def refused_by_status(self, error):
        console = self.refused("digits_mx.elf", re.escape(f"digits_mx: {error}"))
        data = demo.MachineData.unpack(machine.Dram(self.dram).read(machine.DRAM_BASE, demo.MachineData.SIZE))
        self.assertEqual(data["state"], FAILED)
        self.assertEqual(data["error"], console.strip())

    def test_no_data_block(self):
        machine.Dram(self.dram, 16)
        self.refused("digits_mx.elf", "digits_mx: no data block at the base of DRAM")
        self.assertFalse(any(machine.Dram(self.dram).read(machine.DRAM_BASE, 4096)), "written to")

    def test_another_magic(self):
        self.lay_out(magic=0x12345678)
        self.refused("digits_mx.elf", "digits_mx: no data block at the base of DRAM")

    def test_another_version(self):
        self.lay_out(version=2)
        self.refused("digits_mx.elf", "digits_mx: data block of version 2 and 344 bytes; this is version 1 and 344")

    def test_no_images(self):
        self.lay_out(images=self.IMAGES[:0])
        self.refused_by_status("invalid_argument: image_count")

    def test_arena_too_small(self):
        self.lay_out(arena_bytes=4096)
        self.refused_by_status("no_room: arena")

    def test_weights_too_small(self):
        self.lay_out(weight_bytes=22048)
        self.refused_by_status("address_outside_window: WeightOffset")

    def test_weights_outside_dram(self):
        self.lay_out(weight_bytes=16 << 20)
        self.refused_by_status("window_outside_dram: weights")

    def test_stream_that_is_overwritten(self):
        """Logits and stream share memory: the stream of the second image begins with the logits of the first one."""
        self.lay_out()
        dram = machine.Dram(self.dram)
        numbers = list(demo.MachineData.HEAD.unpack(dram.read(machine.DRAM_BASE, demo.MachineData.HEAD.size)))
        arena, logits = numbers[10], 12
        numbers[logits] = arena
        dram.write(machine.DRAM_BASE, demo.MachineData.HEAD.pack(*numbers))
        self.refused_by_status("device_fault: ")
        data = demo.MachineData.unpack(dram.read(machine.DRAM_BASE, demo.MachineData.SIZE))
        self.assertRegex(data["error"], rf"at bus address {arena}\)$")

    def test_device_without_the_weights(self):
        """All weights and biases are zero, so all logits must be zero and not those of the demo."""
        logits, _ = demo.lay_out(self.dram, self.IMAGES, bytes(len(demo.packed_weights())))
        status, console = machine.run(machine.target_image("digits_mx.elf"), self.dram, seconds=60)
        self.assertEqual(status, 0, console)
        self.assertFalse(any(machine.Dram(self.dram).read(*logits)))


class Yolov5s(Application):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.made = pathlib.Path(folder.name)  # making weights takes a second or two, so all cases share them

    def test_every_bit_of_every_layer(self):
        """Each layer on the machine equals the host's result with the model's arithmetic, without kernels or streams."""
        program = machine.host_program("yolov5s")
        weights, expected = self.made / "weights-1.safetensors", self.folder / "expected.bin"
        size = ("--height", "64", "--width", "96")
        pictures = {seed: self.folder / f"picture-{seed}.ppm" for seed in (3, 4, 5)}
        images = [word for path in pictures.values() for word in ("--image", path)]
        for words in (
            ("weights", "--seed", "1", "-o", weights),
            *(("picture", "--seed", str(seed), *size, "-o", path) for seed, path in pictures.items()),
            ("pack", weights, *images, "-o", self.dram, *size, "--dram", "40"),
        ):
            subprocess.run([program, *words], check=True)
        shutil.copy(self.dram, expected)
        status, console = machine.run(machine.target_image("yolov5s.elf"), self.dram, seconds=60)
        self.assertEqual(status, 0, console)
        subprocess.run([program, "emulate", expected], check=True)
        got, wanted = (yolov5s_data.outputs(machine.Dram(path)) for path in (self.dram, expected))
        for number, (one, other) in enumerate(zip(got[0], wanted[0], strict=True)):
            self.assertTrue(any(one), f"layer {number} is all zeros")
            self.assertEqual(one, other, f"layer {number} differs")
        self.assertEqual(got[1], wanted[1], "boxes differ")
        # The detection of the first picture by itself, then those of all pictures in a row.
        boxes = [got[1][yolov5s_data.DETECTION_BYTES * i :][: yolov5s_data.DETECTION_BYTES] for i in range(4)]
        for detection in boxes:
            self.assertGreater(int.from_bytes(detection[:4], "little"), 0, "there are no boxes to compare")
        self.assertEqual(boxes[0], boxes[1])
        self.assertEqual(len(set(boxes)), 3, "two pictures have the same boxes")
        self.check_image(weights, pictures[3], size, got[0], boxes[0])

    def check_image(self, weights, picture, size, layers, boxes):
        """The network as a job has the same bytes in each layer, natively and under QEMU, although its kernels are not in the firmware."""
        program, cox = machine.host_program("yolov5s"), machine.host_program("cox")
        image, tensor = self.folder / "yolov5s.cxt", self.folder / "image.bin"
        subprocess.run([program, "image", weights, "--layers", "-o", image, *size], check=True)
        subprocess.run([program, "input", picture, "-o", tensor, *size], check=True)
        listed = subprocess.run([program, "layers", *size], check=True, stdout=subprocess.PIPE, text=True).stdout
        names = [line.split()[0] for line in listed.splitlines()[:-1]]
        self.assertEqual(len(names), len(layers))
        outputs = {name: self.folder / name for name in names}
        words = [word for name, path in outputs.items() for word in ("--out", f"{name}={path}")]
        for board in ("native", "qemu"):
            for path in outputs.values():
                path.unlink(missing_ok=True)
            subprocess.run([cox, "run", image, "--board", board, "--in", f"image={tensor}", *words, "--quiet"], check=True)
            for name, layer in zip(names, layers, strict=True):
                self.assertEqual(outputs[name].read_bytes(), layer, f"{board}: {name} differs")
        values = [outputs[f"model.24.m.{scale}.sigmoid"] for scale in range(3)]
        printed = subprocess.run([program, "boxes", *values, *size], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        fields = [line.split() for line in printed]
        packed = b"".join(struct.pack("<5fI", *map(float, (*box[2:], box[1])), int(box[0])) for box in fields)
        self.assertEqual(len(fields), int.from_bytes(boxes[:4], "little"))
        self.assertEqual(packed, boxes[8 : 8 + len(packed)])

    def command(self, *words):
        figures = self.folder / "figures.json"
        command = [ROOT / "examples/yolov5s/run", *words, "--out", self.made, "--json", figures]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHON": sys.executable})
        return done, figures

    def test_whole_network_at_640(self):
        done, figures = self.command()
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)
        document = json.loads(figures.read_text())
        result = document["figures"]
        self.assertEqual(document["misses"], [])
        self.assertGreaterEqual(result["mx.yolov5s.utilisation"], 0.85)
        self.assertGreaterEqual(result["mx.yolov5s.mac_bound_utilisation"], 0.95)
        # A utilisation of 1 means that the convolutions run at the engine's peak rates. The cycles of the layers add up to those of the
        # network within 0.5 %.
        self.assertLessEqual(result["mx.yolov5s.utilisation"], 1)
        cycles = sum(layer["device_cycles"] for layer in document["report"]["layers"])
        self.assertAlmostEqual(cycles / result["mx.yolov5s.network_cycles"], 1, delta=0.005)
        # The core's work overlaps the network's, except packing of the first picture and the boxes of the last one.
        cycles = {stage["name"]: stage["device_cycles"] for stage in document["report"]["stages"]}
        frames = document["report"]["frames"]
        self.assertGreater(frames["count"], 2)
        self.assertAlmostEqual(frames["cycles"] / (frames["count"] * cycles["network"] + cycles["pack"] + cycles["detect"]), 1, delta=0.02)
        # At 1,024 products a cycle, the network needs 8.14 M cycles if channels are padded to blocks of 16. mac_cycles does not count the
        # products with padding, which are in two places.
        # - The first layer pads 4 of 16 input channels. 9 positions * 4 channels * 32 outputs * 320 * 320 pixels take 115,200 cycles.
        # - In the three output layers, 1 of 256 output channels is padding. The layers have 128, 256 and 512 input channels and 6,400,
        #   1,600 and 400 pixels. 128 * 6,400 + 256 * 1,600 + 512 * 400 products take 1,400 cycles.
        self.assertAlmostEqual(result["mx.yolov5s.mac_cycles"] + 115_200 + 1_400, 8.14e6, delta=5_000)
        self.assertGreaterEqual(result["mx.yolov5s.matched_share"], 0.95)
        self.assertGreater(result["mx.yolov5s.boxes_fp32"], 10)

    def test_refusals_of_the_command(self):
        for words, message in (
            (("--size", "50"), "size 50 is not a multiple of 32"),
            (("--size", "0"), "size 0 is not a multiple of 32"),
            (("--seed", "-1"), "-1 is below 0"),
            (("--size", "64", "--weights", "/no/such"), "/no/such"),
            (("--size", "64", "--image", str(ROOT / "README.md")), "P6|PPM"),
        ):
            done, _ = self.command(*words)
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr, message)
            self.assertNotIn("Traceback", done.stderr)


class Yolov5sRefusals(Application):
    def refused_by_status(self, error, layer=""):
        console = self.refused("yolov5s.elf", re.escape(f"yolov5s: {error}"))
        data = yolov5s_data.read(machine.Dram(self.dram))
        self.assertEqual(data["state"], yolov5s_data.FAILED)
        self.assertEqual(data["error"], console.strip())
        if layer:
            self.assertRegex(data["error"], rf", at {re.escape(layer)}$")

    def test_no_data_block(self):
        machine.Dram(self.dram, 16)
        self.refused("yolov5s.elf", "yolov5s: no data block at the base of DRAM")
        self.assertFalse(any(machine.Dram(self.dram).read(machine.DRAM_BASE, 16384)), "written to")

    def test_another_magic(self):
        yolov5s_data.lay_out(self.dram, 32, magic=1)
        self.refused("yolov5s.elf", "yolov5s: no data block at the base of DRAM")

    def test_another_version(self):
        yolov5s_data.lay_out(self.dram, 32, version=7)
        self.refused("yolov5s.elf", "yolov5s: data block of version 7 and 68448 bytes; this is version 2 and 68448")

    def test_another_size_of_the_block(self):
        yolov5s_data.lay_out(self.dram, 32, size=64)
        self.refused("yolov5s.elf", "yolov5s: data block of version 2 and 64 bytes")

    def test_height_no_multiple_of_32(self):
        yolov5s_data.lay_out(self.dram, 32, height=48)
        self.refused_by_status("invalid_argument: height, value 48, limit 32")

    def test_width_zero(self):
        yolov5s_data.lay_out(self.dram, 32, width=0)
        self.refused_by_status("invalid_argument: width, value 0, limit 32")

    def test_weights_too_small(self):
        yolov5s_data.lay_out(self.dram, 32, weights=4096)
        self.refused_by_status("window_too_small: weights, value 4096", "model.0.conv")

    def test_weights_too_small_for_the_last_layer(self):
        yolov5s_data.lay_out(self.dram, 32, weights=8_100_000)
        self.refused_by_status("window_too_small: weights, value 8100000", "model.24.m.2")

    def test_arena_too_small(self):
        yolov5s_data.lay_out(self.dram, 32, arena=65536)
        # The arena has 65,536 bytes. The stream takes 16,384 bytes, scratch takes 64 bytes, and three maps take 18 bytes for each block:
        # the image has 32 * 32 blocks, model.12 has 32 * 4 * 4, and model.16 has 16 * 8 * 8. This leaves 65,536 - 16,384 - 64 -
        # 18 * 2,560 = 3,008 bytes. But model.19 has 16 * 4 * 4 blocks and needs 18 * 256 = 4,608 bytes.
        self.refused_by_status("no_room: arena, value 4608, limit 3008", "model.19")

    def test_arena_too_small_for_a_stream(self):
        yolov5s_data.lay_out(self.dram, 32, arena=4096)
        self.refused_by_status("no_room: arena")

    def test_weights_off_their_alignment(self):
        yolov5s_data.lay_out(self.dram, 32, shift=2)
        self.refused_by_status("misaligned_address: weights")

    def test_arena_outside_dram(self):
        yolov5s_data.lay_out(self.dram, 16, arena=32 << 20)
        self.refused_by_status("window_outside_dram: arena")

    def test_no_room_for_the_pictures(self):
        yolov5s_data.lay_out(self.dram, 32, pictures=(machine.DRAM_BASE + 0x20000, 4096))
        self.refused_by_status("window_too_small: pictures, value 4096, limit 12288")

    def test_no_pictures(self):
        yolov5s_data.lay_out(self.dram, 32, count=0)
        self.refused_by_status("invalid_argument: pictures, value 0, limit 8")

    def test_too_many_pictures(self):
        yolov5s_data.lay_out(self.dram, 32, count=9)
        self.refused_by_status("invalid_argument: pictures, value 9, limit 8")

    def test_arena_too_small_for_the_second_stream(self):
        # The first stream, scratch and tensors take 400,064 bytes, and the second stream takes 16,384.
        yolov5s_data.lay_out(self.dram, 32, arena=400_064)
        self.refused_by_status("no_room: arena, value 16384, limit 0")

    def test_arena_too_small_for_the_second_outputs(self):
        # The second stream's map of 1,024 blocks and outputs of 1,024, 256 and 64 blocks take 18 bytes a block: 42,624 bytes.
        yolov5s_data.lay_out(self.dram, 32, arena=400_064 + 16_384 + 42_624 - 64)
        self.refused_by_status("no_room: arena, value 1152, limit 1088", "model.24.m.2.sigmoid")


class Numpy(unittest.TestCase):
    """Checks mx9.py, with which the device is compared, by blocks worked out by hand."""

    def block(self, *values):
        return np.array([*values, *([0] * (16 - len(values)))], np.float32)

    def test_one(self):
        exponent, numbers = mx9.quantise(self.block(1.0))
        # quantise() returns numbers in units of 2^(exponent - 134). Here the unit is 2^(127 - 134) = 1/128.
        self.assertEqual((exponent, list(numbers[:2])), (127, [128, 0]))

    def test_shifted_pair(self):
        exponent, numbers = mx9.quantise(self.block(2.0, 0, 0.5, -0.75))
        # Exponent 128 means units of 1/64, so 2.0 is 128, 0.5 is 32 and -0.75 is -48.
        self.assertEqual((exponent, list(numbers[:4])), (128, [128, 0, 32, -48]))

    def test_half_to_even_and_saturation(self):
        exponent, numbers = mx9.quantise(self.block(1.0, 1 + 1 / 128, 1 + 3 / 128, 1.999))
        # In units of 1/64, the values are 64, 64.5, 65.5 and 127.9. They become 64, 64, 66 and 127, the maximum.
        self.assertEqual((exponent, list(numbers[:4] // 2)), (127, [64, 64, 66, 127]))

    def test_zeros_and_subnormals(self):
        exponent, numbers = mx9.quantise(self.block(1e-40, -1e-40))
        self.assertEqual((exponent, numbers.any()), (0, False))

    def test_back(self):
        values = self.block(1.5, -0.25, 0.125, 3.0)
        self.assertEqual(list(mx9.dequantise(mx9.quantise(values))), list(values))


if __name__ == "__main__":
    try:
        for name in ("digits_mx.elf", "yolov5s.elf"):
            machine.target_image(name)
        for name in ("cox", "digits_mx_pack_weights", "yolov5s", "yolov5s_limits"):
            machine.host_program(name)
        machine.built("COX_QEMU", "build/qemu/bin/qemu-system-arm", "make qemu")
        machine.built("COX_MODEL", "build/host/lib/libcox_model.so", "make host")
    except machine.Missing as missing:
        print(f"skipped: {missing}")
        sys.exit(77)
    unittest.main()
