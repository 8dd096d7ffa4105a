// SPDX-License-Identifier: MIT
#include "tests/sim/pim/reference/memory.h"

namespace cox::model::pim::oracle {

Core::Core(const Configuration &configuration)
    : array(std::size_t{configuration.array.macros} * configuration.array.compartments * configuration.array.rows *
            configuration.array.elements * configuration.array.bits / 8),
      outputs(std::size_t{configuration.array.macros} * configuration.array.elements * configuration.array.bits) {
  for (unsigned i = 0; i < configuration.memories_count; ++i) memories.emplace_back(configuration.memories[i].bytes);
}

std::uint32_t View::special(unsigned number) const {
  const unsigned bound = configuration.bound[number];
  return bound < 32 ? core.general[bound] : core.special[number];
}

void View::set_special(unsigned number, std::uint32_t value) const {
  const unsigned bound = configuration.bound[number];
  if (bound < 32) {
    core.general[bound] = value;
  } else {
    core.special[number] = value;
  }
}

namespace {

/// The place, if the access lies in a memory that begins at address `first`; else a place without a memory.
Place inside(Bytes &memory, std::uint64_t first, std::uint64_t address, std::uint64_t bytes) {
  if (address < first || address + bytes > first + memory.size()) return {};
  return {&memory, address - first, bytes};
}

Place find_local(const View &view, std::uint32_t address, std::uint64_t bytes) {
  for (unsigned i = 0; i < view.configuration.memories_count; ++i) {
    const Place place = inside(view.core.memories[i], view.configuration.memories[i].first, address, bytes);
    if (place.memory != nullptr) return place;
  }
  return {};
}

}  // namespace

Place local(const View &view, std::uint32_t address, std::uint64_t bytes) {
  if (bytes == 0) return {};
  const Place place = find_local(view, address, bytes);
  require(place.memory != nullptr, ErrorCode::address_outside_buffer);
  return place;
}

Place global(const View &view, std::uint32_t address, std::uint64_t bytes) {
  if (bytes == 0) return {};
  const std::uint64_t first = view.configuration.dram_first, part = view.configuration.dram_bytes / 4;
  for (unsigned w = 0; w < 4; ++w) {
    const Place place = inside(view.dram.windows[w], first + w * part, address, bytes);
    if (place.memory != nullptr) return place;
  }
  throw Stop{ErrorCode::address_outside_window};
}

Place anywhere(const View &view, std::uint32_t address, std::uint64_t bytes) {
  if (bytes == 0) return {};
  Place place = find_local(view, address, bytes);
  if (place.memory != nullptr) return place;
  place = inside(view.core.array, view.configuration.array.first, address, bytes);
  if (place.memory != nullptr) return place;
  const std::uint64_t dram = view.configuration.dram_first;
  require(address >= dram && address < dram + view.configuration.dram_bytes, ErrorCode::address_outside_buffer);
  return global(view, address, bytes);
}

Bytes read(const Place &place) {
  Bytes bytes;
  for (std::uint64_t i = 0; i < place.bytes; ++i) bytes.push_back(place.memory->at(place.first + i));
  return bytes;
}

void write(const Place &place, const Bytes &bytes) {
  for (std::uint64_t i = 0; i < place.bytes; ++i) place.memory->at(place.first + i) = bytes.at(i);
}

bool bit(const Bytes &bytes, std::uint64_t number) { return (bytes.at(number / 8) >> number % 8 & 1) != 0; }

std::int64_t number(const Bytes &bytes, std::uint64_t first, unsigned width) {
  std::int64_t value = 0;
  for (unsigned i = 0; i < width; ++i) {
    if (!bit(bytes, first + i)) continue;
    const std::int64_t weight = std::int64_t{1} << i;
    value += i == width - 1 ? -weight : weight;
  }
  return value;
}

std::vector<std::int64_t> numbers(const Bytes &bytes, std::uint64_t elements, unsigned width) {
  std::vector<std::int64_t> result;
  for (std::uint64_t i = 0; i < elements; ++i) result.push_back(number(bytes, i * width, width));
  return result;
}

Bytes packed(const std::vector<std::int64_t> &numbers, unsigned width) {
  Bytes result(bytes_of(numbers.size(), width));
  for (std::uint64_t i = 0; i < numbers.size(); ++i) {
    for (unsigned b = 0; b < width; ++b) {
      const std::uint64_t place = i * width + b;
      if ((numbers[i] >> b & 1) != 0) result.at(place / 8) = static_cast<std::uint8_t>(result.at(place / 8) | 1U << place % 8);
    }
  }
  return result;
}

std::uint64_t line_byte(const Configuration &configuration, std::uint64_t macro, std::uint64_t row, std::uint64_t compartment) {
  const isa::pim::Array &array = configuration.array;
  const std::uint64_t size = array.group_sizes[0], groups = array.macros / size, lines = std::uint64_t{array.rows} * array.compartments;
  const std::uint64_t g = macro / size, m = macro % size, k = row * array.compartments + compartment;
  const std::uint64_t line = array.order == isa::pim::ArrayOrder::between_groups ? (k * groups + g) * size + m : (g * lines + k) * size + m;
  return line * (array.elements * array.bits / 8);
}

}  // namespace cox::model::pim::oracle
