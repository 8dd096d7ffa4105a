// SPDX-License-Identifier: MIT
#include "sim/model/pim/arithmetic/execute.h"

#include "sim/model/pim/arithmetic/fast.h"
#include "sim/model/pim/arithmetic/reference.h"

namespace cox::model::pim {
namespace {

std::byte *find(const CoreMemories &memories, std::uint32_t address, std::uint64_t bytes) {
  const isa::pim::Place place = isa::pim::place(memories.configuration, isa::pim::Reach::all, address, bytes);
  if (place.is_local()) return memories.local[place.space].data() + place.offset;
  return place.is_array() ? memories.array.data() + place.offset : nullptr;
}

}  // namespace

const std::byte *bytes_at(const CoreMemories &memories, std::uint32_t address, std::uint64_t bytes) {
  return find(memories, address, bytes);
}
std::byte *bytes_at(CoreMemories &memories, std::uint32_t address, std::uint64_t bytes) { return find(memories, address, bytes); }

void execute(const isa::pim::Compute &operation, CoreMemories &memories, Path path) {
  if (path == Path::reference) return reference::compute(operation, memories);
  fast::compute(operation, memories, fast::best_kernels());
}

void execute(const isa::pim::Output &operation, CoreMemories &memories, Path path) {
  if (path == Path::reference) return reference::output(operation, memories);
  fast::output(operation, memories, fast::best_kernels());
}

void execute(const isa::pim::Transfer &operation, CoreMemories &memories, Path path) {
  if (path == Path::reference) return reference::transfer(operation, memories);
  fast::transfer(operation, memories, fast::best_kernels());
}

void execute(const isa::pim::Simd &operation, CoreMemories &memories, Path path) {
  if (path == Path::reference) return reference::simd(operation, memories);
  fast::simd(operation, memories, fast::best_kernels());
}

}  // namespace cox::model::pim
