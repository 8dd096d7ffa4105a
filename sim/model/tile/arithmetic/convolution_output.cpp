// SPDX-License-Identifier: MIT
// Built without contraction: each multiply and each add rounds on its own.
#include "sim/model/tile/arithmetic/convolution_output.h"

#include <algorithm>
#include <cstring>

#include "sim/model/tile/arithmetic/element.h"
#include "sim/model/tile/arithmetic/layout.h"
#include "sim/model/tile/arithmetic/nibbles.h"
#include "sim/model/tile/arithmetic/table.h"

namespace cox::model::arithmetic::fast {
namespace {

using isa::tile::Convolution;
using isa::tile::DataFmt;
using isa::tile::Map;

Map destination_map(const Convolution &operation) {
  Map map = operation.destination;
  if (operation.store_accumulators) map.element_bits = operation.is_wide() ? 64 : 32;
  return map;
}

Box box_of(const Convolution &operation, std::int64_t run) { return {operation.batch, 0, operation.height, 0, operation.width, run}; }

Source partial_sums(const Convolution &operation, const Memory &memory, std::int64_t sum_bytes) {
  if (!operation.accumulate) return {};
  return Source(memory, extent_of(operation.partial, box_of(operation, operation.kernels * sum_bytes)), ScratchUse::partial);
}

void finish_sums(const ConvolutionKernels &kernels, const std::int32_t *sums, std::uint32_t first, std::uint32_t count,
                 const Finish &finish, void *out) {
  kernels.finish_int32(sums, first, count, finish, out);
}
void finish_sums(const ConvolutionKernels &kernels, const std::uint64_t *sums, std::uint32_t first, std::uint32_t count,
                 const Finish &finish, void *out) {
  kernels.finish_wide(sums, first, count, finish, out);
}
void finish_sums(const ConvolutionKernels &kernels, const float *sums, std::uint32_t first, std::uint32_t count, const Finish &finish,
                 void *out) {
  kernels.finish_floats(sums, first, count, finish, out);
}

template <typename Sum>
void store_sums(const Sum *sums, std::uint32_t count, std::byte *out) {
  std::memcpy(out, sums, count * sizeof(Sum));
}
template <>
void store_sums(const float *sums, std::uint32_t count, std::byte *out) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t element = floating_element(sums[i], DataFmt::FP32);
    std::memcpy(out + i * sizeof element, &element, sizeof element);
  }
}

}  // namespace

Output::Output(const Convolution &operation, const Memories &memories, const Kernels &kernels, const Source &source,
               const std::byte *records)
    : operation_(operation),
      kernels_(kernels),
      sum_bytes_(operation.is_wide() ? 8 : 4),
      map_(destination_map(operation)),
      written_(box_of(operation, map_.bytes_of(operation.kernels))),
      partial_(partial_sums(operation, memories.partial, sum_bytes_)),
      destination_(memories.destination, map_, written_, source, partial_) {
  if (operation.store_accumulators) return;
  const auto kernel_count = static_cast<std::size_t>(operation.kernels);
  scale_.resize(kernel_count);
  bias_.resize(kernel_count);
  slope_.resize(kernel_count);
  for (std::size_t k = 0; k < kernel_count; ++k) {
    const std::byte *parameters = records + (k + 1) * operation.record_bytes - isa::tile::kRecordParameterBytes;
    std::memcpy(&scale_[k], parameters, sizeof(float));
    std::memcpy(&bias_[k], parameters + 4, sizeof(float));
    std::memcpy(&slope_[k], parameters + 8, sizeof(float));
  }
  table_ = table_entries(operation.table, memories.table);
  finish_.scale = scale_.data();
  finish_.bias = bias_.data();
  finish_.slope = slope_.data();
  finish_.dequantise = operation.dequantise;
  finish_.clip = operation.clip;
  finish_.dequantisation_scale = operation.dequantisation_scale;
  finish_.dequantisation_zero_point = operation.dequantisation_zero_point;
  finish_.activation = operation.activation;
  finish_.parameter = operation.activation_parameter;
  finish_.table = segments_of(operation.table, table_);
  finish_.storage.format = map_.format;
  finish_.storage.rounding = operation.rounding;
  if (!is_integer(map_.format.format)) return;
  finish_.storage.scale = operation.scale;
  finish_.storage.zero_point = operation.zero_point;
}

template <typename Sum>
void Output::begin(const OutputPixel &pixel, std::uint32_t first, std::uint32_t count, Sum *sums) const {
  if (!operation_.accumulate) {
    std::fill_n(sums, count, Sum{});
    return;
  }
  const std::int64_t address = pixel_address(operation_.partial, pixel.image, pixel.row, pixel.column) + first * sum_bytes_;
  std::memcpy(sums, partial_.at(address), count * sizeof(Sum));
}

void Output::add_partial(const OutputPixel &pixel, std::uint32_t first, std::uint32_t count, std::int32_t *sums) const {
  if (!operation_.accumulate) return;
  const std::byte *from = partial_.at(pixel_address(operation_.partial, pixel.image, pixel.row, pixel.column) + first * sum_bytes_);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t begin = 0;
    std::memcpy(&begin, from + i * sizeof begin, sizeof begin);
    sums[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[i]) + begin);  // the sum wraps
  }
}

template <typename Sum>
void Output::write(const OutputPixel &pixel, std::uint32_t first, std::uint32_t count, const Sum *sums) const {
  std::byte *out = destination_.at(pixel_address(map_, pixel.image, pixel.row, pixel.column) + map_.bytes_of(first));
  if (operation_.store_accumulators) return store_sums(sums, count, out);
  if (map_.element_bits == 8 && count <= kFinished) return finish_sums(kernels_.convolution, sums, first, count, finish_, out);
  write_parts(first, count, sums, out);
}

template <typename Sum>
[[gnu::noinline]] void Output::write_parts(std::uint32_t first, std::uint32_t count, const Sum *sums, std::byte *out) const {
  alignas(64) std::byte elements[kFinished * sizeof(float)];
  for (std::uint32_t done = 0; done < count; done += kFinished) {
    const std::uint32_t now = std::min(count - done, kFinished);
    std::byte *to = out + map_.bytes_of(done);
    finish_sums(kernels_.convolution, sums + done, first + done, now, finish_, map_.element_bits == 8 ? to : elements);
    if (map_.element_bits == 4) {
      pack_nibbles(elements, now, to);
    } else if (map_.element_bits != 8) {
      std::memcpy(to, elements, static_cast<std::size_t>(map_.bytes_of(now)));
    }
  }
}

template void Output::begin(const OutputPixel &, std::uint32_t, std::uint32_t, std::int32_t *) const;
template void Output::begin(const OutputPixel &, std::uint32_t, std::uint32_t, std::uint64_t *) const;
template void Output::begin(const OutputPixel &, std::uint32_t, std::uint32_t, float *) const;
template void Output::write(const OutputPixel &, std::uint32_t, std::uint32_t, const std::int32_t *) const;
template void Output::write(const OutputPixel &, std::uint32_t, std::uint32_t, const std::uint64_t *) const;
template void Output::write(const OutputPixel &, std::uint32_t, std::uint32_t, const float *) const;

}  // namespace cox::model::arithmetic::fast
