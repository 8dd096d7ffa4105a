// SPDX-License-Identifier: MIT
// Whole models in an arena, with kernels that compute with the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "coxswain/tflite/runner.h"
#include "tests/tflite/model_builder.h"
#include "tests/tflite/published.h"
#include "tests/tflite/reference_kernels.h"

namespace cox::tests::tflite_runner {
namespace {

using namespace cox::tests::published;      // NOLINT(google-build-using-namespace)
using namespace cox::tests::tflite_models;  // NOLINT(google-build-using-namespace)
using cox::tests::tflite_reference::Recording;
using cox::tests::tflite_reference::reference_kernels;
namespace tf = cox::tflite;

/// Memory at a multiple of 16, in an allocation of exactly this size.
class Block {
 public:
  explicit Block(std::size_t bytes)
      : bytes_(bytes),
        memory_(static_cast<std::byte *>(std::aligned_alloc(16, std::max<std::size_t>(16, (bytes + 15) & ~std::size_t{15}))), &std::free) {
    std::fill_n(memory_.get(), bytes_, std::byte{0x5A});
  }
  [[nodiscard]] std::span<std::byte> span() const { return {memory_.get(), bytes_}; }

 private:
  std::size_t bytes_;
  std::unique_ptr<std::byte, decltype(&std::free)> memory_;
};

class TfliteArenaOf : public testing::TestWithParam<const char *> {};

TEST_P(TfliteArenaOf, IsAtMostATenthLargerThanWhatIsAlive) {
  const std::string name = GetParam();
  if (!present(model_file(name))) GTEST_SKIP() << "no published models at " << COX_SHARED_DATA;
  const File file = read(model_file(name));
  const Block workspace(tf::runner_workspace_bytes(file.view()).value());
  tf::Runner<Recording> runner(reference_kernels());
  ASSERT_TRUE(runner.open(file.view(), workspace.span()));
  std::printf("%-24s arena %6zu bytes, largest live set %6u bytes, workspace %zu bytes\n", name.c_str(), runner.arena_bytes(),
              runner.plan().live_bytes(), workspace.span().size());
  EXPECT_LE(static_cast<double>(runner.arena_bytes()), 1.1 * runner.plan().live_bytes());
}

TEST_P(TfliteArenaOf, HoldsEveryTensorOfAnInference) {
  const std::string name = GetParam();
  if (!present(model_file(name))) GTEST_SKIP() << "no published models at " << COX_SHARED_DATA;
  const File file = read(model_file(name));
  const Block workspace(tf::runner_workspace_bytes(file.view()).value());
  for (const bool keep_inputs : {false, true}) {
    tf::Runner<Recording> runner(reference_kernels());
    ASSERT_TRUE(runner.open(file.view(), workspace.span(), keep_inputs));
    EXPECT_TRUE(runner.first_unsupported());
    const Block arena(runner.arena_bytes()), constants(runner.constant_bytes());
    Recording recording;
    ASSERT_TRUE(runner.encode(arena.span(), constants.span(), recording));
    for (std::size_t number = 0; number < 2; ++number) {
      const std::string suffix = "/" + name + "/" + numbered(number, 3) + ".bin";
      const std::vector<std::uint8_t> input = read_bytes(root() + "inputs" + suffix), expected = read_bytes(root() + "expected" + suffix);
      const std::span<std::byte> to = runner.input(0);
      ASSERT_EQ(to.size(), input.size());
      std::copy(input.begin(), input.end(), reinterpret_cast<std::uint8_t *>(to.data()));
      for (int repetition = 0; repetition < (keep_inputs ? 2 : 1); ++repetition) {
        recording.run();
        const std::span<std::byte> from = runner.output(0);
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), reinterpret_cast<const std::uint8_t *>(from.data()),
                               reinterpret_cast<const std::uint8_t *>(from.data() + from.size())));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Published, TfliteArenaOf, testing::ValuesIn(kModels), [](const auto &row) { return row.param; });

TEST(TfliteRunner, NamesTheFirstOperatorWithoutAKernel) {
  ModelParts parts = convolution_and_add();
  parts.codes[1].code = 78;  // POW
  const File file(parts);
  const Block workspace(tf::runner_workspace_bytes(file.view()).value());
  tf::Runner<Recording> runner(reference_kernels());
  ASSERT_TRUE(runner.open(file.view(), workspace.span()));
  const Status status = runner.first_unsupported();
  EXPECT_EQ(status.code(), ErrorCode::unsupported);
  EXPECT_STREQ(status.what(), "operator");
  EXPECT_EQ(status.index(), 1);
  EXPECT_EQ(status.value(), 78);
  const Block arena(runner.arena_bytes()), constants(runner.constant_bytes());
  Recording recording;
  EXPECT_EQ(runner.encode(arena.span(), constants.span(), recording).index(), 1);
  EXPECT_TRUE(recording.steps.empty());
}

TEST(TfliteRunner, ChecksTheMemoryThatItIsGiven) {
  const File file(convolution_and_add());
  const std::size_t needed = tf::runner_workspace_bytes(file.view()).value();
  const Block workspace(needed + 16);
  tf::Runner<Recording> runner(reference_kernels());
  EXPECT_STREQ(runner.open(file.view(), workspace.span().first(needed - 1)).what(), "workspace");
  EXPECT_EQ(runner.open(file.view(), workspace.span().first(needed - 1)).code(), ErrorCode::no_room);
  EXPECT_EQ(runner.open(file.view(), workspace.span().subspan(8)).code(), ErrorCode::invalid_argument);
  ASSERT_TRUE(runner.open(file.view(), workspace.span()));
  EXPECT_TRUE(runner.input(0).empty());  // there is no arena yet
  const Block arena(runner.arena_bytes() + 16), constants(runner.constant_bytes() + 16);
  Recording recording;
  const Status small = runner.encode(arena.span().first(runner.arena_bytes() - 1), constants.span(), recording);
  EXPECT_EQ(small.code(), ErrorCode::no_room);
  EXPECT_STREQ(small.what(), "arena");
  EXPECT_EQ(small.limit(), static_cast<std::int64_t>(runner.arena_bytes()));
  EXPECT_EQ(runner.encode(arena.span().subspan(4), constants.span(), recording).code(), ErrorCode::invalid_argument);
  EXPECT_STREQ(runner.encode(arena.span(), constants.span().first(runner.constant_bytes() - 1), recording).what(), "constants");
  recording.most_steps = 1;
  const Status full = runner.encode(arena.span(), constants.span(), recording);
  EXPECT_EQ(full.code(), ErrorCode::no_room);
  EXPECT_EQ(full.index(), 1);
}

TEST(TfliteRunner, ResetsVariables) {
  ModelParts parts = convolution_and_add();
  const std::int32_t state = parts.tensor({5}, 1, -7), other = parts.tensor({2}, 0, 0, ElementType::int32);
  parts.tensors[6].variable = parts.tensors[7].variable = true;
  parts.operators[0].inputs = {0, 1, 2};
  // An operator that no table has could read the variables; the plan keeps them even if no operator does.
  parts.outputs.push_back(state);
  parts.outputs.push_back(other);
  const File file(parts);
  const Block workspace(tf::runner_workspace_bytes(file.view()).value());
  tf::Runner<Recording> runner(reference_kernels());
  ASSERT_TRUE(runner.open(file.view(), workspace.span()));
  const Block arena(runner.arena_bytes()), constants(runner.constant_bytes());
  Recording recording;
  ASSERT_TRUE(runner.encode(arena.span(), constants.span(), recording));
  runner.reset_variables();
  for (const std::byte byte : runner.output(1)) EXPECT_EQ(byte, std::byte{0xF9});
  for (const std::byte byte : runner.output(2)) EXPECT_EQ(byte, std::byte{0});
  EXPECT_EQ(runner.output(2).size(), 8U);
}

}  // namespace
}  // namespace cox::tests::tflite_runner
