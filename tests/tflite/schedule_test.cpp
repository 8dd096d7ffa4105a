// SPDX-License-Identifier: MIT
// Schedules of random graphs: operators that share bytes are ordered, by waits none of which could be left out.
#include "coxswain/tflite/schedule.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "tests/tflite/model_builder.h"

namespace cox::tests::tflite_schedule {
namespace {

using namespace cox::tests::tflite_models;  // NOLINT(google-build-using-namespace)
namespace tf = cox::tflite;

class AllKernels final : public tf::OperatorSet {
 public:
  [[nodiscard]] tf::Support check(const tf::Model &, std::size_t index) const override {
    tf::Support support;
    support.scratch_bytes = static_cast<std::uint32_t>(16 * (index % 3));
    support.by_parts = true;
    return support;
  }
};

struct Planned {
  explicit Planned(const ModelParts &parts) : file(parts), uses(parts.tensors.size()) {
    const Result<tf::Model> opened = tf::open(file.view(), uses);
    EXPECT_TRUE(opened) << opened.status().what() << " " << opened.status().index();
    model = opened.value();
    records.resize(tf::arena_records(model));
    plan = tf::plan_arena(model, AllKernels(), {}, records).value();
  }
  [[nodiscard]] std::vector<tf::Task> schedule(unsigned units) const {
    std::vector<tf::Task> tasks(tf::schedule_tasks(model, units));
    const Result<std::span<tf::Task>> result = tf::schedule_operators(model, plan, AllKernels(), units, tasks);
    EXPECT_TRUE(result) << result.status().what();
    tasks.resize(result ? result.value().size() : 0);
    return tasks;
  }

  File file;
  std::vector<tf::TensorUse> uses;
  std::vector<tf::ArenaRecord> records;
  tf::Model model;
  tf::ArenaPlan plan;
};

ModelParts random_graph(unsigned seed) {
  std::mt19937 random(seed);
  ModelParts parts;
  std::vector<std::int32_t> tensors;
  for (int i = 0; i < 3; ++i) tensors.push_back(parts.tensor({static_cast<std::int32_t>(random() % 500 + 1)}, 1));
  parts.inputs = tensors;
  for (unsigned i = 0; i < 5 + random() % 30; ++i) {
    std::vector<std::int32_t> inputs;
    for (std::size_t n = random() % 3 + 1; n > 0; --n) {
      const std::size_t late = std::min<std::size_t>(tensors.size(), 6);  // few tensors live long, so memory is used again
      inputs.push_back(tensors[tensors.size() - 1 - random() % late]);
    }
    const std::int32_t output = parts.tensor({static_cast<std::int32_t>(random() % 500 + 1)}, 1);
    parts.op(OperatorCode::concatenation, inputs, {output});
    tensors.push_back(output);
  }
  parts.outputs = {tensors.back()};
  return parts;
}

/// Maps of 24 rows that pass through convolutions and sums. Some have scratch memory, so they have no parts.
ModelParts random_maps(unsigned seed) {
  std::mt19937 random(seed);
  ModelParts parts;
  const auto map = [&parts] { return parts.tensor({1, 24, 4, 32}, 0.5F, 3); };
  std::vector<std::int32_t> maps = {map(), map()};
  parts.inputs = maps;
  for (unsigned i = 0; i < 3 + random() % 10; ++i) {
    const auto late = [&] { return maps[maps.size() - 1 - random() % std::min<std::size_t>(maps.size(), 4)]; };
    const std::int32_t input = late(), other = late(), output = map();
    if (random() % 4 == 0) {
      parts.op(OperatorCode::add, {input, other}, {output}, schema::BuiltinOptions::AddOptions,
               [](flatbuffers::FlatBufferBuilder &builder) { return schema::CreateAddOptions(builder).Union(); });
    } else {
      const auto side = static_cast<std::int32_t>(2 * (random() % 3) + 1);
      const std::size_t weights = static_cast<std::size_t>(side * side) * 32 * 32;
      const std::int32_t constant =
          parts.constant<std::int8_t>({32, side, side, 32}, std::vector<std::int8_t>(weights, 1), ElementType::int8, 0.01F);
      parts.op(OperatorCode::conv_2d, {input, constant, -1}, {output}, schema::BuiltinOptions::Conv2DOptions,
               [](flatbuffers::FlatBufferBuilder &builder) { return schema::CreateConv2DOptions(builder, 0, 1, 1, 0, 1, 1).Union(); });
    }
    maps.push_back(output);
  }
  parts.outputs = {maps.back()};
  return parts;
}

using Matrix = std::vector<std::vector<bool>>;

/// before[a][b]: task a ends before task b starts, by units and waits except those of `left_out` for its unit.
Matrix order_of(const std::vector<tf::Task> &tasks, const tf::Task *left_out = nullptr, unsigned unit = 0) {
  Matrix before(tasks.size(), std::vector<bool>(tasks.size()));
  for (std::size_t b = 0; b < tasks.size(); ++b) {
    for (std::size_t a = b; a-- > 0;) {
      const bool waits = tasks[b].waits_for(tasks[a]) && !(&tasks[b] == left_out && tasks[a].unit == unit);
      if (!waits && tasks[a].unit != tasks[b].unit) continue;
      before[a][b] = true;
      for (std::size_t c = 0; c < a; ++c) before[c][b] = before[c][b] || before[c][a];
    }
  }
  return before;
}

bool keeps_order(const Planned &planned, const std::vector<tf::Task> &tasks, const Matrix &before) {
  for (std::size_t b = 0; b < tasks.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (!before[a][b] && tf::is_ordered(planned.model, planned.plan, {tasks[a].op, tasks[a].bytes}, {tasks[b].op, tasks[b].bytes}))
        return false;
    }
  }
  return true;
}

TEST(TfliteSchedule, OrdersWhatSharesBytesAndNothingElse) {
  std::size_t waits = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const Planned planned(random_graph(seed));
    for (const unsigned units : {1U, 2U, 3U, 8U}) {
      const std::vector<tf::Task> tasks = planned.schedule(units);
      ASSERT_EQ(tasks.size(), planned.model.operators());
      ASSERT_TRUE(keeps_order(planned, tasks, order_of(tasks))) << units << " units";
      for (const tf::Task &task : tasks) {
        ASSERT_LT(task.unit, units);
        for (unsigned unit = 0; unit < units; ++unit) {
          if (task.waits[unit] == 0) continue;
          ++waits;
          EXPECT_FALSE(keeps_order(planned, tasks, order_of(tasks, &task, unit))) << "operator " << task.op << " unit " << unit;
        }
      }
    }
  }
  EXPECT_GT(waits, 1000U);
}

TEST(TfliteSchedule, OrdersPartsThatShareBytes) {
  std::size_t parts = 0, waits = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const Planned planned(random_maps(seed));
    for (const unsigned units : {2U, 3U, 8U}) {
      const std::vector<tf::Task> tasks = planned.schedule(units);
      ASSERT_TRUE(keeps_order(planned, tasks, order_of(tasks))) << units << " units";
      for (const tf::Task &task : tasks) {
        parts += task.part.is_whole() ? 0 : 1;
        for (unsigned unit = 0; unit < units; ++unit) {
          if (task.waits[unit] == 0) continue;
          ++waits;
          EXPECT_FALSE(keeps_order(planned, tasks, order_of(tasks, &task, unit))) << "operator " << task.op << " unit " << unit;
        }
      }
    }
  }
  EXPECT_GT(parts, 500U);
  EXPECT_GT(waits, 500U);
}

TEST(TfliteSchedule, IsTheSameEachTime) {
  const Planned planned(random_graph(7));
  const std::vector<tf::Task> first = planned.schedule(3), second = planned.schedule(3);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].unit, second[i].unit);
    EXPECT_EQ(first[i].waits, second[i].waits);
  }
}

TEST(TfliteSchedule, GivesOneUnitAllOperatorsOfALargeModel) {
  ModelParts parts;
  const std::int32_t input = parts.tensor({16}, 1);
  std::int32_t output = input;
  parts.inputs = {input};
  for (std::size_t i = 0; i <= tf::kMaxScheduledOperators; ++i) {
    output = parts.tensor({16}, 1);
    parts.op(OperatorCode::concatenation, {input}, {output});
  }
  parts.outputs = {output};
  const Planned planned(parts);
  for (const tf::Task &task : planned.schedule(8)) {
    EXPECT_EQ(task.unit, 0);
    EXPECT_EQ(task.wait_count(), 0U);
  }
}

TEST(TfliteSchedule, RefusesUnitsAndASmallWorkspace) {
  const Planned planned(random_graph(1));
  std::vector<tf::Task> tasks(tf::schedule_tasks(planned.model, 2));
  EXPECT_STREQ(tf::schedule_operators(planned.model, planned.plan, AllKernels(), 0, tasks).status().what(), "units");
  EXPECT_EQ(tf::schedule_operators(planned.model, planned.plan, AllKernels(), tf::kMaxUnits + 1, tasks).status().limit(), tf::kMaxUnits);
  tasks.pop_back();
  const Status small = tf::schedule_operators(planned.model, planned.plan, AllKernels(), 2, tasks).status();
  EXPECT_EQ(small.code(), ErrorCode::no_room);
  EXPECT_STREQ(small.what(), "workspace");
}

}  // namespace
}  // namespace cox::tests::tflite_schedule
