// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "sim/model/tile/arithmetic/fast_vector.h"
#include "sim/model/tile/arithmetic/resize.h"

namespace cox::model::arithmetic::fast {
namespace {

using isa::tile::Vector;

/// Returns the rows (`axis` 0) or columns (1) of the map that an operation reads.
isa::tile::Interval touched(const Vector &operation, unsigned axis, std::int64_t outputs, bool clamped) {
  const std::int64_t size = axis == 0 ? operation.source.height : operation.source.width;
  std::int64_t low = resize_position(operation, axis, 0).index;
  std::int64_t high =
      resize_position(operation, axis, outputs - 1).index + (operation.function == isa::tile::VectorFunction::bilinear ? 1 : 0);
  if (clamped) {
    low = std::clamp<std::int64_t>(low, 0, size - 1);
    high = std::clamp<std::int64_t>(high, 0, size - 1);
  } else {
    low = std::max<std::int64_t>(low, 0);
    high = std::min<std::int64_t>(high, size - 1);
  }
  return {low, std::max<std::int64_t>(high - low + 1, 0)};
}

/// Rows of the source, converted to FP32. Keeps the last two rows that were requested.
class Rows {
 public:
  Rows(const VectorCalculation &calculation, const Tensor &tensor, const isa::tile::Interval &columns, const float *padding, bool clamped)
      : c_(calculation), tensor_(tensor), columns_(columns), padding_(padding), clamped_(clamped) {
    const std::int64_t room = columns.length * c_.operation.channels;
    float *values = scratch_values(ScratchUse::values, 2 * room);
    kept_[0].values = values;
    kept_[1].values = values + room;
  }

  /// Returns the values of all channels of a pixel of `row`.
  [[nodiscard]] const float *pixel(const float *row, std::int64_t column) const {
    if (clamped_) column = std::clamp<std::int64_t>(column, 0, std::int64_t{c_.operation.source.width} - 1);
    if (row == nullptr || column < columns_.first || column >= columns_.first + columns_.length) return padding_;
    return row + (column - columns_.first) * c_.operation.channels;
  }

  /// Returns row `number`, or nullptr if it is outside of the map. The result is valid until two other rows have been requested.
  [[nodiscard]] const float *row(std::int64_t number) {
    const std::int64_t height = c_.operation.source.height;
    if (clamped_) number = std::clamp<std::int64_t>(number, 0, height - 1);
    if (number < 0 || number >= height) return nullptr;
    for (Kept &kept : kept_) {
      if (kept.number == number) return newest_ = &kept, kept.values;
    }
    Kept &older = newest_ == &kept_[0] ? kept_[1] : kept_[0];
    tensor_.load(c_.kernels, number, columns_.first, 1, columns_.length, older.values);
    older.number = number;
    newest_ = &older;
    return older.values;
  }

 private:
  struct Kept {
    std::int64_t number = -1;
    float *values = nullptr;
  };

  const VectorCalculation &c_;
  const Tensor &tensor_;
  isa::tile::Interval columns_;
  const float *padding_;
  bool clamped_;
  Kept kept_[2];
  Kept *newest_ = &kept_[0];
};

}  // namespace

void resize(const VectorCalculation &c) {
  const Vector &op = c.operation;
  const bool clamped = op.padding_value == isa::tile::kNoAreaCorrection;
  const isa::tile::Interval rows = touched(op, 0, op.height, clamped);
  const isa::tile::Interval columns = touched(op, 1, op.width, clamped);
  const Tensor tensor(op.source, c.memories.source, {rows.first, rows.length, columns.first, columns.length}, op.channels, c.source(),
                      ScratchUse::source);
  const Output output(op, c.memories, c.scalars, op.channels, op.height, op.width, tensor.source(), Source{});
  const std::int64_t channels = op.channels;
  const std::vector<float> padding(op.channels, op.padding_value);
  std::vector<Position> positions(op.width);
  for (std::int64_t w = 0; w < op.width; ++w) positions[static_cast<std::size_t>(w)] = resize_position(op, 1, w);
  Rows source(c, tensor, columns, padding.data(), clamped);
  const std::int64_t most = c.pixels_of_a_chunk();
  float *values = scratch_values(ScratchUse::state, most * channels);
  const bool nearest = op.function == isa::tile::VectorFunction::nearest;
  for (std::int64_t h = 0; h < op.height; ++h) {
    const Position place = resize_position(op, 0, h);
    const float *top = source.row(place.index);
    const float *bottom = nearest ? nullptr : source.row(place.index + 1);
    for (std::int64_t w = 0; w < op.width; w += most) {
      const std::int64_t count = std::min<std::int64_t>(most, op.width - w);
      for (std::int64_t i = 0; i < count; ++i) {
        const Position &column = positions[static_cast<std::size_t>(w + i)];
        float *out = values + i * channels;
        if (nearest) {
          std::copy_n(source.pixel(top, column.index), channels, out);
          continue;
        }
        const float *const corners[] = {source.pixel(top, column.index), source.pixel(top, column.index + 1),
                                        source.pixel(bottom, column.index), source.pixel(bottom, column.index + 1)};
        c.kernels.bilinear(corners, place.fraction, column.fraction, channels, out);
      }
      output.store(c.kernels, values, h, w, count);
    }
  }
  output.commit();
}

}  // namespace cox::model::arithmetic::fast
