// SPDX-License-Identifier: MIT
// The accesses of each operation, in the order that visit_accesses() documents. resolve() and visit_accesses() share these functions, so
// that the bytes which one checks are the bytes which the other reports. Private to isa/pim.
#pragma once

#include <cstdint>

#include "coxswain/isa/pim/operation.h"

namespace cox::isa::pim::detail {

/// Bytes that an operation is going to touch, before a memory is found for them.
struct Need {
  const char *field;
  std::uint32_t first;
  std::uint64_t bytes;
  bool write = false;
  Reach reach = Reach::local;
};

struct Around {
  const Configuration &configuration;
  const LocalMemory &memory;
};

// Each walk() calls `visit(need)` for the accesses of an operation until it returns false. A table is read after `visit` has accepted it.

template <typename Visit>
void walk(const Compute &op, const Around &around, Visit visit) {
  if (op.touches_nothing()) return;
  const auto table = [&visit](const char *field, const Compute::Advance &advance, std::uint32_t entries) {
    return !advance.table || visit(Need{field, advance.value, std::uint64_t{entries} * 4});
  };
  if (!table("batch_rs2", op.input_advance, op.count)) return;
  if (!table("batch_rs3", op.meta_advance, op.count)) return;
  if (!table("batch_rs4", op.mask_advance, op.count)) return;
  if (!table("group_input", op.group_advance, op.groups)) return;
  for (std::uint32_t i = 0; i < op.count; ++i) {
    const ComputeStep now = step(op, around.configuration, around.memory, i);
    if (op.value_sparse && !visit(Need{"value_sparse_mask", now.mask, op.mask_bytes()})) return;
    if (op.bit_sparse && !visit(Need{"bit_sparse_meta", now.meta, op.meta_bytes(around.configuration.array)})) return;
    for (std::uint32_t group = 0; group < op.groups; ++group) {
      if (!visit(Need{"rs1", group_input(op, around.configuration, around.memory, now, group), op.input_bytes()})) return;
    }
  }
}

template <typename Visit>
void walk(const Output &op, const Around & /*around*/, Visit visit) {
  if (!visit(Need{"rs2", op.mask, op.mask_bytes()})) return;
  visit(Need{"rd", op.output, op.output_bytes(), true});
}

template <typename Visit>
void walk(const Transfer &op, const Around & /*around*/, Visit visit) {
  if (!visit(Need{"rs1", op.source, op.source_bytes()})) return;
  if (!visit(Need{"rs3", op.mask, op.mask_bytes()})) return;
  visit(Need{"rd", op.destination, op.destination_bytes(), true});
}

/// The field whose register, or the register behind it, has the address of an input.
constexpr const char *simd_input_field(const Simd &op, unsigned number) {
  const unsigned of_rs1 = op.inputs > 2 ? 2 : 1;
  return number < of_rs1 ? "rs1" : "rs2";
}

template <typename Visit>
void walk(const Simd &op, const Around & /*around*/, Visit visit) {
  for (unsigned i = 0; i < op.inputs; ++i) {
    if (!visit(Need{simd_input_field(op, i), op.input[i], op.input_bytes(i)})) return;
  }
  visit(Need{"rd", op.output, op.output_bytes(), true});
}

template <typename Visit>
void walk(const LoadStore &op, const Around & /*around*/, Visit visit) {
  visit(Need{"rs1", op.address, 4, op.store, op.global ? Reach::dram : Reach::local});
}

template <typename Visit>
void walk(const Trans &op, const Around & /*around*/, Visit visit) {
  if (!visit(Need{"rs1", op.source, op.bytes, false, Reach::all})) return;
  visit(Need{"rd", op.destination, op.bytes, true, Reach::all});
}

/// The end of the message in its own core.
template <typename Visit>
void walk(const Message &op, const Around & /*around*/, Visit visit) {
  if (op.send) {
    visit(Need{"rs", op.source, op.bytes});
  } else {
    visit(Need{"rd", op.destination, op.bytes, true});
  }
}

template <typename Visit>
void walk(const SetGeneral & /*op*/, const Around & /*around*/, Visit /*visit*/) {}
template <typename Visit>
void walk(const SetSpecial & /*op*/, const Around & /*around*/, Visit /*visit*/) {}
template <typename Visit>
void walk(const Jump & /*op*/, const Around & /*around*/, Visit /*visit*/) {}
template <typename Visit>
void walk(const Wait & /*op*/, const Around & /*around*/, Visit /*visit*/) {}
template <typename Visit>
void walk(const Barrier & /*op*/, const Around & /*around*/, Visit /*visit*/) {}

}  // namespace cox::isa::pim::detail
