// SPDX-License-Identifier: MIT
// Two formats of engines that run streams (docs/design.md, Engines): a slot of the submission queue, and the detail of a fault in a
// completion. The HAL and the accelerator's model share this file.
#pragma once

#include <cstdint>

#include "coxswain/device/engines.h"

namespace cox::registers {

/// Describes a stream of instructions in memory. It fills a slot of a submission queue, which has 32 bytes.
struct EngineDescriptor {
  std::uint64_t address;  ///< bus address of the stream, aligned to 8 bytes
  std::uint32_t bytes;    ///< length of the stream: a multiple of 8, at least 8, at most kMostStreamBytes
  std::uint32_t control;  ///< [7:0] context, [16] a completion is wanted, [17] the next stream is joined to this one; the rest zero
  std::uint32_t reserved[4];

  [[nodiscard]] constexpr unsigned context() const { return control & 0xFF; }
  [[nodiscard]] constexpr bool completion() const { return (control >> 16 & 1) != 0; }
  /// True if the next stream continues this one: flags and configuration stay, and the next stream's instructions start while those of this
  /// one still run. Only for engines that join streams.
  [[nodiscard]] constexpr bool joined() const { return (control >> 17 & 1) != 0; }
  static constexpr std::uint32_t control_of(unsigned context, bool completion, bool joined = false) {
    return (context & 0xFF) | static_cast<std::uint32_t>(completion) << 16 | static_cast<std::uint32_t>(joined) << 17;
  }
};
static_assert(sizeof(EngineDescriptor) == 32);
inline constexpr std::uint64_t kStreamAlignment = 8;  ///< a stream's address and length are multiples of this, in bytes
inline constexpr std::uint32_t kMostStreamBytes = 1U << 24;

/// Value of EngineFaultDetail::field_bit if no field is at fault.
inline constexpr unsigned kNoFaultField = 255;
/// Detail of an engine's fault. Bits [31:8] of the packed form are `offset`, bits [7:0] are `field_bit`.
struct EngineFaultDetail {
  std::uint32_t offset = 0;            ///< byte offset of the instruction in its stream
  unsigned field_bit = kNoFaultField;  ///< number of the field's lowest bit in the instruction

  [[nodiscard]] constexpr std::uint32_t pack() const { return offset << 8 | (field_bit & 0xFF); }
  static constexpr EngineFaultDetail unpack(std::uint32_t detail) { return {detail >> 8, detail & 0xFF}; }
};

}  // namespace cox::registers
