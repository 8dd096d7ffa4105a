// SPDX-License-Identifier: MIT
// Operations that say where elements stand: ARG_MAX, ARG_MIN, ARG_SORT, TOPK, NON_ZERO.
#include "coxswain/isa/unity/operands.h"

namespace cox::isa::unity::detail {
namespace {

using namespace layouts;

/// Runs whose indices are s32 have fewer elements than this; NON_ZERO writes their number, too.
constexpr std::uint64_t kMostIndices = INT32_MAX;

/// ARG_MAX, ARG_MIN and NON_ZERO, whose OP Mode has fields that none of them has a use for.
Result<Operation> resolve_indices(const Operands &o) {
  Search s{.op = o.op()};
  Checks checks;
  const bool non_zero = s.op == Opcode::NON_ZERO;
  const std::uint64_t length = o.get<kUnary, "LEN">();
  checks.in_range("LEN", length, 1, non_zero ? kMostIndices : kMostElements);
  const Unit unit = o.unit<kUnary, "D_UNIT">();
  if (non_zero) {
    checks.unit("D_UNIT", unit, unit == Unit::s32);
    checks.zero("SAT", o.get<kUnary, "SAT">());
  }
  checks.zero("S1_UNIT", o.get<kUnary, "S1_UNIT">());
  checks.zero("S2_UNIT", o.get<kUnary, "S2_UNIT">());
  checks.zero("ROUND", o.get<kUnary, "ROUND">());
  checks.zero("LESS", o.get<kUnary, "LESS">());
  checks.zero("SCALAR1", o.get<kUnary, "SCALAR1">());
  if (!checks) return checks.status();
  s.source = {o.address<kUnary, "S0">(), o.unit<kUnary, "S0_UNIT">(), length};
  s.indices = {o.address<kUnary, "D">(), unit, non_zero ? length + 1 : 1};
  s.saturate = o.get<kUnary, "SAT">() != 0;
  return Operation{s};
}

Result<Operation> resolve_order(const Operands &o, Unit unit, std::uint64_t length, std::uint64_t results) {
  Search s{.op = o.op()};
  s.source = {o.address<kArgSort, "S">(), unit, length};
  s.values = {o.address<kArgSort, "D0">(), unit, results};
  s.indices = {o.address<kArgSort, "D1">(), Unit::s32, results};
  return Operation{s};
}

}  // namespace

Result<Operation> resolve_search(const Operands &o) {
  if (o.op() != Opcode::ARG_SORT && o.op() != Opcode::TOPK) return resolve_indices(o);
  Checks checks;
  const std::uint64_t length = o.get<kArgSort, "LEN">();
  checks.in_range("LEN", length, 1, kMostIndices);
  if (o.op() == Opcode::ARG_SORT) {
    if (!checks) return checks.status();
    return resolve_order(o, o.unit<kArgSort, "UNIT">(), length, length);
  }
  const std::uint64_t results = o.get<kTopk, "K">();
  checks.in_range("K", results, 1, length);
  if (!checks) return checks.status();
  return resolve_order(o, o.unit<kTopk, "UNIT">(), length, results);
}

}  // namespace cox::isa::unity::detail
