// SPDX-License-Identifier: MIT
// Removes each dependency bit of a task in turn. The task must then fail the analysis, and the bit must be among those that mend the task.
#include "sim/model/tile/hazard/mending.h"

#include <gtest/gtest.h>

#include <map>

#include "coxswain/base/bits.h"
#include "tests/sim/tile/hazard/random_program.h"

namespace cox::model::hazard {
namespace {

using isa::tile::kClasses;
using test::Program;

/// Returns a task whose buffers hold two tiles at a time. It has three tiles: the load and the transform of the third tile wait until the
/// buffers of the first tile are free.
Program two_tiles() {
  return Program({test::start(), test::cut(0, 8191, {"", R"("LD")"}), test::load_configuration(4),
                  test::load(0, 0, 4, {R"("CT")", R"("DT")"}), test::load(32, 32, 4, {"", R"("DT")"}), test::transform_configuration(4),
                  test::transform(0, 4096, 4, {R"("LD")", R"("ST", "LD")"}), test::transform(32, 4128, 4, {R"("LD")", R"("ST")"}),
                  test::load(64, 0, 4, {R"("DT")", R"("DT")"}), test::store_configuration(4),
                  test::store(4096, 128, 4, {R"("DT")", R"("DT")"}), test::store(4128, 160, 4, {R"("DT")", ""}),
                  test::transform(0, 4096, 4, {R"("LD", "ST")", R"("ST")"}), test::store(4096, 192, 4, {R"("DT")", R"("CT")"}),
                  test::end({R"("ST")", ""})});
}

/// Computes the result of mending_bits() in another way: tries every bit of every instruction.
std::vector<DependencyBit> bits_that_pass(const std::vector<Step> &steps, std::span<const Layers> layers = {}) {
  std::vector<DependencyBit> bits;
  std::vector<Step> variation = steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (isa::tile::is_configuration(steps[i].code)) continue;
    for (const bool next : {false, true}) {
      for (unsigned c = 0; c < kClasses; ++c) {
        const Lane other = isa::tile::lane_of(isa::tile::core_of(steps[i].code), c);
        if (((next ? next_lanes(steps[i].code) : previous_lanes(steps[i].code)) >> other & 1U) != 0) continue;
        DependencyBit bit{static_cast<std::int32_t>(i), next, other, false};
        variation[i].code = with_bit(steps[i].code, bit);
        const Analysis analysis = analyse(variation, layers);
        bit.stale_weights = !analysis.stale_weights.empty();
        if (analysis.passes()) bits.push_back(bit);
      }
    }
    variation[i].code = steps[i].code;
  }
  return bits;
}

TEST(Mending, TheTaskItselfPasses) {
  EXPECT_TRUE(two_tiles().analysis().passes());
  EXPECT_TRUE(mending_bits(two_tiles().steps).empty());
}

TEST(Mending, EveryBitInTurn) {
  const Program program = two_tiles();
  int removed = 0;
  for (std::size_t i = 0; i < program.codes.size(); ++i) {
    for (const bool next : {false, true}) {
      for (unsigned c = 0; c < kClasses; ++c) {
        std::vector<Step> steps = program.steps;
        const unsigned bit = (next ? isa::tile::kNextBit : isa::tile::kPreviousBit) + c;
        if (isa::extract_bits(steps[i].code, bit, 1) == 0) continue;
        isa::insert_bits(steps[i].code, bit, 1, 0);
        ++removed;
        SCOPED_TRACE(testing::Message() << "instruction " << i << (next ? " next " : " previous ") << c);
        EXPECT_FALSE(analyse(steps).passes());
        bool among = false;
        const std::vector<DependencyBit> mends = mending_bits(steps);
        EXPECT_EQ(mends, bits_that_pass(steps));
        for (const DependencyBit &mend : mends) {
          among = among || (mend.instruction == static_cast<std::int32_t>(i) && mend.next == next && mend.other == c);
        }
        EXPECT_TRUE(among);
      }
    }
  }
  EXPECT_EQ(removed, 20);
}

/// Replaces all tokens by random ones. Each instruction except configurations takes tokens from most other lanes, each from the
/// lane's latest earlier instruction.
std::vector<Step> with_tokens(std::vector<Step> steps, std::mt19937 &random) {
  for (Step &step : steps) isa::insert_bits(step.code, isa::tile::kPreviousBit, 2 * kClasses, 0);
  std::map<Lane, std::size_t> last;
  for (std::size_t taker = 0; taker < steps.size(); ++taker) {
    if (isa::tile::is_configuration(steps[taker].code)) continue;
    const Lane own = lane_of(steps[taker]);
    for (const auto &[lane, giver] : last) {
      const bool given = (next_lanes(steps[giver].code) >> own & 1U) != 0;
      if (lane == own || given || random() % 8 == 0) continue;
      steps[giver].code = with_bit(steps[giver].code, {static_cast<std::int32_t>(giver), true, own, false});
      steps[taker].code = with_bit(steps[taker].code, {static_cast<std::int32_t>(taker), false, lane, false});
    }
    last[own] = taker;
  }
  return steps;
}

TEST(Mending, RandomTasksThatLackOneBit) {
  std::mt19937 random(20260102);
  int mended = 0;
  int several = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<Step> steps = with_tokens(test::random_program(random).steps, random);
    ASSERT_TRUE(make_schedule(steps).complete());
    isa::tile::MachineCode &code = steps[random() % steps.size()].code;
    unsigned bits = isa::tile::previous_of(code) | isa::tile::next_of(code) << kClasses;
    if (bits == 0) continue;
    for (auto skipped = random() % static_cast<unsigned>(std::popcount(bits)); skipped > 0; --skipped) (void)take_lowest(bits);
    isa::insert_bits(code, isa::tile::kPreviousBit + take_lowest(bits), 1, 0);
    const std::vector<DependencyBit> mends = mending_bits(steps);
    EXPECT_EQ(mends, bits_that_pass(steps)) << "task " << i;
    mended += mends.empty() ? 0 : 1;
    several += mends.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(mended, 50);
  EXPECT_GT(several, 30);
}

/// `tiles` consecutive tiles of 4 pixels. They use two buffers in L2 in turn.
std::vector<std::string> many_tiles(int tiles) {
  std::vector<std::string> lines = {test::start(), test::cut(0, 8191, {"", R"("LD")"}), test::load_configuration(4),
                                    test::transform_configuration(4), test::store_configuration(4)};
  for (int i = 0; i < tiles; ++i) {
    const int place = i % 2 * 32;
    const int far = i % 64 * 32;
    const bool reused = i >= 2;
    const bool reuses = i + 2 < tiles;
    lines.push_back(test::load(far, place, 4, {i == 0 ? R"("CT")" : reused ? R"("DT")" : "", R"("DT")"}));
    lines.push_back(test::transform(place, 4096 + place, 4, {reused ? R"("LD", "ST")" : R"("LD")", reuses ? R"("ST", "LD")" : R"("ST")"}));
    lines.push_back(test::store(4096 + place, far, 4, {R"("DT")", i + 1 == tiles ? R"("CT")" : reuses ? R"("DT")" : ""}));
  }
  lines.push_back(test::end({R"("ST")", ""}));
  return lines;
}

/// In a task of this length it would take hours to try each dependency bit by itself, because each try would compare all pairs of
/// instructions that share bytes.
TEST(Mending, ALongTask) {
  constexpr int kTiles = 20'000;
  Program program(many_tiles(kTiles));
  ASSERT_TRUE(program.analysis().passes());
  constexpr std::int32_t kTransform = 5 + 3 * (kTiles / 2) + 1;
  isa::tile::MachineCode &code = program.steps[kTransform].code;
  isa::insert_bits(code, isa::tile::kNextBit + static_cast<unsigned>(isa::tile::Class::LD), 1, 0);
  // Each transform gives LD a token, except those of the last two tiles. The token of kTransform is missing now. Either of two bits
  // mends the task: the removed one, or one that lets the transform of the second to last tile give LD a token.
  const Lane loads = isa::tile::lane_of(0, isa::tile::Class::LD);
  EXPECT_EQ(mending_bits(program.steps),
            (std::vector<DependencyBit>{{kTransform, true, loads, false}, {5 + 3 * (kTiles - 2) + 1, true, loads, false}}));
}

TEST(Mending, TwoMissingBitsAreNotMendedByOne) {
  Program program = two_tiles();
  isa::insert_bits(program.steps[3].code, isa::tile::kNextBit, isa::tile::kClasses, 0);
  isa::insert_bits(program.steps[4].code, isa::tile::kNextBit, isa::tile::kClasses, 0);
  EXPECT_TRUE(mending_bits(program.steps).empty());
}

TEST(Mending, ABitBetweenCores) {
  const auto task = [](int next, int previous) {
    return Program({test::start(), test::cut(0, 8191, {"", R"("SO")"}), test::exchange_configuration("so_cfg", 4),
                    test::on_core(1, test::cut(0, 8191, {"", R"("SI")"})), test::on_core(1, test::exchange_configuration("si_cfg", 4)),
                    test::export_to(1, 0, 64, 4, 0, next, {R"("CT")", ""}),
                    test::on_core(1, test::import_from(0, 0, 64, 4, previous, 0, {R"("CT")", ""})), test::end()});
  };
  EXPECT_TRUE(task(0b10, 0b01).analysis().passes());
  for (const bool next : {false, true}) {
    const Program program = next ? task(0, 0b01) : task(0b10, 0);
    const std::vector<DependencyBit> bits = mending_bits(program.steps);
    ASSERT_EQ(bits.size(), 1U);
    EXPECT_EQ(bits[0].instruction, next ? 5 : 6);
    EXPECT_EQ(bits[0].next, next);
    EXPECT_EQ(bits[0].other, next ? lane_of(1, isa::tile::Class::SI) : lane_of(0, isa::tile::Class::SO));
    std::vector<Step> mended = program.steps;
    isa::tile::MachineCode &code = mended[static_cast<std::size_t>(bits[0].instruction)].code;
    code = with_bit(code, bits[0]);
    EXPECT_TRUE(analyse(mended).passes());
  }
}

}  // namespace
}  // namespace cox::model::hazard
