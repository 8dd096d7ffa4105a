// SPDX-License-Identifier: MIT
// Carries out a task one instruction after the other, in program order: no firmware, no queues, no tokens. What differs from the device is
// scheduling, or the device's way of doing the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "isa/tile/configuration.h"
#include "isa/tile/operation.h"
#include "sim/model/tile/arithmetic/execute.h"

namespace cox::tests {

class Interpreter {
 public:
  /// Cores with all their memories 0, each with so much L2.
  Interpreter(unsigned cores, std::size_t l2_bytes, model::arithmetic::Path path);

  [[nodiscard]] std::vector<std::byte> &window(unsigned index) { return windows_[index]; }
  [[nodiscard]] std::span<std::byte> l2(unsigned core) { return cores_[core].l2; }

  /// The Status of the first instruction that does not resolve, with its index. Legal ones (isa/instruction_set.h), inside their regions
  /// and windows.
  [[nodiscard]] Status run(std::span<const isa::tile::MachineCode> instructions);

 private:
  struct Core {
    std::vector<std::byte> l2, wl0;
    std::array<float, isa::tile::kScalarRegisters> scalars{};
  };

  model::arithmetic::Memory memory(isa::tile::Space space, std::uint8_t selector);
  model::arithmetic::Memories memories(const isa::tile::Operation &operation);

  model::arithmetic::Path path_;
  std::vector<Core> cores_;
  std::array<std::vector<std::byte>, isa::tile::kWindows> windows_;
  unsigned core_ = 0;  ///< of the instruction
  std::vector<isa::tile::Configuration> configurations_;
};

}  // namespace cox::tests
