// SPDX-License-Identifier: MIT
#include "tools/check/verification.h"

#include <algorithm>
#include <vector>

#include "coxswain/firmware/verify/verifier.h"
#include "coxswain/isa/tile/configuration.h"

namespace cox::tools {
namespace {

firmware::verify::Limits limits_of(const task::Task &task, const model::TileGeometry &device) {
  firmware::verify::Limits limits;
  for (const task::Window &window : task.windows) {
    if (window.index < limits.windows.size()) limits.windows[window.index] = {window.size, window.writable};
  }
  limits.cores = std::clamp(task.geometry.tile_cores, 1U, isa::tile::kMostCores);
  limits.blocks = {0, device.l2_blocks() - 1};
  limits.wl0_bytes = device.wl0_bytes();
  return limits;
}

}  // namespace

Status check_geometry(const task::Task &task, const model::TileGeometry &device) {
  const auto too_large = [](const char *what, std::uint64_t needed, std::uint64_t there) {
    return Status(ErrorCode::image_geometry, what, -1, static_cast<std::int64_t>(needed), static_cast<std::int64_t>(there));
  };
  if (task.geometry.l2_bytes > device.l2_bytes()) return too_large("l2_bytes", task.geometry.l2_bytes, device.l2_bytes());
  if (task.geometry.wl0_bytes > device.wl0_bytes()) return too_large("wl0_bytes", task.geometry.wl0_bytes, device.wl0_bytes());
  return {};
}

Status verify(std::span<const isa::tile::MachineCode> instructions, const task::Task &task, const model::TileGeometry &device) {
  const firmware::verify::Limits limits = limits_of(task, device);
  std::vector<std::uint64_t> workspace(firmware::plan::plan_bytes(instructions.size(), limits.cores) / sizeof(std::uint64_t) + 1);
  return firmware::verify::verify(instructions, limits, std::as_writable_bytes(std::span(workspace))).status();
}

}  // namespace cox::tools
