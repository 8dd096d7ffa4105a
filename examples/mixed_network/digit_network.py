# SPDX-License-Identifier: MIT
"""The network of this example in NumPy: the digits' convolutions with scales that are powers of two, and the nearest neighbours in a gallery.

Every sum stays below 2^24 and every scale is a power of two. So FP32 is exact until the one rounding at a layer's end, and each engine gives the
same bytes.
"""
import json
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
DIGITS = FOLDER.parent / "digits"
NEIGHBOURS = 5
CLASSES = 10
FEATURES = 512
IMAGE_SCALE = 2.0**-4  # a pixel is 0 to 16
FEATURE_SCALE = 2.0**-3
SCORE_SCALE = 2.0**-11  # of a score to the sum of products


class Layer:
    """A 3 x 3 convolution: INT8 weights [K][3][3][C], INT32 biases, the factor of sums, and the limits of results."""

    def __init__(self, name, channels, kernels, scale_in, scale_out, lowest):
        values = np.fromfile(DIGITS / f"weights/{name}.unquantised.bin", "<f4").astype(float)
        weights, biases = values[:-kernels].reshape(kernels, 3, 3, channels), values[-kernels:]
        self.name, self.scale_in, self.scale_out, self.lowest = name, scale_in, scale_out, lowest
        self.scale = 2.0 ** np.ceil(np.log2(np.abs(weights).max() / 127))
        self.weights = np.rint(weights / self.scale).astype(np.int8)
        self.biases = np.rint(biases / (scale_in * self.scale)).astype(np.int32)
        self.factor = scale_in * self.scale / scale_out

    def evaluate(self, maps):
        """Results for INT8 maps [N][H][W][C], with a border of zeros."""
        n, height, width, channels = maps.shape
        bordered = np.zeros((n, height + 2, width + 2, channels))
        bordered[:, 1:-1, 1:-1] = maps
        sums = sum(
            bordered[:, row : row + height, column : column + width] @ self.weights[:, row, column].T.astype(float) for row in range(3) for column in range(3)
        )
        return requantise(sums + self.biases, self.factor, self.lowest)


def requantise(sums, factor, lowest=-128):
    assert np.abs(sums).max() < 2**24
    return np.clip(np.rint(sums * factor), lowest, 127).astype(np.int8)


def map_of(channels, side, scale):
    """A map in a network file."""
    return {"shape": [channels, side, side], "format": "INT8", "scale": scale, "zero_point": 0}


class Network:
    def __init__(self):
        self.layers = [
            Layer("conv1", 1, 16, IMAGE_SCALE, 2.0**-5, 0),
            Layer("conv2", 16, 32, 2.0**-5, FEATURE_SCALE, 0),
            Layer("conv3", 32, 32, FEATURE_SCALE, FEATURE_SCALE, -128),
        ]
        self.labels = np.fromfile(FOLDER / "gallery_labels.bin", np.uint8).astype(np.int32)
        self.gallery = self.features(np.fromfile(FOLDER / "gallery.bin", np.int8).reshape(-1, 8, 8, 1))
        # The nearest vector g has the largest e * g - |g|^2 / 2.
        self.biases = -(np.square(self.gallery.astype(np.int64)).sum(axis=1) // 2).astype(np.int32)

    def features(self, images):
        conv1, conv2, conv3 = self.layers
        maps = conv2.evaluate(conv1.evaluate(images))
        n, height, width, channels = maps.shape
        pooled = maps.reshape(n, height // 2, 2, width // 2, 2, channels).max(axis=(2, 4))
        added = pooled.astype(int) + conv3.evaluate(pooled)
        return np.clip(added, -128, 127).astype(np.int8).reshape(n, FEATURES)

    def scores(self, features):
        sums = features.astype(float) @ self.gallery.T.astype(float)
        return requantise(sums + self.biases, SCORE_SCALE)

    def classes(self, scores):
        """The votes of the nearest neighbours, and the class with the most; of equal ones, the one that stands first."""
        nearest = np.argsort(-scores.astype(int), axis=1, kind="stable")[:, :NEIGHBOURS]
        votes = np.eye(CLASSES, dtype=np.uint8)[self.labels[nearest]].sum(axis=1, dtype=np.uint8)
        return votes, votes.argmax(axis=1).astype(np.uint8)

    def write(self, folder, images, scores=False):
        """Writes the convolutions, and with `scores` the product with the gallery, as a network file for `cox lower`. Returns its path."""
        (folder / "weights").mkdir(parents=True, exist_ok=True)
        layers, source, side = [], "image", 8
        for layer in self.layers:
            kernels = len(layer.biases)
            parameters = np.concatenate([np.full(kernels, layer.scale), layer.biases * (layer.scale_in * layer.scale)]).astype("<f4")
            (folder / f"weights/{layer.name}.bin").write_bytes(layer.weights.tobytes() + parameters.tobytes())
            layers.append(
                {
                    "name": layer.name,
                    "operation": "convolution",
                    "inputs": [source],
                    "kernel": [3, 3],
                    "padding": [1, 1, 1, 1],
                    "activation": "none" if layer.lowest else "relu",
                    "weights": f"weights/{layer.name}.bin",
                    "output": map_of(kernels, side, layer.scale_out),
                }
            )
            source = layer.name
            if layer.name == "conv2":
                side, source = 4, "pool"
                layers.append({"name": "pool", "operation": "maximum_pool", "inputs": ["conv2"], "kernel": [2, 2], "stride": [2, 2], "output": map_of(32, 4, FEATURE_SCALE)})
        layers.append({"name": "features", "operation": "add", "inputs": ["pool", "conv3"], "output": map_of(32, 4, FEATURE_SCALE)})
        if scores:
            parameters = np.concatenate([np.ones(len(self.biases)), self.biases * FEATURE_SCALE]).astype("<f4")
            (folder / "weights/scores.bin").write_bytes(self.gallery.tobytes() + parameters.tobytes())
            result = {"shape": [len(self.biases), 1, 1], "format": "INT8", "scale": FEATURE_SCALE / SCORE_SCALE, "zero_point": 0}
            layers.append({"name": "scores", "operation": "fully_connected", "inputs": ["features"], "weights": "weights/scores.bin", "output": result})
        name = layers[-1]["name"]
        network = {
            "format": "coxswain-network",
            "version": 1,
            "name": name,
            "batch": images,
            "input": {"name": "image", **map_of(1, 8, IMAGE_SCALE)},
            "output": {"name": name, "layer": name},
            "layers": layers,
        }
        path = folder / f"{name}.json"
        path.write_text(json.dumps(network, indent=1))
        return path


def read_images():
    """The held-out digits as INT8 maps, and their labels."""
    images = np.fromfile(DIGITS / "images.bin", "<f2").reshape(-1, 8, 8, 1)
    return np.rint(images.astype(float) / IMAGE_SCALE).astype(np.int8), np.fromfile(DIGITS / "labels.bin", np.uint8)
