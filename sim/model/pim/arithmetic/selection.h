// SPDX-License-Identifier: MIT
// The inputs that the masks of value sparsity select (docs/isa/pim.md, Value sparsity).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/model/pim/arithmetic/execute.h"

namespace cox::model::pim::fast {

/// For each macro of a group and each step of a few, the numbers of the inputs that meet its compartments 0, 1, ... All groups share them.
class Selection {
 public:
  /// Reads the masks of `steps`. `compartments` is the largest number of inputs that a mask selects.
  void read(const isa::pim::Compute &operation, const CoreMemories &memories, std::span<const isa::pim::ComputeStep> steps,
            std::uint32_t compartments);

  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t member, std::uint32_t step) const {
    const std::size_t number = std::size_t{member} * steps_ + step;
    return {numbers_.data() + number * compartments_, counts_[number]};
  }
  /// Number of compartments that meet inputs: the largest of all steps of a macro, and of all macros.
  [[nodiscard]] std::uint32_t most(std::uint32_t member) const;
  [[nodiscard]] std::uint32_t most() const { return most_; }

 private:
  std::size_t steps_ = 0, compartments_ = 0;
  std::uint32_t most_ = 0;
  std::vector<std::uint32_t> numbers_, counts_;
};

}  // namespace cox::model::pim::fast
