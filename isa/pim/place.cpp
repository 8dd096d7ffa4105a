// SPDX-License-Identifier: MIT
#include "coxswain/isa/pim/place.h"

#include "coxswain/base/memory_range.h"

namespace cox::isa::pim {
namespace {

MemoryRange range_of(const Memory &memory) { return {memory.first, memory.bytes}; }
MemoryRange range_of(const Array &array) { return {array.first, array.bytes()}; }
MemoryRange range_of_part(const Configuration &configuration, unsigned window) {
  return {configuration.dram_first + window * configuration.dram_part(), configuration.dram_part()};
}

Place place_in_dram(const Configuration &configuration, const MemoryRange &bytes) {
  for (unsigned window = 0; window < kWindows; ++window) {
    const MemoryRange part = range_of_part(configuration, window);
    if (part.contains(bytes)) return {static_cast<std::uint8_t>(kDramSpace + window), bytes.address - part.address};
  }
  return {};
}

/// The first address behind the memory that has `address`, or 0.
std::uint64_t end_of_memory(const Configuration &configuration, Reach reach, std::uint32_t address) {
  // A size of 1 makes sure that the address is not the one behind a memory.
  const MemoryRange byte{address, 1};
  if (reach != Reach::dram) {
    for (const Memory &memory : configuration.local_memories()) {
      if (range_of(memory).contains(byte)) return range_of(memory).end();
    }
  }
  if (reach == Reach::all && range_of(configuration.array).contains(byte)) return range_of(configuration.array).end();
  if (reach != Reach::local) {
    for (unsigned window = 0; window < kWindows; ++window) {
      if (range_of_part(configuration, window).contains(byte)) return range_of_part(configuration, window).end();
    }
  }
  return 0;
}

}  // namespace

Place place(const Configuration &configuration, Reach reach, std::uint32_t first, std::uint64_t bytes) {
  const MemoryRange range{first, bytes};
  if (reach == Reach::dram) return place_in_dram(configuration, range);
  std::uint8_t number = 0;
  for (const Memory &memory : configuration.local_memories()) {
    if (range_of(memory).contains(range)) return {number, first - memory.first};
    ++number;
  }
  if (reach == Reach::local) return {};
  if (range_of(configuration.array).contains(range)) return {kArraySpace, first - configuration.array.first};
  return place_in_dram(configuration, range);
}

Status outside(const Configuration &configuration, Reach reach, const char *field, std::uint32_t first) {
  const bool in_dram = reach == Reach::dram || end_of_memory(configuration, Reach::dram, first) != 0;
  const ErrorCode code = reach != Reach::local && in_dram ? ErrorCode::address_outside_window : ErrorCode::address_outside_buffer;
  return Status(code, field, -1, first, signed_of(end_of_memory(configuration, reach, first)));
}

}  // namespace cox::isa::pim
