#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs of engines that run streams, as jobs: `cox as` makes images, `cox check` and `cox dis` take them, and `cox run` runs them.

The outputs must have the bytes that this script computes. Ends with status 77 (skipped) if QEMU or a firmware image is not built.
"""
import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "examples/digits_mx"))
sys.dont_write_bytecode = True

import mx9  # noqa: E402

SIDE = 16
FIVE_ENGINES = ROOT / "tests/tools/unity/five_engines.xdsa"
GEMM = """DRAM_TO_L1 Source=0x60000000 Rows=16 RowBytes=32 SourcePitch=32 Format=Fractal DestinationPitch=1
DRAM_TO_L1 Source=0x60000200 Rows=16 RowBytes=32 SourcePitch=32 Format=Fractal DestinationPitch=1 Destination=512 Set=MTE1:0
L1_TO_L0A SourcePitch=1 Rows=16 Columns=16 Wait=MTE2:0
L1_TO_L0B Source=512 SourcePitch=1 Rows=16 Columns=16 Set=M:0
MAD M=16 K=16 N=16 Type=half CmatrixInitVal=true Wait=MTE1:0 Set=FIX:0
OUT_CFG
L0C_TO_DRAM Destination=0x60000400 Rows=16 Columns=16 SourcePitch=1 DestinationPitch=64 Wait=M:0
"""
GEMM_BINDINGS = {
    "name": "gemm",
    "windows": [{"index": 0, "size": 1024, "base": "0x60000000"}, {"index": 2, "size": 1024, "writable": True, "base": 0x60000400}],
    "tensors": [
        {"name": "a", "direction": "input", "format": "FP16", "shape": [1, SIDE, SIDE, 1], "window": 0},
        {"name": "b", "direction": "input", "format": "FP16", "shape": [1, SIDE, SIDE, 1], "window": 0, "offset": 512},
        {"name": "c", "direction": "output", "format": "FP32", "shape": [1, SIDE, SIDE, 1], "window": 2},
    ],
}
BLOCKS, BLOCK_BYTES = 4, 18
SUM = """CONFBADDR InputBase1=0 InputBase2=0 OutputBase1=3 OutputBase2=3 WeightBase=0
ELADD Length1=4 Length2=0 InOffset1=0 InOffset2=0 OutOffset=0
"""
SUM_BINDINGS = {
    "windows": [{"index": 0, "size": BLOCKS * BLOCK_BYTES}, {"index": 1, "size": 4096, "writable": True}],
    "bases": [0x1000000, None, None, "0x2000100"],
    "tensors": [
        {"name": "x", "direction": "input", "format": "MX9", "shape": [1, 16, BLOCKS, 1], "window": 0},
        {"name": "y", "direction": "output", "format": "MX9", "shape": [1, 16, BLOCKS, 1], "window": 1, "offset": 256},
    ],
}
ROWS, COLUMNS, IN_CHANNELS, OUT_CHANNELS = 5, 6, 32, 48
CONVOLUTION = "CONFBADDR InputBase1=0 InputBase2=0 OutputBase1=1 OutputBase2=1 WeightBase=2\n" + " ".join((
    f"CONVACT InChannels={IN_CHANNELS // 16 - 1} OutChannels={OUT_CHANNELS // 16 - 1} Kernel=3x3 Stride=0 Padding=1 Activation=ReLU Split=false",
    f"InHeight={ROWS - 1} InWidth={COLUMNS - 1} InOffset=0 WeightOffset=0 OutOffset1=0 OutOffset2=0\n",
))
WEIGHT_BYTES = OUT_CHANNELS // 16 * (3 * 3 * IN_CHANNELS * BLOCK_BYTES + 64)
CONVOLUTION_BINDINGS = {
    "windows": [
        {"index": 0, "size": ROWS * COLUMNS * IN_CHANNELS // 16 * BLOCK_BYTES},
        {"index": 1, "size": ROWS * COLUMNS * OUT_CHANNELS // 16 * BLOCK_BYTES, "writable": True},
        {"index": 2, "size": WEIGHT_BYTES},
    ],
    "constants": [{"window": 2, "file": "weights.bin"}],
    "tensors": [
        {"name": "in", "direction": "input", "format": "MX9", "shape": [1, IN_CHANNELS, ROWS, COLUMNS], "window": 0},
        {"name": "out", "direction": "output", "format": "MX9", "shape": [1, OUT_CHANNELS, ROWS, COLUMNS], "window": 1},
    ],
}


class Cox:
    def __init__(self, command, folder):
        self.command = command
        self.folder = folder

    def __call__(self, *words, status=0, says=""):
        result = subprocess.run([self.command, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode == 4 and "does not exist. Build it with" in result.stdout:
            print("skipped:", result.stdout.strip())
            sys.exit(77)
        if result.returncode != status or says not in result.stdout:
            sys.exit(f"cox {' '.join(words)}: exit status {result.returncode}, not {status}, or without '{says}':\n{result.stdout}")

    def write(self, name, content):
        if isinstance(content, dict):
            content = json.dumps(content)
        (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    def expect_bytes(self, name, expected):
        if (self.folder / name).read_bytes() != expected:
            sys.exit(f"{name} has other bytes than expected")


def check_image(cox, text, bindings, stream_ending):
    """Makes IMAGE.cxt from the text, and the same image again from the stream's bytes and from what dis writes."""
    name = text.split(".")[0]
    cox.write(f"{name}.bindings.json", bindings)
    cox("as", text, "-o", f"{name}.cxt")
    cox("check", "--strict", f"{name}.cxt", says="0 errors, 0 warnings")
    cox("as", text, "-o", f"{name}.{stream_ending}")
    cox("as", f"{name}.{stream_ending}", "-o", "again.cxt", "--bindings", f"{name}.bindings.json")
    image = (cox.folder / f"{name}.cxt").read_bytes()
    cox.expect_bytes("again.cxt", image)
    ending = text.split(".")[1]
    cox("dis", f"{name}.cxt", "-o", f"dis.{ending}")
    cox("as", f"dis.{ending}", "-o", "dis.cxt")
    cox.expect_bytes("dis.cxt", image)


def run_gemm(cox, board):
    a = [[(3 * i + 5 * j) % 7 - 3 for j in range(SIDE)] for i in range(SIDE)]
    b = [[(2 * i + 3 * j) % 5 - 2 for j in range(SIDE)] for i in range(SIDE)]
    cox.write("a.bin", b"".join(struct.pack("<16e", *row) for row in a))
    cox.write("b.bin", b"".join(struct.pack("<16e", *row) for row in b))
    cox("run", "gemm.cxt", "--board", board, "--in", "a=a.bin", "--in", "b=b.bin", "--out", "c=c.bin")
    product = [[sum(a[i][k] * b[j][k] for k in range(SIDE)) for j in range(SIDE)] for i in range(SIDE)]
    cox.expect_bytes("c.bin", b"".join(struct.pack("<16f", *row) for row in product))


def run_sum(cox, board):
    """A sum of a tensor with itself has the same elements, with shared exponents that are larger by 1."""
    blocks = [bytes([100 + i, 0] + [64 + 3 * ((i + j) % 16) for j in range(16)]) for i in range(BLOCKS)]
    cox.write("x.bin", b"".join(blocks))
    cox("run", "sum.cxt", "--board", board, "--in", "x=x.bin", "--out", "y=y.bin")
    cox.expect_bytes("y.bin", b"".join(bytes([block[0] + 1]) + block[1:] for block in blocks))
    many = [bytes([block[0] + n]) + block[1:] for n in range(7) for block in blocks]
    cox.write("many.bin", b"".join(many))
    for batch in "1", "3", "65536":
        cox("run", "sum.cxt", "--board", board, "--in", "x=many.bin", "--out", "y=y.bin", "--batch", batch, "--stats", "stats.json", says="7 inferences")
        cox.expect_bytes("y.bin", b"".join(bytes([block[0] + 1]) + block[1:] for block in many))
        counts = [run["inferences"] for run in json.loads((cox.folder / "stats.json").read_text())["runs"]]
        if counts != {"1": [1] * 7, "3": [3, 3, 1], "65536": [7]}[batch]:
            sys.exit(f"--batch {batch}: jobs of {counts} inferences")
    cox.write("plan.txt", "bus_error queue=MX access=20\n")
    cox("run", "sum.cxt", "--board", "native", "--in", "x=many.bin", "--batch", "7", "--option", "faults=plan.txt", status=4, says="sum, inference 4: ")
    cox("run", "sum.cxt", "--board", "native", "--in", "x=many.bin", "--batch", "0", status=2, says="--batch")


def block_bytes(exponent, numbers):
    """The 18 bytes of an MX9 block (docs/mx9.md, The block) in the form of mx9.py."""
    pairs = [max(abs(int(number)) for number in numbers[i : i + 2]) for i in range(0, 16, 2)]
    halved = [exponent != 0 and pair < 128 for pair in pairs]
    shifts = sum(1 << i for i, half in enumerate(halved) if half)
    elements = (abs(int(number)) // (1 if halved[i // 2] else 2) | (128 if number < 0 else 0) for i, number in enumerate(numbers))
    return bytes([int(exponent), shifts, *elements])


def map_bytes(tensor):
    """A map of mx9.py (rows, columns, blocks) as the device stores it: [block][row][column]."""
    exponents, numbers = tensor
    rows, columns, depth = exponents.shape[1:]
    places = ((0, y, x, b) for b in range(depth) for y in range(rows) for x in range(columns))
    return b"".join(block_bytes(exponents[place], numbers[place]) for place in places)


def convolution():
    """Returns the bytes of input, weights and output."""
    random = np.random.default_rng(1)
    values = mx9.quantise(mx9.blocks(random.normal(size=(1, ROWS, COLUMNS, IN_CHANNELS))))
    weights = random.normal(size=(OUT_CHANNELS, 3, 3, IN_CHANNELS))
    biases = random.normal(size=OUT_CHANNELS).astype(np.float32)
    packed = b""
    exponents, numbers = mx9.quantise(mx9.blocks(weights))
    for group in range(0, OUT_CHANNELS, 16):
        places = ((group + k, y, x, b) for y in range(3) for x in range(3) for b in range(IN_CHANNELS // 16) for k in range(16))
        packed += b"".join(block_bytes(exponents[place], numbers[place]) for place in places)
        packed += biases[group : group + 16].tobytes()
    return map_bytes(values), packed, map_bytes(mx9.convolve(values, weights, biases, 1, rectify=True))


def run_convolution(cox, board, values, expected):
    cox.write("in.bin", values)
    cox("run", "conv.cxt", "--board", board, "--in", "in=in.bin", "--out", "out=out.bin", "--stats", "stats.json")
    cox.expect_bytes("out.bin", expected)
    count = json.loads((cox.folder / "stats.json").read_text())["multiply_accumulates"]
    if count != ROWS * COLUMNS * 9 * IN_CHANNELS * OUT_CHANNELS:
        sys.exit(f"cox run counts {count} multiply-accumulates")


def run_five_engines(cox, board):
    """One program on five engines, twice in one boot."""
    subprocess.run([sys.executable, FIVE_ENGINES.with_suffix(".py"), cox.folder], check=True, stdout=subprocess.DEVNULL)
    expected = (cox.folder / "expected.bin").read_bytes()
    inputs = [word for name in "abw" for word in ("--in", f"{name}={name}.bin")]
    cox("run", FIVE_ENGINES, "--board", board, *inputs, "--out", "out=five.bin", "--repeat", "2")
    cox.expect_bytes("five.bin", expected)


def refuse_damaged(cox, board):
    """`cox check` and `cox run` refuse a relocation that was changed in the image, in the same words."""
    cases = (
        ("sum", {"place": 40}, 1, "relocation 1: image_malformed: program.relocations: 40, the limit is 31"),
        ("sum", {"place": 0}, 1, "relocation 1: image_malformed: program.relocations: 0, the limit is 1"),
        ("sum", {"window": 3}, 1, "relocation 1: image_malformed: program.relocations: 256, the limit is 0"),
        ("sum", {"window": 4}, 1, "relocation 1: image_malformed: program.relocations: 4, the limit is 3"),
        ("sum", {"offset": 4096}, 1, "relocation 1: image_malformed: program.relocations: 4096, the limit is 4096"),
        ("gemm", {"place": 64}, 1, "relocation 1: image_malformed: program.relocations: 64, the limit is 32"),
        ("gemm", {"window": 1}, 1, "relocation 1: image_malformed: program.relocations: 512, the limit is 0"),
        ("sum", {"offset": 4090}, 1, "instruction 1: address_outside_window: "),
    )
    entries = {"sum": [(0, 0, 0), (256, 3, 1)], "gemm": [(0, 0, 0), (512, 32, 0), (0, 192, 2)]}
    packed = struct.Struct("<QIB3x")
    inputs = {"sum": ("--in", "x=x.bin"), "gemm": ("--in", "a=a.bin", "--in", "b=b.bin")}
    for name, change, index, words in cases:
        image = (cox.folder / f"{name}.cxt").read_bytes()
        before = b"".join(packed.pack(*entry) for entry in entries[name])
        if image.count(before) != 1:
            sys.exit(f"{name}.cxt has other relocations")
        fields = dict(zip(("offset", "place", "window"), entries[name][index])) | change
        payload = image.replace(before, b"".join(packed.pack(*(fields.values() if i == index else entry)) for i, entry in enumerate(entries[name])))[16:]
        cox.write("damaged.cxt", image[:12] + struct.pack("<I", zlib.crc32(payload)) + payload)
        cox("check", "damaged.cxt", status=1, says=words)
        cox("run", "damaged.cxt", "--board", board, *inputs[name], status=1, says=words)
    cox("dis", "damaged.cxt", "-o", "no.mx")
    cox.write("damaged.cxt", image)


def refuse_retries(cox):
    """A stream that writes its input must not begin again, although the firmware would do so."""
    in_place = {**SUM_BINDINGS, "windows": [{"index": 0, "size": BLOCKS * BLOCK_BYTES, "writable": True}], "bases": [0x1000000] * 4}
    in_place["tensors"] = [dict(SUM_BINDINGS["tensors"][0]), {**SUM_BINDINGS["tensors"][1], "window": 0, "offset": 0}]
    cox.write("in_place.json", in_place)
    cox("as", "sum.mx", "-o", "in_place.cxt", "--bindings", "in_place.json")
    cox.write("plan.txt", "bus_error queue=MX access=2\n")
    options = ("--board", "native", "--in", "x=x.bin", "--retries", "1", "--option", "faults=plan.txt")
    cox("run", "sum.cxt", *options)
    cox("run", "in_place.cxt", *options, status=4, says="; not begun again: the task reads DRAM that it writes")


def refuse(cox):
    def bound(**change):
        return json.loads(json.dumps({**GEMM_BINDINGS, **change}))

    small = bound(tensors=[], windows=[{"index": 0, "size": 512, "base": "0x60000000"}, GEMM_BINDINGS["windows"][1]])
    cox.write("bad.json", small)
    cox("as", "gemm.cube", "-o", "bad.cxt", "--bindings", "bad.json", status=3, says="gemm.cube: byte 32: the address 0x60000200 lies in no window of bad.json")
    small["windows"][0]["size"] = 1023
    cox.write("bad.json", small)
    cox("as", "gemm.cube", "-o", "bad.cxt", "--bindings", "bad.json")
    cox("check", "bad.cxt", status=1, says="instruction 1: address_outside_window: ")
    cox("run", "bad.cxt", "--board", "native", status=1, says="instruction 1: address_outside_window: ")
    small["windows"][0]["size"] = 1025
    cox.write("bad.json", small)
    cox("as", "gemm.cube", "-o", "no.cxt", "--bindings", "bad.json", status=3, says="windows[1]: base: window 2 (0x60000400 to 0x600007FF) overlaps window 0")
    cox.write("bad.json", bound(bases=[0]))
    cox("as", "gemm.cube", "-o", "no.cxt", "--bindings", "bad.json", status=3, says="bases: the engine has no base registers")
    cox.write("bad.json", {**SUM_BINDINGS, "bases": [0]})
    cox("as", "sum.mx", "-o", "no.cxt", "--bindings", "bad.json", status=3, says="bad.json: bases[0]: the address 0x0 lies in no window of bad.json")
    cox.write("bad.json", {**SUM_BINDINGS, "bases": ["16M"]})
    cox("as", "sum.mx", "-o", "no.cxt", "--bindings", "bad.json", status=3, says='bases: "16M" is not an address')
    cox.write("lonely.cube", GEMM)
    cox("as", "lonely.cube", "-o", "no.cxt", status=3, says="lonely.cube: a task image needs bindings, from --bindings or lonely.bindings.json")
    cox("as", "gemm.cube", "-o", "no.cubes", "--bindings", "gemm.bindings.json", status=2, says="--bindings: only a task image has bindings")
    cox("run", "gemm.cxt", "--board", "native", "--in", "d=a.bin", status=2, says="the task has no such input tensor; it has: a, b")
    cox("run", "gemm.cxt", "--board", "native", "--in", "a=a.bin", status=2, says="input tensor 'b' (512 bytes) is not given")
    inputs = ("--board", "native", "--in", "a=a.bin", "--in", "b=b.bin")
    cox("run", "gemm.cxt", *inputs, "--svg", "gemm.svg", status=2, says="gemm.cxt is a stream; --option events=LOG")
    cox("run", "gemm.cxt", *inputs, "--durations", "gemm.trace.txt", status=3, says="gemm is a stream")
    cox("run", "gemm.cxt", *inputs, "--cores", "2", "--stats", "stats.json")
    cox("run", "gemm.cxt", *inputs, "--option", "events=log")
    cox("timeline", "log", "-o", "gemm.svg")
    cox("check", "--isa", "mx", "gemm.cxt", status=3, says="gemm.cxt: this is a CUBE stream")
    if (cox.folder / "no.cxt").exists():
        sys.exit("a failed as left a file behind")
    image = bytearray((cox.folder / "gemm.cxt").read_bytes())
    image[-1] ^= 1
    cox.write("broken.cxt", bytes(image))
    for command in "check", "dis", "run":
        cox(command, "broken.cxt", status=3, says="broken.cxt: image_checksum")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cox", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--board", default="native")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        cox = Cox(arguments.cox, pathlib.Path(name))
        cox.write("gemm.cube", GEMM)
        cox.write("sum.mx", SUM)
        cox.write("conv.mx", CONVOLUTION)
        values, weights, expected = convolution()
        cox.write("weights.bin", weights)
        check_image(cox, "conv.mx", CONVOLUTION_BINDINGS, "mxs")
        check_image(cox, "gemm.cube", GEMM_BINDINGS, "cubes")
        check_image(cox, "sum.mx", SUM_BINDINGS, "mxs")
        run_gemm(cox, arguments.board)
        run_sum(cox, arguments.board)
        run_convolution(cox, arguments.board, values, expected)
        refuse(cox)
        refuse_damaged(cox, arguments.board)
        refuse_retries(cox)
        run_five_engines(cox, arguments.board)


if __name__ == "__main__":
    main()
