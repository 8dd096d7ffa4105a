# SPDX-License-Identifier: MIT
"""The data block of examples/yolov5s (machine_data.h) with weights of zero, for tests of the application's refusals."""
import struct

import machine

MAGIC, VERSION, BYTES = 0x53355659, 2, 68448
HEAD = struct.Struct("<6I 2f 6Q I")
AFTER = struct.Struct("<192s 4x 4Q 2I")
PACKED, RUNNING, DONE, FAILED = range(4)
WEIGHT_BYTES = 8_167_680  # more than the packed weights need


def lay_out(path, mebibytes, height=64, width=64, magic=MAGIC, version=VERSION, size=BYTES, weights=WEIGHT_BYTES, arena=16 << 20, pictures=None, count=1, shift=0):
    """Writes the data block. `shift` moves the weights by this number of bytes."""
    layout = machine.Layout(BYTES)
    dram = machine.Dram(path, mebibytes)
    regions = [layout.region(3 * height * width * count), layout.region(WEIGHT_BYTES), layout.region(arena)]
    if pictures is not None:
        regions[0] = pictures
    regions[1] = (regions[1][0] + shift, weights)
    numbers = [number for region in regions for number in region]
    dram.write(machine.DRAM_BASE, HEAD.pack(magic, version, size, PACKED, height, width, 0.25, 0.45, *numbers, count))
    return dram


def read(dram):
    data = dram.read(machine.DRAM_BASE, BYTES)
    state = HEAD.unpack_from(data)[3]
    text, _, _, cycles, _, layers, stages = AFTER.unpack_from(data, HEAD.size)
    return {"state": state, "error": text.split(b"\0")[0].decode(), "network_cycles": cycles, "layers": layers, "stages": stages}


LAYERS, RECORD = 75, struct.Struct("<4I 3Q")
LAYERS_AT = HEAD.size + AFTER.size
BOXES_AT = LAYERS_AT + LAYERS * RECORD.size + 8 * 32
DETECTION_BYTES = 8 + 300 * 24


def outputs(dram):
    """The bytes of every layer's output, and of the candidates and boxes of all pictures."""
    data = dram.read(machine.DRAM_BASE, BYTES)
    maps = []
    for number in range(LAYERS):
        _, channels, height, width, address, _, _ = RECORD.unpack_from(data, LAYERS_AT + number * RECORD.size)
        maps.append(dram.read(address, -(-channels // 16) * height * width * 18))
    return maps, data[BOXES_AT:]


def control_instructions(dram):
    """Control core instructions of each layer's kernel call."""
    data = dram.read(machine.DRAM_BASE, BYTES)
    return [RECORD.unpack_from(data, LAYERS_AT + number * RECORD.size)[6] for number in range(LAYERS)]
