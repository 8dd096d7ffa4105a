// SPDX-License-Identifier: MIT
#include "tools/pim/disassemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "coxswain/isa/named_field.h"
#include "tools/pim/instruction_text.h"
#include "tools/pim/program_parts.h"

namespace cox::tools::pim {
namespace {

using isa::pim::MachineCode;
using isa::pim::Opcode;

/// The distance of a jump or branch to its target; 0 for other instructions.
std::int64_t distance_of(const MachineCode &code) {
  if (!isa::pim::check(code)) return 0;
  const Opcode opcode = isa::pim::Set::find(code)->opcode;
  if (opcode == Opcode::jmp) return isa::get<Opcode::jmp, "offset">(code);
  return opcode >= Opcode::beq && opcode <= Opcode::blt ? isa::get<Opcode::beq, "offset">(code) : 0;
}

/// Returns the numbers of the cores that satisfy a condition, for example `0-3, 7`.
template <typename Condition>
std::string cores_text(std::size_t cores, const Condition &condition) {
  std::string text;
  for (std::size_t first = 0; first < cores; ++first) {
    if (!condition(first)) continue;
    std::size_t last = first;
    while (last + 1 < cores && condition(last + 1)) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", first);
    if (last > first) text += fmt::format("-{}", last);
    first = last;
  }
  return text;
}

std::string code_text(const Code &code) {
  const auto size = static_cast<std::int64_t>(code.size());
  const auto is_inside = [size](std::int64_t target) { return target >= 0 && target <= size; };
  std::set<std::int64_t> targets;
  for (std::int64_t i = 0; i < size; ++i) {
    const MachineCode word{code[static_cast<std::size_t>(i)]};
    const bool jumps =
        isa::pim::check(word).ok() && isa::pim::Set::find(word)->opcode >= Opcode::beq && isa::pim::Set::find(word)->opcode <= Opcode::jmp;
    if (jumps && is_inside(i + distance_of(word))) targets.insert(i + distance_of(word));
  }
  std::string text;
  for (std::int64_t i = 0; i <= size; ++i) {
    if (targets.contains(i)) text += fmt::format("L{}:\n", i);
    if (i == size) break;
    const std::string line = instruction_text({code[static_cast<std::size_t>(i)]}, [&](std::int64_t distance) {
      return is_inside(i + distance) ? fmt::format("L{}", i + distance) : fmt::format(".{:+}", distance);
    });
    text += fmt::format("    {:<40}  # {}\n", line, i);
  }
  return text;
}

std::string setting_text(const isa::pim::Setting &setting) {
  const unsigned special = setting.place - isa::pim::kRegisters;
  const bool is_general = setting.place < isa::pim::kRegisters;
  const isa::EnumValue *name = is_general ? nullptr : isa::pim::detail::kSpecial.find(special);
  const std::string place = is_general ? fmt::format("r{}", setting.place) : name != nullptr ? name->name : fmt::format("s{}", special);
  return fmt::format(".set core{}.{} = {:#x}\n", setting.core, place, setting.value);
}

std::string copy_text(const isa::pim::Copy &copy) {
  switch (copy.kind) {
    case isa::pim::CopyKind::load: return fmt::format(".load core{}, {:#x}, {:#x}, {}\n", copy.core, copy.local, copy.dram, copy.bytes);
    case isa::pim::CopyKind::store: return fmt::format(".store core{}, {:#x}, {:#x}, {}\n", copy.core, copy.local, copy.dram, copy.bytes);
    case isa::pim::CopyKind::store_registers: return fmt::format(".store_registers core{}, {:#x}\n", copy.core, copy.dram);
  }
  return "";
}

}  // namespace

std::string disassemble(const isa::pim::Program &program) {
  const ProgramParts parts = parts_of(program);
  std::string text;
  for (std::size_t i = 0; i < parts.codes.size(); ++i) {
    text += fmt::format(".core {}\n", cores_text(parts.cores.size(), [&](std::size_t core) { return parts.cores[core] == i; }));
    text += code_text(parts.codes[i]);
  }
  const std::string idle = cores_text(parts.cores.size(), [&](std::size_t core) { return !parts.cores[core]; });
  if (!idle.empty()) text += fmt::format(".core {}\n", idle);
  for (std::size_t i = 0; i < parts.settings.size(); ++i) {
    // If a register has several settings, the last one counts. The assembler takes only one.
    const isa::pim::Setting &setting = parts.settings[i];
    const auto is_same = [&setting](const isa::pim::Setting &other) { return other.core == setting.core && other.place == setting.place; };
    if (std::any_of(parts.settings.begin() + static_cast<std::ptrdiff_t>(i) + 1, parts.settings.end(), is_same)) continue;
    text += setting_text(setting);
  }
  for (const isa::pim::Copy &copy : parts.copies) text += copy_text(copy);
  // A larger limit is as good as none; the assembler's numbers end there.
  constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
  if (parts.time_limit != 0) text += fmt::format(".time_limit {}\n", std::min(parts.time_limit, kLargest));
  return text;
}

}  // namespace cox::tools::pim
