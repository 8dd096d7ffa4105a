// SPDX-License-Identifier: MIT
// A convolution as the model of a PIM core computes it: 3 x 3, 64 to 64 channels, 56 x 56, INT8, from the padded image to the quantised
// results, both in local memories of the default configuration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/model/pim/arithmetic/execute.h"

namespace cox::bench {

/// The memories of a core of the default configuration. All bytes are 0 at first.
class PimCore {
 public:
  PimCore();
  /// Fills the array and the local memories with random bytes.
  void fill();

 private:
  std::vector<std::byte> local_[isa::pim::kMostMemories];
  std::vector<std::byte> array_;  // with room for the alignment of the array
  std::vector<std::uint32_t> registers_;

 public:
  model::pim::CoreMemories memories;
};

/// A group of 8 macros has the weights of 32 input channels in 9 rows, one row for each place of the 3 x 3 window. Groups 0 to 13 compute
/// 14 neighbouring pixels from the first 32 channels, groups 14 to 27 from the others. A batch of 9 computes makes their sums, and SIMD
/// operations add the two halves and quantise.
class PimLayer {
 public:
  PimLayer();

  void run(model::pim::Path path = model::pim::Path::fast);
  /// 56 x 56 x 64 results.
  [[nodiscard]] std::vector<std::byte> output() const;
  [[nodiscard]] static constexpr double multiply_accumulates() { return 56.0 * 56 * 64 * 64 * 9; }

 private:
  PimCore core_;
};

}  // namespace cox::bench
