// SPDX-License-Identifier: MIT
// Joins of a concatenation: groups of neighbouring inputs. Lowering divides the inputs so that each join begins at a multiple of 8 channels
// of the output (docs/lowering.md, The plan).
#pragma once

#include <cstdint>
#include <vector>

#include "tools/lower/network/network.h"

namespace cox::lower {

/// Inputs [first_input, end_input) of a concatenation, which become channels [first_channel, first_channel + channels) of the output. A
/// channel takes one byte, and L2 addresses must be multiples of 8 bytes. So first_channel is a multiple of 8, and so is `channels`, except
/// in the last join.
struct Join {
  std::size_t first_input = 0, end_input = 0;
  std::uint32_t first_channel = 0, channels = 0;

  [[nodiscard]] bool single() const { return end_input == first_input + 1; }
};

/// Groups the inputs of the concatenation `layer` into as many joins as possible. Returns an empty list for any other layer.
[[nodiscard]] std::vector<Join> joins_of(const Network &network, const Layer &layer);

/// Returns a map for the part of `output` that `join` writes, with channels and columns exchanged.
[[nodiscard]] FeatureMap transposed(FeatureMap output, const Join &join);

/// Considers only joins that have several inputs. Returns the one that takes most room when transposed, or nullptr if there is none.
[[nodiscard]] const Join *widest(const std::vector<Join> &joins);

}  // namespace cox::lower
