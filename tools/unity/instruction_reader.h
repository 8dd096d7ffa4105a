// SPDX-License-Identifier: MIT
// Lines of xDSA assembly that stand for one instruction: a name, words of the payload, fields of the operand table beside them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "coxswain/isa/unity/operand_table.h"
#include "coxswain/isa/unity/storage.h"
#include "coxswain/isa/unity/sync.h"
#include "tools/unity/expression.h"

namespace cox::tools::unity {

/// An instruction, and the operand table that is written beside it.
struct ReadInstruction {
  isa::unity::Domain domain = isa::unity::Domain::unity;
  isa::unity::MachineCode code{};              ///< without the address of its own table
  const isa::unity::Layout *layout = nullptr;  ///< of its own table; nullptr: it has none
  isa::unity::TableBits table;
  std::optional<std::uint64_t> at;  ///< the offset in the container that the line asks for
  bool extended = false;

  [[nodiscard]] isa::unity::AddressSpace space() const { return isa::unity::address_space(code); }
  [[nodiscard]] unsigned table_bytes() const { return layout == nullptr ? 0 : isa::unity::table_bytes(*layout, space(), extended); }
};

/// Reads a line whose first token is the name of an instruction. `space`: the address space unless the line names one. Fails the line.
[[nodiscard]] ReadInstruction read_instruction(Tokens &tokens, const Symbols &symbols, isa::unity::AddressSpace space);

/// True for names of instructions, `submit` and `.payload` included.
[[nodiscard]] bool is_instruction_name(std::string_view name);
/// Text such as `; did you mean "ADD"?` for a name that no instruction has.
[[nodiscard]] std::string suggest_instruction(std::string_view name);

/// 16, 32 or 64 bits; fails the line.
[[nodiscard]] isa::unity::AddressSpace take_space(Tokens &tokens, const Symbols &symbols);
/// A key as table:entry; fails the line.
[[nodiscard]] isa::unity::Key take_key(Tokens &tokens, const Symbols &symbols);

}  // namespace cox::tools::unity
