// SPDX-License-Identifier: MIT
// Checks a value against the range that the instruction set's table gives for its field.
#pragma once

#include "coxswain/base/status.h"
#include "coxswain/isa/field.h"

namespace cox::isa {

/// Checks whether `value` is legal for the element. Error: field_out_of_range. `what` is the field, `index` the element, and `limit`
/// the bound that `value` breaks. Any bits of a floating-point field are legal here. Always inlined, because the loader checks every field
/// of a task.
[[nodiscard, gnu::always_inline]] constexpr Status check_range(const Field &field, unsigned element, std::int64_t value) {
  const auto index = static_cast<std::int32_t>(element);
  switch (field.kind) {
    case Kind::integer:
    case Kind::bfloat16:  // `value` is the bits of the number
      if (value < field.minimum) return Status(ErrorCode::field_out_of_range, field.name, index, value, field.minimum);
      if (value > field.maximum) return Status(ErrorCode::field_out_of_range, field.name, index, value, field.maximum);
      return {};
    case Kind::boolean:
      if (value < 0 || value > 1) return Status(ErrorCode::field_out_of_range, field.name, index, value, 1);
      return {};
    case Kind::enumeration:
      if (field.type_of(element)->find(value) == nullptr) {
        return Status(ErrorCode::field_out_of_range, field.name, index, value, field.type_of(element)->values.back().value);
      }
      return {};
    case Kind::floating_point: return {};  // `value` is the bits of the number, and all are legal here
  }
  return {};
}

}  // namespace cox::isa
