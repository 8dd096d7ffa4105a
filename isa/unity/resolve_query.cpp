// SPDX-License-Identifier: MIT
// Queries of tensors: SHAPE to HAS_NAN.
#include "coxswain/isa/unity/operands.h"
#include "coxswain/isa/unity/region_sink.h"

namespace cox::isa::unity::detail {
namespace {

using namespace layouts;

Run result_of(const Query &query, std::uint64_t address) {
  switch (query.op) {
    case Opcode::SHAPE: return {address, Unit::u32, query.tensor.rank};
    case Opcode::RANK:
    case Opcode::SIZE: return {address, Unit::u32, 1};
    case Opcode::IS_FINITE:
    case Opcode::IS_INF: return {address, Unit::u8, query.tensor.stored_elements()};
    default: return {address, Unit::u8, 1};
  }
}

constexpr bool reads_elements(Opcode op) {
  return op == Opcode::IS_FINITE || op == Opcode::IS_INF || op == Opcode::HAS_INF || op == Opcode::HAS_NAN;
}

}  // namespace

Result<Operation> resolve_query(const Operands &o) {
  Query q{.op = o.op()};
  Checks checks;
  checks.zero("MODE", o.get<kQuery, "MODE">());
  const std::uint64_t result = o.get<kQuery, "D">();
  if (q.op == Opcode::SHAPE || q.op == Opcode::RANK || q.op == Opcode::SIZE) checks.stride("D", result, Unit::u32);
  if (!checks) return checks.status();

  std::array<std::byte, kDescriptorBytes> bytes{};
  q.address = o.address<kQuery, "DESC">();
  if (!o.memory().read(q.address, bytes)) return Status(ErrorCode::address_outside_window, "DESC", -1, signed_of(q.address), 0);
  q.tensor = read_descriptor(bytes);
  if (const Status status = check_descriptor(q.tensor, "DESC", q.range); !status) return status;
  if (q.op == Opcode::SIZE && q.tensor.elements() > UINT32_MAX) return out_of_range("DESC", q.tensor.elements(), UINT32_MAX);
  if (!reads_elements(q.op)) q.range = {};
  q.result = result_of(q, o.address<kQuery, "D">());
  return Operation{q};
}

void list_regions(const Query &operation, RegionSink &sink) {
  sink.read("DESC", {operation.address, Unit::u8, kDescriptorBytes});
  sink.read("DESC", {operation.range.first, Unit::u8, operation.range.bytes});
  sink.write("D", operation.result);
}

}  // namespace cox::isa::unity::detail
