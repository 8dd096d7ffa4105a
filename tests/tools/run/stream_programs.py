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

SIDE = 16
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
        check_image(cox, "gemm.cube", GEMM_BINDINGS, "cubes")
        check_image(cox, "sum.mx", SUM_BINDINGS, "mxs")
        run_gemm(cox, arguments.board)
        run_sum(cox, arguments.board)
        refuse(cox)


if __name__ == "__main__":
    main()
