// SPDX-License-Identifier: MIT
#include "tests/sim/unity/programs/maker.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace cox::test::unity_programs {

using isa::unity::alignment_of;
using isa::unity::bits_of;

void Made::set(std::string_view field, std::uint64_t value) {
  const isa::unity::Placed placed = isa::unity::find_field(layout(), field);
  if (placed.field == nullptr)
    throw std::invalid_argument(std::string(isa::unity::Set::row(op).name) + " has no field " + std::string(field));
  const unsigned width = placed.place.width(space);
  table.write(placed.place.bit(space), width, width < 64 ? value & ((std::uint64_t{1} << width) - 1) : value);
}

std::uint64_t Made::get(std::string_view field) const {
  const isa::unity::Placed placed = isa::unity::find_field(layout(), field);
  if (placed.field == nullptr)
    throw std::invalid_argument(std::string(isa::unity::Set::row(op).name) + " has no field " + std::string(field));
  return table.read(placed.place, space);
}

bool Made::has_gaps() const {
  constexpr std::string_view kDistances[] = {"LINE_STRIDE", "SURF",   "K_STRIDE",  "FM_D_STRIDE",
                                             "S_LINE_LO",   "S_SURF", "D_LINE_LO", "D_SURF"};
  return std::any_of(std::begin(kDistances), std::end(kDistances), [&](std::string_view field) { return has(field) && get(field) != 0; });
}

std::uint64_t Pool::constant(Random &random, AddressSpace space, std::uint64_t bytes, unsigned alignment) {
  const std::size_t area = random.below(areas_of(space));
  const std::uint64_t first = (used[area] + alignment - 1) / alignment * alignment;
  if (first + bytes > kConstants[area].bytes) throw std::length_error("constants");
  used[area] = first + bytes;
  return kConstants[area].start + first;
}

std::uint64_t Pool::word(std::uint64_t bytes) {
  const std::uint64_t first = (words + 7) / 8 * 8;
  if (first + bytes > kWords.bytes) throw std::length_error("words");
  words = first + bytes;
  return kWords.start + first;
}

std::uint64_t Maker::place(std::uint64_t bytes, unsigned alignment, bool write) {
  constexpr unsigned kTries = 60, kRecent = 60;
  for (unsigned turn = 0; turn < kTries; ++turn) {
    std::size_t area = random.below(areas_of(made_.space));
    std::uint64_t address = 0;
    if (random.chance(kRecent) && !pool_.recent.empty()) {
      const Range &range = random.one_of(pool_.recent);
      address = range.address + (random.chance(70) ? 0 : random.below(range.bytes + 1));
      area = kAreas.size();
      for (unsigned i = 0; i < areas_of(made_.space); ++i) {
        if (address >= pool_.data[i].start && address < pool_.data[i].start + pool_.data[i].bytes) area = i;
      }
      if (area == kAreas.size()) continue;
    } else {
      address = pool_.data[area].start + random.below(pool_.data[area].bytes);
    }
    address = (address + alignment - 1) / alignment * alignment;
    const Window &window = pool_.data[area];
    if (address < window.start || address + bytes > window.start + window.bytes) continue;
    const Range range{"", write, address, bytes};
    const auto conflicts = [&](const Range &own) { return own.conflicts(range); };
    if (std::none_of(made_.ranges.begin(), made_.ranges.end(), conflicts)) return address;
  }
  throw std::length_error("data");
}

/// A source of the same form that lies where no other source overlaps it; 0 without one.
std::uint64_t Maker::place_in_place(Range result) {
  const std::vector<Range> &own = made_.ranges;
  const auto is_same = [&](const Range &a, const Range &b) {
    return a.address == b.address && a.bytes == b.bytes && a.element_bits == b.element_bits && a.elements == b.elements;
  };
  for (const Range &range : own) {
    result.address = range.address;
    if (range.write || !is_same(range, result) || kData[0].start > range.address) continue;
    const bool in_data = std::any_of(pool_.data.begin(), pool_.data.end(), [&](const Window &window) {
      return range.address >= window.start && range.address + range.bytes <= window.start + window.bytes;
    });
    if (in_data &&
        std::all_of(own.begin(), own.end(), [&](const Range &other) { return !other.meets(result) || is_same(other, result); })) {
      return range.address;
    }
  }
  return 0;
}

void Maker::source_bytes(const char *field, std::uint64_t bytes, Unit unit, std::uint64_t elements) {
  const std::uint64_t address = place(bytes, alignment_of(unit), false);
  set_address(field, address);
  add_range({field, false, address, bytes, bits_of(unit), elements});
}

void Maker::place_result(const char *field, Range result, Unit unit, bool in_place) {
  constexpr unsigned kInPlace = 25;
  result.field = field;
  result.address = in_place && random.chance(kInPlace) ? place_in_place(result) : 0;
  if (result.address == 0) result.address = place(result.bytes, alignment_of(unit), true);
  set_address(field, result.address);
  add_range(result);
}

std::uint64_t Maker::result_of_list(const char *field, std::uint64_t bytes, Unit unit) {
  const std::uint64_t address = place(bytes, alignment_of(unit), true);
  add_range({field, true, address, bytes, bits_of(unit)});
  return address;
}

std::uint64_t Maker::place_of_tensor(const char *field, std::uint64_t bytes, Unit unit, bool is_read) {
  const std::uint64_t address = place(bytes, alignment_of(unit), false);
  if (is_read) add_range({field, false, address, bytes, bits_of(unit)});
  return address;
}

void Maker::updated(const char *field, Unit unit, std::uint64_t elements) {
  result_bytes(field, isa::unity::run_bytes(unit, elements), unit);
}

void Maker::constants(const char *field, Unit unit, std::span<const std::int64_t> values) {
  const std::uint64_t bytes = isa::unity::run_bytes(unit, values.size());
  const std::uint64_t address = pool_.constant(random, made_.space, bytes, alignment_of(unit));
  std::vector<std::byte> run(bytes);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<std::uint64_t>(values[i]);
    if (bits_of(unit) == 4) {
      run[i / 2] |= static_cast<std::byte>((value & 15) << (i % 2 * 4));
    } else {
      for (unsigned byte = 0; byte < bits_of(unit) / 8; ++byte)
        run[i * bits_of(unit) / 8 + byte] = static_cast<std::byte>(value >> 8 * byte);
    }
  }
  std::copy(run.begin(), run.end(), pool_.memory.at(address, bytes));
  set_address(field, address);
  add_range({field, false, address, bytes, bits_of(unit)});
}

}  // namespace cox::test::unity_programs
