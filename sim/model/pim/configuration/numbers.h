// SPDX-License-Identifier: MIT
// The numbers of timing and energy that a configuration file can set, by name.
#pragma once

#include <cstdint>
#include <iterator>

#include "sim/model/pim/machine/energy.h"
#include "sim/model/pim/machine/timing.h"

namespace cox::model::pim {

template <typename Owner, typename Number>
struct NamedNumber {
  const char *name;
  Number Owner::*member;
  std::uint64_t minimum, maximum;
};

inline constexpr std::uint32_t kMostDelay = 1'000'000;  ///< cycles
inline constexpr std::uint32_t kMostFemtojoules = 1'000'000'000;

inline constexpr NamedNumber<Timing, std::uint32_t> kTimingNumbers[] = {
    {"decode_cycles", &Timing::decode_cycles, 0, kMostDelay},
    {"compute_pipeline", &Timing::compute_pipeline, 0, kMostDelay},
    {"bit_sparse_pipeline", &Timing::bit_sparse_pipeline, 0, kMostDelay},
    {"value_sparse_group_pipeline", &Timing::value_sparse_group_pipeline, 0, kMostDelay},
    {"simd_lanes", &Timing::simd_lanes, 1, 1U << 16},
    {"dram_latency", &Timing::dram_latency, 0, kMostDelay},
    {"dram_bytes_per_cycle", &Timing::dram_bytes_per_cycle, 1, 1U << 16},
    {"array_latency", &Timing::array_latency, 0, kMostDelay},
    {"array_bytes_per_cycle", &Timing::array_bytes_per_cycle, 1, 1U << 16},
    {"mesh_width", &Timing::mesh_width, 1, 64},
    {"hop_cycles", &Timing::hop_cycles, 0, kMostDelay},
    {"handshake_cycles", &Timing::handshake_cycles, 0, kMostDelay},
    {"flit_bytes", &Timing::flit_bytes, 1, 1U << 16},
    {"jitter_cycles", &Timing::jitter_cycles, 0, kMostDelay},
};
inline constexpr NamedNumber<Timing, std::uint64_t> kLongTimingNumbers[] = {
    {"time_limit", &Timing::time_limit, 1, UINT64_MAX / 4},
    {"jitter_seed", &Timing::jitter_seed, 0, UINT64_MAX},
};
inline constexpr NamedNumber<Energy, std::uint32_t> kEnergyNumbers[] = {
    {"mac_bit", &Energy::mac_bit, 0, kMostFemtojoules},
    {"sram_read_byte", &Energy::sram_read_byte, 0, kMostFemtojoules},
    {"sram_write_byte", &Energy::sram_write_byte, 0, kMostFemtojoules},
    {"buffer_read_byte", &Energy::buffer_read_byte, 0, kMostFemtojoules},
    {"buffer_write_byte", &Energy::buffer_write_byte, 0, kMostFemtojoules},
    {"array_read_byte", &Energy::array_read_byte, 0, kMostFemtojoules},
    {"array_write_byte", &Energy::array_write_byte, 0, kMostFemtojoules},
    {"dram_byte", &Energy::dram_byte, 0, kMostFemtojoules},
    {"hop_byte", &Energy::hop_byte, 0, kMostFemtojoules},
    {"simd_element", &Energy::simd_element, 0, kMostFemtojoules},
    {"output_element", &Energy::output_element, 0, kMostFemtojoules},
    {"instruction", &Energy::instruction, 0, kMostFemtojoules},
    {"leakage_cycle", &Energy::leakage_cycle, 0, kMostFemtojoules},
};

// A member that is missing in a table would keep its default whatever a file says. If a size changes, a member came or went: change the
// tables.
static_assert(sizeof(Energy) == std::size(kEnergyNumbers) * sizeof(std::uint32_t));
static_assert(sizeof(Timing) == 80);

}  // namespace cox::model::pim
