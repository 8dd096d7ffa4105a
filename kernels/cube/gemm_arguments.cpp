// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/gemm_arguments.h"

#include "coxswain/kernels/cube/memory_check.h"

namespace cox::kernels::cube {
namespace {

using isa::cube::element_bits;
using isa::cube::element_bytes;
using isa::cube::fractals;
using isa::cube::is_integer;
using isa::cube::kChannelBytes;
using isa::cube::kFractalBytes;
using isa::cube::kFractalRows;
using isa::cube::kL1Bytes;

constexpr std::uint32_t kMostPitch = kL1Bytes / kFractalBytes;  // largest pitch in L1, in fractals: the whole of L1

std::uint32_t input_row_bytes(const Matrix &matrix, Type type) {
  return isa::cube::packed_bytes(matrix.order == Order::row_major ? matrix.columns : matrix.rows, type);
}
std::uint32_t lines(const Matrix &matrix) { return matrix.order == Order::row_major ? matrix.rows : matrix.columns; }

/// Returns the matrix with its actual pitch: a pitch of 0 means that there are no gaps.
Matrix input_matrix(Matrix matrix, Type type) {
  if (matrix.pitch == 0) matrix.pitch = matrix.in_l1 ? fractals(lines(matrix), kFractalRows) : input_row_bytes(matrix, type);
  return matrix;
}
std::uint32_t output_pitch(const Matrix &matrix, OutputType type) {
  return matrix.pitch != 0 ? matrix.pitch : matrix.columns * element_bytes(type);
}

Status check_sizes(const GemmArguments &a) {
  const std::uint32_t m = a.left.rows, k = a.left.columns, n = a.right.columns;
  if (m == 0 || k == 0) return invalid("left", 0, 1);
  if (n == 0) return invalid("right", 0, 1);
  if (a.batches == 0) return invalid("batches", 0, 1);
  if (m >= kMostSize || k >= kMostSize) return outside_window(a.left.address, "left");
  if (n >= kMostSize) return outside_window(a.right.address, "right");
  if (const Status status = check_size(a.right.rows, k, "right"); !status) return status;
  if (const Status status = check_size(a.output.rows, m, "output"); !status) return status;
  if (const Status status = check_size(a.output.columns, n, "output"); !status) return status;
  if (a.beta != 0) {
    if (const Status status = check_size(a.addend.rows, m, "addend"); !status) return status;
    if (const Status status = check_size(a.addend.columns, n, "addend"); !status) return status;
  }
  if (a.type == Type::int4 && k % 2 != 0) return Status(ErrorCode::shape_mismatch, "k", -1, k, 2);
  return {};
}

/// Checks that the device can convert the product's accumulators as the arguments ask.
Status check_conversion(const GemmArguments &a) {
  const bool integer = is_integer(a.type);
  if (a.type > Type::int4) return invalid("type", static_cast<std::int64_t>(a.type), static_cast<std::int64_t>(Type::int4));
  if (a.to > OutputType::int8 || (a.to == OutputType::int32 && !integer)) return invalid("to", static_cast<std::int64_t>(a.to), 0);
  if (a.activation > Activation::Clip)
    return invalid("activation", static_cast<std::int64_t>(a.activation), static_cast<std::int64_t>(Activation::Clip));
  if (a.scales != 0 && a.alpha != 1) return invalid("alpha", 0, 1);
  if (a.zero_point < -128 || a.zero_point > 127 || (a.zero_point != 0 && a.to != OutputType::int8))
    return invalid("zero_point", a.zero_point, a.to == OutputType::int8 ? 127 : 0);
  if (a.to != OutputType::int32) return {};
  if (a.alpha != 1) return invalid("alpha", 0, 1);
  if (a.scales != 0) return invalid("scales", static_cast<std::int64_t>(a.scales), 0);
  if (a.beta != 0) return invalid("beta", 1, 0);
  if (a.activation > Activation::ReLU) return invalid("activation", static_cast<std::int64_t>(a.activation), 1);
  return {};
}

/// Checks an input and gives the extent that it covers in DRAM or in L1.
Status check_input(const Stream &stream, const GemmArguments &a, const Matrix &given, std::uint64_t stride, const char *name,
                   MemoryRange &extent) {
  if (const Status status = check_order(given, name); !status) return status;
  const Matrix matrix = input_matrix(given, a.type);
  const std::uint32_t bytes = input_row_bytes(matrix, a.type);
  if (matrix.in_l1) {
    const std::uint32_t column = fractals(lines(matrix), kFractalRows);
    if (matrix.pitch < column) return invalid(name, matrix.pitch, column);
    if (matrix.pitch > kMostPitch) return invalid(name, matrix.pitch, kMostPitch);
    if (const Status status = check_alignment(matrix.address, kFractalBytes, name); !status) return status;
    if (const Status status = check_alignment(a.batches > 1 ? stride : 0, kFractalBytes, name); !status) return status;
    const bool fits = extent_of(matrix.address, fractals(bytes, isa::cube::kFractalRowBytes), std::uint64_t{column} * kFractalBytes,
                                std::uint64_t{matrix.pitch} * kFractalBytes, a.batches, stride, extent);
    if (fits && extent.end() <= kL1Bytes) return {};
    return Status(ErrorCode::address_outside_buffer, name, -1, static_cast<std::int64_t>(extent.end()), kL1Bytes);
  }
  const std::uint32_t element = std::max<std::uint32_t>(element_bits(a.type) / 8, 1);
  if (matrix.pitch < bytes) return invalid(name, matrix.pitch, bytes);
  for (const std::uint64_t value : {matrix.address, std::uint64_t{matrix.pitch}, a.batches > 1 ? stride : 0}) {
    if (const Status status = check_alignment(value, element, name); !status) return status;
  }
  if (!extent_of(matrix.address, lines(matrix), bytes, matrix.pitch, a.batches, stride, extent))
    return outside_window(matrix.address, name);
  return check_extent(stream, extent, false, name);
}

/// Checks the output or the addend (C).
Status check_result(const Stream &stream, const GemmArguments &a, const Matrix &matrix, std::uint64_t stride, bool write, const char *name,
                    MemoryRange &extent) {
  const std::uint32_t bytes = matrix.columns * element_bytes(a.to), pitch = output_pitch(matrix, a.to);
  if (matrix.order != Order::row_major || matrix.in_l1) return invalid(name, 1, 0);
  if (pitch < bytes) return invalid(name, pitch, bytes);
  for (const std::uint64_t value : {matrix.address, std::uint64_t{pitch}, a.batches > 1 ? stride : 0}) {
    if (const Status status = check_alignment(value, element_bytes(a.to), name); !status) return status;
  }
  if (!extent_of(matrix.address, matrix.rows, bytes, pitch, a.batches, stride, extent)) return outside_window(matrix.address, name);
  return check_extent(stream, extent, write, name);
}

/// Returns true if the results of different batches do not overlap, because they lie one behind the other or side by side in rows.
bool batches_are_apart(const GemmArguments &a) {
  const std::uint64_t bytes = std::uint64_t{a.output.columns} * element_bytes(a.to), pitch = output_pitch(a.output, a.to);
  if (a.batches == 1 || a.output_stride >= (a.output.rows - 1) * pitch + bytes) return true;
  return a.output_stride >= bytes && (a.batches - 1) * a.output_stride + bytes <= pitch;
}

Status check_channels(const Stream &stream, std::uint64_t address, std::uint32_t count, const MemoryRange &output, const char *name) {
  if (address == 0) return {};
  if (const Status status = check_alignment(address, kChannelBytes, name); !status) return status;
  const MemoryRange extent{address, std::uint64_t{count} * kChannelBytes};
  if (const Status status = check_extent(stream, extent, false, name); !status) return status;
  return check_apart(output, extent, name);
}

/// Returns the largest contiguous part of L1 that the operands in L1 leave free, in whole fractals.
MemoryRange free_l1(const GemmArguments &a) {
  MemoryRange taken[2];
  unsigned count = 0;
  for (const bool left : {true, false}) {
    const Matrix matrix = input_matrix(left ? a.left : a.right, a.type);
    if (!matrix.in_l1) continue;
    extent_of(matrix.address, fractals(input_row_bytes(matrix, a.type), isa::cube::kFractalRowBytes),
              std::uint64_t{fractals(lines(matrix), kFractalRows)} * kFractalBytes, std::uint64_t{matrix.pitch} * kFractalBytes, a.batches,
              left ? a.left_stride : a.right_stride, taken[count++]);
  }
  if (count == 2 && taken[1].address < taken[0].address) std::swap(taken[0], taken[1]);
  MemoryRange best;
  std::uint64_t start = 0;
  for (unsigned i = 0; i <= count; ++i) {
    const std::uint64_t end = i < count ? taken[i].address : kL1Bytes;
    if (end > start && end - start > best.size) best = {start, end - start};
    if (i < count) start = std::max(start, taken[i].end());
  }
  return best;
}

bool is_aligned(std::uint64_t address, std::uint32_t pitch) { return (address | pitch) % kDramBurst == 0; }

}  // namespace

Status check_gemm(const Stream &stream, const GemmArguments &a) {
  if (stream.mark().next == nullptr) return Status(ErrorCode::not_ready, "stream");
  if (const Status status = check_conversion(a); !status) return status;
  if (const Status status = check_sizes(a); !status) return status;
  MemoryRange left, right, output, addend;
  if (const Status status = check_input(stream, a, a.left, a.left_stride, "left", left); !status) return status;
  if (const Status status = check_input(stream, a, a.right, a.right_stride, "right", right); !status) return status;
  if (const Status status = check_result(stream, a, a.output, a.output_stride, true, "output", output); !status) return status;
  if (!batches_are_apart(a))
    return Status(ErrorCode::tensor_overlap, "output", -1, static_cast<std::int64_t>(a.output.address + a.output_stride));
  if (!a.left.in_l1) {
    if (const Status status = check_apart(output, left, "left"); !status) return status;
  }
  if (!a.right.in_l1) {
    if (const Status status = check_apart(output, right, "right"); !status) return status;
  }
  if (const Status status = check_channels(stream, a.biases, a.right.columns, output, "biases"); !status) return status;
  if (const Status status = check_channels(stream, a.scales, a.right.columns, output, "scales"); !status) return status;
  if (a.beta == 0) return {};
  if (const Status status = check_result(stream, a, a.addend, a.addend_stride, false, "addend", addend); !status) return status;
  const bool in_place = a.addend.address == a.output.address && output_pitch(a.addend, a.to) == output_pitch(a.output, a.to) &&
                        (a.batches == 1 || a.addend_stride == a.output_stride);
  return in_place ? Status() : check_apart(output, addend, "addend");
}

std::uint32_t section_columns(const GemmArguments &a) {
  const std::uint32_t n = a.right.columns;
  if (a.biases == 0 && a.scales == 0) return n;
  const std::uint32_t sections = isa::cube::fractals(n, OutputStage::kMostChannels);
  const std::uint32_t unit = k_unit(Type::int4);
  return std::min(n, fractals(fractals(n, sections), unit) * unit);
}

ProductPipeline::Arguments pipeline_arguments(const GemmArguments &a, std::uint32_t first_column, std::uint32_t columns) {
  ProductPipeline::Arguments result;
  const Matrix left = input_matrix(a.left, a.type), right = input_matrix(a.right, a.type);
  const std::uint32_t pitch = output_pitch(a.output, a.to);
  MemoryRange l1 = free_l1(a);
  const std::uint32_t channels = fractals(columns * kChannelBytes, kFractalBytes) * kFractalBytes;
  const std::uint64_t channel_bytes = (a.biases != 0 ? channels : 0) + (a.scales != 0 ? channels : 0);
  if (l1.size >= channel_bytes) {
    l1.size -= channel_bytes;
  } else {
    l1.size = 0;
    result.channels_fit = false;
  }
  result.product = {.type = a.type,
                    .to = a.to,
                    .m = left.rows,
                    .n = columns,
                    .k = left.columns,
                    .batches = a.batches,
                    .left_k_rows = left.order == Order::column_major,
                    .right_k_rows = right.order == Order::row_major,
                    .left_in_l1 = left.in_l1,
                    .right_in_l1 = right.in_l1,
                    .left_aligned = is_aligned(left.address, left.pitch),
                    .right_aligned = is_aligned(right.address, right.pitch),
                    .output_aligned = is_aligned(a.output.address, pitch),
                    .residual = a.beta != 0,
                    .l1_bytes = static_cast<std::uint32_t>(l1.size)};
  result.left = {.matrix = left, .batch_stride = a.left_stride};
  result.right = {.matrix = right, .batch_stride = a.right_stride};
  result.first_column = first_column;
  result.output = a.output.address;
  result.output_stride = a.output_stride;
  result.residual = a.addend.address;
  result.residual_stride = a.addend_stride;
  result.l1 = static_cast<std::uint32_t>(l1.address);

  OutputStage::Configuration &stage = result.stage;
  isa::cube::OutputConfiguration &output = stage.output;
  output.scale_mode = a.scales != 0  ? isa::cube::ScaleMode::channel
                      : a.alpha == 1 ? isa::cube::ScaleMode::none
                                     : isa::cube::ScaleMode::tensor;
  output.scale = a.alpha;
  output.beta = a.beta;
  output.bias = a.biases != 0;
  output.bias_address = static_cast<std::uint32_t>(l1.end());
  output.scale_address = output.bias_address + (output.bias ? channels : 0);
  output.residual = a.beta != 0;
  output.activation = a.activation;
  output.activation_parameter = a.activation_parameter;
  output.zero_point = a.zero_point;
  stage.to = a.to;
  stage.integer = is_integer(a.type);
  stage.biases = a.biases + std::uint64_t{first_column} * kChannelBytes;
  stage.factors = a.scales + std::uint64_t{first_column} * kChannelBytes;
  stage.channels = columns;
  stage.pitch = pitch;
  stage.residual_pitch = output_pitch(a.addend, a.to);
  return result;
}

}  // namespace cox::kernels::cube
