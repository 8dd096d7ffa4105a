// SPDX-License-Identifier: MIT
// The local memories of the default configuration and what the kernels use them for (docs/kernels/pim.md, Memories). Internal to the
// kernels.
#pragma once

#include <string_view>

#include "base/result.h"
#include "isa/pim/configuration.h"

namespace cox::kernels::pim {

struct LocalRange {
  std::uint32_t first = 0, bytes = 0;
};

struct Memories {
  LocalRange inputs;      ///< `meta_buffer`: inputs of pim-compute, its tables, masks and meta data
  LocalRange results[2];  ///< `output_buffer`, `mask_buffer`: what pim-output stores, in turn
  LocalRange sums;        ///< `input_buffer`: sums, biases and factors
  LocalRange sums_too;    ///< `data`: the other sums, because a SIMD instruction should not write to a memory that it reads
  LocalRange staging[2];  ///< `output`, `input`: results on their way to DRAM, in turn
};

/// Finds the memories by their names. Error: unsupported with the name of one that the configuration lacks.
inline Result<Memories> find_memories(const isa::pim::Configuration &configuration) {
  Memories memories;
  struct Role {
    const char *name;
    LocalRange &range;
  };
  const Role roles[] = {{"meta_buffer", memories.inputs},     {"output_buffer", memories.results[0]},
                        {"mask_buffer", memories.results[1]}, {"input_buffer", memories.sums},
                        {"data", memories.sums_too},          {"output", memories.staging[0]},
                        {"input", memories.staging[1]}};
  for (const Role &role : roles) {
    for (const isa::pim::Memory &memory : configuration.local_memories()) {
      if (memory.name() == role.name) role.range = {memory.first, memory.bytes};
    }
    if (role.range.bytes == 0) return Status(ErrorCode::unsupported, role.name);
  }
  return memories;
}

}  // namespace cox::kernels::pim
