// SPDX-License-Identifier: MIT
// What the kernels use a core's local memories for (docs/kernels/pim.md, Memories). Internal to the kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "coxswain/base/result.h"
#include "coxswain/isa/pim/configuration.h"

namespace cox::kernels::pim {

struct LocalRange {
  std::uint32_t first = 0, bytes = 0;
};

/// A device does not tell the names of its memories, so they are told apart by type and order. The comments have the names of the default
/// configuration.
struct Memories {
  LocalRange inputs;      ///< fourth buffer (`meta_buffer`): inputs of pim-compute, its tables, masks and meta data
  LocalRange results[2];  ///< second and third buffer (`output_buffer`, `mask_buffer`): what pim-output stores, in turn
  LocalRange sums;        ///< first buffer (`input_buffer`): sums, biases and factors
  LocalRange sums_too;    ///< third SRAM (`data`): the other sums, because a SIMD instruction should not write to a memory that it reads
  LocalRange staging[2];  ///< second and first SRAM (`output`, `input`): results on their way to DRAM, in turn
};

/// Finds the memories. Error: unsupported ("memories") if the configuration has fewer than three of type sram and four of type reg_buffer.
inline Result<Memories> find_memories(const isa::pim::Configuration &configuration) {
  Memories memories;
  LocalRange *const srams[] = {&memories.staging[1], &memories.staging[0], &memories.sums_too};
  LocalRange *const buffers[] = {&memories.sums, &memories.results[0], &memories.results[1], &memories.inputs};
  std::size_t sram = 0, buffer = 0;
  for (const isa::pim::Memory &memory : configuration.local_memories()) {
    const LocalRange range{memory.first, memory.bytes};
    if (memory.type == isa::pim::MemoryType::sram) {
      if (sram < std::size(srams)) *srams[sram++] = range;
    } else if (buffer < std::size(buffers)) {
      *buffers[buffer++] = range;
    }
  }
  if (sram == std::size(srams) && buffer == std::size(buffers)) return memories;
  return Status(ErrorCode::unsupported, "memories", -1, signed_of(sram + buffer), signed_of(std::size(srams) + std::size(buffers)));
}

}  // namespace cox::kernels::pim
