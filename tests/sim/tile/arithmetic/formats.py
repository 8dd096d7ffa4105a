# SPDX-License-Identifier: MIT
"""Formats of docs/arithmetic.md in NumPy. Maps are arrays [row, column, channel] of bits."""

import numpy

F = numpy.float32
INT4, INT8, INT16, FP16, BF16, INT32, FP32 = range(7)
BITS = {INT4: 4, INT8: 8, INT16: 16, FP16: 16, BF16: 16, INT32: 32, FP32: 32}


def is_integer(fmt):
    return fmt in (INT4, INT8, INT16, INT32)


def limits(fmt, signed):
    return (-(1 << BITS[fmt] - 1), (1 << BITS[fmt] - 1) - 1) if signed else (0, (1 << BITS[fmt]) - 1)


def to_real(bits, fmt, signed):
    if fmt == FP32:
        return bits.astype(numpy.uint32).view(F)
    if fmt == FP16:
        return bits.astype(numpy.uint16).view(numpy.float16).astype(F)
    if fmt == BF16:
        return (bits.astype(numpy.uint32) << 16).view(F)
    value = bits.astype(numpy.int64)
    if signed:
        value = numpy.where(value >> (BITS[fmt] - 1) != 0, value - (1 << BITS[fmt]), value)
    return value.astype(F)


def to_bits(value, fmt, signed, rounding):
    nan = numpy.isnan(value)
    if fmt == FP32:
        return numpy.where(nan, 0x7FC00000, value.view(numpy.uint32)).astype(numpy.int64)
    if fmt == FP16:
        return numpy.where(nan, 0x7E00, value.astype(numpy.float16).view(numpy.uint16)).astype(numpy.int64)
    if fmt == BF16:
        exact = value.view(numpy.uint32).astype(numpy.int64)
        lower, rest = exact >> 16, exact & 0xFFFF
        up = (rest > 0x8000) | ((rest == 0x8000) & (lower & 1 == 1))
        return numpy.where(nan, 0x7FC0, lower + up)
    whole = [numpy.ceil, numpy.floor, numpy.rint, numpy.trunc][rounding](numpy.where(nan, F(0), value)).astype(numpy.float64)
    low, high = limits(fmt, signed)
    return numpy.clip(whole, low, high).astype(numpy.int64) & ((1 << BITS[fmt]) - 1)


def pixel_bytes(channels, fmt):
    return (channels * BITS[fmt] + 63) // 64 * 8


def pack(bits, fmt):
    rows, columns, channels = bits.shape
    if fmt == INT4:
        even = numpy.zeros((rows, columns, channels + channels % 2), numpy.uint8)
        even[:, :, :channels] = bits
        data = even[:, :, 0::2] | even[:, :, 1::2] << 4
    else:
        data = numpy.ascontiguousarray(bits, {8: "<u1", 16: "<u2", 32: "<u4"}[BITS[fmt]]).view(numpy.uint8).reshape(rows, columns, -1)
    return data


def padded(data, size, fill):
    result = numpy.full(data.shape[:2] + (size,), fill, numpy.uint8)
    result[:, :, : data.shape[2]] = data
    return result.tobytes()
