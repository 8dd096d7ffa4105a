// SPDX-License-Identifier: MIT
// The source of a convolution as its kernels want it: in place, or written out with its padding.
#pragma once

#include <cstdint>

#include "sim/model/tile/arithmetic/convolution_geometry.h"
#include "sim/model/tile/arithmetic/staging.h"

namespace cox::model::arithmetic::fast {

/// The part of the source's map that the kernels cover, the channels that pad a group to whole lines included.
class CoveredSource {
 public:
  CoveredSource(const isa::tile::Convolution &operation, const Memory &memory);

  [[nodiscard]] const Source &source() const { return source_; }

  /// As it lies in memory: nothing where it needs padding, spreading or another format.
  [[nodiscard]] bool in_place() const;
  [[nodiscard]] Input<std::byte> input() const;

  /// Elements that `pixel` numbers of each covered position take.
  [[nodiscard]] double staged_elements(std::int64_t pixel) const;
  /// Written out as numbers, `pixel` of them for each covered position, which hold each channel `repeat` times.
  /// std::int8_t: of unsigned bytes less 128. float: of floating-point formats. std::uint64_t: of integers.
  template <typename Number>
  [[nodiscard]] Input<Number> stage(std::int64_t pixel, std::uint32_t repeat) const;

 private:
  template <typename Number>
  void decode_pixel(const std::byte *from, std::uint32_t repeat, Number *to) const;

  const isa::tile::Convolution &operation_;
  Inside rows_, columns_;
  Source source_;
};

/// Unsigned bytes, which are kept less 128.
[[nodiscard]] inline bool is_offset(const isa::tile::Format &format) {
  return format.format == isa::tile::DataFmt::INT8 && !format.is_signed;
}

/// `count` elements from the beginning of a byte on, as `stage` has them.
void decode(const std::byte *from, const isa::tile::Format &format, std::int64_t count, std::int8_t *to);
void decode(const std::byte *from, const isa::tile::Format &format, std::int64_t count, std::uint64_t *to);
void decode(const std::byte *from, const isa::tile::Format &format, std::int64_t count, float *to);

}  // namespace cox::model::arithmetic::fast
