// SPDX-License-Identifier: MIT
// Formats of the SoC's DMA engine in memory (docs/dma.md). The HAL and the model share this file.
#pragma once

#include <cstdint>

#include "coxswain/device/dma_registers.h"
#include "coxswain/device/engines.h"

namespace cox::registers::dma {

inline constexpr std::uint64_t kDescriptorAlignment = 64;
inline constexpr std::uint32_t kWordBytes = 8;  ///< addresses, strides and the bytes of a row are multiples of this
inline constexpr std::uint32_t kMostRowBytes = 1U << 24;
inline constexpr std::uint32_t kMostRows = 1U << 16;
inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  ///< of all rows of a descriptor

/// Copies `rows` rows of `row_bytes` each. Software writes it, the device only reads it.
struct Descriptor {
  static constexpr std::uint32_t kMark = 0x444D0000;    ///< bits [31:16] of `control`
  static constexpr std::uint32_t kInterrupt = 1U << 0;  ///< in `control`: raise the channel's interrupt when this descriptor has ended
  static constexpr std::uint32_t kKnown = 0xFFFF0000U | kInterrupt;  ///< the other bits of `control` are 0

  std::uint64_t source;
  std::uint64_t destination;
  std::uint32_t row_bytes;           ///< kWordBytes to kMostRowBytes
  std::uint32_t rows;                ///< 1 to kMostRows
  std::uint32_t source_stride;       ///< from the beginning of a row to that of the next, in bytes
  std::uint32_t destination_stride;  ///< the same
  std::uint64_t next;                ///< bus address of the list's next descriptor; 0: this is the last
  std::uint32_t control;
  std::uint32_t reserved[5];  ///< 0
};
static_assert(sizeof(Descriptor) == kDescriptorAlignment);

/// How a descriptor has ended. The device writes it behind the descriptor, so it has a cache line of its own.
struct Status {
  std::uint32_t state;  ///< [0] 1: the descriptor has ended, [7:4] an Error
  std::uint32_t reserved;
  std::uint64_t time;  ///< device cycles at the end
  std::uint64_t unused[6];

  [[nodiscard]] constexpr bool has_ended() const { return (state & 1) != 0; }
  [[nodiscard]] constexpr Error error() const { return static_cast<Error>(state >> 4 & 0xF); }
  static constexpr std::uint32_t state_of(Error error) { return 1U | static_cast<std::uint32_t>(error) << 4; }
};
static_assert(sizeof(Status) == kDescriptorAlignment);

/// What a list consists of.
struct Slot {
  Descriptor descriptor;
  Status status;
};

/// The number that names channel 0 in records of faults and in fault plans; the other channels follow. The numbers of all queues of cores
/// and engines are smaller.
inline constexpr unsigned kFirstQueueNumber = kFirstEngineQueueNumber + engine::kCount;

}  // namespace cox::registers::dma
