// SPDX-License-Identifier: MIT
// Lowers a network to tile instructions (docs/lowering.md).
#pragma once

#include <optional>
#include <string>

#include "sim/model/options.h"
#include "sim/model/tile/geometry.h"
#include "tools/lower/network/network.h"
#include "tools/lower/plan/plan.h"
#include "tools/lower/program/program.h"
#include "tools/lower/weights/weights.h"

namespace cox::lower {

/// A plan that was not taken: its cores, the way in which they divide the work, and its cost.
struct Alternative {
  unsigned cores = 1;
  Division division = Division::images;
  model::Cycle cycles = 0;
  std::size_t instructions = 0;
};

struct Lowering {
  Plan plan;
  Program program;                  ///< with dependency bits
  model::Cycle cycles = 0;          ///< duration by the time model
  std::uint64_t output_offset = 0;  ///< byte offset of the output in the tensor window
  std::uint64_t tensor_window_bytes = 0;
  std::optional<Alternative> faster;  ///< plan with fewer device cycles, rejected because it gives the control core more work
};

struct Wish {
  unsigned cores = 1;                      ///< cores that the task may use
  Division division = Division::cheapest;  ///< cheapest: the task may use fewer cores; any other division uses all of them
  std::uint32_t l2_kib = 0;                ///< L2 that the task may use in each core, in KiB; 0: all that the device has
};

/// Returns the geometry of the device that the model's options describe.
[[nodiscard]] inline model::TileGeometry geometry_of(const model::Options &device) {
  return model::tile_geometry(device.geometry, device.parameters);
}

/// Lowers by `plan`. Throws NetworkError if the network does not fit the device with this plan.
[[nodiscard]] Lowering lower_by(const Plan &plan, const Network &network, const WeightImage &weights, const model::TileGeometry &geometry);

/// Lowers by the plan that takes the fewest cycles. Throws NetworkError if the network does not fit the device: one row of a layer's maps
/// must fit into L2, and eight kernels into half of WL0. Also throws it if the images cannot be divided evenly among the requested cores.
[[nodiscard]] Lowering lower(const Network &network, const WeightImage &weights, const Wish &wish = {},
                             const model::TileGeometry &geometry = {});

/// Estimates how long the control core works for this number of instructions.
[[nodiscard]] std::uint64_t control_cycles(std::size_t instructions);

/// Returns text for the user: whether the control core has more work than the device, and whether that decided the plan. Each line ends
/// with a newline. The text may be empty.
[[nodiscard]] std::string describe_control_core(const Lowering &lowering);

}  // namespace cox::lower
