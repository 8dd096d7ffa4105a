// SPDX-License-Identifier: MIT
// Messages, barriers and deadlocks on the slow interpreter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/pim/reference/desk.h"
#include "tests/sim/pim/reference/words.h"

namespace cox::model::pim::oracle {
namespace messages_test {
namespace {

using testing::ElementsAre;
using Faults = std::vector<std::optional<Fault>>;

/// Core c has its number in r0, and the numbers of cores 0 to 3 in r10 to r13. r1 is the source, r2 the destination, r3 the id 7, r4 the
/// length 2. Its input memory begins with the bytes 10 · c + 1, 10 · c + 2, …
class Cores {
 public:
  explicit Cores(const std::vector<Code> &codes) : interpreter_(configuration_, codes) {
    for (unsigned c = 0; c < codes.size(); ++c) {
      auto &general = interpreter_.cores[c].general;
      general[0] = c, general[1] = kInput, general[2] = kOutput, general[3] = 7, general[4] = 2;
      for (unsigned i = 0; i < 4; ++i) general[10 + i] = i;
      for (unsigned i = 0; i < 10; ++i) interpreter_.cores[c].memories[0][i] = static_cast<std::uint8_t>(10 * c + 1 + i);
    }
  }
  const Faults &run(std::uint64_t turn = ~0ULL) {
    EXPECT_TRUE(interpreter_.run(1000, turn));
    return interpreter_.faults();
  }
  Core &core(unsigned number) { return interpreter_.cores[number]; }
  Bytes output(unsigned number, unsigned bytes) {
    const Bytes &memory = core(number).memories[1];
    return {memory.begin(), memory.begin() + bytes};
  }

 private:
  Configuration configuration_ = desk_configuration();
  Interpreter interpreter_;
};

words::Message with(unsigned core, bool asynchronous = false) {
  return {.core = 10 + core, .source = 1, .destination = 2, .id = 3, .length = 4, .asynchronous = asynchronous};
}

TEST(PimOracleMessages, MoveBytesBetweenCores) {
  for (const unsigned turn : {1U, 1000U}) {
    Cores cores({{words::send(with(1))}, {words::receive(with(0))}});
    EXPECT_EQ(cores.run(turn), Faults(2));
    EXPECT_THAT(cores.output(1, 3), ElementsAre(1, 2, 0));
    EXPECT_THAT(cores.output(0, 2), ElementsAre(0, 0));
  }
}

TEST(PimOracleMessages, PairInOrder) {
  const std::uint32_t next = words::immediate(0, 1, 1, 2), behind = words::immediate(0, 2, 2, 2);
  Cores cores({{words::send(with(1, true)), next, behind, words::send(with(1, true)), words::wait(11, 3), words::general_li(20, 1)},
               {words::receive(with(0)), next, behind, words::receive(with(0))}});
  EXPECT_EQ(cores.run(), Faults(2));
  EXPECT_THAT(cores.output(1, 5), ElementsAre(1, 2, 3, 4, 0));
  EXPECT_EQ(cores.core(0).general[20], 1U);
}

TEST(PimOracleMessages, IdsAndDirectionsAreApart) {
  const std::uint32_t other_id = words::immediate(0, 3, 3, 1), same_id = words::immediate(0, 3, 3, -1);
  Cores cores({{words::send(with(1, true)), other_id, words::send(with(1, true)), words::receive(with(1))},
               {words::send(with(0, true)), other_id, words::receive(with(0)), same_id, words::receive(with(0))}});
  EXPECT_EQ(cores.run(), (Faults{Fault{3, ErrorCode::deadlock}, Fault{0, ErrorCode::deadlock}}));
  EXPECT_EQ(cores.core(1).counter, 5U);
}

TEST(PimOracleMessages, TwoSidesThatDisagreeBothFault) {
  for (const unsigned wrong : {1U, 2U, 4U}) {
    Cores cores({{words::general_li(9, 1), words::send(with(1, true)), words::general_li(9, 2)},
                 {words::receive(with(0)), words::general_li(9, 2)}});
    cores.core(1).general[wrong] += 1;
    EXPECT_EQ(cores.run(), (Faults{Fault{1, ErrorCode::message_mismatch}, Fault{0, ErrorCode::message_mismatch}}));
    EXPECT_EQ(cores.core(1).general[9], 0U);
    EXPECT_THAT(cores.output(1, 3), ElementsAre(0, 0, 0));
  }
}

TEST(PimOracleMessages, FaultsOfOneSide) {
  Cores self({{words::send(with(0))}, {words::receive(with(2))}});
  EXPECT_EQ(self.run(), (Faults{Fault{0, ErrorCode::own_core}, Fault{0, ErrorCode::field_out_of_range}}));
  Cores outside({{words::send(with(1))}, {words::receive(with(0)), words::general_li(9, 1)}});
  outside.core(0).general[1] = kInput + 4095;
  outside.core(1).general[1] = kInput + 4095;
  EXPECT_EQ(outside.run(), (Faults{Fault{0, ErrorCode::address_outside_buffer}, Fault{0, ErrorCode::address_outside_buffer}}));
  Cores wait({{words::wait(10, 3)}, {words::wait(15, 3)}});
  wait.core(1).general[15] = 2;
  EXPECT_EQ(wait.run(), (Faults{Fault{0, ErrorCode::own_core}, Fault{0, ErrorCode::field_out_of_range}}));
}

TEST(PimOracleMessages, AMessageLeftOpenIsADeadlock) {
  Cores cores({{words::send(with(1, true)), words::general_li(9, 1)}, {words::general_li(9, 1)}});
  EXPECT_EQ(cores.run(), (Faults{Fault{0, ErrorCode::deadlock}, std::nullopt}));
  EXPECT_EQ(cores.core(0).general[9], 1U);
  Cores waits({{words::receive(with(1, true)), words::wait(11, 3)}, {words::send(with(2))}, {}});
  EXPECT_EQ(waits.run(), (Faults{Fault{1, ErrorCode::deadlock}, Fault{0, ErrorCode::deadlock}, std::nullopt}));
}

TEST(PimOracleBarrier, ReleasesAllAndMayBeUsedAgain) {
  const Code code{words::barrier(3, 13), words::barrier(3, 13), words::general_li(9, 1)};
  Cores cores({code, code, code, {words::barrier(10, 11), words::general_li(9, 2)}});
  EXPECT_EQ(cores.run(), Faults(4));
  for (unsigned c = 0; c < 3; ++c) EXPECT_EQ(cores.core(c).general[9], 1U);
  EXPECT_EQ(cores.core(3).general[9], 2U);  // a barrier of one core
}

TEST(PimOracleBarrier, NumbersMustMatch) {
  Cores cores({{words::barrier(3, 13)}, {words::barrier(3, 12)}, {words::barrier(3, 10)}, {words::barrier(3, 4)}});
  cores.core(3).general[4] = 5;
  EXPECT_EQ(cores.run(), (Faults{Fault{0, ErrorCode::deadlock}, Fault{0, ErrorCode::barrier_mismatch},
                                 Fault{0, ErrorCode::barrier_mismatch}, Fault{0, ErrorCode::barrier_mismatch}}));
}

}  // namespace
}  // namespace messages_test
}  // namespace cox::model::pim::oracle
