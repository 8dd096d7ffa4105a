// SPDX-License-Identifier: MIT
// Builds echo instructions for kernels and tests. The caller passes only arguments in range.
#pragma once

#include "coxswain/isa/field.h"
#include "tests/echo/isa/echo.h"

namespace cox::isa::echo {

constexpr MachineCode copy(std::uint64_t source, std::uint64_t destination, std::uint32_t bytes) {
  MachineCode code{};
  code[0] = static_cast<std::uint32_t>(Opcode::COPY) | bytes << 8;
  code[1] = static_cast<std::uint32_t>(source);
  code[2] = static_cast<std::uint32_t>(destination);
  return code;
}
constexpr MachineCode fill(std::uint8_t value, std::uint64_t destination, std::uint32_t bytes) {
  MachineCode code{};
  code[0] = static_cast<std::uint32_t>(Opcode::FILL) | bytes << 8;
  code[1] = value;
  code[2] = static_cast<std::uint32_t>(destination);
  return code;
}
constexpr MachineCode fail() { return {static_cast<std::uint32_t>(Opcode::FAIL)}; }
constexpr MachineCode hang() { return {static_cast<std::uint32_t>(Opcode::HANG)}; }

}  // namespace cox::isa::echo
