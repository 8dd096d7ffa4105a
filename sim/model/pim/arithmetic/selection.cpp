// SPDX-License-Identifier: MIT
#include "sim/model/pim/arithmetic/selection.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cox::model::pim::fast {
namespace {

/// Up to 32 bits of `mask` from bit `first` on.
std::uint64_t mask_bits(std::span<const std::byte> mask, std::uint64_t first, std::uint32_t count) {
  std::uint64_t bits = 0;
  const std::uint64_t byte = first / 8;
  std::memcpy(&bits, mask.data() + byte, std::min<std::uint64_t>(sizeof bits, mask.size() - byte));
  return bits >> (first % 8) & ((std::uint64_t{1} << count) - 1);
}

}  // namespace

void Selection::read(const isa::pim::Compute &op, const CoreMemories &memories, std::span<const isa::pim::ComputeStep> steps,
                     std::uint32_t compartments) {
  steps_ = steps.size();
  compartments_ = compartments;
  most_ = 0;
  counts_.resize(op.working_macros * steps_);
  numbers_.resize(counts_.size() * compartments_);
  for (std::size_t step = 0; step < steps_; ++step) {
    const std::span mask(bytes_at(memories, steps[step].mask, op.mask_bytes()), op.mask_bytes());
    for (std::uint32_t member = 0; member < op.working_macros; ++member) {
      const std::size_t number = member * steps_ + step;
      std::uint32_t *to = numbers_.data() + number * compartments_;
      std::uint32_t count = 0;
      for (std::uint32_t input = 0; input < op.inputs; input += 32) {
        const std::uint64_t first = std::uint64_t{member} * op.inputs + input;
        for (std::uint64_t bits = mask_bits(mask, first, std::min(32U, op.inputs - input)); bits != 0; bits &= bits - 1) {
          to[count++] = input + static_cast<std::uint32_t>(std::countr_zero(bits));
        }
      }
      counts_[number] = count;
      most_ = std::max(most_, count);
    }
  }
}

std::uint32_t Selection::most(std::uint32_t member) const {
  const auto first = counts_.begin() + static_cast<std::ptrdiff_t>(member * steps_);
  return *std::max_element(first, first + static_cast<std::ptrdiff_t>(steps_));
}

}  // namespace cox::model::pim::fast
