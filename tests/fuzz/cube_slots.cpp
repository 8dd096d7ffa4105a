// SPDX-License-Identifier: MIT
#include "tests/fuzz/cube_slots.h"

#include <algorithm>
#include <string_view>

namespace cox::fuzz {

using isa::cube::MachineCode;
using isa::cube::Opcode;
using isa::cube::Pipe;

namespace {

constexpr std::uint32_t kSmall = 40;

bool is_size(std::string_view name) {
  constexpr std::string_view kSizes[] = {"M", "K", "N", "Rows", "Columns", "RowBytes", "Height", "Width", "Channels", "SourcePitch"};
  return std::find(std::begin(kSizes), std::end(kSizes), name) != std::end(kSizes);
}

/// Returns a value that resolves the contradiction that `refusal` names.
std::int64_t mended_value(std::string_view name, std::int64_t value, const Status &refusal) {
  switch (refusal.code()) {
    case ErrorCode::misaligned_address: return value & ~(refusal.limit() - 1);
    case ErrorCode::address_outside_buffer: return std::max<std::int64_t>(0, value - (refusal.value() - refusal.limit()));
    default: break;
  }
  if (name == "DestinationPitch" || name == "SourcePitch") return refusal.limit();
  if (name == "Target" || name == "Origin") return (value + 1) % isa::cube::kPipes;
  if (name == "K" || name == "Channels" || name == "Columns" || name == "Rows") return value < 2 ? 2 : value & ~1;
  return 0;
}

}  // namespace

MachineCode CubeSlots::in_range(const MachineCode &bytes, Opcode opcode, bool small) const {
  const isa::cube::Instruction &instruction = isa::cube::instruction_of(opcode);
  MachineCode code = isa::cube::begin(opcode);
  if (opcode != Opcode::BARRIER) {
    for (const isa::Field &field : isa::cube::kHeaderFields)
      isa::insert_bits(code, field.bit, field.width, isa::extract_bits(bytes, field.bit, field.width));
  }
  for (const isa::Field &field : instruction.fields) {
    std::int64_t value = isa::read_integer(bytes, field);
    if (field.kind != isa::Kind::floating_point) {
      const std::uint32_t raw = isa::extract_bits(bytes, field.bit, field.width);
      if (value < field.minimum || value > field.maximum) value = field.minimum + raw % (field.maximum - field.minimum + 1);
      if (small && is_size(field.name) && value > kSmall) value = 1 + value % kSmall;
    }
    isa::insert_bits(code, field.bit, field.width, static_cast<std::uint32_t>(value));
  }
  return code;
}

void CubeSlots::place_in_window(MachineCode &code, const isa::cube::Instruction &instruction) const {
  const isa::Field *high = isa::cube::find_field(instruction, instruction.opcode == Opcode::DRAM_TO_L1 ? "SourceHigh" : "DestinationHigh");
  const isa::Field *low = isa::cube::find_field(instruction, instruction.opcode == Opcode::DRAM_TO_L1 ? "Source" : "Destination");
  if (high == nullptr || low == nullptr) return;
  const std::uint64_t address = window_.base + isa::extract_bits(code, low->bit, low->width) % (window_.bytes + 256);
  isa::insert_bits(code, low->bit, low->width, static_cast<std::uint32_t>(address));
  isa::insert_bits(code, high->bit, high->width, static_cast<std::uint32_t>(address >> 32));
  // Limits the pitch, the distance from row to row, to less than 4 KiB.
  const isa::Field *pitch =
      isa::cube::find_field(instruction, instruction.opcode == Opcode::DRAM_TO_L1 ? "SourcePitch" : "DestinationPitch");
  isa::insert_bits(code, pitch->bit, pitch->width, isa::extract_bits(code, pitch->bit, pitch->width) % 4096);
}

bool CubeSlots::mend(MachineCode &code, const Status &refusal) {
  const isa::Field *field = isa::cube::find_field(*isa::cube::find_instruction(code[0]), refusal.what());
  if (field == nullptr) return false;
  const std::int64_t value = mended_value(field->name, isa::extract_bits(code, field->bit, field->width), refusal);
  return isa::cube::set(code, *field, std::clamp(value, field->minimum, field->maximum)).ok();
}

void CubeSlots::keep_flags_that_match(MachineCode &code) {
  if (isa::cube::find_instruction(code[0])->opcode == Opcode::BARRIER) return;
  const Pipe own = isa::cube::pipe_of(code);
  const auto at = [&](Pipe from, Pipe to, unsigned bit) -> int & {
    return ahead_[(static_cast<unsigned>(from) * isa::cube::kPipes + static_cast<unsigned>(to)) * isa::cube::kEvents +
                  bit % isa::cube::kEvents];
  };
  for (unsigned bit = 0; bit < isa::cube::kMaskWidth; ++bit) {
    const Pipe other = isa::cube::other_pipe(own, bit);
    if (at(other, own, bit) == 0) isa::insert_bits(code, isa::cube::kWaitBit + bit, 1, 0);
    if (at(own, other, bit) == static_cast<int>(isa::cube::kMostFlags)) isa::insert_bits(code, isa::cube::kSetBit + bit, 1, 0);
    const isa::cube::Flags flags = isa::cube::flags_of(code);
    if ((flags.wait >> bit & 1) != 0 && at(other, own, bit) > 0) --at(other, own, bit);
    if ((flags.set >> bit & 1) != 0) ++at(own, other, bit);
  }
}

MachineCode CubeSlots::shape(const MachineCode &bytes) {
  const std::uint32_t manner = bytes[1] >> 24;
  const isa::cube::Instruction *instruction = isa::cube::find_instruction(bytes[0]);
  auto opcode =
      instruction != nullptr ? instruction->opcode : static_cast<Opcode>(1 + (bytes[0] & 0xFF) % std::size(isa::cube::kInstructions));
  MachineCode code = in_range(bytes, opcode, manner % 8 != 0);
  if (manner / 8 % 8 == 0) return code;

  place_in_window(code, isa::cube::instruction_of(opcode));
  for (int attempt = 0; attempt < 12; ++attempt) {
    const Result<isa::cube::Operation> operation = isa::cube::resolve(code, configuration_);
    if (operation) {
      configuration_.apply(operation.value());
      break;
    }
    if (operation.status().code() == ErrorCode::missing_configuration) {
      opcode = std::string_view(operation.status().what()) == "OUT_CFG" ? Opcode::OUT_CFG : Opcode::IM2COL_CFG;
      code = in_range(bytes, opcode, true);
    } else if (!mend(code, operation.status())) {
      break;
    }
  }
  if (manner / 64 != 0) keep_flags_that_match(code);
  return code;
}

}  // namespace cox::fuzz
