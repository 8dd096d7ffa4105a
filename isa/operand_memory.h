// SPDX-License-Identifier: MIT
// Memory from which resolve() may read operands that are not in the machine code.
//
// Each set declares these functions in its own namespace. Callers find them through the types of the arguments:
//
//   Result<Operation> resolve(const MachineCode &code, const State &state, const OperandMemory &memory);
//   Footprint footprint(const Operation &operation);
//
// `State` holds what earlier instructions of the context have set (configurations, base registers). If all operands of a set are in the
// machine code, its resolve() ignores `memory` and its callers pass kNoMemory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cox::isa {

class OperandMemory {
 public:
  /// Copies bytes from a bus address. Returns false, and leaves `bytes` undefined, if the context may not read all of them.
  [[nodiscard]] virtual bool read(std::uint64_t address, std::span<std::byte> bytes) const = 0;

 protected:
  constexpr OperandMemory() = default;
  constexpr OperandMemory(const OperandMemory &) = default;
  constexpr OperandMemory &operator=(const OperandMemory &) = default;
  ~OperandMemory() = default;
};

/// Refuses every read.
class NoMemory final : public OperandMemory {
 public:
  [[nodiscard]] bool read(std::uint64_t /*address*/, std::span<std::byte> /*bytes*/) const override { return false; }
};
inline constexpr NoMemory kNoMemory;

}  // namespace cox::isa
