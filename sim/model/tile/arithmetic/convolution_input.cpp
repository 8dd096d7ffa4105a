// SPDX-License-Identifier: MIT
#include "sim/model/tile/arithmetic/convolution_input.h"

#include <cstring>

#include "sim/model/tile/arithmetic/element.h"
#include "sim/model/tile/arithmetic/layout.h"
#include "sim/model/tile/arithmetic/nibbles.h"
#include "sim/model/tile/arithmetic/vector_kernels.h"

namespace cox::model::arithmetic::fast {
namespace {

using isa::tile::Convolution;
using isa::tile::DataFmt;
using isa::tile::Format;

/// The SIMD kernels (arithmetic/kernels.h) read whole lines or vectors. They read at most this number of bytes beyond the last channel.
constexpr std::int64_t kSlackBytes = 256;

Box covered_box(const Convolution &operation, const Inside &rows, const Inside &columns) {
  std::int64_t run = operation.source.bytes_of(std::int64_t{operation.groups} * operation.channels);
  // The SIMD kernels may read a source with 8-bit elements directly, without a decoded copy. They read lines of kLineChannels channels, so
  // `run` must include the whole last line.
  if (operation.source.element_bits == 8) {
    run = (std::int64_t{operation.groups} - 1) * operation.channels + std::int64_t{lines_of(operation)} * kLineChannels;
    run = std::max(run, isa::tile::align_up(std::int64_t{operation.groups} * operation.channels, isa::tile::kPixelAlignment));
  }
  return {operation.batch, rows.begin, rows.count(), columns.begin, columns.count(), run};
}

/// Returns the bits of an element, for integers and floating-point formats alike.
std::uint32_t element_at(const std::byte *from, unsigned bits, std::int64_t index) {
  std::uint32_t element = 0;
  if (bits == 4) return (std::to_integer<std::uint32_t>(from[index / 2]) >> (index % 2 * 4)) & 0xF;
  std::memcpy(&element, from + index * (bits / 8), bits / 8);
  return element;
}

template <unsigned kBits>
void decode_integers(const std::byte *from, const Format &format, std::int64_t count, std::uint64_t *to) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<std::uint64_t>(integer_of(element_at(from, kBits, i), format));
}

}  // namespace

void decode(const std::byte *from, const Format &format, std::int64_t count, std::int8_t *to) {
  if (format.format == DataFmt::INT8) {
    const auto flip = static_cast<std::uint8_t>(format.is_signed ? 0 : 0x80);
    const auto *bytes = reinterpret_cast<const std::uint8_t *>(from);
    for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<std::int8_t>(bytes[i] ^ flip);
    return;
  }
  unpack_nibbles(from, count, format.is_signed, reinterpret_cast<std::byte *>(to));
}

void decode(const std::byte *from, const Format &format, std::int64_t count, std::uint64_t *to) {
  switch (bits_of(format.format)) {
    case 4: return decode_integers<4>(from, format, count, to);
    case 8: return decode_integers<8>(from, format, count, to);
    default: return decode_integers<16>(from, format, count, to);
  }
}

void decode(const std::byte *from, const Format &format, std::int64_t count, float *to) {
  if (format.format == DataFmt::FP32) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(float));
  } else if (reinterpret_cast<std::uintptr_t>(from) % sizeof(std::uint16_t) == 0) {
    // The conversion is exact, so the kernels of every instruction set give the same result.
    supported_vector_kernels().back()->load(from, format, count, Preparation{}, to);
  } else {
    for (std::int64_t i = 0; i < count; ++i) to[i] = real_of(element_at(from, 16, i), format);
  }
}

CoveredSource::CoveredSource(const Convolution &operation, const Memory &memory)
    : operation_(operation),
      rows_(operation.first_row, covered_rows(operation), operation.upsample_height, operation.source.height),
      columns_(operation.first_column, covered_columns(operation), operation.upsample_width, operation.source.width),
      source_(memory, extent_of(operation.source, covered_box(operation, rows_, columns_)), ScratchUse::source) {}

bool CoveredSource::in_place() const {
  return operation_.source.format == Format{DataFmt::INT8, true} && operation_.upsample_height == 1 && operation_.upsample_width == 1 &&
         rows_.count() == covered_rows(operation_) && columns_.count() == covered_columns(operation_);
}

Input<std::byte> CoveredSource::input() const {
  const isa::tile::Map &map = operation_.source;
  return {source_.at(pixel_address(map, 0, rows_.begin, columns_.begin)), map.image_bytes, map.row_bytes, map.pixel_bytes};
}

double CoveredSource::staged_elements(std::int64_t pixel) const {
  return static_cast<double>(covered_rows(operation_)) * static_cast<double>(covered_columns(operation_)) * operation_.batch *
         static_cast<double>(pixel);
}

template <typename Number>
void CoveredSource::decode_pixel(const std::byte *from, std::uint32_t repeat, Number *to) const {
  const std::int64_t channels = std::int64_t{operation_.groups} * operation_.channels;
  decode(from, operation_.source.format, channels, to);
  for (std::int64_t c = channels - 1; repeat > 1 && c >= 0; --c) std::fill_n(to + c * repeat, repeat, to[c]);
}

template <typename Number>
Input<Number> CoveredSource::stage(std::int64_t pixel, std::uint32_t repeat) const {
  const std::int64_t row = covered_columns(operation_) * pixel;
  const std::int64_t image = covered_rows(operation_) * row;
  auto *staged = reinterpret_cast<Number *>(
      scratch(ScratchUse::padded, operation_.batch * image * static_cast<std::int64_t>(sizeof(Number)) + kSlackBytes));
  const Format &format = operation_.source.format;
  const std::uint32_t element = to_element(operation_.padding_value, format, isa::tile::Float2Fixed::ROUND);
  Number padding{};
  decode(reinterpret_cast<const std::byte *>(&element), format, 1, &padding);
  // If the pixels in the source and the staged pixels have the same number of elements, a row is decoded as one run. The run includes
  // the unused elements between a pixel's channels and the next pixel.
  const bool dense = repeat == 1 && operation_.upsample_width == 1 && bits_of(format.format) >= 8 &&
                     operation_.source.pixel_bytes == pixel * bits_of(format.format) / 8;
  const std::int64_t run = (columns_.count() - 1) * pixel + std::int64_t{operation_.groups} * operation_.channels;
  for (std::int64_t n = 0; n < operation_.batch; ++n) {
    for (std::int64_t y = 0; y < covered_rows(operation_); ++y) {
      Number *to = staged + n * image + y * row;
      const std::int64_t spread = operation_.first_row + y;
      const std::int64_t source_row = spread / operation_.upsample_height;
      const bool on_row = spread >= 0 && spread % operation_.upsample_height == 0 && source_row < operation_.source.height;
      if (!on_row || columns_.count() == 0) {
        std::fill_n(to, row, padding);
        continue;
      }
      const std::int64_t first = columns_.begin * operation_.upsample_width - operation_.first_column;
      const std::byte *from = source_.at(pixel_address(operation_.source, n, source_row, columns_.begin));
      if (dense) {
        std::fill_n(to, first * pixel, padding);
        decode(from, format, run, to + first * pixel);
        std::fill(to + (first + columns_.count()) * pixel, to + row, padding);
        continue;
      }
      if (columns_.count() != covered_columns(operation_)) std::fill_n(to, row, padding);
      for (std::int64_t w = 0; w < columns_.count(); ++w, from += operation_.source.pixel_bytes) {
        decode_pixel(from, repeat, to + (first + w * operation_.upsample_width) * pixel);
      }
    }
  }
  return {staged, image, row, pixel};
}

template Input<std::int8_t> CoveredSource::stage(std::int64_t, std::uint32_t) const;
template Input<float> CoveredSource::stage(std::int64_t, std::uint32_t) const;
template Input<std::uint64_t> CoveredSource::stage(std::int64_t, std::uint32_t) const;

}  // namespace cox::model::arithmetic::fast
