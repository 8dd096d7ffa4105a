// SPDX-License-Identifier: MIT
#include "coxswain/isa/unity/operands.h"

namespace cox::isa::unity::detail {

using namespace layouts;

namespace {

/// Checks that a list of addresses begins at a multiple of their size.
void check_list(const char *name, std::uint64_t address, AddressSpace space, Checks &checks) {
  const unsigned bytes = address_bits(space) / 8;
  if (address % bytes != 0) checks.add(Status(ErrorCode::misaligned_address, name, -1, signed_of(address), bytes));
}

}  // namespace

Result<Operation> resolve_branch(const Operands &o) {
  Branch b{.op = o.op()};
  b.space = o.space();
  b.page = o.page();
  Checks checks;
  switch (b.op) {
    case Opcode::CASE:
      b.unit = o.unit<kCase, "UNIT">();
      b.list = o.address<kCase, "PAIRS">();
      b.entries = o.word<kCase, "N">();
      b.first = o.optional_address<kCase, "DEFAULT">();
      check_list("PAIRS", o.get<kCase, "PAIRS">(), b.space, checks);
      checks.size("N", b.entries);
      break;
    case Opcode::SWITCH_CASE:
      b.unit = o.unit<kSwitchCase, "UNIT">();
      b.predicate = {o.address<kSwitchCase, "INDEX">(), b.unit, 1};
      b.list = o.address<kSwitchCase, "PROGRAMS">();
      b.entries = o.word<kSwitchCase, "N">();
      b.first = o.optional_address<kSwitchCase, "DEFAULT">();
      check_list("PROGRAMS", o.get<kSwitchCase, "PROGRAMS">(), b.space, checks);
      checks.size("N", b.entries);
      checks.unit("UNIT", b.unit, is_integer(b.unit));
      break;
    case Opcode::COND:
      b.unit = o.unit<kCond, "UNIT">();
      b.predicate = {o.address<kCond, "PRED">(), b.unit, 1};
      b.first = o.optional_address<kCond, "TRUE">();
      b.second = o.optional_address<kCond, "FALSE">();
      break;
    default:
      b.unit = o.unit<kWhileLoop, "UNIT">();
      b.predicate = {o.address<kWhileLoop, "PRED">(), b.unit, 1};
      b.first = o.optional_address<kWhileLoop, "CONDITION">();
      b.second = o.optional_address<kWhileLoop, "BODY">();
      b.limit = o.word<kWhileLoop, "LIMIT">();
      break;
  }
  if (!checks) return checks.status();
  return Operation{b};
}

}  // namespace cox::isa::unity::detail
