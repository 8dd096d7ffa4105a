# SPDX-License-Identifier: MIT
"""Network files with random weights, whose feature maps are spread over their INT8 range."""
import json
import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "examples/digits"))

import reference  # noqa: E402


class Builder:
    """Adds layer after layer. It evaluates each new layer on one image, and the results determine the layer's scale."""

    def __init__(self, folder, name, shape, form="FP16", seed=1):
        self.folder = pathlib.Path(folder)
        self.random = np.random.default_rng(seed)
        self.input = {"name": "image", "shape": list(shape), "format": form}
        if form == "INT8":
            self.input.update(scale=1 / 128, zero_point=-3)
        self.name = name
        self.layers = []
        self.values = {"image": self.images(1)}

    def images(self, count):
        channels, height, width = self.input["shape"]
        shape = count, height, width, channels
        if self.input["format"] == "INT8":
            return self.random.integers(-128, 128, shape, dtype=np.int8)
        return self.random.normal(0, 1, shape).astype(np.float16)

    def network(self, *more_layers):
        layers = [*self.layers, *more_layers]
        output = {"name": "result", "layer": layers[-1]["name"]}
        description = {"format": "coxswain-network", "version": 1, "name": self.name, "input": self.input, "output": output, "layers": layers}
        return reference.Network(description, self.folder), description

    def shape_of(self, name):
        return self.input["shape"] if name == "image" else next(layer["output"]["shape"] for layer in self.layers if layer["name"] == name)

    def encoding_of(self, name):
        return self.input if name == "image" else next(layer["output"] for layer in self.layers if layer["name"] == name)

    def add_layer(self, layer):
        self.layers.append(layer)
        inputs = [self.values[name] for name in layer["inputs"]]
        self.values[layer["name"]] = reference.evaluate_layer(self.network()[0], layer, inputs)
        return layer["name"]

    @staticmethod
    def int8(shape, scale, zero_point):
        return {"shape": list(shape), "format": "INT8", "scale": float(np.float32(scale)), "zero_point": int(zero_point)}

    @staticmethod
    def fitting(shape, low, high):
        """An encoding for values from `low` to `high`. Its range is a little too small, so that some values saturate."""
        scale = 0.95 * max(high - low, 1e-3) / 255
        return Builder.int8(shape, scale, np.clip(np.rint(-128 - low / scale), -128, 127))

    def quantise(self, name, source):
        values = self.values[source].astype(np.float32)
        return self.add_layer({"name": name, "operation": "quantise", "inputs": [source], "output": self.fitting(self.shape_of(source), values.min(), values.max())})

    def convolution(self, name, source, kernels, kernel, stride=(1, 1), padding=(0, 0, 0, 0), relu=False, form="INT8", dilation=(1, 1), **more):
        """Adds a convolution, or a fully connected layer if `kernel` is None. `more` may have groups, activation and activation_parameter."""
        channels, height, width = self.shape_of(source)
        full = kernel is None
        rows, columns = (height, width) if full else kernel
        shape = [
            kernels,
            (height + padding[0] + padding[2] - (rows - 1) * dilation[0] - 1) // stride[0] + 1,
            (width + padding[1] + padding[3] - (columns - 1) * dilation[1] - 1) // stride[1] + 1,
        ]
        layer = {"name": name, "operation": "fully_connected" if full else "convolution", "inputs": [source], "activation": "relu" if relu else "none"}
        if not full:
            layer.update(kernel=list(kernel), stride=list(stride), padding=list(padding))
        if tuple(dilation) != (1, 1):
            layer.update(dilation=list(dilation))
        return self.with_weights({**layer, **more}, shape, (rows, columns), form)

    def transposed(self, name, source, kernels, kernel, stride, padding=(0, 0, 0, 0), output_padding=(0, 0), form="INT8", **more):
        channels, height, width = self.shape_of(source)
        shape = [
            kernels,
            (height - 1) * stride[0] + kernel[0] + output_padding[0] - padding[0] - padding[2],
            (width - 1) * stride[1] + kernel[1] + output_padding[1] - padding[1] - padding[3],
        ]
        layer = {"name": name, "operation": "transposed_convolution", "inputs": [source], "kernel": list(kernel), "stride": list(stride), "padding": list(padding), "output_padding": list(output_padding)}
        return self.with_weights({**layer, **more}, shape, kernel, form)

    def with_weights(self, layer, shape, kernel, form):
        channels = self.shape_of(layer["inputs"][0])[0] // layer.get("groups", 1)
        kernels = shape[0]
        weights = self.random.integers(-127, 128, (kernels, *kernel, channels), dtype=np.int8)
        vectors = [self.random.uniform(0.3, 1, kernels) / (74 * np.sqrt(weights[0].size)), self.random.normal(0, 0.2, kernels)]
        if layer.get("activation") == "prelu":
            vectors.append(self.random.uniform(-0.5, 0.5, kernels))
        (self.folder / f"{layer['name']}.bin").write_bytes(weights.tobytes() + b"".join(vector.astype("<f4").tobytes() for vector in vectors))
        return self.fitted({**layer, "weights": f"{layer['name']}.bin"}, shape, form)

    def fitted(self, layer, shape, form="INT8"):
        """Adds the layer. If `form` is INT8, its output gets an encoding that fits its results."""
        layer["output"] = {"shape": list(shape), "format": "FP16"}
        if form == "INT8":
            inputs = [self.values[source] for source in layer["inputs"]]
            values = reference.evaluate_layer(self.network(layer)[0], layer, inputs).astype(np.float32)
            layer["output"] = self.fitting(shape, min(values.min(), 0.0), values.max())
        return self.add_layer(layer)

    def function(self, name, source, operation, form="INT8", **more):
        """A layer that computes a function of one tensor. Its output has the shape of its input."""
        return self.fitted({"name": name, "operation": operation, "inputs": [source], **more}, self.shape_of(source), form)

    def layer_norm(self, name, source, form="INT8", **more):
        """A layer norm with gamma and beta."""
        channels = self.shape_of(source)[0]
        parameters = self.random.normal(1, 0.5, channels), self.random.normal(0, 0.7, channels)
        (self.folder / f"{name}.bin").write_bytes(b"".join(vector.astype("<f4").tobytes() for vector in parameters))
        return self.function(name, source, "layer_norm", form, weights=f"{name}.bin", **more)

    def global_average_pool(self, name, source, form="INT8"):
        return self.fitted({"name": name, "operation": "global_average_pool", "inputs": [source]}, [self.shape_of(source)[0], 1, 1], form)

    def resize(self, name, source, height, width, mode, coordinates="half_pixel"):
        layer = {"name": name, "operation": "resize", "inputs": [source], "mode": mode, "coordinates": coordinates}
        return self.fitted(layer, [self.shape_of(source)[0], height, width])

    def two_tensors(self, name, operation, first, second):
        return self.fitted({"name": name, "operation": operation, "inputs": [first, second]}, self.shape_of(first))

    def concatenate(self, name, *sources, like=None):
        """Adds a concatenation with the encoding of the map `like`, or with an encoding of its own."""
        shape = [sum(self.shape_of(source)[0] for source in sources), *self.shape_of(sources[0])[1:]]
        layer = {"name": name, "operation": "concatenation", "inputs": list(sources)}
        encoding = self.encoding_of(like or sources[0])
        scale, zero_point = encoding["scale"], encoding["zero_point"]
        layer["output"] = self.int8(shape, scale, zero_point) if like else self.int8(shape, scale * 1.07, min(zero_point + 3, 127))
        return self.add_layer(layer)

    def pool(self, name, source, operation, kernel, stride=(1, 1), padding=(0, 0, 0, 0)):
        channels, height, width = self.shape_of(source)
        shape = [
            channels,
            (height + padding[0] + padding[2] - kernel[0]) // stride[0] + 1,
            (width + padding[1] + padding[3] - kernel[1]) // stride[1] + 1,
        ]
        encoding = self.encoding_of(source)
        output = self.int8(shape, encoding["scale"] * 0.9, encoding["zero_point"])
        return self.add_layer({"name": name, "operation": operation, "inputs": [source], "kernel": list(kernel), "stride": list(stride), "padding": list(padding), "output": output})

    def add(self, name, first, second, relu=False):
        scale = 1.1 * (self.encoding_of(first)["scale"] + self.encoding_of(second)["scale"]) / 2
        output = self.int8(self.shape_of(first), scale, -128 if relu else 5)
        return self.add_layer({"name": name, "operation": "add", "inputs": [first, second], "activation": "relu" if relu else "none", "output": output})

    def write(self):
        """Writes the network file; the last layer is the output."""
        path = self.folder / f"{self.name}.json"
        path.write_text(json.dumps(self.network()[1], indent=1))
        return path


def odd(folder):
    """Odd channels and extents, uneven strides and paddings, padded pools."""
    b = Builder(folder, "odd", (3, 17, 13), seed=3)
    x = b.quantise("quantise", "image")
    x = b.convolution("conv1", x, 5, (3, 3), (1, 1), (1, 1, 1, 1), relu=True)
    x = b.convolution("conv2", x, 13, (5, 3), (2, 1), (2, 0, 1, 2))
    y = b.convolution("conv3", x, 13, (1, 1), relu=True)
    x = b.add("sum", x, y)
    x = b.pool("maximum", x, "maximum_pool", (3, 3), (2, 1), (1, 1, 0, 1))
    x = b.pool("average", x, "average_pool", (2, 3), (1, 2), (1, 0, 0, 2))
    x = b.convolution("conv4", x, 7, (2, 2), (1, 2))
    b.add("double", x, x, relu=True)
    return b


def tiles(folder):
    """Kernels that do not fit half of WL0 together, and maps with several bands of rows."""
    b = Builder(folder, "tiles", (8, 100, 90), seed=4)
    x = b.quantise("quantise", "image")
    x = b.convolution("wide", x, 40, (3, 3), (1, 1), (1, 1, 1, 1), relu=True)
    y = b.convolution("same", x, 40, (1, 1))
    x = b.add("sum", y, x, relu=True)
    x = b.pool("maximum", x, "maximum_pool", (7, 7), (7, 7), (3, 3, 3, 3))
    x = b.convolution("deep", x, 520, (3, 3), (2, 2), (1, 1, 1, 1), relu=True)
    x = b.convolution("deeper", x, 260, (3, 3), (1, 1), (1, 1, 1, 1), relu=True)
    b.convolution("logits", x, 21, None, form="FP16")
    return b


def resnet8(folder):
    """The shapes of MLPerf Tiny's image classification network."""
    b = Builder(folder, "resnet8", (3, 32, 32), form="INT8", seed=5)
    x = b.convolution("conv0", "image", 16, (3, 3), (1, 1), (1, 1, 1, 1), relu=True)
    y = b.convolution("conv1", x, 16, (3, 3), (1, 1), (1, 1, 1, 1), relu=True)
    y = b.convolution("conv2", y, 16, (3, 3), (1, 1), (1, 1, 1, 1))
    x = b.add("add3", x, y, relu=True)
    for stage, kernels in enumerate((32, 64)):
        y = b.convolution(f"conv{stage}a", x, kernels, (3, 3), (2, 2), (0, 0, 1, 1), relu=True)
        y = b.convolution(f"conv{stage}b", y, kernels, (3, 3), (1, 1), (1, 1, 1, 1))
        x = b.convolution(f"conv{stage}c", x, kernels, (1, 1), (2, 2))
        x = b.add(f"add{stage}", x, y, relu=True)
    x = b.pool("average", x, "average_pool", (8, 8))
    b.convolution("logits", x, 10, None, form="FP16")
    return b


def mixed(folder, height=24, width=20):
    """A residual sum, depthwise, dilated and transposed convolutions, resizes, concatenations and a softmax."""
    b = Builder(folder, "mixed", (3, height, width), seed=6)
    x = b.quantise("quantise", "image")
    x = b.convolution("stem", x, 32, (3, 3), (1, 1), (1, 1, 1, 1), activation="relu6")
    y = b.convolution("depthwise", x, 32, (3, 3), (1, 1), (1, 1, 1, 1), groups=32, activation="silu")
    y = b.convolution("pointwise", y, 32, (1, 1))
    x = b.add("residual", x, y, relu=True)
    y = b.convolution("narrow", x, 48, (3, 3), (2, 2), (1, 1, 1, 1), activation="leaky_relu", activation_parameter=0.1)
    y = b.convolution("dilated", y, 48, (3, 3), (1, 1), (2, 2, 2, 2), dilation=(2, 2), activation="prelu")
    z = b.resize("wide", y, height, width, "bilinear")
    y = b.transposed("up", y, 16, (4, 4), (2, 2), (1, 1, 1, 1), activation="gelu")
    x = b.concatenate("skip", x, y, z)
    x = b.convolution("head", x, 24, (3, 3), (2, 2), (1, 1, 1, 1), groups=4, activation="relu")
    x = b.convolution("logits", x, 12, (1, 1))
    b.function("softmax", x, "softmax")
    return b


def large(folder):
    """Maps that exceed L2 (8 MiB) each, with usual layers and few channels, because the reference is slow."""
    b = Builder(folder, "large", (8, 1025, 1030), form="INT8", seed=8)
    x = b.two_tensors("halves", "add", "image", "image")
    x = b.convolution("stem", x, 16, (3, 3), (2, 2), (1, 1, 1, 1), activation="relu6")
    y = b.convolution("pointwise", x, 16, (1, 1), groups=2)
    x = b.add("residual", x, y, relu=True)
    z = b.resize("smaller", x, 129, 129, "bilinear")
    x = b.pool("pool", x, "maximum_pool", (3, 3), (4, 4), (1, 1, 1, 1))
    x = b.concatenate("both", x, z)
    x = b.global_average_pool("mean", x)
    b.convolution("logits", x, 21, None, form="FP16")
    return b


def functions(folder):
    """Each function and each pair once, with odd extents and broadcast second tensors."""
    b = Builder(folder, "functions", (11, 9, 13), seed=7)
    x = b.quantise("quantise", "image")
    y = b.function("sigmoid", x, "sigmoid")
    z = b.two_tensors("product", "multiply", b.function("tanh", x, "tanh"), y)
    y = b.two_tensors("difference", "subtract", b.function("gelu", x, "gelu"), z)
    z = b.two_tensors("larger", "maximum", b.function("silu", y, "silu"), z)
    x = b.two_tensors("smaller", "minimum", z, x)
    x = b.function("norm", x, "layer_norm", epsilon=1e-3)
    x = b.layer_norm("scaled", x, epsilon=1e-5)
    y = b.global_average_pool("mean", y)
    x = b.two_tensors("gated", "multiply", x, b.function("gate", y, "tanh"))
    y = b.convolution("column", x, 11, (9, 1), activation="tanh")
    x = b.two_tensors("shifted", "add", x, y)
    y = b.convolution("plane", x, 1, (1, 1), activation="sigmoid")
    x = b.two_tensors("weighted", "multiply", x, y)
    x = b.resize("aligned", x, 17, 5, "bilinear", "aligned_corners")
    y = b.resize("nearest", x, 6, 11, "nearest")
    x = b.resize("corners", x, 6, 11, "nearest", "aligned_corners")
    x = b.concatenate("joined", x, y, like=y)
    x = b.concatenate("copied", x, x, like=x)
    x = b.transposed("spread", x, 9, (3, 2), (3, 1), (1, 0, 0, 1), (2, 0), activation="relu_x", activation_parameter=0.7)
    x = b.convolution("logits", x, 21, None, form="FP16")
    b.function("softmax", x, "softmax", form="FP16")
    return b


def random_network(folder, seed):
    """A chain of random layers. Some also read an earlier map."""
    b = Builder(folder, f"random{seed}", (0, 0, 0), seed=seed)
    r = b.random
    b.input["shape"] = [int(r.integers(1, 20)), int(r.integers(1, 24)), int(r.integers(1, 24))]
    b.values["image"] = b.images(1)
    x = b.quantise("quantise", "image")
    for i in range(int(r.integers(3, 12))):
        x = RANDOM_LAYERS[r.integers(len(RANDOM_LAYERS))](b, f"layer{i}", x)
    if r.integers(2):
        x = b.convolution("logits", x, int(r.integers(1, 30)), None if max(b.shape_of(x)[1:]) <= 30 else (1, 1), form=str(r.choice(["FP16", "INT8"])))
    if r.integers(2):
        b.function("softmax", x, "softmax", form=str(r.choice(["FP16", "INT8"])))
    return b


def random_kernel(b, extent):
    """Returns random kernel size, stride, padding before and after the map, and dilation in one dimension."""
    r = b.random
    taps = int(r.integers(1, min(extent, 5) + 1))
    dilation = int(r.integers(1, 4)) if taps > 1 and (taps - 1) * 3 < extent else 1
    return taps, int(r.integers(1, 4)), *(int(p) for p in r.integers(0, (taps - 1) * dilation + 1, 2)), dilation


def random_pairs(b, x):
    return zip(*(random_kernel(b, extent) for extent in b.shape_of(x)[1:]))


def random_activation(b):
    activation = str(b.random.choice(["none", "relu", "relu6", "relu_x", "leaky_relu", "prelu", "sigmoid", "tanh", "gelu", "silu"]))
    parameters = {"relu_x": 0.5, "leaky_relu": 0.125}
    return {"activation": activation, **({"activation_parameter": parameters[activation]} if activation in parameters else {})}


def random_groups(b, x):
    """Returns random numbers of groups and of kernels."""
    channels = b.shape_of(x)[0]
    groups = int(b.random.choice([g for g in range(1, channels + 1) if channels % g == 0]))
    return groups, groups * int(b.random.integers(1, max(2, 40 // groups)))


def random_convolution(b, name, x):
    kernel, stride, before, behind, dilation = random_pairs(b, x)
    groups, kernels = random_groups(b, x)
    return b.convolution(name, x, kernels, kernel, stride, (*before, *behind), dilation=dilation, groups=groups, **random_activation(b))


def random_transposed(b, name, x):
    _, height, width = b.shape_of(x)
    if max(height, width) > 30:
        return b.function(name, x, "tanh")
    kernel, stride, before, behind, _ = random_pairs(b, x)
    cut = [int(b.random.integers(0, taps)) for taps in (*kernel, *kernel)]
    for axis, extent in enumerate((height, width)):  # cut nothing if the output would be empty
        while (extent - 1) * stride[axis] + kernel[axis] <= cut[axis] + cut[axis + 2]:
            cut[axis] = cut[axis + 2] = 0
    groups, kernels = random_groups(b, x)
    more = [int(b.random.integers(0, distance)) for distance in stride]
    return b.transposed(name, x, kernels, kernel, stride, cut, more, groups=groups, **random_activation(b))


def random_pool(b, name, x):
    kernel, stride, before, behind, _ = random_pairs(b, x)
    before, behind = [min(p, k - 1) for p, k in zip(before, kernel)], [min(p, k - 1) for p, k in zip(behind, kernel)]
    return b.pool(name, x, str(b.random.choice(["maximum_pool", "average_pool"])), kernel, stride, (*before, *behind))


def random_resize(b, name, x):
    height, width = (int(e) for e in b.random.integers(1, 25, 2))
    return b.resize(name, x, height, width, str(b.random.choice(["nearest", "bilinear"])), str(b.random.choice(["half_pixel", "aligned_corners"])))


def random_function(b, name, x):
    function = str(b.random.choice(["sigmoid", "tanh", "gelu", "silu", "softmax", "layer_norm"]))
    if function == "layer_norm" and b.random.integers(2):
        return b.layer_norm(name, x, epsilon=1e-5)
    return b.function(name, x, function, **({"epsilon": 0.01} if function == "layer_norm" else {}))


def earlier(b, fits):
    """An earlier INT8 map whose shape satisfies `fits`."""
    names = [layer["name"] for layer in b.layers if layer["output"]["format"] == "INT8" and fits(b.shape_of(layer["name"]))]
    return names[b.random.integers(len(names))]


def random_two_tensors(b, name, x):
    shape = b.shape_of(x)
    y = earlier(b, lambda other: other == shape)
    if b.random.integers(2) and shape[0] > 1:  # broadcast
        y = b.global_average_pool(name + "mean", x)
    return b.two_tensors(name, str(b.random.choice(["add", "subtract", "multiply", "maximum", "minimum"])), x, y)


def random_concatenation(b, name, x):
    shape = b.shape_of(x)
    if shape[0] > 60:
        return b.global_average_pool(name, x)
    others = [earlier(b, lambda other: other[1:] == shape[1:]) for _ in range(b.random.integers(1, 3))]
    return b.concatenate(name, x, *others, like=x if b.random.integers(2) else None)


def random_half(b, name, x):
    """A map in FP16, and a layer that can follow it."""
    x = b.convolution(name + "half", x, int(b.random.integers(1, 20)), (1, 1), form="FP16")
    return (random_function, random_resize, lambda b, name, x: b.global_average_pool(name, x))[b.random.integers(3)](b, name, x)


RANDOM_LAYERS = (random_convolution, random_convolution, random_transposed, random_pool, random_resize, random_function, random_two_tensors, random_concatenation, random_half)
