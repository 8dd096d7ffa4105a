// SPDX-License-Identifier: MIT
#include "tools/pim/instruction_reader.h"

#include <algorithm>
#include <string>

#include "tools/assembly/line.h"
#include "tools/names/did_you_mean.h"

namespace cox::tools::pim {
namespace {

using assembly::Line;
using assembly::quoted;
using isa::Field;
using isa::pim::Instruction;
using isa::pim::MachineCode;
using isa::pim::Set;

std::string range_text(const Field &field) { return " (" + std::to_string(field.minimum) + " to " + std::to_string(field.maximum) + ")"; }

const char *kind_name(ValueKind kind) {
  switch (kind) {
    case ValueKind::general: return "a general register";
    case ValueKind::special: return "a special register";
    case ValueKind::label: return "a label";
    case ValueKind::number: return "a number";
  }
  return "";
}

class Reader {
 public:
  Reader(const Instruction &row, const SimdName *simd, const Operands &operands)
      : row_(row), simd_(simd), operands_(operands), tokens_(operands.tokens), code_(Set::begin(row)) {
    for (const char *operand : operands_of(form_of(row.opcode))) order_.push_back(operand);
    if (simd_ == nullptr) return;
    set(field("opcode"), 1, static_cast<std::int64_t>(simd_->opcode));
    if (simd_->inputs == 0) return;
    set(field("input_num"), 1, simd_->inputs - 1);
    if (simd_->inputs == 1) order_.erase(std::ranges::find(order_, std::string_view("rs2")));
  }

  MachineCode read(std::size_t head_column) {
    for (bool first = true; tokens_.peek().kind != TokenKind::end; first = false) {
      if (!first) static_cast<void>(tokens_.take_sign(","));
      operand();
    }
    const std::size_t required = std::min<std::size_t>(form_of(row_.opcode).required, order_.size());
    for (std::size_t i = 0; i < required; ++i) require(order_[i], head_column);
    if (row_.opcode == isa::pim::Opcode::simd_compute) {
      require("opcode", head_column);
      if (!given("input_num")) line().fail(head_column, simd_ != nullptr ? "inputs: missing" : "input_num: missing");
    }
    if (const Status status = isa::pim::check(code_); !status) {
      if (std::string_view(status.what()).starts_with("rs"))
        line().fail(head_column, std::string(status.what()) + ": register 31 has no register behind it for the next input");
      line().fail(head_column, std::string(status.what()) + ": " + std::to_string(status.value()) + " is out of range");
    }
    return code_;
  }

 private:
  [[nodiscard]] const Line &line() const { return tokens_.line(); }
  [[nodiscard]] const Field &field(std::string_view name) const { return *Set::find_field(row_, name); }
  [[nodiscard]] std::uint32_t bit_of(const Field &field) const { return 1U << (&field - row_.fields.data()); }
  [[nodiscard]] bool given(std::string_view name) const { return (given_ & bit_of(field(name))) != 0; }
  void require(const char *name, std::size_t column) const {
    if (!given(name)) line().fail(field(name), column, "missing");
  }

  void operand() {
    const Token token = tokens_.peek();
    if (token.kind == TokenKind::name && tokens_.second().is("=")) return named();
    if (token.kind == TokenKind::name) {
      const Field *flag = token.text == kAsync ? Set::find_field(row_, "sync") : Set::find_field(row_, token.text);
      if (flag != nullptr && (token.text == kAsync || role_of(row_, *flag) == Role::flag)) {
        static_cast<void>(tokens_.take());
        return set(*flag, token.column, 1);
      }
    }
    if (next_ == order_.size()) {
      std::string all;
      for (const char *name : order_) all += (all.empty() ? "" : ", ") + std::string(name);
      std::vector<std::string_view> flags;
      for (const Field &each : row_.fields) {
        if (std::string_view(each.name) == "sync") {
          flags.push_back(kAsync);
        } else if (role_of(row_, each) == Role::flag) {
          flags.emplace_back(each.name);
        }
      }
      line().fail(token.column, quoted(token.text) + ": too many operands; they are " + all + did_you_mean(token.text, flags));
    }
    const Field &its_field = field(order_[next_++]);
    value(its_field, false);
  }

  void named() {
    const Token name = tokens_.take();
    static_cast<void>(tokens_.take());
    if (simd_ != nullptr && name.text == "inputs") {
      const std::size_t column = tokens_.peek().column;
      const std::int64_t inputs = take_number(tokens_, operands_.names);
      if (inputs < 1 || inputs > isa::pim::kMostSimdInputs)
        line().fail(column, "inputs: " + std::to_string(inputs) + " is out of range (1 to 4)");
      return set(field("input_num"), column, inputs - 1);
    }
    const Field *found = Set::find_field(row_, name.text);
    if (found == nullptr) {
      line().fail(name.column,
                  std::string(name.text) + ": no such field in this instruction" + did_you_mean(name.text, row_.fields, &Field::name));
    }
    value(*found, true);
  }

  void value(const Field &its_field, bool is_named) {
    const Token token = tokens_.peek();
    const std::size_t column = token.column;
    if (token.kind == TokenKind::end || token.is(",")) line().fail(its_field, column, "no value");
    const Role role = role_of(row_, its_field);
    if (role == Role::flag && token.kind == TokenKind::name && (token.text == "true" || token.text == "false")) {
      static_cast<void>(tokens_.take());
      return set(its_field, column, token.text == "true" ? 1 : 0);
    }
    const Value value = take_expression(tokens_, operands_.names);
    const auto refuse = [&](const char *wanted) {
      line().fail(its_field, column, std::string("wants ") + wanted + ", not " + kind_name(value.kind));
    };
    std::int64_t number = value.number;
    switch (role) {
      case Role::general:
        // A number stands for a register only if the text names the field: `add r1, r2, 3` is a mistake.
        if (value.kind != ValueKind::general && (value.kind != ValueKind::number || !is_named)) refuse("a general register (r0 to r31)");
        break;
      case Role::special:
        if (value.kind != ValueKind::special && (value.kind != ValueKind::number || !is_named)) refuse("a special register");
        if (!isa::pim::is_special(static_cast<unsigned>(number)))
          line().fail(its_field, column, "there is no special register " + std::to_string(number));
        break;
      case Role::target:
        if (value.kind == ValueKind::label) number -= operands_.counter;
        [[fallthrough]];
      default:
        if (value.kind != ValueKind::number && value.kind != ValueKind::label) refuse("a number");
    }
    set(its_field, column, number);
  }

  void set(const Field &its_field, std::size_t column, std::int64_t number) {
    if ((given_ & bit_of(its_field)) != 0) line().fail(its_field, column, "is given twice");
    given_ |= bit_of(its_field);
    if (Set::set(code_, its_field, number)) return;
    const bool constant = row_.opcode == isa::pim::Opcode::general_li || row_.opcode == isa::pim::Opcode::addi;
    const char *hint = constant && &its_field == Set::find_field(row_, "imm") ? "; li takes any 32-bit constant" : "";
    if (role_of(row_, its_field) == Role::target)
      line().fail(its_field, column,
                  "the target is " + std::to_string(number) + " instructions away, out of range" + range_text(its_field));
    line().fail(its_field, column, std::to_string(number) + " is out of range" + range_text(its_field) + hint);
  }

  const Instruction &row_;
  const SimdName *simd_;
  const Operands &operands_;
  Tokens &tokens_;
  MachineCode code_;
  std::vector<const char *> order_;  ///< fields of operands without names
  std::size_t next_ = 0;             ///< in order_
  std::uint32_t given_ = 0;          ///< one bit for each field
};

}  // namespace

bool is_instruction_name(std::string_view name) {
  return Set::find(name) != nullptr || find_simd(name) != nullptr || name == "li" || name == "mv" || name == "nop";
}

std::uint32_t read_instruction(const Instruction &row, const SimdName *simd, Operands operands) {
  return Reader(row, simd, operands).read(operands.head_column)[0];
}

unsigned instructions_of_li(std::int64_t value, bool known) {
  if (!known) return 2;
  const auto word = static_cast<std::uint32_t>(value);
  return word < 1U << 21 || (word & 0xFFFF) == 0 ? 1 : 2;
}

}  // namespace cox::tools::pim
