// SPDX-License-Identifier: MIT
// Labels: numbers of classes, s32.
#pragma once

#include "coxswain/base/status.h"
#include "sim/model/unity/arithmetic/elements.h"

namespace cox::model::unity {

/// Refuses a label that is not below `classes`: field_out_of_range ("index").
[[nodiscard]] inline Status check_labels(const std::byte *labels, std::uint64_t count, std::uint64_t classes) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::int64_t label = isa::unity::integer_of(Unit::s32, load_bits(labels, Unit::s32, i));
    if (label < 0 || static_cast<std::uint64_t>(label) >= classes) {
      return Status(ErrorCode::field_out_of_range, "index", static_cast<std::int32_t>(i), label, signed_of(classes));
    }
  }
  return {};
}

/// A label that check_labels() has accepted.
[[nodiscard]] inline std::uint64_t label_of(const std::byte *labels, std::uint64_t index) { return load_bits(labels, Unit::s32, index); }

}  // namespace cox::model::unity
