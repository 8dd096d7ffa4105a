// SPDX-License-Identifier: MIT
// Reads a TensorFlow Lite model in place: a .tflite file in memory, unchanged. open() checks everything that the accessors rely on, so
// they need no checks and have no errors. Nothing is copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "coxswain/base/result.h"
#include "coxswain/tflite/operator_code.h"
#include "coxswain/tflite/tensor.h"

namespace cox::tflite {

namespace schema {
struct Model;
struct Operator;
struct SubGraph;
}  // namespace schema

inline constexpr std::size_t kFileAlignment = 16;      ///< alignment of the file in memory, in bytes
inline constexpr std::uint32_t kSchemaVersion = 3;     ///< the only version of the schema that files have
inline constexpr std::size_t kMaxTensors = 8192;       ///< largest number of tensors of a model
inline constexpr std::size_t kMaxOperators = 8192;     ///< largest number of operators of a model
inline constexpr std::size_t kMaxOperands = 256;       ///< largest number of inputs, and of outputs, of an operator or a model
inline constexpr std::size_t kMaxFileBytes = 1 << 30;  ///< largest size of a file
inline constexpr std::int32_t kAbsent = -1;            ///< index of an optional input that is absent

/// Who writes and reads a tensor. The workspace of open() holds one for each tensor.
struct TensorUse {
  std::int32_t writer = -1;       ///< the operator that writes the tensor; -1: none
  std::int32_t last_reader = -1;  ///< the last operator that reads the tensor; -1: none
  bool is_input = false;          ///< of the model
  bool is_output = false;
};

struct OperatorView {
  OperatorCode code = OperatorCode::custom;
  std::int32_t version = 1;
  std::string_view custom_name;           ///< of a custom operator; may hold any bytes
  std::span<const std::int32_t> inputs;   ///< indices of tensors, or kAbsent
  std::span<const std::int32_t> outputs;  ///< indices of tensors

  /// Returns kAbsent, too, if the operator has fewer inputs.
  [[nodiscard]] std::int32_t input(std::size_t index) const { return index < inputs.size() ? inputs[index] : kAbsent; }
};

/// Refers to a file and to a workspace, which must outlive it and stay unchanged.
class Model {
 public:
  Model() = default;

  [[nodiscard]] std::string_view description() const;
  [[nodiscard]] std::size_t file_bytes() const { return file_.size(); }

  [[nodiscard]] std::size_t tensors() const { return uses_.size(); }
  /// `index` < tensors().
  [[nodiscard]] TensorView tensor(std::size_t index) const;
  /// `index` < tensors().
  [[nodiscard]] const TensorUse &use(std::size_t index) const { return uses_[index]; }

  /// Operators in the order in which they run: each reads only what earlier ones have written.
  [[nodiscard]] std::size_t operators() const;
  /// `index` < operators().
  [[nodiscard]] OperatorView op(std::size_t index) const;
  /// Returns the table that holds the operator's options, for tflite/options.h. `index` < operators().
  [[nodiscard]] const schema::Operator &operator_table(std::size_t index) const;

  /// Indices of the model's input and output tensors.
  [[nodiscard]] std::span<const std::int32_t> inputs() const;
  [[nodiscard]] std::span<const std::int32_t> outputs() const;

 private:
  friend Result<Model> open(std::span<const std::byte> file, std::span<TensorUse> workspace);

  std::span<const std::byte> file_;
  const schema::Model *model_ = nullptr;
  const schema::SubGraph *graph_ = nullptr;
  std::span<const TensorUse> uses_;
};

/// Returns the number of tensors of the model in `file`, which is the size of open()'s workspace. Checks only the FlatBuffer and how many
/// lists it has. Errors: those of open().
[[nodiscard]] Result<std::size_t> tensor_count(std::span<const std::byte> file);

/// Checks all of `file`, which is aligned to kFileAlignment. `workspace` has tensor_count() elements, or more; its contents are undefined
/// after an error. Errors, where `what` names the part of the file, `index` is the number of the tensor or the operator, `value` is what
/// the file has, and `limit` what it may have:
/// - invalid_argument ("file": misaligned, or too large), no_room ("workspace");
/// - image_truncated, image_magic, image_version: the file is no model of schema version 3;
/// - image_malformed: the FlatBuffer does not verify, an index is out of range, a tensor is written twice, or read before it is written;
/// - unsupported: several subgraphs, data outside of the FlatBuffer, sparse tensors, types without a size, other quantisation;
/// - tensor_size: a constant does not have the size of its shape (`limit`), or a shape is too large;
/// - misaligned_address: a constant is not at a multiple of its element's size;
/// - field_out_of_range: a dimension, scale or zero point.
[[nodiscard]] Result<Model> open(std::span<const std::byte> file, std::span<TensorUse> workspace);

}  // namespace cox::tflite
