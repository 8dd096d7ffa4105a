// SPDX-License-Identifier: MIT
#include "tools/check/verification.h"

#include <vector>

#include "firmware/verify/verifier.h"
#include "isa/tile/configuration.h"

namespace cox::tools {
namespace {

firmware::verify::Limits limits_of(const task::Task &task) {
  firmware::verify::Limits limits;
  for (const task::Window &window : task.windows) {
    if (window.index < limits.windows.size()) limits.windows[window.index] = {window.size, window.writable};
  }
  limits.blocks = {0, isa::tile::kL2Blocks - 1};
  limits.wl0_bytes = std::uint64_t{isa::tile::kWeightUnits} * isa::tile::kWeightUnitBytes;
  return limits;
}

}  // namespace

Status verify(std::span<const isa::tile::MachineCode> instructions, const task::Task &task) {
  std::vector<std::uint16_t> entries(instructions.size());
  std::vector<firmware::verify::InstructionOrder> orders(instructions.size());
  return firmware::verify::verify(instructions, limits_of(task), entries, orders).status();
}

}  // namespace cox::tools
