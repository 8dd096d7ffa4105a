// SPDX-License-Identifier: MIT
#include "tools/pim/instruction_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tools/assembly/refusal.h"
#include "tools/pim/form.h"

namespace cox::tools::pim {
namespace {

using isa::Field;
using isa::pim::Instruction;
using isa::pim::MachineCode;
using isa::pim::Opcode;
using isa::pim::Set;

class Printer {
 public:
  Printer(const MachineCode &code, const Instruction &row, const TargetText &target) : code_(code), row_(row), target_(target) {}

  std::string print() {
    std::vector<const char *> order;
    for (const char *operand : operands_of(form_of(row_.opcode))) order.push_back(operand);
    std::string name = row_.name, inputs;
    if (const SimdName *simd = simd_name()) {
      name = simd->name;
      written_ |= bit_of("opcode") | bit_of("input_num");
      if (simd->inputs == 0) inputs = fmt::format("inputs={}", value("input_num") + 1);
      if (simd->inputs == 1) order.erase(std::ranges::find(order, std::string_view("rs2")));
    } else if (row_.opcode == Opcode::simd_compute) {
      inputs = fmt::format("input_num={}, opcode={:#04x}", value("input_num"), value("opcode"));
      written_ |= bit_of("opcode") | bit_of("input_num");
    }
    // Operands behind the required ones are left out if they are 0 to the end.
    std::size_t count = order.size();
    while (count > form_of(row_.opcode).required && value(order[count - 1]) == 0) --count;
    for (std::size_t i = 0; i < count; ++i) add(operand(field(order[i])), order[i]);
    if (!inputs.empty()) add(inputs, nullptr);
    for (const Field &each : row_.fields) {
      if ((written_ & bit_of(each.name)) != 0 || value(each.name) == 0) continue;
      if (std::string_view(each.name) == "sync") {
        add(std::string(kAsync), each.name);
      } else if (role_of(row_, each) == Role::flag) {
        add(each.name, each.name);
      } else {
        add(fmt::format("{}={}", each.name, operand(each)), each.name);
      }
    }
    return name + text_;
  }

 private:
  [[nodiscard]] const Field &field(std::string_view name) const { return *Set::find_field(row_, name); }
  [[nodiscard]] std::uint32_t bit_of(std::string_view name) const { return 1U << (&field(name) - row_.fields.data()); }
  [[nodiscard]] std::int64_t value(std::string_view name) const { return isa::read_integer(code_, field(name)); }

  void add(const std::string &text, const char *name) {
    text_ += (text_.empty() ? " " : ", ") + text;
    if (name != nullptr) written_ |= bit_of(name);
  }

  [[nodiscard]] const SimdName *simd_name() const {
    if (row_.opcode != Opcode::simd_compute) return nullptr;
    const SimdName *simd = find_simd(static_cast<unsigned>(value("opcode")));
    return simd != nullptr && (simd->inputs == 0 || simd->inputs == value("input_num") + 1) ? simd : nullptr;
  }

  [[nodiscard]] std::string operand(const Field &its_field) const {
    const std::int64_t number = isa::read_integer(code_, its_field);
    switch (role_of(row_, its_field)) {
      case Role::general: return fmt::format("r{}", number);
      case Role::special: return its_field.types[0]->find(number)->name;
      case Role::target: return target_ != nullptr ? target_(number) : fmt::format(".{:+}", number);
      default: return std::to_string(number);
    }
  }

  const MachineCode &code_;
  const Instruction &row_;
  const TargetText &target_;
  std::string text_;
  std::uint32_t written_ = 0;  ///< one bit for each field
};

}  // namespace

std::string instruction_text(const MachineCode &code, const TargetText &target) {
  const Instruction *row = Set::find(code);
  const Status status = isa::pim::check(code);
  if (status.ok()) return Printer(code, *row, target).print();
  return fmt::format(".word {:#010x}  # {}", code[0], refusal_text(row, status));
}

std::string refusal_text(const Instruction *instruction, const Status &status) {
  if (status.code() == ErrorCode::unknown_instruction) return std::string(error_name(status.code())) + ": no instruction has these bits";
  return assembly::refusal_text(instruction == nullptr ? "" : instruction->name, status);
}

}  // namespace cox::tools::pim
