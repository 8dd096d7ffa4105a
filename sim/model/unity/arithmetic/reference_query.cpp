// SPDX-License-Identifier: MIT
// Queries of tensors.
#include "sim/model/unity/arithmetic/number.h"
#include "sim/model/unity/arithmetic/reference.h"
#include "sim/model/unity/arithmetic/tensor_elements.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Opcode;
using isa::unity::Query;

bool is_nan(std::uint64_t bits, Unit unit) { return is_float(unit) && std::isnan(real_of_bits(bits, unit)); }
bool is_infinite(std::uint64_t bits, Unit unit) { return is_float(unit) && std::isinf(real_of_bits(bits, unit)); }

bool holds(Opcode op, std::uint64_t bits, Unit unit) {
  switch (op) {
    case Opcode::IS_FINITE: return !is_nan(bits, unit) && !is_infinite(bits, unit);
    case Opcode::HAS_NAN: return is_nan(bits, unit);
    default: return is_infinite(bits, unit);
  }
}

/// Whether a query of an element's value holds for any element.
bool any(const Query &operation, Memory &memory) {
  bool found = false;
  for_each_element(memory, operation.tensor, operation.range, [&](std::uint64_t /*i*/, std::uint64_t bits) {
    found = found || holds(operation.op, bits, operation.tensor.element_unit());
  });
  return found;
}

}  // namespace

Status query(const Query &operation, Memory &memory) {
  std::byte *const result = write_optional(memory, operation.result);
  const isa::unity::TensorDescriptor &tensor = operation.tensor;
  const Unit unit = operation.result.unit;
  switch (operation.op) {
    case Opcode::SHAPE:
      for (unsigned i = 0; i < tensor.rank; ++i) store_bits(result, unit, i, tensor.dimensions[i]);
      break;
    case Opcode::RANK: store_bits(result, unit, 0, tensor.rank); break;
    case Opcode::SIZE: store_bits(result, unit, 0, tensor.elements()); break;
    case Opcode::IS_EMPTY: store_bits(result, unit, 0, tensor.elements() == 0 ? 1 : 0); break;
    case Opcode::IS_CONTIGUROUS: store_bits(result, unit, 0, tensor.is_dense() ? 1 : 0); break;
    case Opcode::IS_FINITE:
    case Opcode::IS_INF:
      for_each_element(memory, tensor, operation.range, [&](std::uint64_t i, std::uint64_t bits) {
        store_bits(result, unit, i, holds(operation.op, bits, tensor.element_unit()) ? 1 : 0);
      });
      break;
    default: store_bits(result, unit, 0, any(operation, memory) ? 1 : 0); break;
  }
  return {};
}

}  // namespace cox::model::unity::reference
