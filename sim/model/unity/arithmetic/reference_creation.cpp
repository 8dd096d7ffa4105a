// SPDX-License-Identifier: MIT
// Tensor descriptors and the elements of new tensors, but for random ones.
#include <algorithm>
#include <bit>

#include "sim/model/unity/arithmetic/exact_sum.h"
#include "sim/model/unity/arithmetic/mover.h"
#include "sim/model/unity/arithmetic/number.h"
#include "sim/model/unity/arithmetic/random_elements.h"
#include "sim/model/unity/arithmetic/reference.h"
#include "sim/model/unity/arithmetic/tensor_elements.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Creation;
using isa::unity::Opcode;

/// Bits of p0 * first + p1 * second over a divisor, exact and rounded once.
std::uint64_t mean_bits(const Creation &operation, std::uint64_t first, std::uint64_t second, std::uint64_t divisor) {
  const Unit unit = operation.data.unit;
  if (is_float(unit)) {
    ExactSum sum;
    sum.add(std::bit_cast<float>(operation.p0), first);
    sum.add(std::bit_cast<float>(operation.p1), second);
    return sum.bits_of_quotient(divisor, unit);
  }
  const Whole sum = whole_parameter(operation.p0, unit) * whole(false, first) + whole_parameter(operation.p1, unit) * whole(false, second);
  return bits_of_whole(quotient(sum, whole(false, divisor), Rounding::half_even), unit, false);
}

/// Bits of element i of a tensor whose elements depend on nothing but their number.
std::uint64_t element_bits(const Creation &operation, std::uint64_t i) {
  const std::uint64_t last = operation.data.elements - 1;
  switch (operation.op) {
    case Opcode::FULL: return parameter_bits(operation.p0, operation.data.unit);
    case Opcode::RANGE: return mean_bits(operation, 1, i, 1);
    case Opcode::LINSPACE: return last == 0 ? mean_bits(operation, 1, 0, 1) : mean_bits(operation, last - i, i, last);
    default: return 0;
  }
}

/// Refuses indices outside of a sparse tensor.
Status check_indices(const Creation &operation, Memory &memory) {
  const std::byte *const indices = read_optional(memory, operation.source);
  const std::uint64_t elements = operation.descriptor.elements();
  for (std::uint64_t i = 0; i < operation.source.elements; ++i) {
    const std::int64_t index = isa::unity::integer_of(Unit::s32, load_bits(indices, Unit::s32, i));
    if (index < 0 || static_cast<std::uint64_t>(index) >= elements) {
      const auto number = static_cast<std::int32_t>(std::min<std::uint64_t>(i, INT32_MAX));
      return {ErrorCode::field_out_of_range, "index", number, index, static_cast<std::int64_t>(elements)};
    }
  }
  return {};
}

Status write_elements(const Creation &operation, Memory &memory) {
  if (operation.op == Opcode::CREATE_SPARSE_TENSOR) return check_indices(operation, memory);
  if (operation.data.elements == 0) return {};
  if (is_random(operation.op)) return write_random(operation, memory);
  const Unit unit = operation.data.unit;
  std::byte *const data = write(memory, operation.data);
  switch (operation.op) {
    case Opcode::CONTIGUOUS:
    case Opcode::DUPLICATE:
      for_each_element(memory, operation.tensor, operation.tensor_range,
                       [&](std::uint64_t i, std::uint64_t bits) { store_bits(data, unit, i, bits); });
      break;
    case Opcode::CREATE_FROM_DIAG: {
      const Mover mover(memory, operation.source, operation.data, data);
      for (std::uint64_t i = 0; i < operation.data.elements; ++i) mover.store(i, 0);
      for (std::uint64_t i = 0; i < operation.source.elements; ++i) mover.move(i, i * (operation.source.elements + 1));
      break;
    }
    default:
      for (std::uint64_t i = 0; i < operation.data.elements; ++i) store_bits(data, unit, i, element_bits(operation, i));
      break;
  }
  clear_spare(data, unit, operation.data.elements);
  return {};
}

}  // namespace

Status creation(const Creation &operation, Memory &memory) {
  if (const Status status = write_elements(operation, memory); !status) return status;
  constexpr std::size_t kBytes = isa::unity::kDescriptorBytes;
  const std::span<std::byte, kBytes> descriptor(memory.write(operation.address, kBytes), kBytes);
  write_descriptor(operation.descriptor, descriptor);
  return {};
}

}  // namespace cox::model::unity::reference
