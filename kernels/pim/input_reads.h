// SPDX-License-Identifier: MIT
// Whether pim-compute reads a map where the caller has it, or a copy in the memory of inputs (docs/kernels/pim.md, Memories). Internal to
// conv2d() and choose_mapping().
#pragma once

#include <algorithm>
#include <cstdint>

#include "coxswain/kernels/pim/mapping.h"
#include "coxswain/kernels/pim/memories.h"

namespace cox::kernels::pim {

inline constexpr std::uint32_t kInputBits = 8;

/// Returns the bytes that the SRAM with this address gives in a cycle, or 0 if the address is in no SRAM.
[[nodiscard]] inline std::uint32_t sram_width(const isa::pim::Configuration &configuration, std::uint32_t address) {
  for (const isa::pim::Memory &memory : configuration.local_memories()) {
    if (address - memory.first < memory.bytes) return memory.type == isa::pim::MemoryType::sram ? memory.read_width : 0;
  }
  return 0;
}

/// Returns the cycles of a compute whose inputs are in an SRAM of `width` bytes a cycle: it reads those of its groups one after another,
/// while the compute before it streams its bits. A width of 0 stands for a memory that gives them at once.
[[nodiscard]] constexpr std::uint32_t sram_compute_cycles(const Mapping &mapping, std::uint32_t width) {
  return width == 0 ? kInputBits : std::max(kInputBits, mapping.groups() * ((mapping.compute_inputs() + width - 1) / width));
}

/// Returns true if inputs should be read from an SRAM of `width` bytes a cycle: if that takes no time, or if masks and meta data leave too
/// little room for a copy of the map, whose parts would be computed one after another.
[[nodiscard]] constexpr bool reads_sram(const Mapping &mapping, const isa::pim::Array &array, const Memories &memories, std::uint32_t width,
                                        std::uint64_t map_bytes) {
  if (sram_compute_cycles(mapping, width) == kInputBits) return true;
  return mapping.is_masked() && map_bytes + mapping.reach() + mapping.local_table_bytes(array) > memories.inputs.bytes;
}

}  // namespace cox::kernels::pim
