// SPDX-License-Identifier: MIT
// Jobs of three engines in one boot, on the real image under QEMU and natively.
#include <gmock/gmock.h>

#include <cstring>

#include "isa/numbers/mx9_block.h"
#include "tests/firmware/stream_programs.h"
#include "tests/target/firmware/jobs_on_board.h"
#include "tests/tools/run/small_task.h"
#include "tools/tile/image.h"

namespace cox::tests {
namespace {

using firmware::job::Request;
using firmware::job::State;
using tools::run::kTensor;

using StreamJobsTest = JobsOnBoard;

std::vector<std::uint8_t> image_of(const TaskText &text) {
  Image image(text);
  std::vector<std::uint8_t> bytes(image.bytes().size());
  std::memcpy(bytes.data(), image.bytes().data(), bytes.size());
  return bytes;
}

std::vector<std::uint8_t> pattern(std::size_t bytes, unsigned seed) {
  std::vector<std::uint8_t> values(bytes);
  for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<std::uint8_t>(i * 7 + seed + i / 13);
  return values;
}

/// MX9 blocks whose exponent byte is 127.
std::vector<std::uint8_t> blocks(unsigned seed) {
  std::vector<std::uint8_t> values(kSumBytes);
  for (std::size_t i = 0; i < kSumBlocks; ++i) {
    isa::mx::Block block{};
    block.exponent = 127;
    block.elements.fill(static_cast<std::uint8_t>(64 + (i + seed) % 64));
    std::memcpy(&values[i * sizeof(block)], &block, sizeof(block));
  }
  return values;
}

TEST_P(StreamJobsTest, ThreeEnginesInOneBoot) {
  constexpr unsigned kRounds = 4;
  JobList jobs(32);
  std::vector<std::size_t> all = {jobs.load(task::build_image(tools::run::copy_task()), 0), jobs.load(image_of(sum_program(3)), 1, 1),
                                  jobs.load(image_of(product_program()), 2, 2)};
  struct Place {
    std::uint64_t copy, sum_in, sum_out, left, right, product;
  };
  std::vector<Place> places;
  for (unsigned round = 0; round < kRounds; ++round) {
    std::vector<std::uint8_t> copied = pattern(kTensor, round);
    copied.resize(2 * kTensor);
    const Place place{.copy = jobs.place(copied),
                      .sum_in = jobs.place(blocks(round)),
                      .sum_out = jobs.place(std::vector<std::uint8_t>(kSumBytes)),
                      .left = jobs.place(pattern(kProductM * kProductK, round)),
                      .right = jobs.place(pattern(kProductK * kProductN, 3 * round)),
                      .product = jobs.place(std::vector<std::uint8_t>(std::size_t{kProductM} * kProductN * 4))};
    places.push_back(place);
    all.push_back(jobs.run(0, {{place.copy, 2 * kTensor}}));
    for (std::uint8_t engine = 1; engine <= 2; ++engine) {
      Request run{};
      run.kind = firmware::job::Kind::run;
      run.task_slot = run.owner = engine;
      if (engine == 1) {
        run.windows[0] = {place.sum_in, kSumBytes};
        run.windows[1] = {place.sum_out, kSumBytes};
      } else {
        run.windows[0] = {place.left, kProductM * kProductK};
        run.windows[1] = {place.right, kProductK * kProductN};
        run.windows[2] = {place.product, kProductM * kProductN * 4};
      }
      all.push_back(jobs.add(run));
    }
  }
  execute(jobs);
  for (const std::size_t job : all) {
    const JobResult result = jobs.outcome(job);
    ASSERT_EQ(result.state, State::done) << job;
    ASSERT_EQ(result.error, ErrorCode::ok) << job << ": " << error_name(result.error) << " " << result.what;
  }
  for (unsigned round = 0; round < kRounds; ++round) {
    const Place &place = places[round];
    EXPECT_EQ(jobs.bytes(place.copy + kTensor, kTensor), pattern(kTensor, round));
    std::vector<std::uint8_t> doubled = blocks(round);
    for (std::size_t i = 0; i < kSumBlocks; ++i) {
      isa::mx::Block block;
      std::memcpy(&block, &doubled[i * sizeof(block)], sizeof(block));
      ++block.exponent;
      std::memcpy(&doubled[i * sizeof(block)], &block, sizeof(block));
    }
    EXPECT_EQ(jobs.bytes(place.sum_out, kSumBytes), doubled);
    const std::vector<std::uint8_t> left = pattern(kProductM * kProductK, round), right = pattern(kProductK * kProductN, 3 * round);
    std::vector<std::uint8_t> product(std::size_t{kProductM} * kProductN * 4);
    for (std::size_t m = 0; m < kProductM; ++m) {
      for (std::size_t n = 0; n < kProductN; ++n) {
        std::int32_t sum = 0;
        for (std::size_t k = 0; k < kProductK; ++k) {
          sum += static_cast<std::int8_t>(left[m * kProductK + k]) * static_cast<std::int8_t>(right[k * kProductN + n]);
        }
        std::memcpy(&product[(m * kProductN + n) * 4], &sum, sizeof(sum));
      }
    }
    EXPECT_EQ(jobs.bytes(place.product, product.size()), product);
  }
}

INSTANTIATE_TEST_SUITE_P(Native, StreamJobsTest, testing::Values(BoardKind::native));
INSTANTIATE_TEST_SUITE_P(Qemu, StreamJobsTest, testing::Values(BoardKind::qemu));

}  // namespace
}  // namespace cox::tests
