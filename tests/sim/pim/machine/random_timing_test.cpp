// SPDX-License-Identifier: MIT
// Programs without races give the same results under any timing.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "tests/sim/pim/machine/rig.h"

namespace cox::model::pim::testing::random_timing_test {

using namespace isa::pim::build;
using isa::pim::SimdOpcode;

constexpr unsigned kTimings = 100;

/// Writes the code of one core. Registers 0 to 9 are the program's; the class uses 20 to 29.
class CoreCode {
 public:
  CoreCode(Source &source, unsigned core) : code_(source.code[core]), core_(core) {
    for (unsigned i = 16; i <= 20; ++i) source.set(core, 32 + i, 32);
  }

  CoreCode &append(const MachineCode &code) {
    code_.push_back(code);
    return *this;
  }
  CoreCode &set(unsigned general, std::uint32_t value) {
    constant(code_, general, value);
    return *this;
  }
  CoreCode &send_to(unsigned other, std::uint32_t source, std::uint32_t destination, std::uint32_t bytes, std::uint32_t id,
                    bool asynchronous) {
    return message(other, source, destination, bytes, id).append(send(r(20), {r(21), r(22), r(23), r(24)}, asynchronous));
  }
  CoreCode &receive_from(unsigned other, std::uint32_t source, std::uint32_t destination, std::uint32_t bytes, std::uint32_t id,
                         bool asynchronous) {
    return message(other, source, destination, bytes, id).append(receive(r(20), {r(21), r(22), r(23), r(24)}, asynchronous));
  }
  CoreCode &wait_for(unsigned other, std::uint32_t id) { return set(20, other).set(23, id).append(wait(r(20), r(23))); }
  CoreCode &meet(std::uint32_t id, std::uint32_t cores) { return set(20, id).set(21, cores).append(barrier(r(20), r(21))); }
  /// output = a + b, elements of 32 bits.
  CoreCode &add_vectors(std::uint32_t output, std::uint32_t a, std::uint32_t b, std::uint32_t elements) {
    return set(20, output).set(21, a).set(22, b).set(23, elements).append(simd_compute(SimdOpcode::add, 2, r(20), r(21), r(22), r(23)));
  }
  CoreCode &copy(std::uint32_t to, std::uint32_t from, std::uint32_t bytes) {
    return set(20, to).set(21, from).set(22, bytes).append(trans(r(20), r(21), r(22)));
  }
  /// Stores a word in a local memory.
  CoreCode &store(std::uint32_t address, std::uint32_t value) { return set(20, address).set(21, value).append(store_local(r(21), r(20))); }
  /// Takes time that differs from core to core.
  CoreCode &dawdle() {
    for (unsigned i = 0; i < core_ * 7 % 13; ++i) append(add(r(29), r(29), r(29)));
    return *this;
  }

 private:
  CoreCode &message(unsigned other, std::uint32_t source, std::uint32_t destination, std::uint32_t bytes, std::uint32_t id) {
    return set(20, other).set(21, source).set(22, destination).set(23, id).set(24, bytes);
  }
  Instructions &code_;
  unsigned core_;
};

/// A program, and the word that core i must have at the first byte of `data` in the end.
struct Case {
  unsigned cores;
  std::function<void(CoreCode &, unsigned)> write;
  std::function<std::uint32_t(unsigned)> expected;
};

void expect_same_under_all_timings(const Case &program) {
  Source source(program.cores);
  for (unsigned core = 0; core < program.cores; ++core) {
    CoreCode code(source, core);
    program.write(code, core);
  }
  std::vector<std::vector<std::byte>> first;
  std::vector<Cycle> durations;
  for (unsigned seed = 0; seed <= kTimings; ++seed) {
    Timing timing;
    timing.jitter_seed = seed;  // 0: the usual timing
    timing.jitter_cycles = 1 + seed * 7 % 400;
    Rig rig(program.cores, timing);
    durations.push_back(rig.run(source));
    ASSERT_TRUE(rig.status().ok()) << "seed " << seed << ": " << error_name(rig.status().code()) << " " << rig.status().what();
    std::vector<std::vector<std::byte>> memories;
    for (unsigned core = 0; core < program.cores; ++core) {
      EXPECT_EQ(rig.word(core, data_space, 0), program.expected(core)) << "core " << core << ", seed " << seed;
      for (const unsigned space : {input_space, output_space, data_space}) {
        const std::span<const std::byte> bytes = rig.machine.memory(core, space).first(4096);
        memories.emplace_back(bytes.begin(), bytes.end());
      }
    }
    for (const std::vector<std::byte> &window : rig.dram.windows) memories.emplace_back(window.begin(), window.begin() + 65536);
    if (seed == 0) first = memories;
    ASSERT_TRUE(memories == first) << "seed " << seed;
  }
  std::ranges::sort(durations);
  const auto last = std::ranges::unique(durations);
  EXPECT_GT(last.begin() - durations.begin(), 50) << "the timings differ";
}

// 2 cores: each number goes back and forth, synchronously, and grows.
TEST(PimRandomTiming, PingPong) {
  expect_same_under_all_timings({2,
                                 [](CoreCode &code, unsigned core) {
                                   const std::uint32_t one = kData + 64;
                                   code.store(one, core + 1);
                                   for (unsigned i = 0; i < 20; ++i) {
                                     if (i % 2 == core) {
                                       code.send_to(1 - core, kData, kData, 4, i % 3, false);
                                     } else {
                                       code.receive_from(1 - core, kData, kData, 4, i % 3, false).add_vectors(kData, kData, one, 1);
                                     }
                                   }
                                 },
                                 // The 20 rounds add 2 and 1 in turn; the sender of the last round lacks its addition.
                                 [](unsigned core) { return core == 0 ? 30U : 30U - 1; }});
}

// 4 cores: a chain through which 12 items stream, two buffers each, asynchronously; each core adds its number.
TEST(PimRandomTiming, PipelineWithTwoBuffers) {
  constexpr unsigned kCores = 4, kItems = 12;
  expect_same_under_all_timings({kCores,
                                 [](CoreCode &code, unsigned core) {
                                   const auto in = [](unsigned item) { return kInput + 256 * (item % 2); };
                                   const auto out = [](unsigned item) { return kOutput + 256 * (item % 2); };
                                   code.store(kOutputBuffer, core + 1);
                                   if (core != 0) code.receive_from(core - 1, out(0), in(0), 4, 0, true);
                                   for (unsigned item = 0; item < kItems; ++item) {
                                     if (core == 0) {
                                       code.store(in(item), 100 * item);
                                     } else {
                                       code.wait_for(core - 1, item % 2);
                                       if (item + 1 < kItems)
                                         code.receive_from(core - 1, out(item + 1), in(item + 1), 4, (item + 1) % 2, true);
                                     }
                                     if (core + 1 < kCores && item >= 2) code.wait_for(core + 1, item % 2);
                                     code.add_vectors(out(item), in(item), kOutputBuffer, 1).add_vectors(kData, kData, out(item), 1);
                                     if (core + 1 < kCores) code.send_to(core + 1, out(item), in(item), 4, item % 2, true);
                                   }
                                 },
                                 [](unsigned core) { return 100 * 66 + kItems * (core + 1) * (core + 2) / 2; }});
}

// 8 cores: a ring in which everything goes once around, with asynchronous sends and synchronous receives, and a barrier each round.
TEST(PimRandomTiming, RingOfSums) {
  constexpr unsigned kCores = 8;
  expect_same_under_all_timings(
      {kCores,
       [](CoreCode &code, unsigned core) {
         code.store(kInput, core * core + 1).store(kData, core * core + 1);
         for (unsigned round = 1; round < kCores; ++round) {
           code.dawdle()
               .send_to((core + 1) % kCores, kInput, kOutput, 4, 5, true)
               .receive_from((core + kCores - 1) % kCores, kInput, kOutput, 4, 5, false);
           code.wait_for((core + 1) % kCores, 5).add_vectors(kData, kData, kOutput, 1).copy(kInput, kOutput, 4).meet(1, kCores);
         }
       },
       [](unsigned) { return 140U + kCores; }});
}

// 16 cores: a master scatters, workers double what they got, the master gathers.
TEST(PimRandomTiming, ScatterAndGather) {
  constexpr unsigned kCores = 16;
  expect_same_under_all_timings(
      {kCores,
       [](CoreCode &code, unsigned core) {
         if (core != 0) {
           code.receive_from(0, kInput + 4 * core, kData, 4, core, false).dawdle().add_vectors(kData, kData, kData, 1);
           code.send_to(0, kData, kOutput + 4 * core, 4, 7, false);
           return;
         }
         for (unsigned i = 1; i < kCores; ++i) code.store(kInput + 4 * i, 10 * i).send_to(i, kInput + 4 * i, kData, 4, i, true);
         for (unsigned i = kCores - 1; i > 0; --i) code.receive_from(i, kData, kOutput + 4 * i, 4, 7, true);
         for (unsigned i = 1; i < kCores; ++i) code.wait_for(i, i).wait_for(i, 7).add_vectors(kData, kData, kOutput + 4 * i, 1);
       },
       [](unsigned core) { return core == 0 ? 20 * 120U : 20 * core; }});
}

// 16 cores: everyone sends to everyone, asynchronously, and waits for all.
TEST(PimRandomTiming, AllToAll) {
  constexpr unsigned kCores = 16;
  expect_same_under_all_timings({kCores,
                                 [](CoreCode &code, unsigned core) {
                                   for (unsigned other = 0; other < kCores; ++other) {
                                     if (other == core) continue;
                                     code.store(kInput + 64 * other, 1000 * core + other);
                                     code.receive_from(other, kInput + 64 * core, kOutput + 64 * other, 20, 3, true);
                                     code.send_to(other, kInput + 64 * other, kOutput + 64 * core, 20, 3, true);
                                   }
                                   for (unsigned other = 0; other < kCores; ++other) {
                                     if (other != core) code.wait_for(other, 3).add_vectors(kData, kData, kOutput + 64 * other, 1);
                                   }
                                 },
                                 [](unsigned core) { return 1000 * (120 - core) + 15 * core; }});
}

// 64 cores: a butterfly; in six rounds every core gets the sum of all.
TEST(PimRandomTiming, Butterfly) {
  constexpr unsigned kCores = 64;
  expect_same_under_all_timings(
      {kCores,
       [](CoreCode &code, unsigned core) {
         code.store(kData, core + 1);
         for (unsigned round = 1; round < kCores; round *= 2) {
           const unsigned other = core ^ round;
           code.receive_from(other, kData, kInput, 4, round, true).send_to(other, kData, kInput, 4, round, false).wait_for(other, round);
           code.add_vectors(kData, kData, kInput, 1);
         }
       },
       [](unsigned) { return 64 * 65 / 2U; }});
}

// 32 cores: results go through DRAM; barriers of all cores, and of the two halves, are the only order.
TEST(PimRandomTiming, BarriersOrderDram) {
  constexpr unsigned kCores = 32;
  expect_same_under_all_timings(
      {kCores,
       [](CoreCode &code, unsigned core) {
         const unsigned half = core / 16;
         code.store(kData, core);
         for (unsigned round = 0; round < 4; ++round) {
           const std::uint32_t place = kDram + (round << 12);
           code.dawdle().copy(place + 64 * core, kData, 4).meet(round % 2 == 0 ? 9 : 10 + half, round % 2 == 0 ? kCores : 16);
           code.copy(kInput, place + 64 * (round % 2 == 0 ? (core + 16) % 32 : half * 16 + (core + 1) % 16), 4)
               .add_vectors(kData, kData, kInput, 1);
         }
       },
       [](unsigned core) {
         std::array<std::uint32_t, kCores> values{}, next{};
         std::iota(values.begin(), values.end(), 0U);
         for (unsigned round = 0; round < 4; ++round) {
           for (unsigned i = 0; i < kCores; ++i) next[i] = values[i] + values[round % 2 == 0 ? (i + 16) % 32 : i / 16 * 16 + (i + 1) % 16];
           values = next;
         }
         return values[core];
       }});
}

// 3 cores: a token goes around synchronously and guards a counter in DRAM.
TEST(PimRandomTiming, ATokenGuardsACounterInDram) {
  constexpr unsigned kCores = 3, kRounds = 6;
  expect_same_under_all_timings({kCores,
                                 [](CoreCode &code, unsigned core) {
                                   code.set(1, kDram + (1U << 29));
                                   for (unsigned round = 0; round < kRounds; ++round) {
                                     if (core != 0 || round != 0)
                                       code.receive_from((core + kCores - 1) % kCores, kInput, kInput, 0, 4, false);
                                     code.append(load_global(r(2), r(1)))
                                         .append(muli(r(2), r(2), 3))
                                         .append(addi(r(2), r(2), static_cast<int>(core)))
                                         .append(store_global(r(2), r(1)));
                                     code.set(3, kData).append(store_local(r(2), r(3)));
                                     if (core + 1 != kCores || round + 1 != kRounds)
                                       code.send_to((core + 1) % kCores, kInput, kInput, 0, 4, false);
                                   }
                                 },
                                 [](unsigned core) {
                                   std::uint32_t counter = 0;
                                   for (unsigned step = 0; step <= (kRounds - 1) * kCores + core; ++step)
                                     counter = counter * 3 + step % kCores;
                                   return counter;
                                 }});
}

}  // namespace cox::model::pim::testing::random_timing_test
