// SPDX-License-Identifier: MIT
// Kernels as a table. An engine has a Builder, to which kernels append instructions, and one row for each operator that it can run:
//
//   constexpr OperatorRow<Program> kRows[] = {{OperatorCode::add, check_sum, encode_sum}, {OperatorCode::softmax, check_softmax,
//   encode_softmax}}; const OperatorTable<Program> kernels(kRows);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/tflite/arena.h"
#include "coxswain/tflite/model.h"
#include "coxswain/tflite/operation.h"
#include "coxswain/tflite/operator_set.h"
#include "coxswain/tflite/part.h"
#include "coxswain/tflite/resolve.h"

namespace cox::tflite {

/// Addresses of the tensors of an operator, as the control core sees them.
class Addresses {
 public:
  /// `model` and `plan` must outlive the addresses. `arena` has plan.bytes() bytes.
  Addresses(const Model &model, const ArenaPlan &plan, std::span<std::byte> arena) : model_(model), plan_(plan), arena_(arena) {}

  /// Returns the address of an operand of the operator. It is a multiple of kArenaAlignment for activations in the arena, and of the
  /// element's size for constants, which are in the file.
  [[nodiscard]] std::uintptr_t of(std::int32_t tensor) const {
    if (plan_.contains(tensor)) return reinterpret_cast<std::uintptr_t>(arena_.data()) + plan_.offset(tensor);
    return reinterpret_cast<std::uintptr_t>(model_.tensor(static_cast<std::size_t>(tensor)).data.data());
  }

 private:
  const Model &model_;
  const ArenaPlan &plan_;
  std::span<std::byte> arena_;
};

/// An operator whose kernel is to append its instructions.
struct Encoding {
  const Model &model;
  std::size_t index;  ///< of the operator
  const Operation &operation;
  const Addresses &addresses;
  std::span<std::byte> scratch;    ///< Support::scratch_bytes
  std::span<std::byte> constants;  ///< Support::constant_bytes
  Part part{};                     ///< the first one fills the constants, and other ones use them; whole unless Support::by_parts
};

/// How one operator is supported.
template <typename Builder>
struct OperatorRow {
  OperatorCode code;
  /// Says if the kernel can run the operator, which resolve() has accepted.
  Support (*check)(const Model &model, std::size_t index, const Operation &operation);
  /// Fills the constants and appends the instructions. check() has accepted the operator. The error of the builder, if it is full.
  Status (*encode)(const Encoding &encoding, Builder &builder);
};

/// `rows` must outlive the table.
template <typename Builder>
class OperatorTable final : public OperatorSet {
 public:
  constexpr explicit OperatorTable(std::span<const OperatorRow<Builder>> rows) : rows_(rows) {}

  /// The status is unsupported ("operator", `value` its code) if no row has the operator, or that of resolve(), or that of the row's check.
  [[nodiscard]] Support check(const Model &model, std::size_t index) const override {
    const OperatorRow<Builder> *const row = find(model.op(index).code);
    if (row == nullptr) return unknown(model, index);
    const Result<Operation> operation = resolve(model, index);
    if (!operation) return {operation.status()};
    return row->check(model, index, operation.value());
  }

  /// Appends the instructions of an operator that check() accepts, or of a part of it.
  [[nodiscard]] Status encode(const Model &model, std::size_t index, const Addresses &addresses, std::span<std::byte> scratch,
                              std::span<std::byte> constants, Builder &builder, const Part &part = {}) const {
    const OperatorRow<Builder> *const row = find(model.op(index).code);
    if (row == nullptr) return unknown(model, index).status;
    const Result<Operation> operation = resolve(model, index);
    if (!operation) return operation.status();
    return row->encode(Encoding{model, index, operation.value(), addresses, scratch, constants, part}, builder);
  }

 private:
  [[nodiscard]] const OperatorRow<Builder> *find(OperatorCode code) const {
    for (const OperatorRow<Builder> &row : rows_) {
      if (row.code == code) return &row;
    }
    return nullptr;
  }
  [[nodiscard]] static Support unknown(const Model &model, std::size_t index) {
    return {Status{ErrorCode::unsupported, "operator", static_cast<std::int32_t>(index), static_cast<std::int64_t>(model.op(index).code)}};
  }

  std::span<const OperatorRow<Builder>> rows_;
};

}  // namespace cox::tflite
