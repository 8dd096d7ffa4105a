# SPDX-License-Identifier: MIT
"""A valid document of each kind that users write, with as many members as possible, and how cox reads it.

Each function writes what the document needs into a folder, and returns the document, the name of its file, and the words for cox; `FILE` among
them stands for the document's file.
"""
import json
import struct

STREAM = """["ct_st", {}, {"Prev_Insts": [], "Next_Insts": []}]
["ct_bc", {}, {"BCS": 0, "BufCut": [0, 8191, 0, 0, 0, 0, 0, 0], "Prev_Insts": [], "Next_Insts": ["LD"]}]
["lda_cfg", {}, {"SME": 1, "RS": 0, "BAS": 0, "DF": "INT8", "STile": [3, 4, 4], "DTile": [3, 4, 4]}]
["lda_mov", {}, {"RS": 0, "DBSG": 0, "STaddr": 0, "DTaddr": 0, "Tile": [1, 3, 4, 4], "Prev_Insts": ["CT"], "Next_Insts": ["ST"]}]
["sta_cfg", {}, {"SME": 1, "RS": 0, "BAS": 0, "DF": "INT8", "STile": [3, 4, 4], "DTile": [3, 4, 4]}]
["sta_mov", {}, {"RS": 0, "SBSG": 0, "STaddr": 0, "DTaddr": 64, "Tile": [1, 3, 4, 4], "Prev_Insts": ["LD"], "Next_Insts": ["CT"]}]
["ct_ed", {}, {"Prev_Insts": ["ST"], "Next_Insts": []}]
"""
TENSORS = [
    {"name": "in", "direction": "input", "format": "INT8", "shape": [1, 3, 4, 4], "window": 0, "offset": 0, "size": 48, "padded": False},
    {"name": "out", "direction": "output", "format": "INT8", "shape": [1, 3, 4, 4], "window": 0, "offset": 64},
]


def write_task(folder):
    (folder / "copy.jsonl").write_text(STREAM)
    (folder / "bare.jsonl").write_text(STREAM)
    (folder / "copy.bindings.json").write_text(json.dumps({"tensors": TENSORS}))
    (folder / "in.bin").write_bytes(bytes(48))


def bindings(folder):
    (folder / "bound.jsonl").write_text(STREAM)
    (folder / "constant.bin").write_bytes(bytes(16))
    document = {
        "$schema": "../schemas/bindings.schema.json",
        "name": "copy",
        "windows": [{"index": 0, "size": 4096, "writable": True}, {"index": 1, "size": 64}],
        "constants": [{"window": 1, "offset": 0, "hex": "00ff"}, {"window": 1, "offset": 16, "file": "constant.bin"}, {"window": 1, "offset": 32, "zeros": 8}],
        "tensors": TENSORS,
    }
    return document, "bound.bindings.json", ["as", "bound.jsonl", "--bindings", "FILE", "-o", "bound.cxt"]


def stream_bindings(folder):
    (folder / "sum.mx").write_text("CONFBADDR InputBase1=0 InputBase2=0 OutputBase1=1 OutputBase2=1 WeightBase=0\n")
    document = {
        "$schema": "../schemas/stream_bindings.schema.json",
        "name": "sum",
        "windows": [{"index": 0, "size": 1024, "writable": False, "base": "0x60000000"}, {"index": 1, "size": 1024, "writable": True, "base": 0x60000400}],
        "bases": ["0x60000000", 0x60000400, None],
        "constants": [{"window": 0, "offset": 8, "hex": "00ff"}],
        "tensors": [{"name": "a", "direction": "input", "format": "MX9", "shape": [1, 16, 2, 1], "window": 0, "offset": 64, "padded": False}],
    }
    return document, "sum.json", ["as", "sum.mx", "--bindings", "FILE", "-o", "sum.cxt"]


def jobs(folder):
    write_task(folder)
    entry = {"task": "copy.jsonl", "owner": 1, "priority": 2, "share": 50, "cores": [0], "retries": 1, "inputs": {"in": "in.bin"}, "outputs": {"out": "out.bin"}, "repeat": 1, "time_limit_us": 100000}
    document = {"$schema": "../schemas/jobs.schema.json", "jobs": [entry, {"task": "bare.jsonl", "windows": {"0": "in.bin"}}]}
    return document, "jobs.json", ["run", "--board", "native", "--quiet", "--jobs", "FILE"]


def jobs_list(folder):
    document, _, words = jobs(folder)
    return document["jobs"], "jobs_list.json", words


def weights(folder, name, kernels, elements):
    """Writes the weights of so many kernels: bytes, scales and biases."""
    data = bytes(kernels * elements) + struct.pack(f"<{kernels}f", *[0.01] * kernels) + bytes(4 * kernels)
    (folder / name).write_bytes(data)
    return name


def network(folder):
    def int8(*shape):
        return {"shape": list(shape), "format": "INT8", "scale": 0.5, "zero_point": -128}

    document = {
        "$schema": "../schemas/network.schema.json",
        "format": "coxswain-network",
        "version": 1,
        "name": "all",
        "batch": 1,
        "input": {"name": "image", "shape": [8, 8, 8], "format": "FP16"},
        "layers": [
            {"name": "quantise", "operation": "quantise", "inputs": ["image"], "output": int8(8, 8, 8)},
            {
                "name": "conv", "operation": "convolution", "inputs": ["quantise"], "kernel": [3, 3], "stride": [1, 1], "padding": [1, 1, 1, 1], "dilation": [1, 1], "groups": 2,
                "activation": "leaky_relu", "activation_parameter": 0.1, "weights": weights(folder, "conv.bin", 8, 36), "unquantised": "conv.f32", "output": int8(8, 8, 8),
            },
            {
                "name": "up", "operation": "transposed_convolution", "inputs": ["conv"], "kernel": [2, 2], "stride": [2, 2], "padding": [0, 0, 0, 0], "output_padding": [0, 0],
                "activation": "relu6", "weights": weights(folder, "up.bin", 8, 32), "output": int8(8, 16, 16),
            },
            {"name": "pool", "operation": "maximum_pool", "inputs": ["up"], "kernel": [2, 2], "stride": [2, 2], "padding": [0, 0, 0, 0], "output": int8(8, 8, 8)},
            {"name": "resize", "operation": "resize", "inputs": ["pool"], "mode": "nearest", "coordinates": "half_pixel", "output": int8(8, 8, 8)},
            {"name": "sum", "operation": "add", "inputs": ["conv", "resize"], "activation": "relu", "output": int8(8, 8, 8)},
            {"name": "both", "operation": "concatenation", "inputs": ["sum", "conv"], "output": int8(16, 8, 8)},
            {"name": "norm", "operation": "layer_norm", "inputs": ["both"], "epsilon": 0.001, "output": int8(16, 8, 8)},
            {"name": "logits", "operation": "fully_connected", "inputs": ["norm"], "activation": "none", "weights": weights(folder, "logits.bin", 10, 1024), "output": {"shape": [10, 1, 1], "format": "FP16"}},
        ],
        "output": {"name": "scores", "layer": "logits"},
    }
    return document, "network.json", ["lower", "FILE", "-o", "network.jsonl"]


def pim_configuration(folder):
    del folder
    document = {
        "$schema": "../schemas/pim_configuration.schema.json",
        "_comment": "keys with an underscore are comments",
        "core_cnt": 4,
        "local memory list": [
            {"name": "input", "type": "sram", "addressing": {"offset_byte": 1048576, "size_byte": 262144}, "read_width_byte": 128, "write_width_byte": 64},
            {"name": "buffer", "type": "reg_buffer", "addressing": {"offset": 4194304, "size": 16384}, "width_byte": 128},
            {"name": "dram", "type": "dram", "addressing": {"offset": 2147483648, "size": 1073741824}},
        ],
        "pim_unit_config": {
            "macro_total_cnt": 256,
            "macro_group_size_configurable_values": [16, 8],
            "macro_size": {"compartment_cnt_per_macro": 32, "element_cnt_per_compartment": 8, "row_cnt_per_element": 16, "bit_width_per_row": 8},
            "sram": {"as_mode": "intergroup"},
            "address_space": {"offset_byte": 0, "size_byte": 1048576},
        },
        "special register binding": [{"special": 16, "general": 30}],
        "simd_unit_config": {"instruction_list": [{"name": "add", "opcode": 0, "input_cnt": 2, "input1_type": "vector", "input2_type": "scalar"}]},
        "timing": {"decode_cycles": 2, "dram_latency": 100, "mesh_width": 2, "time_limit": 1000000},
        "energy": {"mac_bit": 2, "leakage_cycle": 1000},
    }
    return document, "pim.json", ["pim-configuration", "FILE"]


def durations(folder):
    write_task(folder)
    document = {"$schema": "../schemas/durations.schema.json", "CT": [38, 35], "LD": [21], "ST": []}
    return document, "durations.json", ["run", "copy.jsonl", "--in", "in=in.bin", "--board", "native", "--quiet", "--option", "durations=FILE"]


def model_options(folder):
    write_task(folder)
    (folder / "empty.json").write_text("{}")
    (folder / "plan.txt").write_text("")
    document = {
        "$schema": "../schemas/model_options.schema.json",
        "geometry": {"tile_cores": 2, "contexts": 8, "l2_mib": 8, "wl0_units": 1024, "doorbell_latency": 10, "dram_bytes_per_1024_cycles": 4096, "pim_cores": 4, "unity_units": 2, "mx_lanes": 2, "cube_queue_slots": 8},
        "path": "reference",
        "dispatch": "ideal",
        "configuration": {"pim": "empty.json"},
        "durations": "empty.json",
        "events": "events.bin",
        "energy": "energy.json",
        "faults": "plan.txt",
        "fault_seed": 7,
        "fault_count": 1,
        "hazards": True,
    }
    return document, "options.json", ["run", "copy.jsonl", "--in", "in=in.bin", "--board", "native", "--quiet", "OPTIONS"]


KINDS = {
    "bindings": [bindings],
    "stream_bindings": [stream_bindings],
    "jobs": [jobs, jobs_list],
    "network": [network],
    "pim_configuration": [pim_configuration],
    "durations": [durations],
    "model_options": [model_options],
}
