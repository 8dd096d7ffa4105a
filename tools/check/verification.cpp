// SPDX-License-Identifier: MIT
#include "tools/check/verification.h"

#include <algorithm>
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
  limits.cores = std::clamp(task.geometry.tile_cores, 1U, isa::tile::kMostCores);
  limits.blocks = {0, isa::tile::kL2Blocks - 1};
  limits.wl0_bytes = isa::tile::kWeightBufferBytes;
  return limits;
}

}  // namespace

Status verify(std::span<const isa::tile::MachineCode> instructions, const task::Task &task) {
  const firmware::verify::Limits limits = limits_of(task);
  std::vector<std::uint32_t> order(instructions.size());
  std::vector<std::uint32_t> scratch(firmware::verify::scratch_bytes(instructions.size(), limits.cores) / sizeof(std::uint32_t) + 1);
  return firmware::verify::verify(instructions, limits, order, std::as_writable_bytes(std::span(scratch))).status();
}

}  // namespace cox::tools
