// SPDX-License-Identifier: MIT
// Checks of arguments, and the division of work over cores, that the kernels share. Internal to the kernels.
#pragma once

#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/kernels/pim/program_builder.h"

namespace cox::kernels::pim {

constexpr Status invalid_argument(const char *what, std::int64_t value, std::int64_t limit) {
  return Status(ErrorCode::invalid_argument, what, -1, value, limit);
}

struct NamedNumber {
  const char *name;
  std::uint32_t value;
};

/// Error: invalid_argument for the first number that is 0 or more than `most`.
[[nodiscard]] inline Status check_numbers(std::span<const NamedNumber> numbers, std::uint32_t most) {
  for (const NamedNumber &number : numbers) {
    if (number.value == 0 || number.value > most) return invalid_argument(number.name, number.value, most);
  }
  return {};
}

/// Error: invalid_argument ("cores").
[[nodiscard]] inline Status check_cores(const ProgramBuilder &builder, std::uint32_t first_core, std::uint32_t cores) {
  if (cores != 0 && first_core < builder.cores() && cores <= builder.cores() - first_core) return {};
  return invalid_argument("cores", cores, builder.cores());
}

/// First element of part `part` of `parts` of `count` elements.
[[nodiscard]] constexpr std::uint32_t first_of_part(std::uint32_t count, std::uint32_t part, std::uint32_t parts) {
  return static_cast<std::uint32_t>(std::uint64_t{count} * part / parts);
}

}  // namespace cox::kernels::pim
