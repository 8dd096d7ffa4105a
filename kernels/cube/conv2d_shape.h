// SPDX-License-Identifier: MIT
// A convolution without its addresses, for the tile chooser and the emission. Internal to the kernels.
#pragma once

#include <cstdint>

#include "coxswain/isa/cube/layout.h"
#include "coxswain/isa/cube/table.h"

namespace cox::kernels::cube {

struct Conv2dShape {
  isa::cube::Type type = isa::cube::Type::int8;
  std::uint32_t batch = 1, height = 1, width = 1, channels = 1, outputs = 1, groups = 1;
  std::uint32_t kernel_height = 1, kernel_width = 1;
  std::uint32_t stride_y = 1, stride_x = 1, dilation_y = 1, dilation_x = 1;
  std::uint32_t pad_top = 0, pad_left = 0;
  std::uint32_t out_height = 1, out_width = 1;
  std::uint32_t output_bytes = 1;  ///< bytes of an element of the output
  std::uint32_t tables = 0;        ///< number of tables (biases, factors) with 4 bytes for each output channel
  bool residual = false;

  // Layout of the map's pixels in DRAM, in bytes. Pixels and rows follow each other without gaps, except after
  // leave_out_what_is_stepped_over().
  std::uint64_t first_byte = 0, row_pitch = 0, image_pitch = 0;
  std::uint32_t pixel_pitch = 0;

  [[nodiscard]] constexpr std::uint32_t group_channels() const { return channels / groups; }
  [[nodiscard]] constexpr std::uint32_t group_outputs() const { return outputs / groups; }
  /// Returns the number of elements in a row of the weights. A row has the weights of one output channel.
  [[nodiscard]] constexpr std::uint64_t depth() const { return std::uint64_t{kernel_height} * kernel_width * group_channels(); }
  [[nodiscard]] constexpr std::uint64_t bytes_of(std::uint64_t elements) const { return elements * isa::cube::element_bits(type) / 8; }
  [[nodiscard]] constexpr std::uint32_t pixel_bytes() const { return static_cast<std::uint32_t>(bytes_of(channels)); }
  [[nodiscard]] constexpr std::uint64_t places() const { return std::uint64_t{out_height} * out_width; }
  [[nodiscard]] constexpr bool is_gathered() const { return pixel_pitch != pixel_bytes(); }

  /// Removes the rows that a kernel of height 1 steps over, because the kernel never reads them, and sets stride_y to 1. Does the same with
  /// the columns and stride_x for a kernel of width 1. Changes nothing in a direction in which the kernel reads only padding. Changes no
  /// columns if the distance between the remaining pixels would be 4 GiB or more.
  constexpr void leave_out_what_is_stepped_over() {
    if (kernel_height == 1 && leave_out(height, pad_top, stride_y, row_pitch)) stride_y = 1;
    std::uint64_t pitch = pixel_pitch;
    if (kernel_width == 1 && pitch * stride_x < (std::uint64_t{1} << 32) && leave_out(width, pad_left, stride_x, pitch)) {
      stride_x = 1;
      pixel_pitch = static_cast<std::uint32_t>(pitch);
    }
  }

 private:
  constexpr bool leave_out(std::uint32_t &side, std::uint32_t &pad, std::uint32_t stride, std::uint64_t &pitch) {
    const std::uint64_t skipped = (std::uint64_t{pad} + stride - 1) / stride;  // positions before the map
    const std::uint64_t first = skipped * stride - pad;
    if (stride == 1 || first >= side) return false;
    first_byte += first * pitch;
    side = static_cast<std::uint32_t>((side - first - 1) / stride + 1);
    pad = static_cast<std::uint32_t>(skipped);
    pitch *= stride;
    return true;
  }
};

}  // namespace cox::kernels::cube
