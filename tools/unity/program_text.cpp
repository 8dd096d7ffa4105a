// SPDX-License-Identifier: MIT
#include "tools/unity/program_text.h"

#include <fmt/format.h>

#include <string_view>

#include "coxswain/isa/unity/location.h"
#include "coxswain/isa/unity/table.h"
#include "tools/file/error.h"
#include "tools/unity/engine_text.h"

namespace cox::tools::unity {

using isa::unity::Container;
using isa::unity::InstructionPlace;
using isa::unity::Position;
using isa::unity::ProgramEntry;

std::string container_text(const Status &status) {
  const std::string_view what = status.what();
  std::string text = std::string(error_name(status.code())) + ": ";
  if (what == "magic") return text + "the file does not begin like a program of the Unity units";
  if (status.code() == ErrorCode::stream_truncated)
    return text + fmt::format("the program has {} bytes, and a part of it ends at byte {}", status.value(), status.limit());
  if (status.code() == ErrorCode::unsupported) return text + fmt::format("instruction {}: domain {:#x}", status.index(), status.value());
  if (what == "end") return text + fmt::format("program {}: END at instruction {} of {}", status.index(), status.value(), status.limit());
  text += status.index() >= 0 ? fmt::format("{} {}: ", what, status.index()) : fmt::format("{}: ", what);
  if (status.code() == ErrorCode::misaligned_address)
    return text + fmt::format("offset {} is no multiple of {}", status.value(), status.limit());
  return text + fmt::format("{}, the limit is {}", status.value(), status.limit());
}

Container open_container(std::span<const std::uint8_t> bytes, const std::string &file) {
  const Result<Container> container = Container::open(std::as_bytes(bytes));
  if (!container) throw FileError((file.empty() ? "" : file + ": ") + container_text(container.status()), container.status().code());
  return container.value();
}

std::string place_text(std::span<const std::byte> container, std::uint32_t packed) {
  const Position position = Position::unpack(packed);
  const InstructionPlace place = isa::unity::find_instruction(container, position.byte());
  if (!place.found) return fmt::format("unit {}", position.unit);
  std::string text = fmt::format("unit {}, {} {}, instruction {}", position.unit, place.in_sub_program ? "sub-program" : "program",
                                 place.program, place.instruction);
  const Result<Container> opened = Container::open(container);
  if (!opened) return text;
  const Container &program = opened.value();
  const ProgramEntry entry = place.in_sub_program ? program.sub_program(place.program) : program.program(place.program);
  const isa::unity::Stored stored = program.instruction(entry, place.instruction);
  if (isa::unity::is_engine(stored.domain)) return fmt::format("{} (submit {})", text, engine_name(stored.domain));
  const isa::unity::Instruction *row = isa::unity::Set::find(stored.code);
  return row == nullptr ? text : fmt::format("{} ({})", text, row->name);
}

std::string deadlock_text(std::size_t units) {
  return fmt::format("deadlock: {} for keys that never come", units == 1 ? "a unit waits" : fmt::format("{} units wait", units));
}

std::string waiting_text(std::span<const std::byte> container, std::span<const registers::WaitingUnit> units) {
  std::string text;
  for (const registers::WaitingUnit &unit : units) {
    text += fmt::format("\n  {}: entry {}:{} holds {}, wants {}",
                        place_text(container, Position{unit.unit, unit.offset / isa::unity::kInstructionBytes}.pack()), unit.table,
                        unit.entry, unit.held, unit.wanted);
  }
  return text;
}

std::string refusal_text(const Status &status) {
  const std::string_view what = status.what();
  const std::string name = error_name(status.code());
  switch (status.code()) {
    case ErrorCode::unknown_instruction:
      if (what == "slot") return fmt::format("{}: slot {} is an instruction of another class", name, status.index());
      return fmt::format("{}: no operation has the code {:#x}", name, status.value());
    case ErrorCode::unsupported:
      return what == "domain" ? fmt::format("{}: the device does not have this engine", name)
                              : fmt::format("{}: {} has no arithmetic yet", name, what);
    case ErrorCode::reserved_bits:
      return what == "slot" ? fmt::format("{}: slot {} has bits that must be 0", name, status.index())
                            : fmt::format("{}: {}: bit {} must be 0", name, what, status.value());
    case ErrorCode::misaligned_address:
      return fmt::format("{}: {}: {:#x} is no multiple of {}", name, what, status.value(), status.limit());
    case ErrorCode::address_outside_window:
      return fmt::format("{}: {}: {:#x} or bytes behind it lie in no window", name, what, status.value());
    case ErrorCode::tensor_overlap: return fmt::format("{}: {}: the result at {:#x} overlaps another operand", name, what, status.value());
    case ErrorCode::branch_outside_program: return fmt::format("{}: {:#x} is no sub-program", name, status.value());
    default: return fmt::format("{}: {}: {}, the limit is {}", name, what, status.value(), status.limit());
  }
}

std::int32_t instruction_number(const Container &container, std::uint32_t packed) {
  const InstructionPlace place = isa::unity::find_instruction(container.bytes(), Position::unpack(packed).byte());
  if (!place.found) return -1;
  std::uint32_t number = place.instruction;
  const std::uint32_t programs = place.in_sub_program ? container.header().programs : place.program;
  for (std::uint32_t i = 0; i < programs; ++i) number += container.program(i).instructions - 1U;
  for (std::uint32_t i = 0; place.in_sub_program && i < place.program; ++i) number += container.sub_program(i).instructions - 1U;
  return static_cast<std::int32_t>(number);
}

}  // namespace cox::tools::unity
