// SPDX-License-Identifier: MIT
#include "coxswain/isa/mx/published_form.h"

#include <cstdint>
#include <cstring>

#include "coxswain/isa/mx/table.h"

namespace cox::isa::mx {
namespace {

constexpr std::size_t kBytes = 8;
constexpr std::uint32_t kConvAct = instruction_of(Opcode::CONVACT).code;
constexpr std::uint32_t kElmul = 1U << kFunctBit | kConvAct;
static_assert(instruction_of(Opcode::CONVACT).funct == 0 && instruction_of(Opcode::CONFBADDR).code == 0);

std::uint64_t word_at(std::span<const std::byte> stream, std::size_t offset) {
  std::uint64_t word = 0;
  std::memcpy(&word, &stream[offset], sizeof word);
  return word;
}

std::uint32_t identity_of(std::uint64_t word) { return static_cast<std::uint32_t>(word) & kIdentityMask; }

bool is_selection(std::uint64_t word) {
  constexpr unsigned kFirstReservedBit = 31;
  return identity_of(word) == 0 && word >> kFirstReservedBit == 0;
}

}  // namespace

bool is_published_form(std::span<const std::byte> stream) {
  if (stream.size() < kBytes) return false;
  const std::uint64_t word = word_at(stream, 0);
  if (identity_of(word) == kElmul) return true;
  constexpr std::uint64_t kReserved = std::uint64_t{0xFF} << 56 | 0b1100'0000;  // reserved bits of the published form
  if (identity_of(word) != kConvAct || (word & kReserved) != 0) return false;
  for (std::size_t offset = kBytes; offset < instruction_of(Opcode::CONVACT).bytes && offset + kBytes <= stream.size(); offset += kBytes) {
    const std::uint64_t next = word_at(stream, offset);
    if (is_selection(next)) continue;
    const std::uint32_t identity = identity_of(next);
    return identity == kElmul || (identity != 0 && find_instruction(identity) != nullptr);
  }
  return false;
}

Status Traits::check_front(std::span<const std::byte> rest) {
  if (!is_published_form(rest)) return {};
  return Status(ErrorCode::unknown_instruction, kPublishedForm, -1, identity_of(word_at(rest, 0)));
}

}  // namespace cox::isa::mx
