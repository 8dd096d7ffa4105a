// SPDX-License-Identifier: MIT
// Arenas of random graphs, beside a simulation that follows which value each byte holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "coxswain/tflite/arena.h"
#include "tests/tflite/model_builder.h"

namespace cox::tests::tflite_arena {
namespace {

using namespace cox::tests::tflite_models;  // NOLINT(google-build-using-namespace)
namespace tf = cox::tflite;

/// Takes each operator. ADD may overwrite both inputs; others have scratch memory of their index times 16 bytes.
class Kernels final : public tf::OperatorSet {
 public:
  explicit Kernels(bool overwrite = true) : overwrite_(overwrite) {}
  [[nodiscard]] tf::Support check(const tf::Model &model, std::size_t index) const override {
    tf::Support support;
    if (model.op(index).code == OperatorCode::add) {
      support.overwritable = overwrite_ ? 3 : 0;
    } else {
      support.scratch_bytes = static_cast<std::uint32_t>(16 * (index % 4));
    }
    return support;
  }

 private:
  bool overwrite_;
};

struct Opened {
  explicit Opened(const ModelParts &parts) : file(parts), uses(parts.tensors.size()) {
    const Result<tf::Model> opened = tf::open(file.view(), uses);
    EXPECT_TRUE(opened) << opened.status().what() << " " << opened.status().index();
    model = opened.value();
    records.resize(tf::arena_records(model));
  }
  tf::ArenaPlan plan(const tf::OperatorSet &kernels, const tf::ArenaOptions &options = {}) {
    const Result<tf::ArenaPlan> planned = tf::plan_arena(model, kernels, options, records);
    EXPECT_TRUE(planned) << planned.status().what();
    return planned.value();
  }

  File file;
  std::vector<tf::TensorUse> uses;
  std::vector<tf::ArenaRecord> records;
  tf::Model model;
};

constexpr auto kAdd = schema::BuiltinOptions::AddOptions;
flatbuffers::Offset<void> add_options(flatbuffers::FlatBufferBuilder &builder) { return schema::CreateAddOptions(builder).Union(); }

/// Follows the values in the bytes of the arena. Each tensor's value has a number; a copy has the number of its input.
void simulate(const tf::Model &model, const tf::ArenaPlan &plan, const tf::OperatorSet &kernels, const tf::ArenaOptions &options) {
  std::vector<std::int32_t> holds(plan.bytes(), -1);
  std::map<std::int32_t, std::int32_t> values;
  const auto write = [&](std::int32_t tensor, std::int32_t value) {
    values[tensor] = value;
    if (!plan.contains(tensor)) return;
    const std::uint32_t bytes = model.tensor(static_cast<std::size_t>(tensor)).bytes;
    ASSERT_EQ(plan.offset(tensor) % tf::kArenaAlignment, 0U);
    ASSERT_LE(plan.offset(tensor) + bytes, plan.bytes());
    std::fill_n(holds.begin() + plan.offset(tensor), bytes, value);
  };
  const auto read = [&](std::int32_t tensor, const char *when) {
    if (!plan.contains(tensor)) return;
    const std::uint32_t bytes = model.tensor(static_cast<std::size_t>(tensor)).bytes;
    const auto first = holds.begin() + plan.offset(tensor);
    ASSERT_TRUE(std::all_of(first, first + bytes, [&](std::int32_t held) { return held == values.at(tensor); }))
        << when << " reads tensor " << tensor;
  };
  for (std::size_t i = 0; i < model.tensors(); ++i) {
    const auto tensor = static_cast<std::int32_t>(i);
    if (model.use(i).is_input || model.tensor(i).variable) write(tensor, tensor);
  }
  for (std::size_t i = 0; i < model.operators(); ++i) {
    const std::string when = "operator " + std::to_string(i);
    const tf::OperatorView op = model.op(i);
    for (const std::int32_t tensor : op.inputs) read(tensor, when.c_str());
    if (plan.is_alias(i)) {
      ASSERT_EQ(plan.offset(op.inputs[0]), plan.offset(op.outputs[0]));
      values[op.outputs[0]] = values.at(op.inputs[0]);
      continue;
    }
    const std::uint32_t scratch = kernels.check(model, i).scratch_bytes;
    if (scratch != 0) {
      ASSERT_LE(plan.scratch_offset(i) + scratch, plan.bytes());
      std::fill_n(holds.begin() + plan.scratch_offset(i), scratch, -2);
    }
    for (const std::int32_t tensor : op.inputs) read(tensor, "the kernel beside its scratch memory");
    for (const std::int32_t tensor : op.outputs) write(tensor, tensor);
    if (scratch != 0) {
      ASSERT_TRUE(std::all_of(holds.begin() + plan.scratch_offset(i), holds.begin() + plan.scratch_offset(i) + scratch,
                              [](std::int32_t held) { return held == -2; }));
    }
  }
  for (const std::int32_t tensor : model.outputs()) read(tensor, "the caller");
  for (std::size_t i = 0; i < model.tensors(); ++i) {
    const bool kept = model.tensor(i).variable || (options.keep_inputs && model.use(i).is_input);
    if (kept) read(static_cast<std::int32_t>(i), "the next inference");
  }
}

/// A random graph of ADD (equal shapes), RESHAPE and MAX_POOL_2D as an operator of any number of tensors.
ModelParts random_graph(std::mt19937 &random) {
  const auto below = [&random](std::size_t count) { return random() % count; };
  ModelParts parts;
  std::vector<std::int32_t> known;
  for (std::size_t i = 0; i < 1 + below(3); ++i) known.push_back(parts.tensor({static_cast<std::int32_t>(1 + below(100))}, 1));
  parts.inputs = known;
  if (below(3) == 0) {
    known.push_back(parts.tensor({40}, 1));
    parts.tensors.back().variable = true;
  }
  if (below(3) == 0) known.push_back(parts.constant<std::int8_t>({16}, std::vector<std::int8_t>(16, 1), ElementType::int8, 1));
  const std::size_t operators = 1 + below(20);
  for (std::size_t i = 0; i < operators; ++i) {
    const std::int32_t from = known[known.size() - 1 - below(std::min<std::size_t>(known.size(), 5))];
    const std::vector<std::int32_t> shape = parts.tensors[static_cast<std::size_t>(from)].shape;
    const std::size_t kind = below(3);
    if (kind == 0) {
      std::int32_t other = from;
      for (const std::int32_t tensor : known) {
        if (parts.tensors[static_cast<std::size_t>(tensor)].shape == shape && below(2) == 0) other = tensor;
      }
      const std::int32_t to = parts.tensor(shape, 1);
      parts.op(OperatorCode::add, {from, other}, {to}, kAdd, add_options);
      known.push_back(to);
    } else if (kind == 1) {
      std::vector<std::int32_t> reshaped = shape;
      reshaped.insert(reshaped.begin(), 1);
      if (reshaped.size() > 4) reshaped = {1, reshaped[4]};
      const std::int32_t to = parts.tensor(reshaped, 1);
      parts.op(OperatorCode::reshape, {from}, {to});
      known.push_back(to);
    } else {
      std::vector<std::int32_t> inputs = {from}, outputs;
      for (std::size_t j = 0; j < below(3); ++j) inputs.push_back(known[below(known.size())]);
      for (std::size_t j = 0; j < 1 + below(2); ++j) outputs.push_back(parts.tensor({static_cast<std::int32_t>(1 + below(200))}, 1));
      parts.op(OperatorCode::max_pool_2d, inputs, outputs);
      known.insert(known.end(), outputs.begin(), outputs.end());
    }
  }
  parts.outputs = {known.back()};
  if (below(2) == 0) parts.outputs.push_back(known[below(known.size())]);
  return parts;
}

TEST(TfliteArena, KeepsEveryValueOfRandomGraphs) {
  std::mt19937 random(7);
  double worst = 1;
  for (int i = 0; i < 3000; ++i) {
    SCOPED_TRACE(i);
    Opened opened(random_graph(random));
    const Kernels kernels(i % 2 == 0);
    const tf::ArenaOptions options{.keep_inputs = i % 3 == 0};
    const tf::ArenaPlan plan = opened.plan(kernels, options);
    ASSERT_GE(plan.bytes(), plan.live_bytes());
    if (plan.live_bytes() != 0) worst = std::max(worst, static_cast<double>(plan.bytes()) / plan.live_bytes());
    simulate(opened.model, plan, kernels, options);
    if (testing::Test::HasFatalFailure()) return;
  }
  std::printf("largest arena of the random graphs beside its live bytes: %.3f\n", worst);
  EXPECT_LT(worst, 1.3);
}

ModelParts chain() {
  ModelParts parts;
  const std::int32_t in = parts.tensor({64}, 1), other = parts.tensor({64}, 1);
  const std::int32_t reshaped = parts.tensor({8, 8}, 1), other_reshaped = parts.tensor({8, 8}, 1), sum = parts.tensor({8, 8}, 1);
  parts.op(OperatorCode::reshape, {in}, {reshaped});
  parts.op(OperatorCode::reshape, {other}, {other_reshaped});
  parts.op(OperatorCode::add, {reshaped, other_reshaped}, {sum}, kAdd, add_options);
  parts.inputs = {in, other};
  parts.outputs = {sum};
  return parts;
}

TEST(TfliteArena, CopiesNothingAndOverwritesInputs) {
  Opened opened(chain());
  const tf::ArenaPlan plan = opened.plan(Kernels());
  EXPECT_TRUE(plan.is_alias(0));
  EXPECT_TRUE(plan.is_alias(1));
  EXPECT_FALSE(plan.is_alias(2));
  EXPECT_EQ(plan.offset(0), plan.offset(2));
  EXPECT_EQ(plan.offset(4), plan.offset(0));
  EXPECT_EQ(plan.bytes(), 128U);
  EXPECT_EQ(plan.live_bytes(), 128U);
}

TEST(TfliteArena, KeepsInputsIfTheCallerWants) {
  Opened opened(chain());
  const tf::ArenaPlan plan = opened.plan(Kernels(), {.keep_inputs = true});
  EXPECT_EQ(plan.bytes(), 192U);
  EXPECT_NE(plan.offset(4), plan.offset(0));
}

TEST(TfliteArena, LeavesMemoryOfTheCallerOut) {
  Opened opened(chain());
  const tf::ArenaPlan plan = opened.plan(Kernels(), {.inputs_outside = true, .outputs_outside = true});
  EXPECT_FALSE(plan.contains(0));
  EXPECT_FALSE(plan.contains(4));
  EXPECT_FALSE(plan.is_alias(0));  // the input is in other memory, so the kernel must copy it
  EXPECT_TRUE(plan.contains(2));
  EXPECT_EQ(plan.bytes(), 144U);  // the copies, and 16 bytes of scratch memory of the second kernel
}

TEST(TfliteArena, RefusesAnOutputThatIsAnInputOfTheCaller) {
  ModelParts parts = chain();
  parts.outputs.push_back(0);
  Opened opened(parts);
  const Status status = tf::plan_arena(opened.model, Kernels(), {.outputs_outside = true}, opened.records).status();
  EXPECT_EQ(status.code(), ErrorCode::unsupported);
  EXPECT_EQ(status.value(), 0);
}

TEST(TfliteArena, WantsItsWorkspace) {
  Opened opened(chain());
  opened.records.pop_back();
  const Status status = tf::plan_arena(opened.model, Kernels(), {}, opened.records).status();
  EXPECT_EQ(status.code(), ErrorCode::no_room);
  EXPECT_STREQ(status.what(), "workspace");
  EXPECT_EQ(status.limit(), 10);
}

TEST(TfliteArena, RefusesAnArenaThatIsTooLarge) {
  ModelParts parts;
  const std::int32_t in = parts.tensor({1 << 30}, 1), middle = parts.tensor({1 << 30}, 1), out = parts.tensor({1 << 30}, 1);
  parts.op(OperatorCode::max_pool_2d, {in}, {middle});
  parts.op(OperatorCode::max_pool_2d, {in, middle}, {out});
  parts.inputs = {in};
  parts.outputs = {out};
  Opened opened(parts);
  const Status status = tf::plan_arena(opened.model, Kernels(), {}, opened.records).status();
  EXPECT_EQ(status.code(), ErrorCode::no_room);
  EXPECT_STREQ(status.what(), "arena");
  EXPECT_GT(status.value(), std::int64_t{1} << 31);
}

TEST(TfliteArena, OrdersOperatorsThatShareBytes) {
  ModelParts parts;
  const std::int32_t in = parts.tensor({64}, 1), other = parts.tensor({64}, 1);
  const std::int32_t left = parts.tensor({64}, 1), right = parts.tensor({64}, 1), sum = parts.tensor({64}, 1);
  parts.op(OperatorCode::average_pool_2d, {in}, {left});
  parts.op(OperatorCode::average_pool_2d, {other}, {right});
  parts.op(OperatorCode::add, {left, right}, {sum}, kAdd, add_options);
  parts.inputs = {in, other};
  parts.outputs = {sum};
  Opened opened(parts);
  class Plain final : public tf::OperatorSet {
    [[nodiscard]] tf::Support check(const tf::Model &, std::size_t) const override { return {}; }
  };
  const Plain kernels;
  const tf::ArenaPlan plan = opened.plan(kernels, {.keep_inputs = true, .outputs_outside = true});
  EXPECT_FALSE(tf::is_ordered(opened.model, plan, {0}, {1}));  // they share nothing
  EXPECT_TRUE(tf::is_ordered(opened.model, plan, {0}, {2}));   // the sum reads what the first one writes
  EXPECT_TRUE(tf::is_ordered(opened.model, plan, {1}, {2}));
  const tf::ArenaPlan tight = opened.plan(kernels);
  // Without kept inputs, the output of the second operator has the memory that the first one reads.
  ASSERT_EQ(tight.offset(right), tight.offset(in));
  EXPECT_TRUE(tf::is_ordered(opened.model, tight, {0}, {1}));
}

}  // namespace
}  // namespace cox::tests::tflite_arena
