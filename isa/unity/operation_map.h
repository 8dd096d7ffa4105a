// SPDX-License-Identifier: MIT
// Convolutions and pools of feature maps.
#pragma once

#include <cstdint>

#include "coxswain/isa/unity/instruction.h"
#include "coxswain/isa/unity/run.h"

namespace cox::isa::unity {

/// A feature map. Element (h, w, c) is `h * row + w * column + c * channel` nibbles behind the address.
struct FeatureMap {
  std::uint64_t address = 0;
  Unit unit = Unit::u8;
  std::uint32_t height = 1, width = 1, channels = 1;
  std::uint64_t row = 0, column = 0, channel = 0;  ///< distances in nibbles

  [[nodiscard]] constexpr std::uint64_t nibble(std::uint64_t h, std::uint64_t w, std::uint64_t c) const {
    return h * row + w * column + c * channel;
  }
};

/// A parameter of a convolution or pool: one value, one a channel or one an element of the result. The value for result element (h, w, c)
/// is `h * row + w * column + c * channel` nibbles behind the address; padding of (h, w, c) of the *source* depends on c only.
struct Parameter {
  bool immediate = true;
  Unit unit = Unit::u8;
  std::uint64_t value = 0;  ///< immediate: the value's bits, zero above bits_of(unit)
  std::uint64_t address = 0;
  std::uint64_t row = 0, column = 0, channel = 0;  ///< distances in nibbles; row and column are 0 for one a channel
};

/// CONV2D, DEP_CONV, TRANSPOSE_CONV, DILATE_CONV, CONV1D, UDEF_CONV and MATRIX_MUL. With K = kernel.height, R = rate_vertical and so on:
///   acc(y, x, o) = sum over kh, kw, c of in(y * stride_vertical + kh * R - top, ..., g * kernel.channels + c) * (weight(o, kh, kw, c) -
///                  kernel_zero), where g = o / (kernel.number / groups)
/// `in` is the source enlarged: enlarge - 1 padding values lie between its elements. Outside of it, padding values stand. Weight (o, kh,
/// kw, c) is `o * number_step + kh * row + kw * column + c * channel` nibbles behind the kernel's address. Then bias, multiplier, shift,
/// scale (added last) and clip, as docs/isa/unity.md has it. All sources are integers, or all are floats.
struct Convolution {
  struct Kernel {
    std::uint64_t address = 0;
    Unit unit = Unit::s8;
    std::uint32_t number = 1;                                         ///< output channels
    std::uint32_t height = 1, width = 1;                              ///< 1 to 15; UDEF_CONV 1 to 4095
    std::uint32_t channels = 1;                                       ///< of a group
    std::uint64_t number_step = 0, row = 0, column = 0, channel = 0;  ///< distances in nibbles
  };
  Opcode op{};
  FeatureMap source{}, result{};  ///< the result is dense
  Kernel kernel{};
  std::uint32_t groups = 1;      ///< divides source.channels and kernel.number; source.channels for DEP_CONV
  std::int32_t kernel_zero = 0;  ///< subtracted from each weight; only UDEF_CONV
  std::uint32_t top = 0, bottom = 0, left = 0, right = 0;
  std::uint32_t stride_vertical = 1, stride_horizontal = 1;
  std::uint32_t rate_vertical = 1, rate_horizontal = 1;        ///< distance of a kernel's elements
  std::uint32_t enlarge_vertical = 1, enlarge_horizontal = 1;  ///< TRANSPOSE_CONV; else 1
  Parameter padding{};                                         ///< in the source's unit
  bool plain = false;                                ///< MATRIX_MUL: the result is acc, its low 32 bits or FP32; what follows is unused
  bool has_multiplier = false;                       ///< false: the multiplier is an immediate 0, and the shift is unused
  Parameter bias{}, multiplier{}, shift{}, scale{};  ///< shifts are s8 from -31 to 30; scale is the output's zero point or a float
  Clip clip{};
};

/// Pools. The result is dense, its channels those of the source.
struct Pool {
  enum class Kind : std::uint8_t { max, min, average, median };
  Opcode op{};  ///< MAX_POOL, MIN_POOL, AVRG_POOL, MEDIAN_POOL, POOL1D, UDEF_POOL
  Kind kind{};
  FeatureMap source{}, result{};
  std::uint32_t kernel_height = 1, kernel_width = 1;  ///< the whole map where the table says 0
  std::uint32_t top = 0, bottom = 0, left = 0, right = 0;
  std::uint32_t stride_vertical = 1, stride_horizontal = 1;
  Parameter padding{};  ///< in the source's unit; averages do not count padding
};

}  // namespace cox::isa::unity
