// SPDX-License-Identifier: MIT
// Tensor descriptors for tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "coxswain/isa/unity/descriptor.h"

namespace cox::isa::unity {

/// A valid descriptor of a tensor at 0x2000. `unit` is the code of its unit.
inline TensorDescriptor tensor(std::int64_t unit, std::initializer_list<std::uint32_t> dimensions,
                               std::initializer_list<std::int32_t> strides) {
  TensorDescriptor d{.address = 0x2000, .unit = static_cast<std::uint8_t>(unit), .flags = kDescriptorValid};
  d.rank = static_cast<std::uint8_t>(dimensions.size());
  std::copy(dimensions.begin(), dimensions.end(), d.dimensions.begin());
  std::copy(strides.begin(), strides.end(), d.strides.begin());
  return d;
}

}  // namespace cox::isa::unity
