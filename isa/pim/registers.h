// SPDX-License-Identifier: MIT
// The registers of a PIM core. A special register that is bound to a general one is that general register.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/isa/pim/configuration.h"

namespace cox::isa::pim {

struct Registers {
  std::array<std::uint32_t, kRegisters> general{};
  std::array<std::uint32_t, kRegisters> special{};  ///< only those that are not bound

  [[nodiscard]] std::uint32_t read(const Configuration &configuration, Special name) const {
    const auto number = static_cast<unsigned>(name);
    return configuration.bound[number] == kUnbound ? special[number] : general[configuration.bound[number]];
  }
  void write(const Configuration &configuration, Special name, std::uint32_t value) {
    const auto number = static_cast<unsigned>(name);
    (configuration.bound[number] == kUnbound ? special[number] : general[configuration.bound[number]]) = value;
  }
};

}  // namespace cox::isa::pim
