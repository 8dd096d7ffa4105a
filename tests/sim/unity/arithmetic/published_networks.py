#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks layers of published quantised networks and of CMSIS-NN's tests: TensorFlow Lite's bytes from the operations that its kernels become.

Usage: published_networks.py PROGRAM FOLDER (ends with 77 if there is no folder)"""

import json
import pathlib
import sys

import numpy

from unity_cases import Case, run
from unity_numbers import UNITS, pack, width, wrap

S8 = UNITS.index("s8")


def map_members(address, shape):
    height, wide, channels = shape
    return {"address": address, "unit": S8, "height": height, "width": wide, "channels": channels, "row": 2 * wide * channels,
            "column": 2 * channels, "channel": 2}


def bytes_of(values):
    return numpy.asarray(values).astype(numpy.int8).tobytes()


def expect(case, expected, low=-128, high=127):
    """A pool has no bounds of its own: what was clamped afterwards is only known to lie beyond the bound."""
    expected = [int(n) for n in numpy.asarray(expected).ravel()]
    address = case.reserve(len(expected))

    def wanted(n):
        return (-128, low) if n == low > -128 else (high, 127) if n == high < 127 else wrap(n, "s8")
    case.expect(address, "s8", [wanted(n) for n in expected])
    return address


def channel_values(case, values, unit):
    return {"immediate": False, "unit": UNITS.index(unit), "address": case.data(pack([wrap(int(v), unit) for v in values], unit)),
            "channel": width(unit) // 4}


def immediate(value, unit):
    return {"unit": UNITS.index(unit), "value": wrap(int(value), unit)}


def convolution(layer, image, weights, bias, expected, depthwise):
    """One image. `weights` are [output][row][column][channel] or, depthwise, [row][column][output]."""
    case = Case("Convolution", has_multiplier=True)
    number = weights.shape[-1] if depthwise else weights.shape[0]
    rows, columns = weights.shape[:2] if depthwise else weights.shape[1:3]
    channels = image.shape[2]
    groups = channels if depthwise else layer.get("groups", 1)
    zero = -layer.get("weight_offset", 0)
    wide = weights.astype(numpy.int64) - zero
    sums = wide.sum(axis=(0, 1)) if depthwise else wide.reshape(number, -1).sum(axis=1)
    depth = 1 if depthwise else weights.shape[3]
    steps = (2, 2 * columns * number, 2 * number, 0) if depthwise else (2 * rows * columns * depth, 2 * columns * depth, 2 * depth, 2)
    stride, rate = layer.get("stride_hw") or layer.get("stride", [1, 1]), layer.get("dilation_hw") or layer.get("dilation", [1, 1])
    top, left = layer.get("pad_top_left") or (layer.get("pad_top", 0), layer.get("pad_left", 0))
    out = expected.shape
    span = [(out[0] - 1) * stride[0] + (rows - 1) * rate[0] + 1, (out[1] - 1) * stride[1] + (columns - 1) * rate[1] + 1]
    folded = bias.astype(numpy.int64) + layer["input_offset"] * sums

    def spread(values):
        return values * number if len(values) == 1 else values
    case.members.update(
        op="DEP_CONV" if depthwise else "CONV2D" if groups == 1 and zero == 0 else "UDEF_CONV", groups=groups, kernel_zero=zero, top=top,
        left=left, bottom=max(span[0] - top - image.shape[0], 0), right=max(span[1] - left - image.shape[1], 0),
        stride_vertical=stride[0], stride_horizontal=stride[1], rate_vertical=rate[0], rate_horizontal=rate[1],
        source=map_members(case.data(bytes_of(image)), image.shape),
        kernel={"address": case.data(bytes_of(weights)), "unit": S8, "number": number, "height": rows, "width": columns, "channels": depth,
                "number_step": steps[0], "row": steps[1], "column": steps[2], "channel": steps[3]},
        padding=immediate(-layer["input_offset"], "s8"), bias=channel_values(case, folded, "s32"),
        multiplier=channel_values(case, spread(layer["multipliers"]), "s32"), shift=channel_values(case, spread(layer["shifts"]), "s8"),
        scale=immediate(layer["output_offset"], "s8"), clip={"minimum": layer["act_min"], "maximum": layer["act_max"]},
        result=map_members(expect(case, expected), out))
    return case


def pool(layer, image, expected, kind):
    kernel, stride = layer.get("kernel_hw") or layer["kernel"], layer.get("stride_hw") or layer["stride"]
    top, left = layer.get("pad_top_left") or (layer["pad_top"], layer["pad_left"])
    span = [(expected.shape[i] - 1) * stride[i] + kernel[i] for i in range(2)]
    case = Case("Pool", op="MAX_POOL" if kind == 0 else "AVRG_POOL", kind=kind, kernel_height=kernel[0], kernel_width=kernel[1], top=top,
                left=left, bottom=max(span[0] - top - image.shape[0], 0), right=max(span[1] - left - image.shape[1], 0),
                stride_vertical=stride[0], stride_horizontal=stride[1], padding=immediate(-128, "s8"))
    case.members["source"] = map_members(case.data(bytes_of(image)), image.shape)
    case.members["result"] = map_members(expect(case, expected, layer["act_min"], layer["act_max"]), expected.shape)
    return case


def runs(case, sources, expected):
    case.members["source"] = [[case.data(bytes_of(s)), S8, s.size] for s in sources]
    case.members["result"] = [expect(case, expected), S8, expected.size]
    return case


def add(layer, a, b, expected):
    case = Case("QuantisedAdd", op="ELE_ADD", second={"repeat": 1, "period": a.size}, left_shift=layer["left_shift"], has_multiplier=True,
                multiplier=layer["output_mult"], shift=layer["output_shift"], output_zero=layer["output_offset"],
                input_zero=[-layer["input1_offset"], -layer["input2_offset"]], input_multiplier=[layer["input1_mult"], layer["input2_mult"]],
                input_shift=[layer["input1_shift"], layer["input2_shift"]], clip={"minimum": layer["act_min"], "maximum": layer["act_max"]})
    return runs(case, [a, b], expected)


def softmax(layer, image, expected):
    extent = image.shape[-1]
    case = Case("Softmax", op="SOFTMAX", outer=image.size // extent, extent=extent, inner=1, multiplier=layer["input_mult"],
                left_shift=layer["input_left_shift"], smallest_difference=layer["diff_min"])
    runs(case, [image], expected)
    case.members["source"] = case.members["source"][0]
    return case


def extreme(op, a, b, expected):
    a, b = numpy.broadcast_to(a, expected.shape), numpy.broadcast_to(b, expected.shape)
    return runs(Case("Elementwise", op=op, sources=2), [a, b], expected)


def pad(layer, image, expected):
    """Columns, then channels as columns of a narrower tensor; TensorFlow Lite pads both at once."""
    (_, _), vertical, horizontal, deep = layer["pads"]
    assert vertical == [0, 0] or deep == [0, 0]
    current = image[0]
    for before, after, axis in ((*vertical, 0), (*horizontal, 1), (*deep, 2)):
        if before + after == 0:
            continue
        shape = [1, current.shape[0], current[0].size] if axis == 0 else [current.shape[0], current.shape[1], current.shape[2]]
        if axis == 2:
            shape = [current.shape[0] * current.shape[1], current.shape[2], 1]
        amounts = [(0, 0)] * 3
        amounts[axis] = (before, after)
        padded = numpy.pad(current, amounts, constant_values=layer["pad_value"])
        case = Case("Pad", height=shape[0], width=shape[1], channels=shape[2], left=before, right=after, value=layer["pad_value"])
        runs(case, [current], padded)
        case.members["source"] = case.members["source"][0]
        yield case
        current = padded
    assert bytes_of(current) == bytes_of(expected)


def load(path, shape):
    return numpy.fromfile(path, numpy.int8).reshape(shape)


def images(array):
    """A batch of [height][width][channels]; vectors are one pixel each."""
    return array.reshape(-1, 1, 1, array.shape[-1]) if array.ndim < 4 else array


def layer_cases(op, layer, inputs, weights, bias, expected):
    """`weights` as they are stored, `bias` s32 (zeros if the layer has none)."""
    op = op.lower()
    if op in ("conv_2d", "conv_s8", "depthwise_conv_2d", "depthwise_conv_s8"):
        depthwise = op.startswith("depthwise")
        shaped = weights.reshape(layer["weight_shape"])
        for image, result in zip(inputs[0], expected):
            yield convolution(layer, image, shaped[0] if depthwise else shaped, bias, result, depthwise)
    elif op in ("fully_connected", "fully_connected_s8"):
        outputs, depth = layer["weight_shape"]
        for image, result in zip(inputs[0].reshape(-1, 1, 1, depth), expected.reshape(-1, 1, 1, outputs)):
            yield convolution(layer, image, weights.reshape(outputs, 1, 1, depth), bias, result, False)
    elif op in ("average_pool_2d", "avg_pool_s8", "max_pool_s8"):
        for image, result in zip(inputs[0], expected):
            yield pool(layer, image, result, 0 if op.startswith("max") else 2)
    elif op in ("add", "add_s8"):
        yield add(layer, inputs[0], inputs[1], expected)
    elif op in ("softmax", "softmax_s8"):
        yield softmax(layer, inputs[0], expected)
    elif op in ("maximum_s8", "minimum_s8"):
        yield extreme(op[:3].upper(), inputs[0], inputs[1], expected)
    elif op == "pad_s8":
        yield from pad(layer, inputs[0], expected)
    elif op == "reshape":
        yield runs_of_copy(inputs[0], expected)
    else:
        sys.exit(f"no operation for {op}")


def runs_of_copy(image, expected):
    case = runs(Case("Copy", op="RESHAPE"), [image], expected)
    case.members["source"] = case.members["source"][0]
    return case


def network_cases(root, name):
    network = json.loads((root / "nets" / f"{name}.json").read_text())
    data = (root / "nets" / f"{name}.weights.bin").read_bytes()
    for folder in sorted((root / "layers" / name).glob("[0-9]*")):
        first = network["layers"][0]
        tensors = {network["input"]["tensor"]: load(root / "inputs" / name / f"{folder.name}.bin", first["in_shape"])}
        for layer in network["layers"]:
            inputs = [tensors[i].reshape(layer["in_shape"]) for i in layer["inputs"] if i in tensors]
            expected = load(folder / f"{layer['index']:02}_{layer['op'].lower()}.bin", layer["out_shape"])
            weights = bias = None
            if "weights" in layer:
                weights = numpy.frombuffer(data, numpy.int8, layer["weights"]["bytes"], layer["weights"]["offset"])
                bias = numpy.frombuffer(data, "<i4", layer["bias"]["bytes"] // 4, layer["bias"]["offset"])
            yield from layer_cases(layer["op"], layer, inputs, weights, bias, expected)
            tensors[layer["outputs"][0]] = expected


def vendor_cases(root):
    for path in sorted((root / "cmsis_nn").glob("*/*/case.json")):
        layer = json.loads(path.read_text())
        folder = path.parent
        inputs = [load(folder / ("input1.bin" if (folder / "input1.bin").exists() else "input.bin"), layer["input_shape"])]
        if (folder / "input2.bin").exists():
            inputs.append(load(folder / "input2.bin", layer.get("input2_shape", layer["input_shape"])))
        weights = bias = None
        if (folder / "weights.bin").exists():
            weights = numpy.fromfile(folder / "weights.bin", numpy.int8)
            outputs = layer["output_shape"][-1]
            bias = numpy.fromfile(folder / "bias.bin", "<i4") if (folder / "bias.bin").exists() else numpy.zeros(outputs, numpy.int32)
        yield from layer_cases(layer["op"], layer, inputs, weights, bias, load(folder / "expected.bin", layer["output_shape"]))


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[2])
    if not root.is_dir():
        print(f"skipped: there is no {root}")
        sys.exit(77)
    cases = list(vendor_cases(root))
    for name in sorted(path.stem for path in (root / "nets").glob("*.json")):
        cases += list(network_cases(root, name))
    run(cases, "as published")
