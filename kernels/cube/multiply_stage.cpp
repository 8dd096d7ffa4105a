// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/multiply_stage.h"

#include <algorithm>
#include <bit>

#include "coxswain/isa/cube/build.h"

namespace cox::kernels::cube {
namespace {

using isa::cube::MachineCode;
using isa::cube::Opcode;

// The three instructions that move operands to L0 have the L0 address, Rows and Columns in the same words.
constexpr unsigned kAddressWord = isa::cube::word_of<Opcode::L1_TO_L0A, "Destination">();
constexpr unsigned kSizeWord = isa::cube::word_of<Opcode::L1_TO_L0A, "Rows">();
constexpr unsigned kColumnsShift = isa::cube::shift_of<Opcode::L1_TO_L0A, "Columns">();
template <Opcode Op>
consteval bool has_the_same_words() {
  return isa::cube::whole_word_of<Op, "Destination">() == kAddressWord && isa::cube::word_of<Op, "Rows">() == kSizeWord &&
         isa::cube::shift_of<Op, "Rows">() == 0 && isa::cube::word_of<Op, "Columns">() == kSizeWord &&
         isa::cube::shift_of<Op, "Columns">() == kColumnsShift;
}
static_assert(has_the_same_words<Opcode::L1_TO_L0A>() && has_the_same_words<Opcode::L1_TO_L0B>() &&
              has_the_same_words<Opcode::IM2COL_TO_L0A>());

constexpr unsigned kLeftWord = isa::cube::whole_word_of<Opcode::MAD, "Left">();
constexpr unsigned kRightWord = isa::cube::whole_word_of<Opcode::MAD, "Right">();
constexpr unsigned kMadSizeWord = isa::cube::word_of<Opcode::MAD, "K">();
constexpr unsigned kMadKShift = isa::cube::shift_of<Opcode::MAD, "K">();
constexpr unsigned kInitialWord = isa::cube::word_of<Opcode::MAD, "CmatrixInitVal">();
constexpr std::uint32_t kInitialBit = 1U << isa::cube::shift_of<Opcode::MAD, "CmatrixInitVal">();

}  // namespace

void MultiplyStage::begin(const Configuration &configuration) {
  configuration_ = configuration;
  unit_shift_ = static_cast<std::uint32_t>(std::countr_zero(k_unit(configuration.type)));
  step_k_ = configuration.step_units << unit_shift_;
  step_ = Ring(kBanks, configuration.steps);
  tile_ring_ = Ring(kBanks, configuration.tiles);
  mad_ = {};
  first_ = true;
}

void MultiplyStage::begin_tile(const Tile &tile) {
  const bool is_same = tile.m == tile_.m && tile.n == tile_.n && mad_[0] != 0;
  tile_ = tile;
  first_ = true;
  kept_step_ = tile.kept_from;
  accumulators_ = tile_ring_.buffer() * (isa::cube::kL0CBytes / kBanks);
  if (is_same) {
    mad_[isa::cube::whole_word_of<Opcode::MAD, "Destination">()] = accumulators_;
    return;
  }
  mad_ = isa::cube::encode(isa::cube::Mad{
      .type = configuration_.type, .destination = accumulators_, .m = tile.m, .n = tile.n, .start = isa::cube::Start::accumulator});
}

/// Returns where in L0 the kept operand's data for the current step begin. Steps use the two banks in turn. The data in a
/// bank are contiguous.
std::uint32_t MultiplyStage::kept_address() const {
  return kept_step_ % kBanks * kBankBytes + kept_step_ / kBanks * configuration_.kept_step_bytes;
}

void MultiplyStage::begin_sum(MachineCode &mad) {
  mad[kInitialWord] |= kInitialBit;
  if (tile_ring_.waits()) mad[isa::cube::kWaitWord] |= kTileFree.wait();
  first_ = false;
}

void MultiplyStage::end_sum(MachineCode &mad) {
  mad[isa::cube::kSetWord] |= kTileReady.set();
  tile_ring_.next();
}

bool MultiplyStage::has_pattern(std::uint32_t steps) const {
  return configuration_.kept == Kept::none && tile_.moves_left && tile_.moves_right && left.along == StepPattern::kSourceWord &&
         right.along == StepPattern::kSourceWord && step_.is_steady(steps);
}

StepPattern MultiplyStage::pattern() const {
  const MachineCode &a = left.code, &b = right.code;
  StepPattern pattern;
  pattern.left_low = StepPattern::Words{a[0] | kOperandsFree.wait(), a[1], 0, 0};
  pattern.left_high = StepPattern::Words{a[4], tile_.m | step_k_ << kColumnsShift, a[6], a[7]};
  pattern.right_low = StepPattern::Words{b[0], kOperandsReady.set(), 0, 0};
  pattern.right_high = StepPattern::Words{b[4], step_k_ | tile_.n << kColumnsShift, b[6], b[7]};
  pattern.mad_low = StepPattern::Words{mad_[0] | kOperandsReady.wait(), kOperandsFree.set(), mad_[2], mad_[3]};
  pattern.mad_high = StepPattern::Words{0, 0, mad_[kMadSizeWord] | step_k_ << kMadKShift, mad_[7]};
  static_assert(kSizeWord == 5 && kMadSizeWord == 6 && kLeftWord == 4 && kRightWord == 5);
  pattern.set_bank(step_.buffer());
  pattern.left_stride = left.stride * configuration_.step_units;
  pattern.right_stride = right.stride * configuration_.step_units;
  return pattern;
}

void MultiplyStage::renew(StepPattern &pattern) const {
  renew_sum(pattern);
  static_assert(isa::cube::whole_word_of<Opcode::MAD, "Destination">() == 2);
  pattern.set_bank(step_.buffer());
}

void MultiplyStage::resize(MachineCode *step, std::uint32_t k) const {
  step[0][kSizeWord] = tile_.m | k << kColumnsShift;
  step[1][kSizeWord] = k | tile_.n << kColumnsShift;
  step[2][kMadSizeWord] = mad_[kMadSizeWord] | k << kMadKShift;
}

void MultiplyStage::shorten(MachineCode *end, std::uint32_t steps, const Block &block) const {
  const std::uint32_t most = configuration_.step_units, units = (block.k + (1U << unit_shift_) - 1) >> unit_shift_;
  MachineCode *const last = end - kStepSlots;
  std::uint32_t before = (steps - 1) * most;
  const std::uint32_t rest = units - before;
  if (steps > 1 && rest + 1 < most) {
    // Makes the last two steps equally long.
    const std::uint32_t part = part_of(most + rest, most);
    before += part - most;
    resize(last - kStepSlots, part << unit_shift_);
    last[0][StepPattern::kSourceWord] = left.code[StepPattern::kSourceWord] + block.left + before * left.stride;
    last[1][StepPattern::kSourceWord] = right.code[StepPattern::kSourceWord] + block.right + before * right.stride;
  }
  resize(last, block.k - (before << unit_shift_));
}

bool MultiplyStage::run(Stream &stream, const Block &block) {
  const bool moves_left = tile_.moves_left, moves_right = tile_.moves_right;
  const unsigned slots = 1U + (moves_left ? 1U : 0U) + (moves_right ? 1U : 0U);
  std::uint32_t left_place = block.left, right_place = block.right;
  std::uint32_t wait = block.waits ? kBlockReady.wait() : 0;
  for (std::uint32_t rest = block.k; rest > 0;) {
    std::uint32_t k = step_k_, units = configuration_.step_units;
    if (rest < 2 * step_k_) [[unlikely]] {
      units = part_of((rest + (1U << unit_shift_) - 1) >> unit_shift_, configuration_.step_units);
      k = std::min(units << unit_shift_, rest);
    }
    rest -= k;
    MachineCode *slot = stream.reserve(slots);
    if (slot == nullptr) return false;

    const std::uint32_t bank = step_.buffer() * kBankBytes;
    std::uint32_t left_address = bank, right_address = bank;
    if (configuration_.kept != Kept::none) {
      (configuration_.kept == Kept::left ? left_address : right_address) = kept_address();
      ++kept_step_;
    }
    if (step_.waits()) wait |= kOperandsFree.wait();
    const std::uint32_t set = rest == 0 && block.frees ? kOperandsReady.set() | kBlockFree.set() : kOperandsReady.set();
    if (moves_left) {
      *slot = left.code;
      (*slot)[isa::cube::kWaitWord] |= wait;
      if (!moves_right) (*slot)[isa::cube::kSetWord] = set;
      (*slot)[kAddressWord] = left_address;
      (*slot)[kSizeWord] = tile_.m | k << kColumnsShift;
      (*slot)[left.along] += left_place;
      left_place += left.stride * units;
      wait = 0;
      ++slot;
    }
    if (moves_right) {
      *slot = right.code;
      (*slot)[isa::cube::kWaitWord] |= wait;
      (*slot)[isa::cube::kSetWord] = set;
      (*slot)[kAddressWord] = right_address;
      (*slot)[kSizeWord] = k | tile_.n << kColumnsShift;
      (*slot)[right.along] += right_place;
      right_place += right.stride * units;
      wait = 0;
      ++slot;
    }

    *slot = mad_;
    (*slot)[isa::cube::kWaitWord] |= kOperandsReady.wait();
    (*slot)[isa::cube::kSetWord] = step_.is_awaited() ? kOperandsFree.set() : 0;
    (*slot)[kLeftWord] = left_address;
    (*slot)[kRightWord] = right_address;
    (*slot)[kMadSizeWord] |= k << kMadKShift;
    if (first_) [[unlikely]]
      begin_sum(*slot);
    if (rest == 0 && block.last) [[unlikely]]
      end_sum(*slot);
    step_.next();
  }
  return true;
}

}  // namespace cox::kernels::cube
