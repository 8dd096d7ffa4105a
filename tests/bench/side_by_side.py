# SPDX-License-Identifier: MIT
"""Measures how many instructions the control core needs while eight tasks of four owners run, two on each of four cores. Each task repeats a published
stream in half of L2 and half of WL0. Its tokens and durations are unchanged. Because the memory is halved, some of its data overlaps; that does not matter
here, because the control core knows only the tokens."""
import json
import re
import struct
import subprocess

import machine

CORES, TASKS, OWNERS = 4, 8, 4
LONGER = 1.3  # length of the first task relative to the others. It starts first and ends last, so its instruction count covers all tasks
BLOCKS, UNITS = 8192, 20480  # number of blocks of L2, of units of WL0
BLOCK_BYTES = 1024
LARGEST_WEIGHTS, WEIGHT_STEP = 4672, 8704  # in WL0 units: size of the largest weight tile (without the last one), and address of the second set of weights
L2_ADDRESSES = {"lda_mov": ("DTaddr",), "ldw_mov": ("DTaddr",), "sta_mov": ("STaddr",)}
WL0_ADDRESSES = {"lw_mov": ("DTaddr",), "pe_conv": ("SWaddr",)}
ACTIVATION_BYTES, WEIGHT_BYTES = 4 << 20, 32 << 20  # bytes of windows 0 and 1

# See docs/jobs.md.
MAGIC, VERSION, EXIT_WHEN_DONE = 0x4A584F43, 3, 1
DESCRIPTOR_BYTES, HEADER_BYTES = 576, 128
OUTCOME = 128  # offset of the outcome in a descriptor
LOAD, RUN, SHARE = 1, 2, 5
LOOK_AHEAD = 64  # number of jobs that the firmware takes from the ring at a time
TIME_LIMIT = 1200  # seconds that a run may take: 100,000 instructions a task take minutes, longer on a busy machine
SUBMITTED, DONE = 1, 3
IMAGE_HEADER_BYTES = 16  # the instructions follow it, aligned to cache lines


def repeated(source, instructions):
    """The text of a stream that repeats `source` until it has at least `instructions` instructions.

    Each ct_ed except the last, and each ct_st except the first, becomes a ct_bc with the same tokens. This ct_bc repeats a
    definition of the stream, so it changes nothing."""
    lines = [line for line in source.splitlines() if line.strip()]
    cut = next(line for line in lines if line.startswith("[ct_bc") and "'BCS': 0" in line)
    tokens = "'Prev_Insts'"
    definition = cut[: cut.index(tokens)]
    again = definition + lines[0][lines[0].index(tokens) :]
    end = definition + lines[-1][lines[-1].index(tokens) :]
    body = lines[1:-1]
    times = -(-instructions // len(lines))
    result = [lines[0]]
    for i in range(times):
        result += ([] if i == 0 else [again]) + body + ([lines[-1]] if i + 1 == times else [end])
    return "\n".join(result) + "\n"


def in_half(source, side):
    """The same stream in the lower (0) or upper (1) half of L2 and WL0."""
    half = BLOCKS // 2

    def moved(line):
        name = re.match(r"\[(\w+)", line).group(1)

        def place(found):
            field, address = found.group(1), int(found.group(2))
            from_l2 = name == "lw_mov" and field == "STaddr" and "'SS': 0" in line
            if field in WL0_ADDRESSES.get(name, ()):
                address = min(address % WEIGHT_STEP, UNITS // 2 - LARGEST_WEIGHTS) + UNITS // 2 * side
            elif from_l2 or field in L2_ADDRESSES.get(name, ("STaddr", "STaddr1", "DTaddr") if name[:2] in ("vp", "pe", "dt") else ()):
                # Divide the address by 2 and move it to the half of L2 that the stream uses. Do not divide a negative address: it
                # is that of a padding pixel before address 0 (docs/isa/tile.md).
                address = (address if address < 0 else address // 2 // 64 * 64) + half * BLOCK_BYTES * side
            return f"'{field}': {address}"

        line = re.sub(r"'(\w+addr\w*)': (-?\d+)", place, line)
        return line.replace(f"'BufCut': [0, {BLOCKS - 1}, 0", f"'BufCut': [{half}, {half * (side + 1) - 1}, 0")

    return "\n".join(moved(line) for line in source.splitlines() if line.strip()) + "\n"


def assemble(cox, source, stem):
    stem.with_suffix(".asm.txt").write_text(source)
    windows = [{"index": 0, "size": ACTIVATION_BYTES, "writable": True}, {"index": 1, "size": WEIGHT_BYTES, "writable": False}]
    bindings, image = stem.with_suffix(".bindings.json"), stem.with_suffix(".cxt")
    bindings.write_text(json.dumps({"name": stem.name, "windows": windows}))
    subprocess.run([str(part) for part in (cox, "as", stem.with_suffix(".asm.txt"), "--bindings", bindings, "-o", image)], check=True)
    return image.read_bytes()


def descriptor(kind, slot, owner, image=(0, 0), workspace=(0, 0), windows=(), argument=0):
    fields = [SUBMITTED, kind, slot, 4_000_000_000, *image, *workspace]
    places = [value for window in windows for value in window]
    return struct.pack("<4I4Q8Q4BI", *fields, *places, *[0] * (8 - len(places)), owner, 0, 0, 0, argument).ljust(DESCRIPTOR_BYTES, b"\0")


def outcome(text):
    """The firmware's report about a job."""
    state, error, index, value, limit = struct.unpack_from("<IIiqq", text, OUTCOME + 4)
    what = text[OUTCOME + 32 : OUTCOME + 64].rstrip(b"\0").decode()
    start, end, control, dispatched = struct.unpack_from("<4Q", text, OUTCOME + 64)
    first_core = text[OUTCOME + 64 + 32]
    if state != DONE or error != 0:
        raise RuntimeError(f"a job of tests/bench/side_by_side.py failed: error {error} {what} {index} {value} {limit}")
    return {"start": start, "end": end, "control": control, "dispatched": dispatched, "core": first_core}


def measure(cox, source, instructions, out, options=None):
    """Control core instructions per dispatched instruction, from the first dispatch to the last completion of all tasks."""
    images = {}
    for slot in range(TASKS):
        wanted = int(instructions * LONGER) if slot == 0 else instructions
        key = slot // CORES, wanted
        if key not in images:
            images[key] = assemble(cox, repeated(in_half(source, key[0]), wanted), out / f"side_by_side.{key[0]}.{wanted}")
    layout = machine.Layout(HEADER_BYTES + (2 * TASKS + LOOK_AHEAD) * DESCRIPTOR_BYTES)
    places = {}
    for key, image in images.items():
        address, _ = layout.region(len(image) + 64)
        places[key] = address + 64 - IMAGE_HEADER_BYTES, len(image)
    weights = layout.region(WEIGHT_BYTES)
    loads, runs = [], []
    for slot in range(TASKS):
        key = slot // CORES, int(instructions * LONGER) if slot == 0 else instructions
        workspace = layout.region(160 * key[1] + (128 << 10))
        loads.append(descriptor(LOAD, slot, slot % OWNERS, image=places[key], workspace=workspace))
        runs.append(descriptor(RUN, slot, slot % OWNERS, windows=[layout.region(ACTIVATION_BYTES), weights]))

    # These jobs change nothing. They stand between the loads and the runs, so that the firmware, which takes up to LOOK_AHEAD jobs at a
    # time, takes no run before all tasks are loaded.
    between = [descriptor(SHARE, 0, OWNERS, argument=1)] * (LOOK_AHEAD - 1)
    jobs = loads + between + runs

    path = out / f"side_by_side.{instructions}.dram"
    dram = machine.Dram(path, (layout.used >> 20) + 1)
    for key, image in images.items():
        dram.write(places[key][0], image)
    dram.write(machine.DRAM_BASE + HEADER_BYTES, b"".join(jobs))
    dram.write(machine.DRAM_BASE, struct.pack("<5I", MAGIC, VERSION, len(jobs), EXIT_WHEN_DONE, len(jobs)))
    status, printed = machine.run(machine.target_image("coxswain.elf"), path, {"geometry": {"tile_cores": CORES}} | (options or {}), TIME_LIMIT)
    if status != 0:
        raise RuntimeError(f"exit status {status}: coxswain.elf\n{printed}")
    jobs = [outcome(dram.read(machine.DRAM_BASE + HEADER_BYTES + number * DESCRIPTOR_BYTES, DESCRIPTOR_BYTES)) for number in range(len(jobs))][-TASKS:]
    path.unlink()
    first = jobs[0]
    if any(job["start"] < first["start"] or job["end"] > first["end"] for job in jobs):
        raise RuntimeError("the first task did not begin first and end last")
    if any(job["start"] > other["end"] for job in jobs for other in jobs) or sorted(job["core"] for job in jobs) != [core for core in range(CORES) for _ in range(2)]:
        raise RuntimeError("the tasks did not run side by side, two on each core")
    return first["control"] / sum(job["dispatched"] for job in jobs)
