// SPDX-License-Identifier: MIT
#include "coxswain/isa/unity/branch.h"

#include <array>

#include "coxswain/isa/unity/storage.h"

namespace cox::isa::unity {
namespace {

/// Reads `bits` bits (4 to 64) at an address; a nibble is the low half of its byte.
Result<std::uint64_t> read_bits(const OperandMemory &memory, std::uint64_t address, unsigned bits, const char *what, std::int32_t index) {
  const unsigned bytes = (bits + 7) / 8;
  if (address % bytes != 0) return Status(ErrorCode::misaligned_address, what, index, signed_of(address), bytes);
  std::array<std::byte, 8> buffer{};
  if (!memory.read(address, std::span(buffer).first(bytes))) {
    return Status(ErrorCode::address_outside_window, what, index, signed_of(address));
  }
  std::uint64_t value = 0;
  for (unsigned i = bytes; i > 0; --i) value = value << 8 | std::to_integer<std::uint64_t>(buffer[i - 1]);
  return bits < 8 ? value & 0xF : value;
}

/// Entry `number` of a branch's list, without the page.
Result<std::uint64_t> read_entry(const Branch &branch, const OperandMemory &memory, std::uint64_t number, std::int32_t index,
                                 const char *what) {
  const unsigned bits = address_bits(branch.space);
  return read_bits(memory, branch.list + number * (bits / 8), bits, what, index);
}

std::uint64_t device_address(const Branch &branch, std::uint64_t entry) {
  return branch.space == AddressSpace::bits16 ? branch.page + entry : entry;
}

Result<Choice> choose_program(const Branch &branch, const OperandMemory &memory, std::uint64_t number, std::int32_t index,
                              const char *what) {
  const Result<std::uint64_t> entry = read_entry(branch, memory, number, index, what);
  if (!entry) return entry.status();
  if (entry.value() == 0) return Choice{0, true};
  if (entry.value() % kProgramAlignment != 0) {
    return Status(ErrorCode::misaligned_address, what, index, signed_of(entry.value()), kProgramAlignment);
  }
  return Choice{device_address(branch, entry.value()), true};
}

Result<Choice> choose_case(const Branch &branch, const OperandMemory &memory) {
  for (std::uint32_t i = 0; i < branch.entries; ++i) {
    const auto index = static_cast<std::int32_t>(i);
    const Result<std::uint64_t> entry = read_entry(branch, memory, 2 * std::uint64_t{i}, index, "PAIRS");
    if (!entry) return entry.status();
    const Result<std::uint64_t> bits = read_bits(memory, device_address(branch, entry.value()), bits_of(branch.unit), "PAIRS", index);
    if (!bits) return bits.status();
    if (is_true(branch.unit, bits.value())) return choose_program(branch, memory, 2 * std::uint64_t{i} + 1, index, "PAIRS");
  }
  return Choice{branch.first, true};
}

Result<Choice> choose_switch(const Branch &branch, const OperandMemory &memory) {
  const Result<std::uint64_t> bits = read_bits(memory, branch.predicate.address, bits_of(branch.unit), "INDEX", -1);
  if (!bits) return bits.status();
  const std::int64_t number = integer_of(branch.unit, bits.value());
  // A u64 beyond the range of s64 becomes negative, which is outside, too.
  if (number < 0 || number >= branch.entries) return Choice{branch.first, true};
  return choose_program(branch, memory, static_cast<std::uint64_t>(number), static_cast<std::int32_t>(number), "PROGRAMS");
}

}  // namespace

bool is_true(Unit unit, std::uint64_t bits) {
  const std::uint64_t sign = is_float(unit) ? std::uint64_t{1} << (bits_of(unit) - 1) : 0;
  return (bits & ~sign) != 0;
}

Result<Choice> choose(const Branch &branch, const OperandMemory &memory) {
  if (branch.op == Opcode::CASE) return choose_case(branch, memory);
  if (branch.op == Opcode::SWITCH_CASE) return choose_switch(branch, memory);
  const Result<std::uint64_t> bits = read_bits(memory, branch.predicate.address, bits_of(branch.unit), "PRED", -1);
  if (!bits) return bits.status();
  const bool holds = is_true(branch.unit, bits.value());
  if (branch.op == Opcode::WHILE_LOOP) return Choice{holds ? branch.second : 0, holds};
  return Choice{holds ? branch.first : branch.second, true};
}

}  // namespace cox::isa::unity
