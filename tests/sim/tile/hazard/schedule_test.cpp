// SPDX-License-Identifier: MIT
#include "sim/model/tile/hazard/schedule.h"

#include <gtest/gtest.h>

#include "tests/sim/tile/hazard/program.h"

namespace cox::model::hazard {
namespace {

using isa::tile::Class;
using test::Program;

TEST(Schedule, TokensThatDoNotComeOutEven) {
  const Program program({test::start({"", R"("LD")"}), test::cut(0, 8191, {"", R"("LD")"}), test::load_configuration(4),
                         test::load(0, 0, 4, {R"("CT")", R"("ST")"}), test::end()});
  const Schedule schedule = make_schedule(program.steps);
  ASSERT_EQ(schedule.imbalances.size(), 2U);
  EXPECT_EQ(schedule.imbalances[0].from, lane_of(0, Class::CT));
  EXPECT_EQ(schedule.imbalances[0].to, lane_of(0, Class::LD));
  EXPECT_EQ(schedule.imbalances[0].put, 2);
  EXPECT_EQ(schedule.imbalances[0].taken, 1);
  EXPECT_EQ(schedule.imbalances[1].from, lane_of(0, Class::LD));
  EXPECT_EQ(schedule.imbalances[1].to, lane_of(0, Class::ST));
  EXPECT_TRUE(schedule.stuck.empty());
  EXPECT_EQ(schedule.order.size(), program.steps.size());
}

TEST(Schedule, ACircleOfWaitingIsADeadlock) {
  // The tokens are balanced, but LD waits for DT and DT for LD.
  const Program program({test::start(), test::cut(0, 8191), test::load_configuration(4), test::load(0, 0, 4, {R"("DT")", R"("DT")"}),
                         test::transform_configuration(4), test::transform(64, 4096, 4, {R"("LD")", R"("LD")"}), test::end()});
  const Schedule schedule = make_schedule(program.steps);
  EXPECT_TRUE(schedule.imbalances.empty());
  ASSERT_EQ(schedule.stuck.size(), 2U);
  EXPECT_EQ(schedule.stuck[0].instruction, 3);
  EXPECT_EQ(schedule.stuck[0].waits_for, 1U << lane_of(0, Class::DT));
  EXPECT_EQ(schedule.stuck[1].instruction, 5);
  EXPECT_FALSE(schedule.complete());
}

TEST(Schedule, HappensBefore) {
  const Program program({test::start(), test::cut(0, 8191, {"", R"("LD")"}), test::load_configuration(4),
                         test::load(0, 0, 4, {R"("CT")", R"("DT")"}), test::load(32, 32, 4), test::transform_configuration(4),
                         test::transform(0, 4096, 4, {R"("LD")", ""}), test::end()});
  const Schedule schedule = make_schedule(program.steps);
  EXPECT_TRUE(schedule.complete());
  EXPECT_TRUE(schedule.happens_before(program.steps, 1, 6));
  EXPECT_TRUE(schedule.happens_before(program.steps, 3, 6));
  EXPECT_FALSE(schedule.happens_before(program.steps, 4, 6));
  EXPECT_FALSE(schedule.happens_before(program.steps, 6, 4));
  EXPECT_FALSE(schedule.happens_before(program.steps, 6, 3));
}

TEST(Schedule, TokensBetweenCores) {
  // Core 0 gives core 1 a token. Core 1 takes it and gives back a token that no instruction takes.
  const Program program(
      {test::start(), test::exchange("so_sync", 0b0000, 0b0010), test::on_core(1, test::exchange("si_sync", 0b0001, 0b0001)), test::end()});
  const Schedule schedule = make_schedule(program.steps);
  ASSERT_EQ(schedule.imbalances.size(), 1U);
  EXPECT_EQ(schedule.imbalances[0].from, lane_of(1, Class::SI));
  EXPECT_EQ(schedule.imbalances[0].to, lane_of(0, Class::SO));
  EXPECT_STREQ(isa::tile::lane_name(schedule.imbalances[0].from, true).text, "SI of core 1");
  EXPECT_STREQ(isa::tile::lane_name(schedule.imbalances[0].to, false).text, "SO");
  EXPECT_TRUE(schedule.happens_before(program.steps, 1, 2));
  // Cores wait for each other in a circle.
  const Program circle(
      {test::start(), test::exchange("so_sync", 0b0010, 0b0010), test::on_core(1, test::exchange("si_sync", 0b0001, 0b0001)), test::end()});
  const Schedule stuck = make_schedule(circle.steps);
  EXPECT_TRUE(stuck.imbalances.empty());
  ASSERT_EQ(stuck.stuck.size(), 2U);
  EXPECT_EQ(stuck.stuck[0].waits_for, LaneSet{1} << lane_of(1, Class::SI));
  EXPECT_EQ(stuck.stuck[1].waits_for, LaneSet{1} << lane_of(0, Class::SO));
}

}  // namespace
}  // namespace cox::model::hazard
