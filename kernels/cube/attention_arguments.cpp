// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/attention_arguments.h"

#include <algorithm>
#include <cmath>

#include "coxswain/hal/bus.h"
#include "coxswain/kernels/cube/memory_check.h"

namespace cox::kernels::cube {
namespace {

constexpr std::uint32_t kLine = 32;  // bytes of a cache line; two rows of scores never share a line
constexpr std::uint32_t kLeastRows = isa::cube::kFractalRows;

/// Returns the bytes from one row of scores to the next.
constexpr std::uint32_t score_pitch(std::uint32_t keys) {
  return (keys * static_cast<std::uint32_t>(sizeof(float)) + kLine - 1) / kLine * kLine;
}
/// Returns the bytes of two blocks of scores. A block has at most `rows` rows, and no more fractals than all queries need.
constexpr std::uint64_t scratch_bytes(const AttentionArguments &arguments, std::uint32_t rows) {
  const std::uint32_t all = (arguments.queries.rows + kLeastRows - 1) / kLeastRows * kLeastRows;
  return std::uint64_t{2} * std::min(rows, all) * score_pitch(arguments.keys.columns);
}

constexpr std::uint32_t operand_bytes(Type type) { return isa::cube::element_bits(type) / 8; }
constexpr bool by_rows(const Matrix &matrix) { return matrix.order == Order::row_major; }
constexpr std::uint32_t run_bytes(const Matrix &matrix, std::uint32_t element) {
  return (by_rows(matrix) ? matrix.columns : matrix.rows) * element;
}
constexpr Matrix with_pitch(Matrix matrix, std::uint32_t element) {
  if (matrix.pitch == 0) matrix.pitch = run_bytes(matrix, element);
  return matrix;
}

/// Returns the matrix of `count` rows that begins at row `first`.
constexpr Matrix rows_of(const Matrix &whole, std::uint32_t first, std::uint32_t count, std::uint32_t element) {
  Matrix matrix = with_pitch(whole, element);
  matrix.address += std::uint64_t{first} * (by_rows(matrix) ? matrix.pitch : element);
  matrix.rows = count;
  return matrix;
}
constexpr Matrix first_columns_of(const Matrix &whole, std::uint32_t count, std::uint32_t element) {
  Matrix matrix = with_pitch(whole, element);
  matrix.columns = count;
  return matrix;
}

Status check_sizes(const Matrix &matrix, const char *name) {
  if (matrix.rows == 0 || matrix.columns == 0) return invalid(name, 0, 1);
  if (matrix.rows >= kMostSize || matrix.columns >= kMostSize) return outside_window(matrix.address, name);
  if (const Status status = check_order(matrix, name); !status) return status;
  return matrix.in_l1 ? invalid(name, 1, 0) : Status();
}

Status check_shapes(const AttentionArguments &arguments) {
  const Matrix &queries = arguments.queries, &keys = arguments.keys, &values = arguments.values, &output = arguments.output;
  if (const Status status = check_sizes(queries, "queries"); !status) return status;
  if (const Status status = check_sizes(keys, "keys"); !status) return status;
  if (const Status status = check_sizes(values, "values"); !status) return status;
  if (const Status status = check_sizes(output, "output"); !status) return status;
  if (!by_rows(output)) return invalid("output", 1, 0);
  if (const Status status = check_size(keys.rows, queries.columns, "keys"); !status) return status;
  if (const Status status = check_size(values.rows, keys.columns, "values"); !status) return status;
  if (const Status status = check_size(output.rows, queries.rows, "output"); !status) return status;
  return check_size(output.columns, values.columns, "output");
}

Status check_types(const AttentionArguments &arguments) {
  if (arguments.type != Type::bfloat16 && arguments.type != Type::half)
    return Status(ErrorCode::unsupported, "type", -1, static_cast<std::int64_t>(arguments.type));
  if (arguments.to != OutputType::float32 && arguments.to != OutputType::half && arguments.to != OutputType::bfloat16)
    return Status(ErrorCode::unsupported, "to", -1, static_cast<std::int64_t>(arguments.to));
  return std::isfinite(arguments.scale) ? Status() : invalid("scale", 0, 0);
}

/// Checks that the windows of both streams contain the extent. Both streams touch scratch. Only one stream touches each of the other
/// operands, but the check is the same for them.
Status check_extents(const AttentionStreams &streams, const MemoryRange &extent, bool write, const char *name) {
  if (const Status status = check_extent(streams.scores, extent, write, name); !status) return status;
  return check_extent(streams.output, extent, write, name);
}

Status check_matrix(const AttentionStreams &streams, const Matrix &given, std::uint32_t element, bool write, const char *name,
                    MemoryRange &extent) {
  const Matrix matrix = with_pitch(given, element);
  const std::uint32_t run = run_bytes(matrix, element);
  if (matrix.pitch < run) return invalid(name, matrix.pitch, run);
  if (const Status status = check_alignment(matrix.address, element, name); !status) return status;
  if (const Status status = check_alignment(matrix.pitch, element, name); !status) return status;
  const std::uint64_t runs = by_rows(matrix) ? matrix.rows : matrix.columns;
  if (!extent_of(matrix.address, runs, run, matrix.pitch, 1, 0, extent)) return outside_window(matrix.address, name);
  return check_extents(streams, extent, write, name);
}

}  // namespace

Result<std::uint64_t> attention_scratch_bytes(const AttentionArguments &arguments) {
  if (const Status status = check_shapes(arguments); !status) return status;
  return scratch_bytes(arguments, kAttentionRows);
}

Result<std::uint64_t> attention_least_scratch_bytes(const AttentionArguments &arguments) {
  if (const Status status = check_shapes(arguments); !status) return status;
  return scratch_bytes(arguments, kLeastRows);
}

Status check_arguments(const AttentionStreams &streams, const AttentionArguments &arguments) {
  if (const Status status = check_types(arguments); !status) return status;
  if (const Status status = check_shapes(arguments); !status) return status;
  const std::uint64_t least = scratch_bytes(arguments, kLeastRows);
  if (arguments.scratch.size() < least)
    return Status(ErrorCode::no_room, "scratch", -1, static_cast<std::int64_t>(arguments.scratch.size()), static_cast<std::int64_t>(least));
  const std::uint64_t start = hal::bus_address(arguments.scratch);
  if (const Status status = check_alignment(start, kLine, "scratch"); !status) return status;

  const std::uint32_t element = operand_bytes(arguments.type);
  const MemoryRange scratch{start, arguments.scratch.size()};
  MemoryRange queries, keys, values, output;
  if (const Status status = check_matrix(streams, arguments.queries, element, false, "queries", queries); !status) return status;
  if (const Status status = check_matrix(streams, arguments.keys, element, false, "keys", keys); !status) return status;
  if (const Status status = check_matrix(streams, arguments.values, element, false, "values", values); !status) return status;
  if (const Status status = check_matrix(streams, arguments.output, isa::cube::element_bytes(arguments.to), true, "output", output);
      !status)
    return status;
  for (const bool write : {false, true}) {
    if (const Status status = check_extents(streams, scratch, write, "scratch"); !status) return status;
  }
  if (const Status status = check_apart(output, queries, "queries"); !status) return status;
  if (const Status status = check_apart(output, keys, "keys"); !status) return status;
  if (const Status status = check_apart(output, values, "values"); !status) return status;
  for (const MemoryRange &matrix : {queries, keys, values, output}) {
    if (const Status status = check_apart(scratch, matrix, "scratch"); !status) return status;
  }
  return {};
}

AttentionBlocks::AttentionBlocks(const AttentionArguments &arguments) : arguments_(arguments), pitch_(score_pitch(arguments.keys.columns)) {
  const std::uint64_t rows = arguments.scratch.size() / 2 / pitch_ / kLeastRows * kLeastRows;
  rows_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(rows, kAttentionRows));
  scale_ = arguments.scale != 0 ? arguments.scale : 1 / std::sqrt(static_cast<float>(arguments.keys.rows));
}

AttentionBlocks::Block AttentionBlocks::at(std::uint32_t block) const {
  const std::uint32_t first = block * rows_, keys = arguments_.keys.columns;
  const std::uint32_t rows = std::min(rows_, arguments_.queries.rows - first);
  if (!arguments_.causal) return {first, rows, keys, keys};
  const std::int64_t visible = std::int64_t{first} + arguments_.diagonal + 1;
  return {first, rows, visible, static_cast<std::uint32_t>(std::clamp<std::int64_t>(visible + rows - 1, 1, keys))};
}

std::span<std::byte> AttentionBlocks::scratch(std::uint32_t block) const {
  const std::size_t half = std::size_t{rows_} * pitch_;
  return arguments_.scratch.subspan(block % 2 * half, half);
}

Matrix AttentionBlocks::scores_matrix(std::uint32_t block) const {
  const Block part = at(block);
  return {.address = hal::bus_address(scratch(block)), .rows = part.rows, .columns = part.keys, .pitch = pitch_};
}

GemmArguments AttentionBlocks::scores(std::uint32_t block) const {
  const Block part = at(block);
  const std::uint32_t element = operand_bytes(arguments_.type);
  GemmArguments call;
  call.type = arguments_.type;
  call.left = rows_of(arguments_.queries, part.first, part.rows, element);
  call.right = first_columns_of(arguments_.keys, part.keys, element);
  call.output = scores_matrix(block);
  call.alpha = scale_;
  return call;
}

GemmArguments AttentionBlocks::output(std::uint32_t block) const {
  const Block part = at(block);
  GemmArguments call;
  call.type = arguments_.type;
  call.to = arguments_.to;
  call.left = scores_matrix(block);
  call.right = rows_of(arguments_.values, 0, part.keys, operand_bytes(arguments_.type));
  call.output = rows_of(arguments_.output, part.first, part.rows, isa::cube::element_bytes(arguments_.to));
  return call;
}

ScoreRows AttentionBlocks::rows(std::uint32_t block) const {
  const Block part = at(block);
  return {.first = scratch(block).data(),
          .pitch = pitch_,
          .rows = part.rows,
          .columns = part.keys,
          .visible = part.visible,
          .visible_step = arguments_.causal ? 1U : 0U};
}

}  // namespace cox::kernels::cube
