#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Operations of the Unity units with operands of 1 MiB: the model's reference and its fast path beside NumPy, on one thread each.

NumPy and the model take turns, so that a busy machine slows both; times are processor times. Prints the figures as JSON."""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROUNDS = 21
SLICE = 2_000_000  # nanoseconds of an operation's runs in a round, about
SIDE = 512
ELEMENTWISE = ("ADD", "MUL", "DIV", "MAX", "SQRT", "EXP", "DATA_CONVERT", "RELU", "SIGMOID", "AI_TANH")
REDUCTIONS = ("REDUCE_SUM", "REDUCE_MEAN", "REDUCE_MAX")
MATRICES = ("MATRIX_MUL", "CONV2D")
OTHERS = ("MAX_POOL", "SOFTMAX", "LAYER_NORM", "TRANSPOSE", "GATHER")
# NumPy's BLAS on the processor's own kernels and on one thread.
NOT_FOR_BLAS = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def measure(program):
    """The figures of all operations, from a process with an environment of its own."""
    environment = {name: value for name, value in os.environ.items() if name not in NOT_FOR_BLAS} | ONE_THREAD
    done = subprocess.run([sys.executable, __file__, str(program)], env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"unity_operations: exit status {done.returncode}")
    return json.loads(done.stdout)


def numpy_operations():
    """Functions without arguments. Results go to memory that exists, as those of a unit do; all of it is aligned to 64 bytes."""
    import numpy

    def aligned(shape, kind):
        count = int(numpy.prod(shape)) * numpy.dtype(kind).itemsize
        memory = numpy.zeros(count + 64, numpy.uint8)
        start = -memory.ctypes.data % 64
        return memory[start:start + count].view(kind).reshape(shape)

    def filled(values):
        memory = aligned(values.shape, values.dtype)
        memory[:] = values
        return memory

    random = numpy.random.default_rng(1)
    float32, square = numpy.float32, (SIDE, SIDE)
    first = filled(random.uniform(0.25, 4, square).astype(float32))
    second = filled(random.uniform(-1.75, 2, square).astype(float32))
    result, halfway, wholes = aligned(square, float32), aligned(square, float32), aligned(square, numpy.int8)
    image = filled(random.integers(-128, 128, (128, 128, 64)).astype(numpy.int8))
    weights = filled(random.integers(-128, 128, (9 * 64, 64)).astype(float32))
    framed, patches = aligned((130, 130, 64), float32), aligned((128, 128, 3, 3, 64), float32)
    sums, convolved = aligned((128 * 128, 64), float32), aligned((128 * 128, 64), numpy.int8)
    pooled, more_pooled = aligned((128, 64, 64), numpy.int8), aligned((64, 64, 64), numpy.int8)
    indices = random.integers(0, SIDE, SIDE)
    weight, bias = first[0].copy(), first[1].copy()
    windows = numpy.lib.stride_tricks.sliding_window_view(framed, (3, 3), axis=(0, 1)).transpose(0, 1, 3, 4, 2)

    def sigmoid():
        numpy.negative(second, out=result)
        numpy.exp(result, out=result)
        numpy.add(result, 1, out=result)
        numpy.reciprocal(result, out=result)

    def softmax():
        numpy.subtract(second, second.max(axis=1, keepdims=True), out=result)
        numpy.exp(result, out=result)
        numpy.divide(result, result.sum(axis=1, keepdims=True), out=result)

    def layer_norm():
        numpy.subtract(second, second.mean(axis=1, keepdims=True), out=result)
        numpy.multiply(result, result, out=halfway)
        numpy.divide(result, numpy.sqrt(halfway.mean(axis=1, keepdims=True) + float32(1e-5)), out=result)
        numpy.multiply(result, weight, out=result)
        numpy.add(result, bias, out=result)

    def convolution():
        """By BLAS in FP32, the fastest way that NumPy has; it rounds once and without a Q31 multiplier."""
        framed[1:129, 1:129] = image
        numpy.copyto(patches, windows)
        numpy.matmul(patches.reshape(128 * 128, 9 * 64), weights, out=sums)
        numpy.multiply(sums, float32(2**-11), out=sums)
        numpy.rint(sums, out=sums)
        numpy.clip(sums, -128, 127, out=sums)
        numpy.copyto(convolved, sums, casting="unsafe")

    def pool():
        numpy.maximum(image[:, ::2], image[:, 1::2], out=pooled)
        numpy.maximum(pooled[::2], pooled[1::2], out=more_pooled)

    return {
        "ADD": lambda: numpy.add(first, second, out=result),
        "MUL": lambda: numpy.multiply(first, second, out=result),
        "DIV": lambda: numpy.divide(first, second, out=result),
        "MAX": lambda: numpy.maximum(first, second, out=result),
        "SQRT": lambda: numpy.sqrt(first, out=result),
        "EXP": lambda: numpy.exp(second, out=result),
        "DATA_CONVERT": lambda: numpy.copyto(wholes, second, casting="unsafe"),
        "RELU": lambda: numpy.maximum(second, float32(0), out=result),
        "SIGMOID": sigmoid,
        "AI_TANH": lambda: numpy.tanh(second, out=result),
        "REDUCE_SUM": lambda: numpy.sum(first),
        "REDUCE_MEAN": lambda: numpy.mean(first),
        "REDUCE_MAX": lambda: numpy.max(first),
        "MATRIX_MUL": lambda: numpy.matmul(first, second.T, out=result),
        "CONV2D": convolution,
        "MAX_POOL": pool,
        "SOFTMAX": softmax,
        "LAYER_NORM": layer_norm,
        "TRANSPOSE": lambda: numpy.copyto(result, first.T),
        "GATHER": lambda: numpy.take(first, indices, axis=0, out=result, mode="clip"),
    }


class Model:
    """The program that runs the model."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline().split()
        if not answer:
            raise RuntimeError(f"no answer to {' '.join(str(word) for word in words)}")
        return answer

    def nanoseconds(self, name, path, runs):
        return float(self.ask(name, path, runs)[0])


def nanoseconds(function, runs):
    begin = time.thread_time_ns()
    for _ in range(runs):
        function()
    return (time.thread_time_ns() - begin) / runs


def figures(program):
    model, functions, results = Model(program), numpy_operations(), []
    for name in ELEMENTWISE + REDUCTIONS + MATRICES + OTHERS:
        if model.ask("check", name) != ["same"]:
            raise RuntimeError(f"{name}: the fast path's bytes are not the reference's")
        function = functions[name]
        reference = model.nanoseconds(name, "reference", 1)
        runs = [max(1, int(SLICE / max(first(), 1))) for first in (lambda: nanoseconds(function, 3), lambda: model.nanoseconds(name, "fast", 3))]
        of_numpy, of_model = [], []
        for _ in range(ROUNDS):
            of_numpy.append(nanoseconds(function, runs[0]))
            of_model.append(model.nanoseconds(name, "fast", runs[1]))
        ratio = statistics.median(theirs / ours for theirs, ours in zip(of_numpy, of_model))
        results.append({
            "name": name,
            "ratio": ratio,
            "reference": 1e9 / reference,
            "fast": 1e9 / statistics.median(of_model),
            "numpy": 1e9 / statistics.median(of_numpy),
            "limited": name not in OTHERS,
        })
    return results


if __name__ == "__main__":
    json.dump(figures(pathlib.Path(sys.argv[1])), sys.stdout, indent=1)
