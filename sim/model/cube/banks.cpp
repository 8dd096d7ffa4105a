// SPDX-License-Identifier: MIT
#include "sim/model/cube/banks.h"

#include "coxswain/isa/cube/layout.h"

namespace cox::model::cube {
namespace {

/// The lower one of a buffer's two bits in a BankSet, and the buffer's size. The size is 0 for a memory without banks.
struct BankedBuffer {
  unsigned bit = 0;
  std::uint64_t bytes = 0;
};

BankedBuffer buffer_of(isa::cube::Memory memory) {
  switch (memory) {
    case isa::cube::Memory::l0a: return {0, isa::cube::kL0ABytes};
    case isa::cube::Memory::l0b: return {2, isa::cube::kL0BBytes};
    case isa::cube::Memory::l0c: return {4, isa::cube::kL0CBytes};
    default: return {};
  }
}

}  // namespace

BankSet banks_of(const isa::cube::Footprint &footprint) {
  unsigned banks = 0;
  for (unsigned i = 0; i < footprint.count; ++i) {
    const isa::cube::Access &access = footprint.accesses[i];
    const BankedBuffer buffer = buffer_of(access.memory);
    if (buffer.bytes == 0) continue;
    if (access.start < buffer.bytes / 2) banks |= 1U << buffer.bit;
    if (access.end() > buffer.bytes / 2) banks |= 2U << buffer.bit;
  }
  return static_cast<BankSet>(banks);
}

}  // namespace cox::model::cube
