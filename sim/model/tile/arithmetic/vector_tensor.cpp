// SPDX-License-Identifier: MIT
#include "sim/model/tile/arithmetic/vector_tensor.h"

#include <algorithm>
#include <cstring>

#include "sim/model/tile/arithmetic/layout.h"
#include "sim/model/tile/arithmetic/nibbles.h"

namespace cox::model::arithmetic::fast {
namespace {

using isa::tile::Dimensions;
using isa::tile::Group1Mode;
using isa::tile::GroupMode;
using isa::tile::Map;

bool aligned(const void *pointer, const Map &map) { return reinterpret_cast<std::uintptr_t>(pointer) % (map.element_bits / 8) == 0; }

}  // namespace

Tensor::Tensor(const Map &map, const Memory &memory, const Area &area, std::int64_t channels, const Preparation &preparation,
               ScratchUse use)
    : map_(&map),
      source_(memory, extent_of(map, {1, area.first_row, area.rows, area.first_column, area.columns, map.bytes_of(channels)}), use),
      channels_(channels),
      preparation_(preparation) {}

void Tensor::load(const VectorKernels &kernels, std::int64_t row, std::int64_t column, std::int64_t step, std::int64_t count,
                  float *out) const {
  if (count <= 0) return;
  const Map &map = *map_;
  const std::int64_t run = map.bytes_of(channels_);
  const std::int64_t distance = step * map.pixel_bytes;
  const std::byte *from = source_.at(pixel_address(map, 0, row, column));
  if (map.element_bits == 4) {
    std::byte *elements = scratch(ScratchUse::gather, count * channels_);
    for (std::int64_t i = 0; i < count; ++i) unpack_nibbles(from + i * distance, channels_, map.format.is_signed, elements + i * channels_);
    from = elements;
  } else if ((count > 1 && distance != run) || !aligned(from, map)) {
    std::byte *gathered = scratch(ScratchUse::gather, count * run);
    for (std::int64_t i = 0; i < count; ++i) std::memcpy(gathered + i * run, from + i * distance, static_cast<std::size_t>(run));
    from = gathered;
  }
  kernels.load(from, map.format, count * channels_, preparation_, out);
}

Broadcast::Broadcast(const Map &map, const Memory &memory, std::uint8_t dimensions, std::int64_t channels, std::int64_t height,
                     std::int64_t width, const Preparation &preparation, ScratchUse use)
    : tensor_(map, memory,
              {0, has_dimension(dimensions, Dimensions::H) ? height : 1, 0, has_dimension(dimensions, Dimensions::W) ? width : 1},
              has_dimension(dimensions, Dimensions::C) ? channels : 1, preparation, use),
      dimensions_(dimensions),
      channels_(channels) {}

void Broadcast::load(const VectorKernels &kernels, std::int64_t row, std::int64_t column, std::int64_t count, float *out) const {
  const bool has_columns = has_dimension(dimensions_, Dimensions::W);
  const std::int64_t from_row = has_dimension(dimensions_, Dimensions::H) ? row : 0;
  tensor_.load(kernels, from_row, has_columns ? column : 0, 1, has_columns ? count : 1, out);
  if (tensor_.channels() != channels_) {
    // The tensor has one value for each pixel. Copy it to all channels of the pixel. The loop begins with the last pixel, so that no value
    // is overwritten before it is read.
    for (std::int64_t i = (has_columns ? count : 1) - 1; i >= 0; --i) {
      const float value = out[i];
      std::fill_n(out + i * channels_, channels_, value);
    }
  }
  if (!has_columns) {
    for (std::int64_t i = 1; i < count; ++i) std::copy_n(out, channels_, out + i * channels_);
  }
}

Output::Output(const isa::tile::Vector &operation, const Memories &memories, const VectorScalars &scalars, std::int64_t channels,
               std::int64_t height, std::int64_t width, const Source &source, const Source &source1)
    : operation_(operation),
      scalars_(scalars),
      channels_(channels),
      destination_(memories.destination, operation.destination, {1, 0, height, 0, width, operation.destination.bytes_of(channels)}, source,
                   source1) {
  storage_.rounding = operation.rounding;
  storage_.format = operation.destination.format;
  if (operation.apply_scale) storage_.scale = operation.scale;
  if (operation.apply_zero_point) storage_.zero_point = operation.subtract_zero_point ? -operation.zero_point : operation.zero_point;
  for (unsigned i = 0; i < operation.shift; ++i) power_ = power_ * 0.5F;
}

void Output::store(const VectorKernels &kernels, float *values, std::int64_t row, std::int64_t column, std::int64_t count) const {
  const Map &map = operation_.destination;
  const std::int64_t elements = count * channels_;
  switch (operation_.group1) {
    case Group1Mode::DEFAULT: break;
    case Group1Mode::ADD: kernels.arithmetic({nullptr, scalars_.operand1}, GroupMode::DEFAULT, elements, values); break;
    case Group1Mode::SUB: kernels.arithmetic({nullptr, scalars_.operand1}, GroupMode::SUB, elements, values); break;
    case Group1Mode::MUL: kernels.arithmetic({nullptr, scalars_.operand1}, GroupMode::MUL, elements, values); break;
  }
  if (operation_.affine) kernels.affine(scalars_.factor, scalars_.summand, elements, values);
  Storage storage = storage_;
  if (power_ != 1) {
    kernels.affine(storage.scale, storage.zero_point, elements, values);
    storage.scale = power_;
    storage.zero_point = -0.0F;  // adding -0 leaves every value as it is; adding +0 would turn -0 into +0
  }
  const std::int64_t run = map.bytes_of(channels_);
  std::byte *to = destination_.at(pixel_address(map, 0, row, column));
  if (map.element_bits == 4) {
    std::byte *bytes = scratch(ScratchUse::gather, elements);
    kernels.store(values, elements, storage, bytes);
    for (std::int64_t i = 0; i < count; ++i) pack_nibbles(bytes + i * channels_, channels_, to + i * map.pixel_bytes);
    return;
  }
  if ((count == 1 || map.pixel_bytes == run) && aligned(to, map)) return kernels.store(values, elements, storage, to);
  std::byte *dense = scratch(ScratchUse::gather, count * run);
  kernels.store(values, elements, storage, dense);
  for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * map.pixel_bytes, dense + i * run, static_cast<std::size_t>(run));
}

}  // namespace cox::model::arithmetic::fast
