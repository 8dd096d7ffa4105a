// SPDX-License-Identifier: MIT
// Executes a task in program order, one instruction after the other: without firmware, queues or tokens. It uses the model's arithmetic, so
// it differs from the device only in scheduling.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coxswain/base/status.h"
#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/operation.h"
#include "sim/model/tile/arithmetic/execute.h"

namespace cox::tests {

class Interpreter {
 public:
  /// All memories of the cores are 0 at first. `l2_bytes` is the size of each core's L2.
  Interpreter(unsigned cores, std::size_t l2_bytes, model::arithmetic::Path path);

  [[nodiscard]] std::vector<std::byte> &window(unsigned index) { return windows_[index]; }
  [[nodiscard]] std::span<std::byte> l2(unsigned core) { return cores_[core].l2; }

  /// Executes instructions that are legal (isa/instruction_set.h) and stay inside their regions and windows. Returns the Status of the
  /// first instruction that does not resolve, with its index.
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
  unsigned core_ = 0;  ///< core of the current instruction
  std::vector<isa::tile::Configuration> configurations_;
};

}  // namespace cox::tests
