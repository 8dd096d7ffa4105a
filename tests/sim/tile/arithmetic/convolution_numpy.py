#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks convolutions against docs/arithmetic.md in NumPy's integers and float32, bit for bit.

Usage: convolution_numpy.py PROGRAM [OPERATIONS [SEED]]"""

import struct

import numpy

from comparison import compare
from formats import BF16, BITS, F, FP16, FP32, INT4, INT8, INT16, is_integer, pack, padded, pixel_bytes, to_bits, to_real
from vector_numpy import table

DISABLE, RELU, RELUX, LEAKY_RELU, PRELU, SILU = range(6)
CLIPS = {1: (-128, 127), 2: (-32768, 32767), 3: (-65504, 65504)}


def is_wide(op):
    return INT16 in (op["source_format"], op["weight_format"])


def sum_type(op):
    return numpy.dtype("<f4") if not is_integer(op["source_format"]) else numpy.dtype("<i8") if is_wide(op) else numpy.dtype("<i4")


def numbers(bits, fmt, signed):
    """Bits as numbers: integers stay integers, floating point becomes float32."""
    if not is_integer(fmt):
        return to_real(bits, fmt, signed)
    value = bits.astype(numpy.int64)
    return numpy.where(value >> (BITS[fmt] - 1) != 0, value - (1 << BITS[fmt]), value) if signed else value


def slid_over(op):
    """The input of the kernel as a function of rows and columns: [image, row, column, channel]."""
    fmt, signed = op["source_format"], op["source_signed"]
    x = numbers(op["source"], fmt, signed)
    padding = numbers(to_bits(numpy.array([op["padding"]], F), fmt, signed, 2), fmt, signed)[0]
    (uh, uw), (images, height, width, channels) = op["upsample"], x.shape
    spread = numpy.full((images, (height - 1) * uh + 1, (width - 1) * uw + 1, channels), padding, x.dtype)
    spread[:, ::uh, ::uw] = x

    def at(rows, columns):
        outside = (rows < 0) | (rows >= spread.shape[1])
        beside = (columns < 0) | (columns >= spread.shape[2])
        part = spread[:, numpy.where(outside, 0, rows)][:, :, numpy.where(beside, 0, columns)]
        part[:, outside] = padding
        part[:, :, beside] = padding
        return part

    return at


def accumulators(op):
    at = slid_over(op)
    weights = numbers(op["weights"], op["weight_format"], True)
    count, height, width = op["kernels"], *op["extent"]
    group = numpy.arange(count) // (count // op["groups"]) * op["channels"]
    shape = (op["batch"], height, width, count)
    floating = not is_integer(op["source_format"])
    sums = numpy.zeros(shape, F if floating else numpy.int64)
    if op["accumulate"]:
        sums = sums + op["partial"]
    for r in range(op["kernel"][0]):
        for s in range(op["kernel"][1]):
            rows = op["first"][0] + numpy.arange(height) * op["stride"][0] + r * op["dilation"][0]
            columns = op["first"][1] + numpy.arange(width) * op["stride"][1] + s * op["dilation"][1]
            part = at(rows, columns)
            for c in range(op["channels"]):
                sums = sums + part[:, :, :, group + c] * weights[:, r, s, c]
    return sums.astype(sum_type(op))  # 32-bit sums wrap


def activate(op, v):
    mode, parameter = op["activation"], op["parameter"]
    if mode == RELU:
        return numpy.where(v < 0, F(0), v)
    if mode == RELUX:
        return numpy.where(v < 0, F(0), numpy.where(v > parameter, parameter, v))
    if mode == LEAKY_RELU:
        return numpy.where(v < 0, v * parameter, v)
    if mode == PRELU:
        return numpy.where(v < 0, v * op["slope"], v)
    return table(op, v) if mode == SILU else v


def evaluate(op):
    """Bytes of each pixel of the destination: [image * row, column, byte]."""
    sums = accumulators(op)
    if op["store"]:
        if sums.dtype.kind == "f":
            sums = numpy.where(numpy.isnan(sums), F(numpy.nan), sums)
        return sums.view(numpy.uint8).reshape(op["batch"] * op["extent"][0], op["extent"][1], -1)
    v = sums.astype(F)
    if op["dequantise"]:
        v = v * op["dequantisation"][0]
        v = v + op["dequantisation"][1]
        if op["clip"]:
            low, high = CLIPS[op["clip"]]
            v = numpy.where(v < low, F(low), numpy.where(v > high, F(high), v))
    v = v * op["record_scale"]
    v = v + op["bias"]
    v = activate(op, v).astype(F)
    fmt = op["destination_format"]
    if is_integer(fmt):
        v = v * op["scale"]
        v = v + op["zero_point"]
    bits = to_bits(v, fmt, op["destination_signed"], op["rounding"])
    return pack(bits.reshape(op["batch"] * op["extent"][0], op["extent"][1], -1), fmt)


# Makes random operations.


def elements(random, shape, fmt):
    if is_integer(fmt):
        return random.integers(0, 1 << BITS[fmt], shape)
    bits = to_bits(random.normal(size=shape).astype(F), fmt, True, 2)
    special = random.integers(0, 1 << BITS[fmt], shape)  # including NaN, Inf and subnormals
    return numpy.where(random.random(shape) < 0.002, special, bits)


def random_operation(random, number):
    def size(low, high):
        return int(random.integers(low, high + 1))

    def some(share):
        return bool(random.random() < share)

    def scalar(usual):
        return F(random.choice([0, -0.0, 1e-42, 1e38, numpy.inf, numpy.nan])) if some(0.03) else F(random.normal() * usual)

    source_format = (INT4, INT8, INT16, FP16, BF16, FP32)[number % 6]
    weight_format = source_format if not is_integer(source_format) else (INT4, INT8, INT16)[size(0, 2)]
    groups = size(1, 6) if some(0.4) else 1
    channels = 1 if some(0.3) else size(1, 9)
    op = {"source_format": source_format, "source_signed": some(0.6), "weight_format": weight_format, "groups": groups, "channels": channels,
          "kernels": groups * size(1, 4), "batch": size(1, 2), "extent": (size(1, 5), size(1, 5)), "kernel": (size(1, 3), size(1, 3)),
          "stride": (size(1, 3), size(1, 3)), "dilation": (size(1, 2), size(1, 3)), "upsample": (size(1, 3), size(1, 2)),
          "first": (size(-3, 2), size(-3, 2)), "accumulate": some(0.3), "store": some(0.2), "dequantise": some(0.3), "clip": size(0, 3),
          "activation": size(0, 5), "rounding": size(0, 3), "destination_format": size(0, 6), "destination_signed": some(0.6),
          "extrapolate": some(0.5), "parameter": scalar(1), "dequantisation": (scalar(1), scalar(2)), "low": F(random.normal() - 2),
          "per_unit": scalar(2), "zero_point": scalar(20), "padding": F(random.choice([0, 6, -128, 2.5, 1e9, numpy.nan, -3.5]))}
    shape = (op["batch"], size(1, 6), size(1, 6), groups * channels + size(0, 2))
    op["source"] = elements(random, shape, source_format)
    op["weights"] = elements(random, (op["kernels"], *op["kernel"], channels), weight_format)
    integer = is_integer(source_format)
    product = 2.0 ** (BITS[source_format] + BITS[weight_format] - 4) if integer else 1
    kernels = op["kernels"]
    op["record_scale"] = numpy.array([scalar(1 / product) for _ in range(kernels)], F)
    op["bias"] = numpy.array([scalar(1) for _ in range(kernels)], F)
    op["slope"] = numpy.array([scalar(1) for _ in range(kernels)], F)
    op["entries"] = random.normal(size=size(2, 9)).astype(F)
    op["scale"] = F(random.normal() * 2.0 ** (BITS[op["destination_format"]] - 3))
    kind = sum_type(op)
    shape = (op["batch"], *op["extent"], kernels)
    if kind.kind == "f":
        op["partial"] = random.normal(size=shape).astype(F)
    else:
        op["partial"] = random.integers(numpy.iinfo(kind).min, numpy.iinfo(kind).max, shape, kind)
    return op


def words(op):
    def real(value):
        return struct.pack("<f", value)

    def integers(*values):
        return struct.pack(f"<{len(values)}i", *values)

    images, height, width, channels = op["source"].shape
    position = pixel_bytes(op["channels"], op["weight_format"])
    source = padded(pack(op["source"].reshape(images * height, width, channels), op["source_format"]),
                    pixel_bytes(channels, op["source_format"]), 0xA5)
    records = b""
    for kernel in range(op["kernels"]):
        records += padded(pack(op["weights"][kernel], op["weight_format"]), position, 0xA5)
        records += real(op["record_scale"][kernel]) + real(op["bias"][kernel]) + real(op["slope"][kernel]) + bytes(20)
    partial = b""
    if op["accumulate"]:
        sums = op["partial"].view(numpy.uint8).reshape(images * op["extent"][0], op["extent"][1], -1)
        partial = padded(sums, (sums.shape[2] + 7) // 8 * 8, 0xA5)
    silu = op["activation"] == SILU
    body = b"".join([
        integers(op["source_format"], op["source_signed"], channels, height, width),
        integers(op["destination_format"], op["destination_signed"], op["kernels"], *op["extent"]), integers(op["weight_format"]),
        integers(images, op["kernels"], op["channels"], *op["extent"], op["groups"], *op["kernel"], *op["stride"], *op["dilation"],
                 *op["upsample"], *op["first"]), real(op["padding"]),
        integers(op["accumulate"], op["store"], op["dequantise"], op["clip"]), real(op["dequantisation"][0]), real(op["dequantisation"][1]),
        integers(op["activation"]), real(op["parameter"]), integers(len(op["entries"]) - 1 if silu else 0), real(op["low"]),
        real(op["per_unit"]), integers(op["extrapolate"], op["rounding"]), real(op["scale"]), real(op["zero_point"]), integers(position),
        source, records, partial, op["entries"].tobytes() if silu else b""])
    return struct.pack("<i", len(body) // 4) + body


def memory_after(op):
    """Bytes of the destination after the operation."""
    data = evaluate(op)
    return padded(data, (data.shape[2] + 7) // 8 * 8, 0x55)


if __name__ == "__main__":
    compare(random_operation, words, memory_after, count=360)
