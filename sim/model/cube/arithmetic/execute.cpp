// SPDX-License-Identifier: MIT
#include "sim/model/cube/arithmetic/execute.h"

namespace cox::model::cube {

std::byte *Buffers::of(isa::cube::Memory memory) {
  switch (memory) {
    case isa::cube::Memory::l1: return l1.data();
    case isa::cube::Memory::l0a: return l0a.data();
    case isa::cube::Memory::l0b: return l0b.data();
    case isa::cube::Memory::l0c: return l0c.data();
    case isa::cube::Memory::bias_table: return bias_table.data();
    case isa::cube::Memory::dram: return nullptr;
  }
  return nullptr;
}

void execute(const isa::cube::Operation & /*operation*/, Buffers & /*buffers*/, std::byte * /*dram*/, Path /*path*/) {}

}  // namespace cox::model::cube
