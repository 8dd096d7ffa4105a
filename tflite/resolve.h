// SPDX-License-Identifier: MIT
// From an operator of a model to the numbers that its kernel needs.
#pragma once

#include <cstddef>

#include "coxswain/base/result.h"
#include "coxswain/tflite/model.h"
#include "coxswain/tflite/operation.h"

namespace cox::tflite {

/// Checks operator `index` < model.operators() with its options, types, shapes and quantisation, and returns its numbers. Errors, with the
/// operator's index:
/// - unsupported: `what` is "operator" (`value` is its code), or "operator_code.version" (`limit` is the newest known one), or names the
///   type (`value`), option or shape that the operator may have, but this library does not support;
/// - image_malformed, field_out_of_range, shape_mismatch: the operator contradicts itself; `what` names the operand or option, `value` is
///   what the file has, `limit` what it should have;
/// - those of options() (tflite/options.h).
[[nodiscard]] Result<Operation> resolve(const Model &model, std::size_t index);

}  // namespace cox::tflite
