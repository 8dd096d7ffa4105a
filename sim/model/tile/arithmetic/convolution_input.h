// SPDX-License-Identifier: MIT
// The source of a convolution in the form that the kernels need: in place, or staged, that is, copied together with its padding.
#pragma once

#include <cstdint>

#include "sim/model/tile/arithmetic/convolution_geometry.h"
#include "sim/model/tile/arithmetic/staging.h"

namespace cox::model::arithmetic::fast {

/// The part of the source's map that the kernels cover, including the channels that pad a group to whole lines.
class CoveredSource {
 public:
  CoveredSource(const isa::tile::Convolution &operation, const Memory &memory);

  [[nodiscard]] const Source &source() const { return source_; }

  /// True if the kernels can read the source in place: it needs no padding, no upsampling and no conversion.
  [[nodiscard]] bool in_place() const;
  [[nodiscard]] Input<std::byte> input() const;

  /// Number of elements that stage() writes when it is called with this `pixel`.
  [[nodiscard]] double staged_elements(std::int64_t pixel) const;
  /// Copies the source with its padding. The copy has `pixel` elements for each pixel, and `repeat` copies of each channel. Number is the
  /// type that the kernels multiply: std::int8_t (unsigned bytes have 128 subtracted), float or std::uint64_t.
  template <typename Number>
  [[nodiscard]] Input<Number> stage(std::int64_t pixel, std::uint32_t repeat) const;

 private:
  template <typename Number>
  void decode_pixel(const std::byte *from, std::uint32_t repeat, Number *to) const;

  const isa::tile::Convolution &operation_;
  Inside rows_, columns_;
  Source source_;
};

/// True for unsigned bytes, which are stored with 128 subtracted.
[[nodiscard]] inline bool is_offset(const isa::tile::Format &format) {
  return format.format == isa::tile::DataFmt::INT8 && !format.is_signed;
}

/// Converts `count` elements to the numbers that stage() writes. The first element begins at the lowest bit of `*from`.
void decode(const std::byte *from, const isa::tile::Format &format, std::int64_t count, std::int8_t *to);
void decode(const std::byte *from, const isa::tile::Format &format, std::int64_t count, std::uint64_t *to);
void decode(const std::byte *from, const isa::tile::Format &format, std::int64_t count, float *to);

}  // namespace cox::model::arithmetic::fast
