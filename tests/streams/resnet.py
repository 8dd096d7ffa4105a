# SPDX-License-Identifier: MIT
"""Independent evaluation of the published networks (docs/published-streams.md).

Uses only numpy and the frontend's description, never the device model. The arithmetic is that of docs/isa/tile.md: exact integer accumulators (FP64 holds
them), then FP32 operations that are rounded one by one.
"""
import json

import numpy as np

import stream

F32 = np.float32


class Network:
    """Layers in execution order. Feature maps are H, W, C."""

    def __init__(self, path):
        with open(path) as file:
            layers = json.load(file)
        self.layers = [layer for layer in layers.values() if layer["device"] == "npu"]
        self.by_name = layers

    def weighted(self):
        return [layer for layer in self.layers if layer["operation"] in ("conv2d", "dense")]


def kernel_shape(layer):
    """The shape of the layer's weights: kernels, channels, rows, columns."""
    return layer["input_shape"][1]


def random_image(random, shape):
    """A random FP16 image, H, W, C, with the spread that the networks' input scale expects."""
    channels, height, width = shape
    return random.normal(0, 1.2, (height, width, channels)).astype(np.float16)


class Weights:
    """Random INT8 weights of all layers, with scales and biases that spread each layer's output over its range.

    `calibrate` derives the scales from the accumulators of one image, so that no layer saturates or becomes constant.
    """

    def __init__(self, network, seed):
        random = np.random.default_rng(seed)
        self.values = {}
        for layer in network.weighted():
            kernels, channels, rows, columns = kernel_shape(layer)
            values = random.normal(0, 42, (kernels, rows, columns, channels))
            self.values[layer["name"]] = np.clip(np.rint(values), -127, 127).astype(np.int8)
        self.random = random
        self.parameters = {}

    def calibrate(self, network, layer, accumulator):
        """Scale and bias in FP32, one value per kernel each. The bias includes the zero point's share."""
        info = layer["quant_info"]
        values = self.values[layer["name"]]
        kernels = len(values)
        sums = values.reshape(kernels, -1).sum(axis=1, dtype=np.int64)
        real = accumulator.reshape(-1, kernels) + info["input_zero_point1"] * sums
        one_pixel = len(real) == 1
        spread = np.full(kernels, real.std()) if one_pixel else real.std(axis=0)
        mean = real.mean() if one_pixel else real.mean(axis=0)
        gain = self.gain(network, layer)
        scale = (gain * self.random.uniform(0.6, 1.4, kernels) / np.maximum(spread, 1.0)).astype(F32)
        bias = gain * self.random.normal(0, 0.3, kernels) - scale * mean
        self.parameters[layer["name"]] = scale, (bias + scale.astype(np.float64) * info["input_zero_point1"] * sums).astype(F32)

    @staticmethod
    def gain(network, layer):
        """The wanted standard deviation of a layer's output: 50 steps of its INT8 range, or of the range of the add that reads it; 3 for logits."""
        if "output_scale" in layer["quant_info"]:
            return 50 / layer["quant_info"]["output_scale"]
        following = network.by_name[layer["next_layer"][0]]
        return 50 / following["module_list"]["post_cal"]["mul_k"] if "module_list" in following else 3.0

    def window(self, network, addresses):
        """The bytes of DRAM window 1. `addresses` has the index of the layer as key."""
        image = np.zeros(0, np.uint8)
        for layer in network.weighted():
            kernels, channels, rows, columns = kernel_shape(layer)
            padded = np.zeros((kernels, rows, columns, stream.align8(channels)), np.int8)
            padded[..., :channels] = self.values[layer["name"]]
            tail = np.zeros((kernels, 8), "<f4")
            tail[:, 0], tail[:, 1] = self.parameters[layer["name"]]
            records = np.concatenate([padded.reshape(kernels, -1).view(np.uint8), tail.view(np.uint8)], axis=1)
            first = addresses[layer["layer_index"]]
            if len(image) < first + records.size:
                image.resize(first + records.size, refcheck=False)
            image[first : first + records.size] = records.ravel()
        return image


def accumulate(maps, weights, stride, padding, outside):
    """INT8 sums of products. They are exact, because they stay far below 2^53."""
    kernels, rows, columns, channels = weights.shape
    top, left, bottom, right = padding
    padded = np.pad(maps, ((top, bottom), (left, right), (0, 0)), constant_values=outside).astype(np.float64)
    view = np.lib.stride_tricks.sliding_window_view(padded, (rows, columns), axis=(0, 1))[:: stride[0], :: stride[1]]
    height, width = view.shape[:2]
    matrix = view.transpose(0, 1, 3, 4, 2).reshape(height * width, rows * columns * channels)
    return (matrix @ weights.reshape(kernels, -1).T.astype(np.float64)).reshape(height, width, kernels)


def requantise(values, scale, zero_point):
    assert values.dtype == F32
    return np.clip(np.rint(values * F32(scale) + F32(zero_point)), -128, 127).astype(np.int8)


def post(values, layer):
    calculation = layer["module_list"]["post_cal"]
    assert calculation["sumsub_mode"] == "add"
    if layer["output_dtype"] == ["float16"]:
        return (values * F32(calculation["mul_k"]) + F32(calculation["sum_b"])).astype(np.float16)
    assert calculation["carry_sel"] == "round"
    return requantise(values, calculation["mul_k"], calculation["sum_b"])


def pre(values, layer, tensor):
    calculation = layer["module_list"]["pre_cal"]
    return values.astype(F32) * F32(calculation[f"requan_scale_{tensor}"]) + F32(calculation[f"requan_zp_{tensor}"])


def convolution(network, layer, maps, weights, calibrate):
    info = layer["quant_info"]
    # The frontend computes x = (q + input_zero_point1) * input_scale1, so zero is stored as -input_zero_point1.
    outside = -int(info["input_zero_point1"])
    stride, padding = layer.get("stride", [1, 1]), layer.get("padding", [0, 0, 0, 0])
    accumulator = accumulate(maps, weights.values[layer["name"]], stride, padding, outside)
    if calibrate:
        weights.calibrate(network, layer, accumulator)
    scale, bias = weights.parameters[layer["name"]]
    values = accumulator.astype(F32) * scale + bias
    assert layer["activation_type"] in ("relu", None)
    if layer["activation_type"] == "relu":
        values = np.maximum(values, F32(0))
    if "output_scale" not in info:
        return values.astype(np.float16)
    assert info["round_type"] == "round"
    return requantise(values, info["output_scale"], info["output_zero_point"])


def maximum_pool(layer, maps):
    top, left, bottom, right = layer["padding"]
    padded = np.pad(pre(maps, layer, "a"), ((top, bottom), (left, right), (0, 0)), constant_values=F32(-32768))
    view = np.lib.stride_tricks.sliding_window_view(padded, layer["pool_size"], axis=(0, 1))
    return post(view[:: layer["stride"][0], :: layer["stride"][1]].max(axis=(3, 4)), layer)


def average_pool(layer, maps):
    """Average over the whole map, the only kind in both networks."""
    assert list(maps.shape[:2]) == layer["pool_size"] and layer["padding"] == [0, 0, 0, 0]
    products = pre(maps, layer, "a") * F32(layer["module_list"]["fp32_mul_group"]["mul_group_k_scalar"])
    total = np.zeros(maps.shape[2], F32)
    for row in products:
        for pixel in row:
            total = total + pixel
    return post(total.reshape(1, 1, -1), layer)


def evaluate(network, image, weights, calibrate=False):
    """The output of every layer by name. With `calibrate` it also chooses the weights' scales."""
    values = {}
    for layer in network.layers:
        operation = layer["operation"]
        inputs = [values[name] for name in layer["previous_layer"] if name in values]
        if operation == "quantize":
            result = post(pre(inputs[0] if inputs else image, layer, "a"), layer)
        elif operation in ("conv2d", "dense"):
            result = convolution(network, layer, inputs[0], weights, calibrate)
        elif operation == "element_wise_add":
            result = post(pre(inputs[0], layer, "a") + pre(inputs[1], layer, "b"), layer)
        elif operation == "max_pool2d":
            result = maximum_pool(layer, inputs[0])
        elif operation == "avg_pool2d":
            result = average_pool(layer, inputs[0])
        else:
            raise ValueError(f"{layer['name']}: unknown operation {operation}")
        channels, height, width = layer["output_shape"][0][1:]
        assert result.shape == (height, width, channels), layer["name"]
        values[layer["name"]] = result
    return values


def output_name(network):
    return network.layers[-1]["name"]
