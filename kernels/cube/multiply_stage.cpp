// SPDX-License-Identifier: MIT
#include "kernels/cube/multiply_stage.h"

#include <algorithm>
#include <bit>

#include "isa/cube/build.h"

namespace cox::kernels::cube {
namespace {

using isa::cube::MachineCode;
using isa::cube::Opcode;
using isa::cube::put;

// The moves agree in where they have the address in L0, Rows and Columns.
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

constexpr std::uint32_t kBankBytes = isa::cube::kL0ABytes / kBanks;
static_assert(isa::cube::kL0ABytes == isa::cube::kL0BBytes);

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
  tile_ = tile;
  first_ = true;
  kept_step_ = tile.kept_from;
  accumulators_ = tile_ring_.buffer() * (isa::cube::kL0CBytes / kBanks);
  mad_ = isa::cube::encode(isa::cube::Mad{
      .type = configuration_.type, .destination = accumulators_, .m = tile.m, .n = tile.n, .start = isa::cube::Start::accumulator});
}

/// By turns in the banks, steps of a bank one behind the other.
std::uint32_t MultiplyStage::kept_address() const {
  return kept_step_ % kBanks * kBankBytes + kept_step_ / kBanks * configuration_.kept_step_bytes;
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
    std::uint32_t mad_wait = kOperandsReady.wait(), mad_set = step_.is_awaited() ? kOperandsFree.set() : 0;
    if (first_) [[unlikely]] {
      (*slot)[kInitialWord] |= kInitialBit;
      if (tile_ring_.waits()) mad_wait |= kTileFree.wait();
      first_ = false;
    }
    if (rest == 0 && block.last) [[unlikely]] {
      mad_set |= kTileReady.set();
      tile_ring_.next();
    }
    (*slot)[isa::cube::kWaitWord] |= mad_wait;
    (*slot)[isa::cube::kSetWord] = mad_set;
    (*slot)[kLeftWord] = left_address;
    (*slot)[kRightWord] = right_address;
    (*slot)[kMadSizeWord] |= k << kMadKShift;
    step_.next();
  }
  return true;
}

}  // namespace cox::kernels::cube
