// SPDX-License-Identifier: MIT
// The words by which a device tells software how its PIM cores are configured (PIM_CONFIGURATION_WORD in docs/registers.md), and the
// numbers of the counts that it keeps for each core (PIM_CORE[].COUNT[]).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/isa/pim/configuration.h"

namespace cox::isa::pim {

inline constexpr std::uint32_t kDescriptionVersion = 1;

// Words of a description, and the number of words of each part. A number has a word of its own unless stated otherwise.
inline constexpr unsigned kDescriptionHead = 0;        ///< [7:0] version, [15:8] memories, [23:16] group sizes, [24] ArrayOrder
inline constexpr unsigned kDescriptionArray = 1;       ///< first; macros, [31:16] compartments; rows, [23:16] elements, [31:24] bits
inline constexpr unsigned kDescriptionDram = 4;        ///< first; bytes, low half; bytes, high half
inline constexpr unsigned kDescriptionGroupSizes = 7;  ///< two of 16 bits in a word
inline constexpr unsigned kDescriptionBound = 11;      ///< Configuration::bound, four in a word
inline constexpr unsigned kDescriptionSimd = 19;       ///< kinds of the forms of kDefaultSimdForms, 8 bits for each: two bits for an input
/// The memories: first; bytes; MemoryType; read width; write width.
inline constexpr unsigned kDescriptionMemories = 22;
inline constexpr unsigned kDescriptionMemoryWords = 5;
inline constexpr unsigned kDescriptionWords = kDescriptionMemories + kMostMemories * kDescriptionMemoryWords;

using Description = std::array<std::uint32_t, kDescriptionWords>;

/// Describes a configuration that passes check(). Memories lose their names.
[[nodiscard]] Description describe(const Configuration &configuration);

/// Writes the configuration of a description to `configuration`. Memory i gets the name `memory<i>`. Errors: unknown_device ("PIM
/// configuration", `value` the version) for another version, or for numbers that do not fit into a Configuration; those of check().
[[nodiscard]] Status read_description(const Description &words, Configuration &configuration);

/// Numbers of a core's counts. All count from the start of the program.
enum class Count : std::uint8_t {
  instructions,  ///< a pim-batch and its pim-compute are two
  cycles,        ///< from the program's start to the core's end, or until now
  // Cycles in which a unit was busy.
  busy_scalar,
  busy_compute,
  busy_output,
  busy_transfer,
  busy_simd,
  busy_trans,
  busy_message,
  // Cycles in which no instruction issued, by the reason.
  stalled_unit,
  stalled_memory,
  stalled_results,
  stalled_drain,
  stalled_load,
  stalled_message,
  stalled_barrier,
  macs,  ///< products of an input and a weight
  messages_sent,
  bytes_sent,
  messages_received,
  bytes_received,
  dram_read,     ///< bytes, without the program's loads
  dram_written,  ///< bytes, without the program's stores
  // Energy in femtojoules.
  energy_compute,
  energy_memory,
  energy_dram,
  energy_network,
  energy_simd,
  energy_instructions,
  energy_leakage,
};
inline constexpr unsigned kCounts = 30;
using Counts = std::array<std::uint64_t, kCounts>;

}  // namespace cox::isa::pim
