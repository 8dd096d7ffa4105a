// SPDX-License-Identifier: MIT
// Breakers of operand tables and operands.
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "tests/sim/unity/programs/broken_instructions.h"

namespace cox::test::unity_programs {

using namespace isa::unity;

namespace {

/// Sizes that may not be 0. A pool's kernel of size 0 is the whole map.
constexpr std::string_view kSizes[] = {
    "LEN",       "FH",        "FW",     "FC",      "FH0",     "FW0",       "FC0",       "FH1",       "FW1",   "FC1",    "FM_H",
    "FM_W",      "FM_C",      "I_H",    "I_W",     "K_NUM",   "V_STRIDE",  "H_STRIDE",  "REPEAT",    "FN",    "N",      "S_SIZE",
    "S_NUM",     "S_WIDTH",   "D_SIZE", "D_NUM",   "D_WIDTH", "INDEX_LEN", "BATCH_NUM", "GROUPS",    "DIL_H", "DIL_V",  "DILATE",
    "ENLARGE_V", "ENLARGE_H", "O_H",    "O_W",     "SIZE",    "GROUP_NUM", "M",         "BATCH",     "T",     "HIDDEN", "INPUT",
    "WIDTH",     "ROWS",      "DEPTH",  "CLASSES", "FM_D",    "O_D",       "D_STRIDE",  "ENLARGE_D", "RANK",  "K"};

/// The address fields of operands with a range.
std::vector<const Range *> operands(const Made &made, bool only_writes) {
  std::vector<const Range *> found;
  if (made.op == Opcode::CASE) return found;  // the addresses of predicates are in the list
  for (const Range &range : made.ranges) {
    const Placed placed = find_field(made.layout(), range.field);
    if (placed.field == nullptr || (only_writes && !range.write)) continue;
    // An entry of a list, or a tensor that a descriptor names, has another address than the field.
    if (made.get(range.field) + (made.space == AddressSpace::bits16 ? kPage : 0) != range.address) continue;
    if (placed.field->holds == Holds::address || placed.field->holds == Holds::optional_address) found.push_back(&range);
  }
  return found;
}

}  // namespace

Break break_table_bit(Random &random, Program &program, std::size_t number) {
  Made &made = item_of(program, number).made;
  const bool extended = is_extended(made.layout(), made.table, made.space);
  std::vector<bool> used(table_bits(made.layout(), made.space, extended));
  for_each_field(made.layout(), extended, [&](const Placed &placed) {
    for (unsigned bit = 0; bit < placed.place.width(made.space); ++bit) used[placed.place.bit(made.space) + bit] = true;
    return true;
  });
  std::vector<unsigned> reserved;
  for (unsigned bit = 0; bit < used.size(); ++bit) {
    if (!used[bit]) reserved.push_back(bit);
  }
  if (reserved.empty()) return {};
  made.table.write(random.one_of(reserved), 1, 1);
  program.write();
  return Expected{ErrorCode::reserved_bits, "table"};
}

Break break_unit(Random &random, Program &program, std::size_t number) {
  Made &made = item_of(program, number).made;
  std::vector<const char *> units;
  for_each_field(made.layout(), false, [&](const Placed &placed) {
    if (placed.field->holds == Holds::unit) units.push_back(placed.field->name);
    return true;
  });
  if (units.empty()) return {};
  const char *const field = random.one_of(units);
  made.set(field, static_cast<std::uint64_t>(random.between(kUnits, 15)));
  program.write();
  return Expected{ErrorCode::field_out_of_range, field};
}

Break break_size(Random &random, Program &program, std::size_t number) {
  Made &made = item_of(program, number).made;
  std::vector<const char *> sizes;
  for_each_field(made.layout(), false, [&](const Placed &placed) {
    const std::string_view name = placed.field->name;
    // K of convolutions is an address, T of UDEF_CONV and UDEF_POOL is padding.
    bool size = placed.field->holds == Holds::integer && std::find(std::begin(kSizes), std::end(kSizes), name) != std::end(kSizes);
    size = size && (name != "T" || made.has("HIDDEN"));
    if (size && made.get(placed.field->name) != 0) sizes.push_back(placed.field->name);
    return true;
  });
  if (sizes.empty()) return {};
  const char *const field = random.one_of(sizes);
  made.set(field, 0);
  program.write();
  return Expected{ErrorCode::field_out_of_range, field};
}

Break break_overlap(Random &random, Program &program, std::size_t number) {
  Made &made = item_of(program, number).made;
  if (made.has_gaps()) return {};
  const std::vector<const Range *> results = operands(made, true), all = operands(made, false);
  if (results.empty()) return {};
  const Range &result = *random.one_of(results), &source = *random.one_of(all);
  const std::uint64_t shift = std::max(1U, result.element_bits / 8);
  if (source.write || source.bytes <= shift) return {};
  const std::uint64_t address = (source.address + shift + shift - 1) / shift * shift;
  const auto fits = [&](const Window &data) { return address >= data.start && address + result.bytes <= data.start + data.bytes; };
  if (address >= source.address + source.bytes || std::none_of(kData.begin(), kData.end(), fits)) return {};
  made.set(result.field, address - (made.space == AddressSpace::bits16 ? kPage : 0));
  program.write();
  return Expected{ErrorCode::tensor_overlap, result.field};
}

Break break_window(Random &random, Program &program, std::size_t number) {
  Made &made = item_of(program, number).made;
  const std::vector<const Range *> all = operands(made, false);
  if (all.empty()) return {};
  const Range &range = *random.one_of(all);
  std::uint64_t address = kHole.start + 8 * random.below(100);
  if (made.space == AddressSpace::bits64 && random.chance(50)) address = 0x8000000000000000;
  // The last bytes leave the window, the first ones do not.
  if (made.space != AddressSpace::bits16 && range.bytes > 8 && !made.has_gaps() && random.chance(30))
    address = kAreas[1].start + kAreas[1].bytes - 8;
  made.set(range.field, address - (made.space == AddressSpace::bits16 ? kPage : 0));
  for (const Range &other : made.ranges) {
    if (&other != &range && other.meets({"", true, address, range.bytes})) return {};
  }
  program.write();
  return Expected{ErrorCode::address_outside_window, range.field};
}

Break break_writable(Random &random, Program &program, std::size_t number) {
  Made &made = item_of(program, number).made;
  const std::vector<const Range *> results = operands(made, true);
  if (results.empty()) return {};
  const char *const field = random.one_of(results)->field;
  made.set(field, 8 * std::uint64_t{random.size(20)} + (made.space == AddressSpace::bits16 ? 0 : kPage));
  program.write();
  return Expected{ErrorCode::address_outside_window, field};
}

Break break_alignment(Random &random, Program &program, std::size_t number) {
  Made &made = item_of(program, number).made;
  const std::vector<const Range *> all = operands(made, false);
  if (all.empty()) return {};
  const Range &range = *random.one_of(all);
  if (range.element_bits <= 8) return {};
  made.set(range.field, made.get(range.field) + static_cast<std::uint64_t>(random.between(1, range.element_bits / 8 - 1)));
  program.write();
  return Expected{ErrorCode::misaligned_address, range.field};
}

Break break_index(Random &random, Program &program, std::size_t number) {
  const Made &made = item_of(program, number).made;
  if (made.op < Opcode::GATHER || made.op > Opcode::SCATTER_ND) return {};
  const Range &index =
      *std::find_if(made.ranges.begin(), made.ranges.end(), [](const Range &range) { return std::string_view(range.field) == "INDEX"; });
  const unsigned bytes = index.element_bits / 8;
  const std::uint64_t outside = bytes == 1 ? 255 : static_cast<std::uint32_t>(random.one_of({-1, INT32_MIN, INT32_MAX, 1 << 20}));
  program.pool.memory.put(index.address + random.below(index.bytes / bytes) * bytes, outside, bytes);
  return Expected{ErrorCode::field_out_of_range, "index"};
}

}  // namespace cox::test::unity_programs
