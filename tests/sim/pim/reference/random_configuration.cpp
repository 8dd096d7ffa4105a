// SPDX-License-Identifier: MIT
#include "tests/sim/pim/reference/random_configuration.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace cox::model::pim::oracle {
namespace {

using isa::pim::SimdKind;

isa::pim::Array random_array(Random &random) {
  isa::pim::Array array;
  constexpr std::uint32_t kMacros[] = {2, 4, 8, 16, 24, 32}, kCompartments[] = {1, 3, 8, 16, 32, 32}, kElements[] = {8, 8, 8, 1, 3, 16},
                          kRows[] = {1, 2, 5, 16};
  array.macros = random.pick(kMacros);
  array.compartments = random.pick(kCompartments);
  array.elements = random.pick(kElements);
  array.rows = random.pick(kRows);
  array.order = random.one_in(2) ? isa::pim::ArrayOrder::between_groups : isa::pim::ArrayOrder::inside_group;
  std::vector<std::uint32_t> sizes;
  for (std::uint32_t size = 1; size <= array.macros; ++size) {
    if (array.macros % size == 0) sizes.push_back(size);
  }
  array.group_sizes_count = 0;
  while (!sizes.empty() && array.group_sizes_count < 4) {
    const std::uint64_t i = random.below(sizes.size());
    array.group_sizes[array.group_sizes_count++] = sizes[i];
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return array;
}

/// Places memories, the array and DRAM behind each other in random order, some without a gap.
void place(Configuration &configuration, Random &random) {
  constexpr unsigned kArray = 100, kDram = 101;
  std::vector<unsigned> order{kArray, kDram};
  for (unsigned i = 0; i < configuration.memories_count; ++i) order.push_back(i);
  for (std::size_t i = order.size(); i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
  std::uint64_t next = random.one_in(2) ? 0 : random.below(1U << 31);
  for (const unsigned part : order) {
    if (!random.one_in(3)) next += random.below(1U << random.below(26));
    const auto first = static_cast<std::uint32_t>(next);
    if (part == kArray) {
      configuration.array.first = first;
      next += configuration.array.bytes();
    } else if (part == kDram) {
      configuration.dram_first = first;
      next += configuration.dram_bytes;
    } else {
      configuration.memories[part].first = first;
      next += configuration.memories[part].bytes;
    }
  }
}

}  // namespace

Configuration random_configuration(Random &random) {
  Configuration configuration;
  configuration.array = random_array(random);
  configuration.memories_count = static_cast<unsigned>(random.between(2, 6));
  for (unsigned i = 0; i < configuration.memories_count; ++i) {
    isa::pim::Memory &memory = configuration.memories[i];
    memory.set_name("memory" + std::to_string(i));
    memory.type = random.one_in(2) ? isa::pim::MemoryType::sram : isa::pim::MemoryType::reg_buffer;
    memory.bytes = static_cast<std::uint32_t>(random.between(64, 5000));
    memory.read_width = 1U << random.below(8);
    memory.write_width = 1U << random.below(8);
  }
  configuration.memories[configuration.memories_count - 1].bytes = 2048;
  configuration.dram_bytes = 4 * random.between(1024, 1 << 16);
  place(configuration, random);
  // Up to three special registers are general ones.
  for (unsigned n = static_cast<unsigned>(random.below(4)); n-- > 0;) {
    constexpr unsigned kSpecials[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 18, 19, 20};
    const unsigned special = random.pick(kSpecials);
    const auto general = static_cast<std::uint8_t>(random.below(32));
    if (std::ranges::count(configuration.bound, general) == 0) configuration.bound[special] = general;
  }
  for (isa::pim::SimdForm &form : configuration.simd) {
    for (unsigned i = 0; i < form.inputs; ++i) {
      if (form.kinds[i] == SimdKind::block || !random.one_in(5)) continue;
      form.kinds[i] = form.kinds[i] == SimdKind::vector ? SimdKind::scalar : SimdKind::vector;
    }
  }
  return configuration;
}

}  // namespace cox::model::pim::oracle
