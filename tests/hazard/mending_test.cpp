// SPDX-License-Identifier: MIT
// Each dependency bit of a task removed in turn: found, and among those that mend it.
#include "sim/model/hazard/mending.h"

#include <gtest/gtest.h>

#include "tests/hazard/program.h"

namespace cox::model::hazard {
namespace {

using isa::tile::kClasses;
using test::Program;

/// Two tiles, double-buffered: loads, transforms, stores, each waiting for a buffer.
Program two_tiles() {
  return Program({test::start(), test::cut(0, 8191, {"", R"("LD")"}), test::load_configuration(4),
                  test::load(0, 0, 4, {R"("CT")", R"("DT")"}), test::load(32, 32, 4, {"", R"("DT")"}), test::transform_configuration(4),
                  test::transform(0, 4096, 4, {R"("LD")", R"("ST", "LD")"}), test::transform(32, 4128, 4, {R"("LD")", R"("ST")"}),
                  test::load(64, 0, 4, {R"("DT")", R"("DT")"}), test::store_configuration(4),
                  test::store(4096, 128, 4, {R"("DT")", R"("DT")"}), test::store(4128, 160, 4, {R"("DT")", ""}),
                  test::transform(0, 4096, 4, {R"("LD", "ST")", R"("ST")"}), test::store(4096, 192, 4, {R"("DT")", R"("CT")"}),
                  test::end({R"("ST")", ""})});
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
        for (const DependencyBit &mend : mending_bits(steps)) {
          among =
              among || (mend.instruction == static_cast<std::int32_t>(i) && mend.next == next && static_cast<unsigned>(mend.other) == c);
          std::vector<Step> mended = steps;
          isa::tile::MachineCode &code = mended[static_cast<std::size_t>(mend.instruction)].code;
          code = with_bit(code, mend);
          EXPECT_TRUE(analyse(mended).passes());
        }
        EXPECT_TRUE(among);
      }
    }
  }
  EXPECT_EQ(removed, 20);
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
