# SPDX-License-Identifier: MIT
"""The published TensorFlow Lite models on one and on eight Unity units: device cycles beside their limit, and what the control core does, under
QEMU."""
import dataclasses
import json
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CYCLES_AN_INSTRUCTION = 2  # device cycles, with -icount shift=1
MACS_A_CYCLE, DRAM_BYTES_A_CYCLE = 256, 16  # of a unit, and of the memory that units share
UNITS = 8
RUNS = 40  # of one boot, to see what a run costs the host


@dataclasses.dataclass
class Model:
    name: str
    cycles: int  # device cycles of an inference
    cycles_of_units: int  # the same on eight units
    least_cycles_of_units: float  # of the memory that the units share, for the bytes that they move
    least_cycles: float  # sum over layers of the larger of MAC and DRAM cycles
    multiply_accumulates: int
    control_instructions: int  # of the control core for an inference whose inputs are in place
    control_instructions_of_units: int  # the same on eight units
    encode_instructions: int  # of the control core, once a model
    host_seconds: float  # of this computer for an inference under QEMU
    arena_bytes: int
    live_bytes: int  # the largest set of activations that are needed at the same time
    constant_bytes: int  # beside the file's own

    @property
    def over_limit(self):
        return self.cycles / self.least_cycles

    @property
    def units_speedup(self):
        return self.cycles / self.cycles_of_units

    @property
    def control_share(self):
        return share(self.control_instructions, self.cycles)

    @property
    def control_share_of_units(self):
        return share(self.control_instructions_of_units, self.cycles_of_units)


def share(control_instructions, cycles):
    control = control_instructions * CYCLES_AN_INSTRUCTION
    return control / (control + cycles)


def output_of(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"exit status {done.returncode}: {' '.join(str(part) for part in command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def number(pattern, text):
    return int(re.search(pattern, text).group(1).replace(",", ""))


def under_qemu(model, inputs, outputs, runs, units=1):
    """What examples/tflite/run prints, and its time."""
    start = time.perf_counter()
    printed = output_of(ROOT / "examples/tflite/run", model, inputs, outputs.stat().st_size, "--expect", outputs, "--runs", runs, "--units", units)
    return printed, time.perf_counter() - start


def natively(cox, model, inputs, outputs, out, units):
    """The statistics of an inference, whose outputs must be the expected ones."""
    statistics, computed = out / f"{model.stem}.{units}.stats.json", out / f"{model.stem}.{units}.outputs"
    output_of(cox, "run", model, "--in", f"0={inputs}", "--out", f"0={computed}", "--quiet", "--stats", statistics, "--units", units)
    if computed.read_bytes() != outputs.read_bytes():
        sys.exit(f"{model}: wrong outputs on {units} units")
    return json.loads(statistics.read_text())


def measure(cox, model, inputs, outputs, out):
    """The input and the expected output are files. The outputs natively and under QEMU must be the expected ones."""
    values = natively(cox, model, inputs, outputs, out, 1)
    of_units = natively(cox, model, inputs, outputs, out, UNITS)
    layers = values["operators"]
    least = sum(max(layer["multiply_accumulates"] / MACS_A_CYCLE, layer["dram_bytes"] / DRAM_BYTES_A_CYCLE) for layer in layers)
    printed, few_seconds = under_qemu(model, inputs, outputs, 2)
    printed_of_units, _ = under_qemu(model, inputs, outputs, 2, UNITS)
    _, many_seconds = under_qemu(model, inputs, outputs, RUNS)
    return Model(
        name=model.stem,
        cycles=values["inference_cycles"][0],
        cycles_of_units=of_units["inference_cycles"][0],
        least_cycles_of_units=sum(layer["dram_bytes"] for layer in of_units["operators"]) / DRAM_BYTES_A_CYCLE,
        least_cycles=least,
        multiply_accumulates=sum(layer["multiply_accumulates"] for layer in layers),
        control_instructions=number(r"run 1: (\d+) instructions", printed),
        control_instructions_of_units=number(r"run 1: (\d+) instructions", printed_of_units),
        encode_instructions=number(r"control core: (\d+) instructions", printed),
        host_seconds=max(many_seconds - few_seconds, 0) / (RUNS - 2),
        arena_bytes=values["arena_bytes"],
        live_bytes=number(r"largest live set: ([\d,]+) bytes", output_of(cox, "info", model)),
        constant_bytes=values["constant_bytes"],
    )


def measure_all(cox, folder, out):
    """Measures each published model in `folder` with its first input."""
    return [measure(cox, model, folder / "inputs" / model.stem / "000.bin", folder / "expected" / model.stem / "000.bin", out)
            for model in sorted((folder / "models").glob("*.tflite"))]
