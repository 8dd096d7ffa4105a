// SPDX-License-Identifier: MIT
#include "coxswain/tflite/part.h"

namespace cox::tflite {

namespace {

constexpr std::uint32_t positive(std::int32_t value) { return static_cast<std::uint32_t>(value); }

/// The side of an operator with a kernel along which it is cut.
struct Side {
  std::uint32_t input_rows = 1, rows = 1, kernel = 1, stride = 1, pad = 0, pad_after = 0;
  std::uint32_t input_row_bytes = 1, row_bytes = 1;
  bool can_be_cut = false;
};

Side side_of(const Convolution &n) {
  return {.input_rows = positive(n.input_height),
          .rows = positive(n.output_height),
          .kernel = positive((n.kernel_height - 1) * n.dilation_height + 1),
          .stride = positive(n.stride_height),
          .pad = positive(n.pads.top),
          .pad_after = positive(n.pads.bottom),
          .input_row_bytes = positive(n.input_width * n.input_channels),
          .row_bytes = positive(n.output_width * n.output_channels),
          .can_be_cut = n.batch == 1 && n.kind != Convolution::Kind::transposed};
}
Side side_of(const Pool &n) {
  return {.input_rows = positive(n.input_height),
          .rows = positive(n.output_height),
          .kernel = positive(n.kernel_height),
          .stride = positive(n.stride_height),
          .pad = positive(n.pads.top),
          .pad_after = positive(n.pads.bottom),
          .input_row_bytes = positive(n.input_width * n.channels),
          .row_bytes = positive(n.output_width * n.channels),
          .can_be_cut = n.batch == 1};
}
std::uint32_t rows_of(const Side &side) {
  return side.can_be_cut && side.pad < side.kernel && side.pad_after < side.kernel ? side.rows : 1;
}
PartBytes bytes_of(const Side &side, const Part &part) {
  const Rows output = rows_of(part, side.rows);
  const Rows input = window_of(output, side.input_rows, side.kernel, side.stride, side.pad).input;
  return {input.first * side.input_row_bytes, input.count * side.input_row_bytes, output.first * side.row_bytes,
          output.count * side.row_bytes, 1};
}

/// The output of an operator that combines elements at the same place; kAbsent for other operators.
struct Elements {
  std::int32_t output = kAbsent;
  std::uint32_t inputs = 1;
};
template <typename Numbers>
Elements pairs_of(const Numbers &n) {
  return {n.broadcast[0] || n.broadcast[1] ? kAbsent : n.output, 3};
}
Elements elements_of(const Operation &operation) {
  if (const auto *const n = std::get_if<Sum>(&operation)) return pairs_of(*n);
  if (const auto *const n = std::get_if<Extremum>(&operation)) return pairs_of(*n);
  if (const auto *const n = std::get_if<Rescale>(&operation)) return {n->output, 1};
  return {};
}

}  // namespace

std::uint32_t rows_of(const Model &model, const Operation &operation) {
  if (const auto *const n = std::get_if<Convolution>(&operation)) return rows_of(side_of(*n));
  if (const auto *const n = std::get_if<Pool>(&operation)) return rows_of(side_of(*n));
  const Elements elements = elements_of(operation);
  if (elements.output == kAbsent) return 1;
  const Shape shape = model.tensor(static_cast<std::size_t>(elements.output)).shape;
  return shape.rank == 4 && shape[0] == 1 ? positive(shape[1]) : 1;
}

PartBytes bytes_of(const Model &model, const Operation &operation, const Part &part) {
  if (const auto *const n = std::get_if<Convolution>(&operation)) return bytes_of(side_of(*n), part);
  if (const auto *const n = std::get_if<Pool>(&operation)) return bytes_of(side_of(*n), part);
  const Elements elements = elements_of(operation);
  const TensorView output = model.tensor(static_cast<std::size_t>(elements.output));
  const Rows rows = rows_of(part, positive(output.shape[1]));
  const std::uint32_t row_bytes = output.bytes / positive(output.shape[1]);
  return {rows.first * row_bytes, rows.count * row_bytes, rows.first * row_bytes, rows.count * row_bytes, elements.inputs};
}

}  // namespace cox::tflite
