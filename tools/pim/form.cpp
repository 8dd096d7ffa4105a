// SPDX-License-Identifier: MIT
#include "tools/pim/form.h"

#include <algorithm>
#include <iterator>

namespace cox::tools::pim {
namespace {

using enum isa::pim::Opcode;
using isa::pim::SimdOpcode;

constexpr Form kForms[] = {
    {pim_compute, {"rs1", "rs2", "rs3"}, 3},
    {pim_batch, {"rs1", "rs2", "rs3", "rs4"}, 4},
    {pim_output, {"rd", "rs1", "rs2"}, 1},
    {pim_transfer, {"rd", "rs1", "rs2", "rs3"}, 4},
    {simd_compute, {"rd", "rs1", "rs2", "rs3"}, 4},
    {add, {"rd", "rs1", "rs2"}, 3},
    {sub, {"rd", "rs1", "rs2"}, 3},
    {mul, {"rd", "rs1", "rs2"}, 3},
    {div, {"rd", "rs1", "rs2"}, 3},
    {sll, {"rd", "rs1", "rs2"}, 3},
    {srl, {"rd", "rs1", "rs2"}, 3},
    {sra, {"rd", "rs1", "rs2"}, 3},
    {mod, {"rd", "rs1", "rs2"}, 3},
    {addi, {"rd", "rs1", "imm"}, 3},
    {muli, {"rd", "rs1", "imm"}, 3},
    {lui, {"rd", "imm"}, 2},
    {load_local, {"rs2", "rs1", "offset"}, 2},
    {store_local, {"rs2", "rs1", "offset"}, 2},
    {load_global, {"rs2", "rs1", "offset"}, 2},
    {store_global, {"rs2", "rs1", "offset"}, 2},
    {general_li, {"rd", "imm"}, 2},
    {special_li, {"rd", "imm"}, 2},
    {general_to_special, {"rs2", "rs1"}, 2},
    {special_to_general, {"rs1", "rs2"}, 2},
    {trans, {"rd", "rs1", "rs2", "offset"}, 3},
    {send, {"rs", "rd1", "rd2", "reg_id", "reg_len"}, 5},
    {receive, {"rs1", "rs2", "rd", "reg_id", "reg_len"}, 5},
    {beq, {"rs1", "rs2", "offset"}, 3},
    {bne, {"rs1", "rs2", "offset"}, 3},
    {bgt, {"rs1", "rs2", "offset"}, 3},
    {blt, {"rs1", "rs2", "offset"}, 3},
    {jmp, {"offset"}, 1},
    {wait, {"rs_core", "rs_id"}, 2},
    {barrier, {"rs_id", "rs_num"}, 2},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kForms); ++i) {
    if (static_cast<std::size_t>(kForms[i].opcode) != i || isa::pim::kInstructions[i].opcode != kForms[i].opcode) return false;
  }
  return true;
}
static_assert(std::size(kForms) == std::size(isa::pim::kInstructions) && in_order());

constexpr SimdName kSimdNames[] = {
    {"simd-add", SimdOpcode::add, 2},
    {"simd-add-scalar", SimdOpcode::add_scalar, 2},
    {"simd-multiply", SimdOpcode::multiply, 2},
    {"simd-quantify", SimdOpcode::quantify, 0},
    {"simd-quantify-resadd", SimdOpcode::quantify_resadd, 3},
    {"simd-quantify-multiply", SimdOpcode::quantify_multiply, 3},
    {"simd-maximum", SimdOpcode::maximum, 2},
    {"simd-relu", SimdOpcode::relu, 1},
    {"simd-average", SimdOpcode::average, 2},
};

}  // namespace

const Form &form_of(isa::pim::Opcode opcode) { return kForms[static_cast<std::size_t>(opcode)]; }

std::span<const char *const> operands_of(const Form &form) {
  const auto count = std::ranges::find(form.operands, nullptr) - form.operands.begin();
  return std::span(form.operands).first(static_cast<std::size_t>(count));
}

Role role_of(const isa::pim::Instruction &instruction, const isa::Field &field) {
  const std::string_view name = field.name;
  if (field.kind == isa::Kind::enumeration) return Role::special;
  if (field.kind == isa::Kind::boolean) return Role::flag;
  if (name.starts_with("rs") || name.starts_with("rd") || name.starts_with("reg_")) return Role::general;
  const bool jumps = instruction.opcode >= beq && instruction.opcode <= jmp;
  return jumps && name == "offset" ? Role::target : Role::number;
}

std::span<const SimdName> simd_names() { return kSimdNames; }

const SimdName *find_simd(std::string_view name) {
  const auto found = std::ranges::find(kSimdNames, name, &SimdName::name);
  return found == std::end(kSimdNames) ? nullptr : found;
}

const SimdName *find_simd(unsigned opcode) {
  const auto found =
      std::ranges::find_if(kSimdNames, [opcode](const SimdName &row) { return static_cast<unsigned>(row.opcode) == opcode; });
  return found == std::end(kSimdNames) ? nullptr : found;
}

}  // namespace cox::tools::pim
