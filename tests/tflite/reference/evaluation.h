// SPDX-License-Identifier: MIT
// Runs whole models with the operators of this folder, a tensor at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coxswain/tflite/model.h"
#include "coxswain/tflite/operation.h"

namespace cox::tests::tflite_reference {

class Evaluation {
 public:
  /// `model` must outlive the evaluation.
  explicit Evaluation(const cox::tflite::Model &model);

  /// Sets the bytes of an input of the model, or of a variable.
  void set(std::int32_t tensor, std::span<const std::uint8_t> bytes);
  /// Runs operator `index`. Returns its error if resolve() refuses it.
  Status run(std::size_t index);
  /// Runs all operators.
  Status run();
  /// The bytes of a tensor that is constant, set, or computed.
  [[nodiscard]] const std::vector<std::uint8_t> &bytes(std::int32_t tensor) const { return values_[static_cast<std::size_t>(tensor)]; }

 private:
  void evaluate(const cox::tflite::Operation &operation, std::size_t index);

  const cox::tflite::Model &model_;
  std::vector<std::vector<std::uint8_t>> values_;
};

}  // namespace cox::tests::tflite_reference
