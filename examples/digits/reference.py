#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Independent evaluation of a quantised network (docs/lowering.md, The network file).

`evaluate` follows docs/isa/tile.md, Arithmetic, bit for bit: integer accumulators, and FP32 operations that are rounded one by one. It shares no code
with the device model, so the two can be compared byte by byte. `evaluate_unquantised` computes the same network in floating point from the weights before
quantisation. `quantisation_limit` gives the allowed difference of the two.
"""
import argparse
import json
import pathlib
import sys

import numpy as np

import functions

F32 = np.float32


class Network:
    """A network file with its weights. All feature maps are N, H, W, C."""

    def __init__(self, description, folder):
        """`folder`: the paths of weights files are relative to it."""
        self.folder = pathlib.Path(folder)
        self.name = description["name"]
        self.input = description["input"]
        self.output = description["output"]
        self.layers = description["layers"]
        self.encodings = {self.input["name"]: self.input}
        self.encodings.update((layer["name"], layer["output"]) for layer in self.layers)
        self.shapes = {name: encoding["shape"] for name, encoding in self.encodings.items()}

    @classmethod
    def read(cls, path):
        path = pathlib.Path(path)
        return cls(json.loads(path.read_text()), path.parent)

    def kernel_shape(self, layer):
        channels, height, width = self.shapes[layer["inputs"][0]]
        rows, columns = layer.get("kernel", [height, width])
        return layer["output"]["shape"][0], rows, columns, channels // layer.get("groups", 1)

    def weights(self, layer):
        """Returns INT8 weights (K, R, S, C), FP32 scales (K), biases (K), and the slopes (K) of a prelu; the slopes are None without a prelu."""
        shape = self.kernel_shape(layer)
        data = (self.folder / layer["weights"]).read_bytes()
        count = int(np.prod(shape))
        vectors = 3 if layer.get("activation") == "prelu" else 2
        assert len(data) == count + 4 * vectors * shape[0], f"{layer['name']}: {layer['weights']} has {len(data)} bytes"
        weights = np.frombuffer(data, np.int8, count).reshape(shape)
        parameters = [np.frombuffer(data, "<f4", shape[0], count + 4 * i * shape[0]) for i in range(vectors)]
        return weights, parameters[0], parameters[1], parameters[2] if vectors == 3 else None

    def unquantised_weights(self, layer):
        """Returns FP32 weights (K, R, S, C) and K biases, as they were before quantisation."""
        shape = self.kernel_shape(layer)
        values = np.fromfile(self.folder / layer["unquantised"], "<f4")
        return values[: -shape[0]].reshape(shape), values[-shape[0] :]


def windows(maps, kernel, stride, padding, outside, dilation=(1, 1)):
    """For every output pixel (row P, column Q), gathers the input pixels under the kernel (row R, column S). The result is N, P, Q, R, S, C.

    `padding` is top, left, bottom, right."""
    top, left, bottom, right = padding
    padded = np.pad(maps, ((0, 0), (top, bottom), (left, right), (0, 0)), constant_values=outside)
    reach = [(taps - 1) * distance + 1 for taps, distance in zip(kernel, dilation)]
    view = np.lib.stride_tricks.sliding_window_view(padded, reach, axis=(1, 2))
    return view[:, :: stride[0], :: stride[1], :, :: dilation[0], :: dilation[1]].transpose(0, 1, 2, 4, 5, 3)


def convolve(maps, weights, stride, padding, outside, dilation=(1, 1), groups=1):
    """Sums of products in FP64. They are exact for integers, because they stay far below 2^53."""
    kernels, rows, columns, channels = weights.shape
    results = []
    for group in range(groups):
        own = maps[..., group * channels : (group + 1) * channels].astype(np.float64)
        columns_of_input = windows(own, (rows, columns), stride, padding, outside, dilation)
        n, p, q = columns_of_input.shape[:3]
        matrix = columns_of_input.reshape(n * p * q, rows * columns * channels)
        kernels_of_group = weights[group * (kernels // groups) : (group + 1) * (kernels // groups)]
        results.append((matrix @ kernels_of_group.reshape(kernels // groups, -1).T.astype(np.float64)).reshape(n, p, q, -1))
    return np.concatenate(results, axis=-1)


def accumulate(layer, maps, weights, outside):
    """Returns the sums of a layer's convolution. Pixels outside of the map count as `outside`."""
    stride, padding = geometry(layer)
    groups = layer.get("groups", 1)
    if layer["operation"] != "transposed_convolution":
        return convolve(maps, weights, stride, padding, outside, layer.get("dilation", (1, 1)), groups)
    # A transposed convolution is computed as a convolution with stride 1 and the reversed kernel. Its input is the map with gaps between the
    # pixels.
    rows, columns = weights.shape[1:3]
    more = layer.get("output_padding", (0, 0))
    beside = rows - 1, columns - 1, rows - 1 + more[0], columns - 1 + more[1]
    flipped = weights[:, ::-1, ::-1]
    sums = convolve(functions.spread(maps, stride, outside), flipped, (1, 1), beside, outside, groups=groups)
    top, left, bottom, right = padding
    return sums[:, top : sums.shape[1] - bottom, left : sums.shape[2] - right]


def quantise(values, encoding):
    """Converts FP32 to the layer's output format: multiply, add, round half to even, saturate. Each step rounds to FP32."""
    if encoding["format"] == "FP16":
        return values.astype(np.float16)
    scaled = values * F32(1.0 / encoding["scale"]) + F32(encoding["zero_point"])
    return np.clip(np.nan_to_num(np.rint(scaled), nan=0.0), -128, 127).astype(np.int8)


def dequantise(values, encoding):
    if encoding["format"] == "FP16":
        return values.astype(F32)
    return values.astype(F32) * F32(encoding["scale"]) + F32(-encoding["zero_point"] * encoding["scale"])


def reencode(values, own, encoding):
    """Converts bytes of one encoding to another. If the two encodings are equal, the bytes stay as they are."""
    if (own["scale"], own["zero_point"]) == (encoding["scale"], encoding["zero_point"]):
        return values
    return quantise(dequantise(values, own), encoding)


WITH_WEIGHTS = "convolution", "transposed_convolution", "fully_connected"
TWO_TENSORS = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum}


def gamma_of(network, layer):
    """Returns gamma and beta of a layer norm in FP32. Each channel has one of each."""
    return np.fromfile(network.folder / layer["weights"], "<f4").reshape(2, layer["output"]["shape"][0])


def geometry(layer):
    return layer.get("stride", [1, 1]), layer.get("padding", [0, 0, 0, 0])


def evaluate_layer(network, layer, inputs):
    operation, encoding = layer["operation"], layer["output"]
    encodings = [network.encodings[name] for name in layer["inputs"]]
    if operation == "quantise":
        return quantise(inputs[0].astype(F32), encoding)
    if operation in WITH_WEIGHTS:
        weights, weight_scales, biases, slopes = network.weights(layer)
        zero_point = encodings[0]["zero_point"]
        accumulator = accumulate(layer, inputs[0], weights, zero_point)
        scales = (encodings[0]["scale"] * weight_scales.astype(np.float64)).astype(F32)
        sums = weights.reshape(len(weights), -1).sum(axis=1, dtype=np.int64)
        folded = (biases.astype(np.float64) + scales.astype(np.float64) * (-zero_point * sums)).astype(F32)
        values = accumulator.astype(np.int32).astype(F32) * scales + folded
        return quantise(functions.activate(values, layer, slopes), encoding)
    if operation in TWO_TENSORS:
        return quantise(TWO_TENSORS[operation](*map(dequantise, inputs, encodings)), encoding)
    if operation == "concatenation":
        return np.concatenate([reencode(x, own, encoding) for x, own in zip(inputs, encodings)], axis=-1)
    stride, padding = geometry(layer)
    real = dequantise(inputs[0], encodings[0])
    if operation == "softmax":
        return quantise(functions.softmax(real), encoding)
    if operation == "layer_norm":
        norm = functions.layer_norm(real, layer["epsilon"])
        return quantise(norm * gamma_of(network, layer)[0] + gamma_of(network, layer)[1] if "weights" in layer else norm, encoding)
    if operation in functions.TABLES:
        return quantise(functions.by_table(operation, real), encoding)
    if operation == "resize":
        _, height, width = encoding["shape"]
        return quantise(functions.resize(real, height, width, layer["mode"], layer.get("coordinates", "half_pixel")), encoding)
    if operation == "global_average_pool":
        mean = functions.sum_in_order(real, (1, 2)) / F32(real.shape[1] * real.shape[2])
        return quantise(mean[:, None, None], encoding)
    if operation == "maximum_pool":
        return quantise(windows(real, layer["kernel"], stride, padding, F32(-32768)).max(axis=(3, 4)), encoding)
    if operation == "average_pool":
        rows, columns = layer["kernel"]
        products = windows(real, layer["kernel"], stride, padding, F32(0)) * F32(1.0 / (rows * columns))
        total = np.zeros(products.shape[:3] + products.shape[5:], F32)
        for row in range(rows):
            for column in range(columns):
                total = total + products[:, :, :, row, column]
        return quantise(total, encoding)
    raise ValueError(f"{layer['name']}: unknown operation {operation}")


def evaluate(network, images):
    """The output of every layer by name, bit for bit. `images`: FP16, N, H, W, C."""
    values = {network.input["name"]: images}
    for layer in network.layers:
        values[layer["name"]] = evaluate_layer(network, layer, [values[name] for name in layer["inputs"]])
    return values


def evaluate_unquantised(network, images, quantised_weights=False, clipped=False):
    """The output of every layer by name, computed in FP64 without rounding from the weights before quantisation.

    With `quantised_weights` it uses the INT8 weights instead. With `clipped` it limits each map to its INT8 range. With both, only the rounding of feature
    maps is missing from the quantised network.
    """
    values = {network.input["name"]: images.astype(np.float64)}
    for layer in network.layers:
        operation, encoding, x = layer["operation"], layer["output"], [values[name] for name in layer["inputs"]]
        stride, padding = geometry(layer)
        if operation == "quantise":
            result = x[0]
        elif operation in ("convolution", "fully_connected"):
            weights, biases = rounded_weights(network, layer) if quantised_weights else network.unquantised_weights(layer)
            result = convolve(x[0], weights, stride, padding, 0.0) + biases
        elif operation == "add":
            result = x[0] + x[1]
        elif operation == "maximum_pool":
            result = windows(x[0], layer["kernel"], stride, padding, -np.inf).max(axis=(3, 4))
        elif operation == "average_pool":
            result = windows(x[0], layer["kernel"], stride, padding, 0.0).mean(axis=(3, 4))
        else:
            raise ValueError(f"{layer['name']}: {operation} is evaluated as it is quantised alone")
        if layer.get("activation") == "relu":
            result = np.maximum(result, 0.0)
        if clipped and encoding["format"] == "INT8":
            low, high = ((end - encoding["zero_point"]) * encoding["scale"] for end in (-128, 127))
            result = np.clip(result, low, high)
        values[layer["name"]] = result
    return values


def rounded_weights(network, layer):
    weights, scales, biases, _ = network.weights(layer)
    return weights * scales.astype(np.float64)[:, None, None, None], biases


def quantisation_limit(network, images):
    """The largest difference of `evaluate` from `evaluate_unquantised` that quantisation can explain, for each element of the output.

    The effects of rounded weights and limited ranges are computed. Rounding a feature map counts as noise whose variance is a twelfth of the squared step.
    Later layers pass this noise on as if it were independent from element to element. The limit allows six standard deviations of the noise.
    """
    variances = {network.input["name"]: np.zeros(images.shape)}
    for layer in network.layers:
        operation, encoding, noise = layer["operation"], layer["output"], [variances[name] for name in layer["inputs"]]
        stride, padding = geometry(layer)
        if operation in ("convolution", "fully_connected"):
            variance = convolve(noise[0], rounded_weights(network, layer)[0] ** 2, stride, padding, 0.0)
        elif operation == "maximum_pool":
            variance = windows(noise[0], layer["kernel"], stride, padding, 0.0).max(axis=(3, 4))
        elif operation == "average_pool":
            variance = windows(noise[0], layer["kernel"], stride, padding, 0.0).mean(axis=(3, 4)) / np.prod(layer["kernel"])
        else:
            variance = sum(noise)
        variances[layer["name"]] = variance + (encoding["scale"] ** 2 / 12 if encoding["format"] == "INT8" else 0.0)
    name = network.output["layer"]
    unquantised = evaluate_unquantised(network, images)[name]
    computed = np.abs(evaluate_unquantised(network, images, quantised_weights=True, clipped=True)[name] - unquantised)
    return computed + 6 * np.sqrt(variances[name]) + np.abs(unquantised) * 2.0**-10


def compare_with_unquantised(network, images, outputs):
    """Compares `outputs` of `evaluate` or of a device with the unquantised network. Differences are absolute, and relative to quantisation_limit."""
    unquantised = evaluate_unquantised(network, images)[network.output["layer"]]
    difference = np.abs(outputs.reshape(unquantised.shape).astype(np.float64) - unquantised)
    share = (difference / quantisation_limit(network, images)).max()
    return {
        "unquantised": unquantised.reshape(len(images), -1),
        "largest": difference.max(),
        "rms": np.sqrt(np.mean(difference**2)),
        "share_of_limit": share,
    }


def read_images(network, path):
    channels, height, width = network.input["shape"]
    form = "<f2" if network.input["format"] == "FP16" else np.int8
    return np.fromfile(path, form).reshape(-1, height, width, channels)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", help="network.json")
    parser.add_argument("--images", required=True, help="FP16 images, N x H x W x C, raw")
    parser.add_argument("--out", help="write the outputs of all images here, raw, as the device would")
    parser.add_argument("--layers", help="write the output of every layer into this folder, NAME.bin")
    parser.add_argument("--labels", help="print accuracy and the distance from the unquantised network; one byte an image")
    arguments = parser.parse_args()
    network = Network.read(arguments.network)
    images = read_images(network, arguments.images)
    values = evaluate(network, images)
    outputs = values[network.output["layer"]]
    if arguments.out:
        outputs.tofile(arguments.out)
    if arguments.layers:
        for name, maps in values.items():
            maps.tofile(pathlib.Path(arguments.layers) / f"{name}.bin")
    if arguments.labels:
        labels = np.fromfile(arguments.labels, np.uint8)
        report = compare_with_unquantised(network, images, outputs)
        print(f"accuracy {np.mean(outputs.reshape(len(images), -1).argmax(1) == labels):.4f}, unquantised "
              f"{np.mean(report['unquantised'].argmax(1) == labels):.4f}")
        print(f"outputs: largest difference from the unquantised network {report['largest']:.4f} (rms {report['rms']:.4f}), "
              f"at most {report['share_of_limit']:.2f} of what quantisation explains")
        if report["share_of_limit"] > 1:
            sys.exit("the difference is larger than quantisation explains")


if __name__ == "__main__":
    main()
