// SPDX-License-Identifier: MIT
#include "coxswain/kernels/unity/arguments.h"

#include <cstring>

namespace cox::kernels::unity {

Status check_numbers(const void *arguments, std::span<const NumberLimits> numbers) {
  for (const NumberLimits &limits : numbers) {
    std::uint32_t number = 0;
    std::memcpy(&number, static_cast<const std::byte *>(arguments) + limits.offset, sizeof number);
    if (number < limits.least || number > limits.most) return {ErrorCode::invalid_argument, limits.name, -1, number, limits.most};
  }
  return {};
}

}  // namespace cox::kernels::unity
