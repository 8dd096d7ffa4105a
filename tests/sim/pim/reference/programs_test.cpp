// SPDX-License-Identifier: MIT
// Whole random programs on the model's machine end as the slow interpreter says, whatever the timing is: all registers, memories, arrays
// and DRAM, the faults of all cores, and the cores that wait for ever.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "tests/sim/pim/reference/equality.h"

namespace cox::model::pim::oracle {
namespace programs_test {
namespace {

unsigned programs(unsigned otherwise) {
  const char *const text = std::getenv("COX_PIM_PROGRAMS");
  return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

std::map<ErrorCode, unsigned> campaign(unsigned count, const Shape &shape) {
  std::map<ErrorCode, unsigned> codes;
  for (unsigned seed = 0; seed < count && !testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    EXPECT_TRUE(expect_equal(random_program(seed + 1000000, shape), seed, codes));
  }
  return codes;
}

TEST(PimPrograms, OfOneCoreEqualTheOracle) { campaign(programs(400), {.most_cores = 1, .actions = 25}); }

TEST(PimPrograms, OfSeveralCoresEqualTheOracle) { campaign(programs(500), {.most_cores = 6, .actions = 10}); }

TEST(PimPrograms, WithFaultsEqualTheOracle) {
  std::map<ErrorCode, unsigned> codes = campaign(programs(1200), {.most_cores = 6, .actions = 8, .wrong = 60});
  for (const ErrorCode code : {ErrorCode::deadlock, ErrorCode::own_core, ErrorCode::message_mismatch, ErrorCode::barrier_mismatch,
                               ErrorCode::address_outside_window, ErrorCode::address_outside_buffer, ErrorCode::field_out_of_range}) {
    EXPECT_GE(codes[code], 2U) << error_name(code);
  }
}

TEST(PimPrograms, OfManyCoresEqualTheOracle) { campaign(programs(400) / 40, {.most_cores = 64, .actions = 5}); }

TEST(PimPrograms, OnTheDefaultArrayEqualTheOracle) {
  campaign(programs(400) / 40, {.most_cores = 4, .actions = 12, .default_sizes = true});
}

}  // namespace
}  // namespace programs_test
}  // namespace cox::model::pim::oracle
