// SPDX-License-Identifier: MIT
#include "tests/isa/instruction_set/toys.h"

#include <cstring>

#include "coxswain/isa/instruction_set_code.h"

template class cox::isa::InstructionSet<cox::isa::toy::Traits>;
template class cox::isa::InstructionSet<cox::isa::jumps::Traits>;
template class cox::isa::InstructionSet<cox::isa::groups::Traits>;

namespace cox::isa::groups {

constexpr std::uint32_t kGroup = 4, kPayloadBytes = 4, kGroupBytes = kGroup + kGroup * kPayloadBytes;

std::uint32_t Traits::byte_of(std::uint32_t position) {
  return position / kGroup * kGroupBytes + kGroup + position % kGroup * kPayloadBytes;
}

Result<isa::Fetched<Traits>> Traits::fetch(std::span<const std::byte> program, std::uint32_t position) {
  const std::uint32_t payload = byte_of(position);
  if (payload + kPayloadBytes > program.size()) return Status(ErrorCode::stream_truncated, "stream", -1, signed_of(program.size()));
  isa::Fetched<Traits> fetched;
  fetched.code[0] = std::to_integer<std::uint32_t>(program[position / kGroup * kGroupBytes + position % kGroup]);
  std::memcpy(&fetched.code[1], &program[payload], kPayloadBytes);
  fetched.instruction = Set::find(fetched.code);
  if (fetched.instruction == nullptr) return Status(ErrorCode::unknown_instruction, "opcode", -1, fetched.code[0]);
  fetched.next = position + 1;
  return fetched;
}

}  // namespace cox::isa::groups
