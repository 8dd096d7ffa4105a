// SPDX-License-Identifier: MIT
// What the functions of this folder share: an operator with its operands, and checks that name them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/tflite/model.h"
#include "coxswain/tflite/operation.h"
#include "coxswain/tflite/options.h"

namespace cox::tflite::resolving {

/// Returns the nearest number of 32 bits, for errors.
constexpr std::int32_t narrow(std::int64_t value) {
  return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : static_cast<std::int32_t>(value);
}

class Operands {
 public:
  Operands(const Model &model, std::size_t index) : model_(model), op_(model.op(index)), index_(static_cast<std::int32_t>(index)) {}

  [[nodiscard]] const OperatorView &op() const { return op_; }
  [[nodiscard]] const Model &model() const { return model_; }

  /// Checks the number of inputs and outputs, and that the first `required` inputs are there. Errors: image_malformed.
  [[nodiscard]] Status counts(std::size_t required, std::size_t most_inputs, std::size_t outputs = 1) const;

  /// Returns the tensor of an operand that is there.
  [[nodiscard]] TensorView input(std::size_t index) const { return model_.tensor(static_cast<std::size_t>(op_.inputs[index])); }
  [[nodiscard]] TensorView output(std::size_t index = 0) const { return model_.tensor(static_cast<std::size_t>(op_.outputs[index])); }

  /// Makes an error of this operator. The numbers have 32 bits, because 64 would make each call of this folder longer.
  [[nodiscard]] Status error(ErrorCode code, const char *what, std::int64_t value = 0, std::int64_t limit = 0) const;
  [[nodiscard]] Status mismatch(const char *what, std::int64_t value, std::int64_t limit) const;
  [[nodiscard]] Status unsupported(const char *what, std::int64_t value = 0, std::int64_t limit = 0) const;

  /// Checks that a tensor is of type `type`. Errors: unsupported.
  [[nodiscard]] Status type(const TensorView &tensor, ElementType type, const char *what) const;
  /// Checks that a tensor is of type int8 with one scale. Errors: unsupported.
  [[nodiscard]] Status activation(const TensorView &tensor, const char *what) const;
  /// Checks that both tensors have the same quantisation, or both none. Errors: unsupported.
  [[nodiscard]] Status same_quantisation(const TensorView &first, const TensorView &second, const char *what) const;
  /// Checks that a number is in a range. Errors: field_out_of_range.
  [[nodiscard]] Status range(std::int32_t value, std::int32_t least, std::int32_t most, const char *what) const;

  /// Reads a constant vector of int32 or int64 of at most kMaxRank elements. Errors: unsupported if it is no constant, or has another type
  /// or too many elements, or elements that do not fit 32 bits.
  struct Numbers {
    std::array<std::int32_t, 2 * kMaxRank> values{};
    std::uint32_t count = 0;
  };
  [[nodiscard]] Result<Numbers> constant(std::size_t input, const char *what) const;

  /// Returns `axis`, counted from the end if it is negative. Errors: field_out_of_range.
  [[nodiscard]] Result<std::uint32_t> axis(std::int32_t axis, std::uint32_t rank, const char *what) const;

  /// Returns the range of an operator's result with a fused activation. Errors: unsupported for other functions than RELU, RELU_N1_TO_1,
  /// RELU6; field_out_of_range if the function's bounds are too far from the output's zero point.
  [[nodiscard]] Result<Clamp> clamp(Activation activation, const TensorView &output) const;

  /// Checks that a multiplier can be applied: its shift is at most kMaxShift. Errors: unsupported.
  [[nodiscard]] Status multiplier(const QuantisedMultiplier &multiplier, const char *what) const;

  /// Checks the shapes of a binary operator, and which inputs it repeats. Errors: shape_mismatch.
  [[nodiscard]] Status broadcast(std::array<bool, 2> &repeated) const;

 private:
  const Model &model_;
  OperatorView op_;
  std::int32_t index_;
};

/// Size and padding of one dimension of a window operator.
struct Extent {
  std::int32_t output = 0, before = 0, after = 0;
};

/// Returns TensorFlow Lite's output size and padding for a window of `kernel` elements, `dilation` apart. All arguments are positive, and
/// the window's size is below 2^31. The output is 0 or negative if the window does not fit.
[[nodiscard]] Extent window_extent(Padding padding, std::int32_t input, std::int32_t kernel, std::int32_t stride, std::int32_t dilation);

// Each of these resolves some operators; `operands` is one of them. After an error `result` is incomplete.
[[nodiscard]] Status convolution(Operation &result, const Operands &operands, const ConvolutionOptions &options);
[[nodiscard]] Status fully_connected(Operation &result, const Operands &operands, const FullyConnectedOptions &options);
[[nodiscard]] Status pool(Operation &result, const Operands &operands, const PoolOptions &options);
[[nodiscard]] Status sum(Operation &result, const Operands &operands, const ArithmeticOptions &options);
[[nodiscard]] Status product(Operation &result, const Operands &operands, const ArithmeticOptions &options);
[[nodiscard]] Status extremum(Operation &result, const Operands &operands);
[[nodiscard]] Status softmax(Operation &result, const Operands &operands, const SoftmaxOptions &options);
[[nodiscard]] Status sigmoid(Operation &result, const Operands &operands);
[[nodiscard]] Status rectify(Operation &result, const Operands &operands);
[[nodiscard]] Status quantise(Operation &result, const Operands &operands);
[[nodiscard]] Status dequantise(Operation &result, const Operands &operands);
[[nodiscard]] Status mean(Operation &result, const Operands &operands, const ReducerOptions &options);
[[nodiscard]] Status resize(Operation &result, const Operands &operands, const ResizeOptions &options);
[[nodiscard]] Status pad(Operation &result, const Operands &operands);
[[nodiscard]] Status copy(Operation &result, const Operands &operands);
[[nodiscard]] Status concatenation(Operation &result, const Operands &operands, const ConcatenationOptions &options);
[[nodiscard]] Status pack(Operation &result, const Operands &operands, const PackOptions &options);
[[nodiscard]] Status split(Operation &result, const Operands &operands, const SplitOptions &options);
[[nodiscard]] Status unpack(Operation &result, const Operands &operands, const PackOptions &options);
[[nodiscard]] Status transpose(Operation &result, const Operands &operands);
[[nodiscard]] Status slice(Operation &result, const Operands &operands, const StridedSliceOptions &options);

}  // namespace cox::tflite::resolving
