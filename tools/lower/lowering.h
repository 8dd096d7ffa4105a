// SPDX-License-Identifier: MIT
// A network to tile instructions (docs/lowering.md).
#pragma once

#include <optional>
#include <string>

#include "isa/tile/configuration.h"
#include "sim/model/tile/geometry.h"
#include "tools/lower/network/network.h"
#include "tools/lower/plan/plan.h"
#include "tools/lower/program/program.h"
#include "tools/lower/weights/weights.h"

namespace cox::lower {

/// Another plan: its cores, what they share, and what it comes to.
struct Alternative {
  unsigned cores = 1;
  Division division = Division::images;
  model::Cycle cycles = 0;
  std::size_t instructions = 0;
};

struct Lowering {
  Plan plan;
  Program program;                  ///< with dependency bits
  model::Cycle cycles = 0;          ///< that it takes by the time model
  std::uint64_t output_offset = 0;  ///< bytes, in the tensor window
  std::uint64_t tensor_window_bytes = 0;
  std::optional<Alternative> faster;  ///< takes the device fewer cycles; for the control core's work the plan was preferred
};

struct Wish {
  unsigned cores = 1;                           ///< that the task may use
  Division division = Division::cheapest;       ///< any other: all of the cores are used
  std::uint32_t l2_kib = isa::tile::kL2Blocks;  ///< of each core, that the task may use: blocks of 1 KiB
};

/// By one plan. Throws NetworkError for a network that does not fit the device so.
[[nodiscard]] Lowering lower_by(const Plan &plan, const Network &network, const WeightImage &weights, const model::TileGeometry &geometry);

/// By the plan that takes the fewest cycles. Throws NetworkError for a network that does not fit the device (one row of a layer's
/// maps L2, eight kernels of it half of WL0), or whose images do not come out even on the cores that are wished for.
[[nodiscard]] Lowering lower(const Network &network, const WeightImage &weights, const Wish &wish = {},
                             const model::TileGeometry &geometry = {});

/// About how long the control core works for so many instructions.
[[nodiscard]] std::uint64_t control_cycles(std::size_t instructions);

/// Lines for people, each with its end: where the control core has more to do than the device, and where that made the choice. Or none.
[[nodiscard]] std::string describe_control_core(const Lowering &lowering);

}  // namespace cox::lower
