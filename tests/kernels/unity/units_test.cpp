// SPDX-License-Identifier: MIT
// Models on several units: the same bytes on any number of units, in any parts and under any timing.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <set>

#include "coxswain/tflite/resolve.h"
#include "tests/kernels/unity/network.h"
#include "tests/tflite/published.h"
#include "tools/unity/access_order.h"

namespace cox::tests::unity::units_test {
namespace {

using namespace cox::tests::published;  // NOLINT(google-build-using-namespace)
using namespace kernels::unity;         // NOLINT(google-build-using-namespace)
using tflite::OperatorCode;
using tflite_models::ModelParts;
using Type = tflite_models::schema::BuiltinOptions;

constexpr std::array<unsigned, 4> kUnits = {1, 2, 3, 8};
constexpr unsigned kTimings = 100;

/// Runs the container, and looks for accesses to the same bytes that nothing orders (`cox check`).
void expect_no_hazards(Bench &bench) {
  const Result<isa::unity::Container> container = isa::unity::Container::open(bench.builder.code());
  ASSERT_TRUE(container);
  tools::unity::AccessOrder order(container.value());
  bench.machine->set_listener(&order);
  bench.run();
  bench.machine->set_listener(nullptr);
  EXPECT_FALSE(order.is_cut());
  const std::vector<tools::unity::Hazard> hazards = order.hazards();
  EXPECT_TRUE(hazards.empty()) << hazards.size() << " hazards, the first one of positions " << hazards.front().earlier << " and "
                               << hazards.front().later;
}

class UnityUnitsOf : public testing::TestWithParam<const char *> {};

TEST_P(UnityUnitsOf, GiveThePublishedBytes) {
  const std::string name = GetParam();
  if (!present(model_file(name))) GTEST_SKIP() << "no published models at " << COX_SHARED_DATA;
  const tflite_models::File file = tflite_models::read(model_file(name));
  for (const unsigned units : kUnits) {
    SCOPED_TRACE(units);
    Network network(file.view(), units);
    std::uint64_t cycles = 0;
    for (std::size_t input = 0; input < 3; ++input) {
      const std::string suffix = "/" + name + "/" + numbered(input, 3) + ".bin";
      network.set(0, read_bytes(root() + "inputs" + suffix));
      cycles = network.bench.run();
      ASSERT_EQ(network.output(0), read_bytes(root() + "expected" + suffix)) << "input " << input;
      EXPECT_EQ(network.bench.keys(), 0U);
    }
    expect_no_hazards(network.bench);
    std::printf("%-24s %u units: %8llu cycles\n", name.c_str(), units, static_cast<unsigned long long>(cycles));
  }
}

TEST_P(UnityUnitsOf, GiveThePublishedBytesUnderRandomTimings) {
  const std::string name = GetParam();
  if (!present(model_file(name))) GTEST_SKIP() << "no published models at " << COX_SHARED_DATA;
  const tflite_models::File file = tflite_models::read(model_file(name));
  Network network(file.view(), 8);
  const Bytes input = read_bytes(root() + "inputs/" + name + "/000.bin"), expected = read_bytes(root() + "expected/" + name + "/000.bin");
  std::set<std::uint64_t> durations;
  for (unsigned seed = 1; seed <= kTimings; ++seed) {
    network.bench.set_random_timing(seed * 7919);
    network.set(0, input);
    durations.insert(network.bench.run());
    ASSERT_EQ(network.output(0), expected) << "seed " << seed;
  }
  EXPECT_GT(durations.size(), kTimings / 2) << "the timings do not differ";
}

INSTANTIATE_TEST_SUITE_P(Published, UnityUnitsOf, testing::ValuesIn(kModels), [](const auto &row) { return row.param; });

// Models of this test.

constexpr std::int32_t kSide = 16, kChannels = 16;
constexpr std::int32_t kRows = 128, kDepth = 128;
constexpr float kScale = 0.05F;

std::int32_t map_of(ModelParts &parts) { return parts.tensor({1, kSide, kSide, kChannels}, kScale, 3); }
/// Appends a convolution of 3 x 3 and returns its output.
std::int32_t convolve(ModelParts &parts, std::int32_t input) {
  std::vector<std::int8_t> values(std::size_t{9} * kChannels * kChannels);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int8_t>(i * (37 + parts.operators.size()) % 255 - 127);
  const std::int32_t weights = parts.constant<std::int8_t>({kChannels, 3, 3, kChannels}, values, tflite_models::ElementType::int8, 0.002F);
  const std::int32_t output = map_of(parts);
  parts.op(OperatorCode::conv_2d, {input, weights, -1}, {output}, Type::Conv2DOptions, [](flatbuffers::FlatBufferBuilder &builder) {
    return tflite_models::schema::CreateConv2DOptions(builder, 0, 1, 1, 0, 1, 1).Union();
  });
  return output;
}

/// Appends a layer of rows, which has no parts, and returns its output.
std::int32_t connect(ModelParts &parts, std::int32_t input) {
  std::vector<std::int8_t> values(std::size_t{kDepth} * kDepth);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int8_t>(i * (37 + parts.operators.size()) % 255 - 127);
  const std::int32_t weights = parts.constant<std::int8_t>({kDepth, kDepth}, values, tflite_models::ElementType::int8, 0.002F);
  const std::int32_t output = parts.tensor({kRows, kDepth}, kScale, 3);
  parts.op(OperatorCode::fully_connected, {input, weights, -1}, {output}, Type::FullyConnectedOptions,
           [](flatbuffers::FlatBufferBuilder &builder) {
             return tflite_models::schema::CreateFullyConnectedOptions(builder, 0, 0, false, false).Union();
           });
  return output;
}

/// Two branches of an operator without parts each, and their sum.
ModelParts two_branches() {
  ModelParts parts;
  const std::int32_t input = parts.tensor({kRows, kDepth}, kScale, 3);
  const std::int32_t left = connect(parts, input), right = connect(parts, input);
  const std::int32_t output = parts.tensor({kRows, kDepth}, kScale, 3);
  parts.op(OperatorCode::add, {left, right}, {output}, Type::AddOptions,
           [](flatbuffers::FlatBufferBuilder &builder) { return tflite_models::schema::CreateAddOptions(builder, 0, true).Union(); });
  parts.inputs = {input};
  parts.outputs = {output};
  return parts;
}

/// A chain of convolutions.
ModelParts chain() {
  ModelParts parts;
  const std::int32_t input = map_of(parts);
  parts.inputs = {input};
  parts.outputs = {convolve(parts, convolve(parts, convolve(parts, input)))};
  return parts;
}

/// A slow operator reads an input, whose memory the output of a fast one has.
ModelParts reused_memory() {
  ModelParts parts;
  const std::int32_t input = parts.tensor({kRows, kDepth}, kScale, 3), other = parts.tensor({kRows, kDepth}, kScale, 3);
  const std::int32_t slow = connect(parts, input), fast = parts.tensor({kRows, kDepth}, 1.0F / 128, 0);
  parts.op(OperatorCode::tanh, {other}, {fast});
  const std::int32_t output = parts.tensor({kRows, kDepth}, kScale, 3);
  parts.op(OperatorCode::add, {slow, fast}, {output}, Type::AddOptions,
           [](flatbuffers::FlatBufferBuilder &builder) { return tflite_models::schema::CreateAddOptions(builder, 0, true).Union(); });
  parts.inputs = {input, other};
  parts.outputs = {output};
  return parts;
}

TEST(UnityUnits, HaveNoHazards) {
  for (const ModelParts &parts : {two_branches(), reused_memory(), chain(), tflite_models::all_operators()}) {
    const tflite_models::File file(parts);
    for (const unsigned units : kUnits) {
      Network network(file.view(), units);
      expect_no_hazards(network.bench);
    }
  }
}

TEST(UnityUnitsBranches, Overlap) {
  const std::uint64_t one = compare_with_reference(two_branches(), 1, 1), two = compare_with_reference(two_branches(), 1, 2);
  EXPECT_LT(two, one * 3 / 4);
  compare_with_reference(two_branches(), 2, 2, kTimings);
}

TEST(UnityUnitsParts, MakeAChainFaster) {
  const std::uint64_t one = compare_with_reference(chain(), 1, 1), two = compare_with_reference(chain(), 1, 2);
  EXPECT_LT(two, one * 3 / 4);
  EXPECT_LT(compare_with_reference(chain(), 1, 3), two);
  compare_with_reference(chain(), 2, 3, kTimings);
}

/// Each operator that has parts is cut into 2, 3 and 8 of them, one after another on one unit.
TEST(UnityUnitsParts, GiveTheBytesOfTheWhole) {
  for (const ModelParts &parts : {tflite_models::all_operators(), tflite_models::convolution_and_add(), chain()}) {
    const tflite_models::File file(parts);
    Network whole(file.view());
    std::size_t cut = 0;
    for (const unsigned most : {2U, 3U, 8U}) {
      Bench bench({.instructions = 4096});
      const std::span<std::byte> copy = bench.allocate(file.view().size());
      std::ranges::copy(file.view(), copy.begin());
      std::vector<std::max_align_t> workspace(tflite::runner_workspace_bytes(copy).value() / sizeof(std::max_align_t) + 1);
      tflite::Runner<ContainerBuilder> runner(tflite_kernels());
      ASSERT_TRUE(runner.open(copy, std::as_writable_bytes(std::span(workspace))));
      const tflite::Model &model = runner.model();
      const tflite::ArenaPlan &plan = runner.plan();
      const std::span<std::byte> arena = bench.allocate(runner.arena_bytes());
      const tflite::Addresses addresses(model, plan, arena);
      for (std::size_t op = 0; op < model.operators(); ++op) {
        if (plan.is_alias(op)) continue;
        const tflite::Support support = tflite_kernels().check(model, op);
        const std::span<std::byte> constants = bench.allocate(support.constant_bytes);
        const std::span<std::byte> scratch =
            support.scratch_bytes == 0 ? arena.first(0) : arena.subspan(plan.scratch_offset(op), support.scratch_bytes);
        unsigned count = 1;
        if (support.by_parts && scratch.empty()) count = std::min(most, tflite::rows_of(model, tflite::resolve(model, op).value()));
        if (count > 1) ++cut;
        for (unsigned i = 0; i < count; ++i) {
          const tflite::Part part{static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(count)};
          const Status status = tflite_kernels().encode(model, op, addresses, scratch, constants, bench.builder, part);
          ASSERT_TRUE(status) << status.what() << " operator " << op << " part " << i << " of " << count;
        }
      }
      for (std::size_t i = 0; i < model.inputs().size(); ++i) {
        Bytes values(whole.runner.input(i).size());
        for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<std::uint8_t>(k * 83 + i + most);
        if (model.tensor(static_cast<std::size_t>(model.inputs()[i])).type == tflite::ElementType::float32) std::ranges::fill(values, 0x3F);
        whole.set(i, values);
        std::memcpy(reinterpret_cast<void *>(addresses.of(model.inputs()[i])), values.data(), values.size());
      }
      whole.bench.run();
      bench.run();
      for (std::size_t i = 0; i < model.outputs().size(); ++i) {
        const Bytes expected = whole.output(i);
        const auto *const first = reinterpret_cast<const std::uint8_t *>(addresses.of(model.outputs()[i]));
        EXPECT_EQ(Bytes(first, first + expected.size()), expected) << "output " << i << " in " << most << " parts";
      }
    }
    EXPECT_GE(cut, 3U);
  }
}

TEST(UnityUnitsBranches, WaitForMemoryThatIsUsedAgain) {
  const tflite_models::File file(reused_memory());
  const Network network(file.view(), 2);
  const tflite::ArenaPlan &plan = network.runner.plan();
  const tflite::Model &model = network.runner.model();
  ASSERT_EQ(plan.offset(model.op(1).outputs[0]), plan.offset(model.op(0).inputs[0]));
  compare_with_reference(reused_memory(), 3, 2, kTimings);
}

TEST(UnityUnitsBranches, AllOperators) {
  for (const unsigned units : kUnits) compare_with_reference(tflite_models::all_operators(), 4, units, kTimings);
}

TEST(UnityUnitsBranches, OneUnitHasTheProgramOfARunnerWithoutSchedule) {
  const tflite_models::File file(two_branches());
  const Network network(file.view(), 1);
  const Result<isa::unity::Container> container = isa::unity::Container::open(network.bench.builder.code());
  ASSERT_TRUE(container);
  EXPECT_EQ(container.value().header().keys, 0U);
  const isa::unity::ProgramEntry program = container.value().program(0);
  ASSERT_EQ(program.instructions, 4);
  for (std::uint32_t i = 0; i + 1 < program.instructions; ++i)
    EXPECT_EQ(container.value().instruction(program, i).code[1], isa::unity::sync_word({.blocks = true}));
}

TEST(UnityUnitsBranches, NameTheOperatorForWhichThereIsNoSignal) {
  const tflite_models::File file(two_branches());
  std::vector<std::max_align_t> workspace(tflite::runner_workspace_bytes(file.view(), 2).value() / sizeof(std::max_align_t) + 1);
  Bench bench({.units = 2, .instructions = 16, .signals = 0});
  const std::span<std::byte> copy = bench.allocate(file.view().size());
  std::ranges::copy(file.view(), copy.begin());
  tflite::Runner<ContainerBuilder> runner(tflite_kernels());
  ASSERT_TRUE(runner.open(copy, std::as_writable_bytes(std::span(workspace))));
  const std::span<std::byte> arena = bench.allocate(runner.arena_bytes()), constants = bench.allocate(runner.constant_bytes());
  const Status status = runner.encode(arena, constants, bench.builder);
  EXPECT_EQ(status.code(), ErrorCode::no_room);
  EXPECT_STREQ(status.what(), "signals");
  EXPECT_EQ(status.value(), 1);
  EXPECT_EQ(status.limit(), 0);
  EXPECT_EQ(status.index(), 2);  // the sum
  // A workspace for one unit has no room for a schedule.
  const std::size_t small = tflite::runner_workspace_bytes(file.view()).value();
  ASSERT_TRUE(runner.open(copy, std::as_writable_bytes(std::span(workspace)).first(small)));
  EXPECT_STREQ(runner.encode(arena, constants, bench.builder).what(), "workspace");
}

}  // namespace
}  // namespace cox::tests::unity::units_test
