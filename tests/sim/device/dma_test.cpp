// SPDX-License-Identifier: MIT
// The DMA engine (docs/dma.md): copies to the byte, time to the cycle, and each error.
#include <fstream>
#include <memory>

#include "coxswain/device/dma_descriptor.h"
#include "tests/sim/device/machine.h"
#include "tests/sim/device/temporary_file.h"

namespace cox::test {
namespace {

namespace d = registers::dma;

constexpr std::uint64_t kList = Machine::kMemoryBase + 0x1000;
constexpr std::uint64_t kSource = Machine::kMemoryBase + 0x10000;
constexpr std::uint64_t kDestination = Machine::kMemoryBase + 0x80000;
constexpr std::uint64_t kSetup = 60;
constexpr std::uint64_t kInterruptLatency = 24;

constexpr std::uint32_t reg(std::uint32_t offset) { return COX_MODEL_DMA_OFFSET + offset; }

/// Number of cycles in which a channel moves `bytes`, without its set-up and without competition.
constexpr std::uint64_t moving(std::uint64_t bytes) { return std::max(bytes / 8, (2 * bytes * 1024 + 17588) / 17589); }

class DmaTest : public testing::Test {
 protected:
  void start_machine(const char *options = nullptr) {
    machine_ = std::make_unique<Machine>(options);
    for (std::size_t i = 0; i < 0x40000; ++i) *machine_->find(kSource + i, 1) = static_cast<std::byte>(i * 7 + i / 251);
    machine_->write(reg(d::int_enable::kOffset), 3);
  }
  /// Starts a machine with a fault plan.
  void start_with_plan(const char *plan) {
    std::ofstream(plan_.path()) << plan;
    start_machine((R"({"faults": ")" + plan_.path() + R"("})").c_str());
  }
  void SetUp() override { start_machine(); }

  static d::Descriptor copy_of(std::uint64_t bytes) {
    d::Descriptor descriptor{};
    descriptor.source = kSource;
    descriptor.destination = kDestination;
    descriptor.row_bytes = static_cast<std::uint32_t>(bytes);
    descriptor.rows = 1;
    descriptor.control = d::Descriptor::kMark;
    return descriptor;
  }
  /// Writes a list in which each descriptor names the next, and starts it.
  void start(std::vector<d::Descriptor> list, unsigned channel = 0, std::uint64_t at = kList) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::uint64_t address = at + i * sizeof(d::Slot);
      if (list[i].next == 0 && i + 1 < list.size()) list[i].next = address + sizeof(d::Slot);
      std::memcpy(machine_->find(address, sizeof(d::Descriptor)), &list[i], sizeof(d::Descriptor));
      std::memset(machine_->find(address + sizeof(d::Descriptor), sizeof(d::Status)), 0, sizeof(d::Status));
    }
    machine_->write(reg(d::channel::list_lo::offset(channel)), static_cast<std::uint32_t>(at));
    machine_->write(reg(d::channel::control::offset(channel)), d::channel::control::kStart.put(1));
  }
  d::Status status(unsigned index, std::uint64_t at = kList) {
    d::Status result{};
    std::memcpy(&result, machine_->find(at + index * sizeof(d::Slot) + sizeof(d::Descriptor), sizeof(result)), sizeof(result));
    return result;
  }
  std::uint32_t state(unsigned channel = 0) { return machine_->read(reg(d::channel::status::offset(channel))); }
  d::Error error(unsigned channel = 0) { return static_cast<d::Error>(d::channel::status::kError.get(state(channel))); }
  std::uint32_t ended(unsigned channel = 0) { return d::channel::status::kEnded.get(state(channel)); }
  bool busy(unsigned channel = 0) { return d::channel::status::kBusy.get(state(channel)) != 0; }
  bool is_copied(std::uint64_t bytes) {
    return std::memcmp(machine_->find(kSource, bytes), machine_->find(kDestination, bytes), bytes) == 0;
  }

  const TemporaryFile plan_{"dma-plan"};
  std::unique_ptr<Machine> machine_;
};

TEST_F(DmaTest, IdentityAndRegistersAtReset) {
  EXPECT_EQ(machine_->read(reg(d::id::kOffset)), d::id::kResetValue);
  EXPECT_EQ(machine_->read(reg(d::version::kOffset)), d::version::kResetValue);
  EXPECT_EQ(d::geometry::kChannels.get(machine_->read(reg(d::geometry::kOffset))), d::channel::kCount);
  for (unsigned channel = 0; channel < d::channel::kCount; ++channel) EXPECT_EQ(state(channel), 0U);
  EXPECT_FALSE(machine_->try_write(reg(d::id::kOffset), 1));
  std::uint32_t value = 0;
  EXPECT_NE(cox_model_read(machine_->model, 0, reg(d::channel::control::offset(0)), 4, &value), 0) << "write-only";
  EXPECT_NE(cox_model_read(machine_->model, 0, reg(0x00C), 4, &value), 0);
  EXPECT_NE(cox_model_read(machine_->model, 0, reg(d::channel::status::offset(d::channel::kCount)), 4, &value), 0);
  EXPECT_NE(cox_model_read(machine_->model, 0, reg(d::id::kOffset), 2, &value), 0);
}

TEST_F(DmaTest, CopiesBytesInTheStatedTimeAndRaisesTheLine) {
  start({copy_of(4096)});
  EXPECT_TRUE(busy());
  const std::uint64_t end = kSetup + moving(4096);
  machine_->advance_to(end - 1);
  EXPECT_TRUE(busy());
  machine_->advance_to(end);
  EXPECT_FALSE(busy());
  EXPECT_TRUE(is_copied(4096));
  EXPECT_EQ(*machine_->find(kDestination + 4096, 1), std::byte{0});
  EXPECT_EQ(status(0).state, d::Status::state_of(d::Error::none));
  EXPECT_EQ(status(0).time, end);
  EXPECT_EQ(ended(), 1U);
  machine_->run();
  EXPECT_EQ(machine_->interrupts, (std::vector<Machine::Interrupt>{{end + kInterruptLatency, 2, 1}}));
  machine_->write(reg(d::int_status::kOffset), 1);
  EXPECT_EQ(machine_->level[2], 0);
}

TEST_F(DmaTest, CopiesRowsWithStrides) {
  d::Descriptor rows = copy_of(24);
  rows.rows = 5;
  rows.source_stride = 40;
  rows.destination_stride = 32;
  start({rows});
  machine_->run();
  EXPECT_EQ(error(), d::Error::none);
  for (std::uint64_t row = 0; row < 5; ++row) {
    EXPECT_EQ(std::memcmp(machine_->find(kSource + 40 * row, 24), machine_->find(kDestination + 32 * row, 24), 24), 0) << row;
    EXPECT_EQ(*machine_->find(kDestination + 32 * row + 24, 1), std::byte{0});
  }
}

TEST_F(DmaTest, ADescriptorInTheMiddleRaisesTheLineOnlyIfItAsks) {
  for (const bool asks : {false, true}) {
    d::Descriptor first = copy_of(64);
    if (asks) first.control |= d::Descriptor::kInterrupt;
    machine_->write(reg(d::int_status::kOffset), 1);
    machine_->interrupts.clear();
    start({first, copy_of(1 << 16)});
    machine_->advance_to(machine_->now + 200);
    EXPECT_TRUE(busy());
    EXPECT_EQ(machine_->interrupts.size(), asks ? 1U : 0U);
    machine_->run();
    EXPECT_EQ(ended(), 2U);
    EXPECT_EQ(machine_->interrupts.size(), 1U);
  }
}

TEST_F(DmaTest, ChannelsShareTheBandwidth) {
  d::Descriptor other = copy_of(16384);
  other.destination += 0x20000;
  start({copy_of(16384)});
  start({other}, 1, kList + 0x1000);
  machine_->run();
  const std::uint64_t both = kSetup + (2 * 2 * 16384ULL * 1024 + 17588) / 17589;
  EXPECT_NEAR(static_cast<double>(status(0).time), static_cast<double>(both), 2);
  EXPECT_NEAR(static_cast<double>(status(0, kList + 0x1000).time), static_cast<double>(both), 2);
  EXPECT_EQ(machine_->read(reg(d::int_status::kOffset)), 3U);
}

struct BadDescriptor {
  const char *name;
  void (*spoil)(d::Descriptor &);
  d::Error error;
};

class DmaErrors : public DmaTest, public testing::WithParamInterface<BadDescriptor> {};

// The descriptor before the bad one has its effect, and those behind it have none.
TEST_P(DmaErrors, EndTheList) {
  std::vector<d::Descriptor> list = {copy_of(64), copy_of(64), copy_of(64)};
  list[1].destination += 64;
  list[2].destination += 128;
  GetParam().spoil(list[1]);
  start(list);
  machine_->run();
  EXPECT_FALSE(busy());
  EXPECT_EQ(error(), GetParam().error);
  EXPECT_EQ(ended(), 1U);
  EXPECT_TRUE(is_copied(64));
  EXPECT_EQ(*machine_->find(kDestination + 128 + 3, 1), std::byte{0});
  EXPECT_EQ(status(1).state, d::Status::state_of(GetParam().error));
  EXPECT_FALSE(status(2).has_ended());
  EXPECT_EQ(machine_->read(reg(d::channel::at_lo::offset(0))), kList + sizeof(d::Slot));
  EXPECT_EQ(machine_->level[2], 1);
  start({copy_of(256)});
  machine_->run();
  EXPECT_EQ(error(), d::Error::none) << "the channel takes another list";
  EXPECT_TRUE(is_copied(256));
}

INSTANTIATE_TEST_SUITE_P(
    All, DmaErrors,
    testing::Values(BadDescriptor{"source", [](d::Descriptor &bad) { bad.source = 0x1000; }, d::Error::bus_read},
                    BadDescriptor{"source_end", [](d::Descriptor &bad) { bad.source = Machine::kMemoryBase + Machine::kMemoryBytes - 56; },
                                  d::Error::bus_read},
                    BadDescriptor{"destination", [](d::Descriptor &bad) { bad.destination = Machine::kMemoryBase - 8; },
                                  d::Error::bus_write},
                    BadDescriptor{"source_alignment", [](d::Descriptor &bad) { bad.source += 4; }, d::Error::misaligned},
                    BadDescriptor{"destination_alignment", [](d::Descriptor &bad) { bad.destination += 1; }, d::Error::misaligned},
                    BadDescriptor{"bytes_alignment", [](d::Descriptor &bad) { bad.row_bytes = 60; }, d::Error::misaligned},
                    BadDescriptor{"stride_alignment", [](d::Descriptor &bad) { bad.source_stride = 4; }, d::Error::misaligned},
                    BadDescriptor{"no_bytes", [](d::Descriptor &bad) { bad.row_bytes = 0; }, d::Error::bad_descriptor},
                    BadDescriptor{"many_bytes", [](d::Descriptor &bad) { bad.row_bytes = d::kMostRowBytes + 8; }, d::Error::bad_descriptor},
                    BadDescriptor{"no_rows", [](d::Descriptor &bad) { bad.rows = 0; }, d::Error::bad_descriptor},
                    BadDescriptor{"many_rows", [](d::Descriptor &bad) { bad.rows = d::kMostRows + 1; }, d::Error::bad_descriptor},
                    BadDescriptor{"all_bytes",
                                  [](d::Descriptor &bad) {
                                    bad.row_bytes = d::kMostRowBytes;
                                    bad.rows = d::kMostRows;
                                  },
                                  d::Error::bad_descriptor},
                    BadDescriptor{"mark", [](d::Descriptor &bad) { bad.control = 0; }, d::Error::bad_descriptor},
                    BadDescriptor{"control", [](d::Descriptor &bad) { bad.control |= 2; }, d::Error::bad_descriptor},
                    BadDescriptor{"reserved", [](d::Descriptor &bad) { bad.reserved[4] = 1; }, d::Error::bad_descriptor}),
    [](const testing::TestParamInfo<BadDescriptor> &bad) { return bad.param.name; });

TEST_F(DmaTest, AListThatIsNotThere) {
  machine_->write(reg(d::channel::list_lo::offset(0)), 0x1000);
  machine_->write(reg(d::channel::control::offset(0)), 1);
  machine_->run();
  EXPECT_EQ(error(), d::Error::bad_descriptor);
  machine_->write(reg(d::channel::list_lo::offset(0)), kList + 8);
  machine_->write(reg(d::channel::control::offset(0)), 1);
  machine_->run();
  EXPECT_EQ(error(), d::Error::misaligned);
  EXPECT_EQ(ended(), 0U);
}

TEST_F(DmaTest, AbortEndsTheListAtOnce) {
  start({copy_of(64), copy_of(1 << 16), copy_of(64)});
  machine_->advance_to(1000);
  EXPECT_FALSE(machine_->try_write(reg(d::channel::list_lo::offset(0)), 0)) << "busy";
  EXPECT_FALSE(machine_->try_write(reg(d::channel::control::offset(0)), 1)) << "busy";
  machine_->write(reg(d::channel::control::offset(0)), d::channel::control::kAbort.put(1));
  EXPECT_FALSE(busy());
  EXPECT_EQ(error(), d::Error::stopped);
  EXPECT_EQ(ended(), 1U);
  EXPECT_EQ(status(1).error(), d::Error::stopped);
  EXPECT_FALSE(status(2).has_ended());
  machine_->run();
  EXPECT_EQ(machine_->now, 1000 + kInterruptLatency);
  EXPECT_EQ(machine_->level[2], 1);
  machine_->write(reg(d::channel::control::offset(0)), d::channel::control::kAbort.put(1));
  EXPECT_EQ(machine_->now, 1000 + kInterruptLatency) << "no effect on an idle channel";
  EXPECT_FALSE(machine_->try_write(reg(d::channel::control::offset(0)), 3));
  // The aborted transfer has given its share of the bandwidth back.
  start({copy_of(4096)});
  machine_->run();
  EXPECT_EQ(status(0).time, 1000 + kInterruptLatency + kSetup + moving(4096));
}

// A bus that does not answer holds the channel, and the abort takes effect when it answers. Until then the channel may write.
TEST_F(DmaTest, AnAbortWaitsForTheBus) {
  start_with_plan("stuck queue=dma0 instruction=2 cycles=50000\n");
  d::Descriptor second = copy_of(256);
  second.destination += 64;
  start({copy_of(64), second, copy_of(64)});
  machine_->advance_to(10'000);
  machine_->write(reg(d::channel::control::offset(0)), d::channel::control::kAbort.put(1));
  EXPECT_TRUE(busy());
  EXPECT_FALSE(machine_->try_write(reg(d::channel::control::offset(0)), d::channel::control::kStart.put(1))) << "busy";
  EXPECT_EQ(std::memcmp(machine_->find(kDestination + 64, 4), "\0\0\0", 4), 0);
  EXPECT_EQ(machine_->level[2], 0);
  machine_->run();
  EXPECT_FALSE(busy());
  EXPECT_EQ(error(), d::Error::stopped);
  EXPECT_EQ(ended(), 1U);
  EXPECT_EQ(status(1).error(), d::Error::stopped);
  EXPECT_GT(status(1).time, 50'000U);
  EXPECT_FALSE(status(2).has_ended());
  EXPECT_EQ(std::memcmp(machine_->find(kSource, 256), machine_->find(kDestination + 64, 256), 256), 0);
  EXPECT_EQ(machine_->level[2], 1);
  start({copy_of(64)});
  machine_->run();
  EXPECT_EQ(error(), d::Error::none);
}

TEST_F(DmaTest, ResetEndsEverything) {
  start({copy_of(1 << 16)});
  machine_->advance_to(500);
  cox_model_reset(machine_->model, 500);
  EXPECT_FALSE(busy());
  EXPECT_EQ(cox_model_next_event(machine_->model), COX_MODEL_NEVER);
  EXPECT_EQ(machine_->read(reg(d::int_enable::kOffset)), 0U);
}

TEST_F(DmaTest, FaultPlansReachTheChannels) {
  start_with_plan(
      "bus_error queue=dma0 access=2\n"
      "stuck queue=dma1 instruction=1\n"
      "doorbell lost queue=dma1 count=2\n"
      "interrupt lost line=2 count=2\n");
  start({copy_of(64), copy_of(64)});
  machine_->run();
  EXPECT_EQ(error(), d::Error::bus_read);
  EXPECT_EQ(ended(), 1U);
  EXPECT_EQ(machine_->level[2], 1);
  machine_->write(reg(d::int_status::kOffset), 3);

  start({copy_of(64)}, 1);
  machine_->run();
  EXPECT_TRUE(busy(1)) << "stands still";
  machine_->write(reg(d::channel::control::offset(1)), d::channel::control::kAbort.put(1));
  EXPECT_EQ(error(1), d::Error::stopped);
  machine_->run();
  EXPECT_EQ(machine_->level[2], 0) << "this rise is lost";
  machine_->write(reg(d::int_status::kOffset), 3);

  start({copy_of(64)}, 1);
  EXPECT_FALSE(busy(1)) << "the start is lost";
  EXPECT_EQ(error(1), d::Error::stopped) << "as the last list has ended";
  start({copy_of(64)}, 1);
  machine_->run();
  EXPECT_EQ(error(1), d::Error::none);
  EXPECT_EQ(machine_->level[2], 1);
}

TEST_F(DmaTest, ADescriptorThatEccCannotCorrectIsBad) {
  start_with_plan("flip memory=queue address=0x60001080 bits=2 at=1\n");
  machine_->advance_to(10);
  start({copy_of(64), copy_of(64)});
  machine_->run();
  EXPECT_EQ(error(), d::Error::bad_descriptor);
  EXPECT_EQ(ended(), 1U);
}

TEST_F(DmaTest, AWordThatEccCannotCorrectEndsTheList) {
  start_with_plan("flip memory=dram address=0x60010040 bits=2 at=1\n");
  machine_->advance_to(10);
  start({copy_of(64)});
  machine_->run();
  EXPECT_EQ(error(), d::Error::none);
  start({copy_of(128)});
  machine_->run();
  EXPECT_EQ(error(), d::Error::bus_read);
}

}  // namespace
}  // namespace cox::test
