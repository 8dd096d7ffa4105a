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

// A full step's slots differ in the words `along` and in these.
constexpr unsigned kAlongWord = isa::cube::word_of<Opcode::L1_TO_L0A, "Source">();
static_assert(kAlongWord == isa::cube::word_of<Opcode::L1_TO_L0B, "Source">() && kAlongWord < 4 && kAddressWord < 4 && kLeftWord >= 4 &&
              kRightWord >= 4);
constexpr std::uint32_t kStepSlots = 3;
constexpr std::uint32_t kMostFullSteps = Stream::kMostReserved / kStepSlots;

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
  counted_k_ = counted_steps_ = 0;
}

void MultiplyStage::begin_tile(const Tile &tile) {
  tile_ = tile;
  first_ = true;
  kept_step_ = tile.kept_from;
  accumulators_ = tile_ring_.buffer() * (isa::cube::kL0CBytes / kBanks);
  mad_ = isa::cube::encode(isa::cube::Mad{
      .type = configuration_.type, .destination = accumulators_, .m = tile.m, .n = tile.n, .start = isa::cube::Start::accumulator});
  has_pattern_ =
      configuration_.kept == Kept::none && tile.moves_left && tile.moves_right && left.along == kAlongWord && right.along == kAlongWord;
  if (!has_pattern_) return;
  MachineCode code = left.code;
  code[isa::cube::kWaitWord] |= kOperandsFree.wait();
  code[kSizeWord] = tile.m | step_k_ << kColumnsShift;
  left_pattern_ = SlotWords(code);
  code = right.code;
  code[isa::cube::kSetWord] = kOperandsReady.set();
  code[kSizeWord] = step_k_ | tile.n << kColumnsShift;
  right_pattern_ = SlotWords(code);
  code = mad_;
  code[isa::cube::kWaitWord] |= kOperandsReady.wait();
  code[isa::cube::kSetWord] = kOperandsFree.set();
  code[kMadSizeWord] |= step_k_ << kMadKShift;
  mad_pattern_ = SlotWords(code);
}

/// By turns in the banks, steps of a bank one behind the other.
std::uint32_t MultiplyStage::kept_address() const {
  return kept_step_ % kBanks * kBankBytes + kept_step_ / kBanks * configuration_.kept_step_bytes;
}

std::uint32_t MultiplyStage::full_steps(std::uint32_t k) {
  if (k == counted_k_) return counted_steps_;
  counted_k_ = k;
  counted_steps_ = 0;
  while (k >= 2 * step_k_) {
    k -= step_k_;
    ++counted_steps_;
  }
  if (k == step_k_) ++counted_steps_;
  return counted_steps_;
}

void MultiplyStage::write_full_steps(MachineCode *slots, std::uint32_t count, const Block &block) {
  SlotWords left_words = left_pattern_, right_words = right_pattern_, mad_words = mad_pattern_;
  const std::uint32_t bank = step_.buffer() * kBankBytes;
  left_words.low[kAddressWord] = right_words.low[kAddressWord] = bank;
  mad_words.high[kLeftWord - 4] = mad_words.high[kRightWord - 4] = bank;
  FourWords other_bank{}, other_banks{};
  other_bank[kAddressWord] = kBankBytes;
  other_banks[kLeftWord - 4] = other_banks[kRightWord - 4] = kBankBytes;

  std::uint32_t left_place = left.code[kAlongWord] + block.left, right_place = right.code[kAlongWord] + block.right;
  const std::uint32_t left_stride = left.stride * configuration_.step_units, right_stride = right.stride * configuration_.step_units;
  do {
    left_words.low[kAlongWord] = left_place;
    right_words.low[kAlongWord] = right_place;
    left_words.write(slots[0]);
    right_words.write(slots[1]);
    mad_words.write(slots[2]);
    left_place += left_stride;
    right_place += right_stride;
    left_words.low ^= other_bank;
    right_words.low ^= other_bank;
    mad_words.high ^= other_banks;
    slots += kStepSlots;
  } while (--count != 0);
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

bool MultiplyStage::run(Stream &stream, const Block &block) {
  if (!has_pattern_) return run_steps(stream, block, 0);
  const std::uint32_t steps = full_steps(block.k);
  if (steps - 1 >= kMostFullSteps || !step_.is_steady(steps)) return run_steps(stream, block, 0);
  MachineCode *const slots = stream.reserve(kStepSlots * steps);
  if (slots == nullptr) return false;
  write_full_steps(slots, steps, block);
  step_.next(steps);
  if (block.waits) slots[0][isa::cube::kWaitWord] |= kBlockReady.wait();
  if (first_) begin_sum(slots[2]);
  const std::uint32_t done = steps * step_k_;
  if (done != block.k) return run_steps(stream, block, done);
  MachineCode *const last = slots + kStepSlots * (steps - 1);
  if (block.frees) last[1][isa::cube::kSetWord] |= kBlockFree.set();
  if (block.last) end_sum(last[2]);
  return true;
}

bool MultiplyStage::run_steps(Stream &stream, const Block &block, std::uint32_t done) {
  const bool moves_left = tile_.moves_left, moves_right = tile_.moves_right;
  const unsigned slots = 1U + (moves_left ? 1U : 0U) + (moves_right ? 1U : 0U);
  const std::uint32_t done_units = done >> unit_shift_;
  std::uint32_t left_place = block.left + done_units * left.stride, right_place = block.right + done_units * right.stride;
  std::uint32_t wait = block.waits && done == 0 ? kBlockReady.wait() : 0;
  for (std::uint32_t rest = block.k - done; rest > 0;) {
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
