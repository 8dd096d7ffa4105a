// SPDX-License-Identifier: MIT
// Tests how the kernels' engines react to each fault of a plan (docs/faults.md): the error, the log, and the result of the next stream,
// which must be right.
#include <gmock/gmock.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/context.h"
#include "coxswain/hal/device.h"
#include "coxswain/hal/fault_log.h"
#include "coxswain/isa/cube/build.h"
#include "coxswain/isa/numbers/mx9_block.h"
#include "coxswain/kernels/cube/engine.h"
#include "coxswain/kernels/mx/engine.h"

namespace cox::kernels {
namespace {

using hal::FaultAction;
using isa::mx::Block;
using registers::FaultCode;
using testing::ElementsAre;
using testing::ElementsAreArray;

constexpr std::uint64_t kMiB = 1U << 20;
constexpr std::uint32_t kBlocks = 4096;
constexpr std::uint64_t kTensor = kBlocks * sizeof(Block);
constexpr std::uint64_t kLimit = 3000;  // microseconds; a stream of these tests takes 14

/// Entries of the log, such as "device_fault bus_error retried".
std::vector<std::string> logged() {
  std::vector<std::string> lines;
  for (std::uint32_t i = 0; i < hal::fault_log::size(); ++i) {
    const hal::FaultRecord record = hal::fault_log::at(i);
    std::string line = error_name(record.error);
    if (record.fault != FaultCode::none) line += std::string(" ") + registers::kFaultCodeNames[static_cast<unsigned>(record.fault)];
    lines.push_back(line + " " + hal::kFaultActionNames[static_cast<unsigned>(record.action)]);
  }
  return lines;
}

class StreamFaults : public testing::Test {
 protected:
  void power_on(const std::string &plan) {
    board_.reset();
    const std::string path = testing::TempDir() + "stream_faults_" + std::to_string(getpid());
    std::ofstream(path) << plan;
    board::NativeBoardSettings settings;
    settings.model_options = R"({"faults": ")" + path + R"("})";
    settings.dram_bytes = 16 * kMiB;
    settings.log = [](int, std::string_view) {};
    settings.bus_fault = [](const board::BusFault &fault) { ADD_FAILURE() << "bus fault at " << fault.address; };
    std::string error;
    board_ = board::NativeBoard::create(std::move(settings), error);
    ASSERT_NE(board_, nullptr) << error;
    ASSERT_TRUE(accelerator_.open().ok());
    window_ = {.base = hal::dram_range().address, .bytes = 8 * kMiB, .read = true, .write = true};
  }
  void start_mx(unsigned retries) {
    ASSERT_TRUE(mx_.init(accelerator_, {.context = 3, .windows = {&window_, 1}}).ok());
    mx_.set_retries(retries);
    for (unsigned i = 0; i < kStreams; ++i) {
      ASSERT_TRUE(streams_[i].init(board_->core_dram().subspan(8 * kMiB + i * 4096, 4096), {&window_, 1}).ok());
      // Tensor i + 1 is twice tensor i.
      ASSERT_TRUE(
          streams_[i]
              .append(isa::mx::Elementwise{
                  .function = isa::mx::ElementwiseFunction::add, .input1 = at(i), .input2 = at(i), .output = at(i + 1), .blocks = kBlocks})
              .ok());
    }
    fill(127);
  }
  static std::uint64_t at(unsigned tensor) { return hal::dram_range().address + tensor * kTensor; }
  Block *tensor(unsigned number) { return reinterpret_cast<Block *>(board_->dram().data() + number * kTensor); }
  void fill(std::uint8_t exponent) {
    Block one{.exponent = exponent};
    one.elements.fill(64);
    for (std::uint32_t i = 0; i < kBlocks; ++i) tensor(0)[i] = one;
    for (std::uint32_t i = kBlocks; i < (kStreams + 1) * kBlocks; ++i) tensor(0)[i] = {};
  }
  /// Returns true if each block of the tensor is 1.0 times 2^(exponent - 127).
  bool holds(unsigned number, std::uint8_t exponent) {
    Block one{.exponent = exponent};
    one.elements.fill(64);
    for (std::uint32_t i = 0; i < kBlocks; ++i) {
      if (std::memcmp(&tensor(number)[i], &one, sizeof one) != 0) return false;
    }
    return true;
  }
  void expect_next_is_right() {
    fill(100);
    const Status status = mx_.run(streams_[0], kLimit);
    EXPECT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what();
    EXPECT_TRUE(holds(1, 101));
  }

  static constexpr unsigned kStreams = 3;
  std::unique_ptr<board::NativeBoard> board_;
  hal::Accelerator accelerator_;
  isa::Window window_;
  mx::Engine mx_;
  mx::Stream streams_[kStreams];
};

struct Case {
  const char *plan;
  const char *what;  ///< name in the error; nullptr: no error
  ErrorCode error;
  FaultCode fault;
  std::vector<std::string> log;          ///< the log of a run without retries
  std::vector<std::string> log_retried;  ///< the log of a run with one retry, which succeeds
};

const Case kCases[] = {
    {"doorbell lost queue=MX count=1", nullptr, {}, {}, {"timeout corrected"}, {"timeout corrected"}},
    {"interrupt lost line=0 count=1", nullptr, {}, {}, {}, {}},
    {"interrupt spurious line=0 at=5000", nullptr, {}, {}, {}, {}},
    {"interrupt spurious line=1 at=5000", nullptr, {}, {}, {}, {}},
    {"completion doubled queue=4 count=1", nullptr, {}, {}, {}, {}},
    {"completion swap queue=4 count=1", nullptr, {}, {}, {}, {}},
    {"clock engine=MX at=5000 cycles=1500000", nullptr, {}, {}, {}, {}},
    {"stuck queue=MX instruction=2 cycles=1500000", nullptr, {}, {}, {}, {}},
    {"slow factor=64 at=0 cycles=100000", nullptr, {}, {}, {}, {}},
    // The engine accesses the descriptor, CONFBADDR, ELADD and then the operands.
    {"bus_error queue=MX access=1",
     "descriptor",
     ErrorCode::device_fault,
     FaultCode::bus_error,
     {"device_fault bus_error reset", "device_fault bus_error failed"},
     {"device_fault bus_error reset", "device_fault bus_error retried"}},
    {"bus_error queue=MX access=3",
     "instruction",
     ErrorCode::device_fault,
     FaultCode::bus_error,
     {"device_fault bus_error failed"},
     {"device_fault bus_error retried"}},
    {"bus_error queue=MX access=4",
     "InOffset1",
     ErrorCode::device_fault,
     FaultCode::bus_error,
     {"device_fault bus_error failed"},
     {"device_fault bus_error retried"}},
    {"stuck queue=MX instruction=2",
     "stream",
     ErrorCode::timeout,
     {},
     {"timeout reset", "timeout failed"},
     {"timeout reset", "timeout retried"}},
    {"reset engine=MX at=5000",
     "engine reset",
     ErrorCode::device_fault,
     {},
     {"device_fault reset", "device_fault failed"},
     {"device_fault reset", "device_fault retried"}},
    {"completion lost queue=4 count=1",
     "completion",
     ErrorCode::device_fault,
     {},
     {"device_fault reset", "device_fault failed"},
     {"device_fault reset", "device_fault retried"}},
    {"completion corrupt queue=4 count=1 bit=20",
     "completion",
     ErrorCode::device_fault,
     {},
     {"device_fault reset", "device_fault failed"},
     {"device_fault reset", "device_fault retried"}},
    // Bit 63 is the phase bit.
    {"completion corrupt queue=4 count=1 bit=63",
     "completion",
     ErrorCode::device_fault,
     {},
     {"device_fault reset", "device_fault failed"},
     {"device_fault reset", "device_fault retried"}},
};

TEST_F(StreamFaults, EachIsSurvivedOrNamed) {
  for (const Case &wanted : kCases) {
    for (const unsigned retries : {0U, 1U}) {
      SCOPED_TRACE(std::string(wanted.plan) + ", retries " + std::to_string(retries));
      ASSERT_NO_FATAL_FAILURE(power_on(wanted.plan));
      ASSERT_NO_FATAL_FAILURE(start_mx(retries));
      const std::uint64_t start = board::microseconds();
      const Status status = mx_.run(streams_[0], kLimit);
      EXPECT_LE(board::microseconds() - start, 2 * kLimit + 3000);
      if (wanted.what == nullptr || retries != 0) {
        EXPECT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what();
        EXPECT_TRUE(holds(1, 128));
      } else {
        EXPECT_EQ(status.code(), wanted.error) << error_name(status.code());
        EXPECT_STREQ(status.what(), wanted.what);
        if (wanted.fault != FaultCode::none) {
          EXPECT_EQ(status.value(), static_cast<std::int64_t>(wanted.fault));
        }
      }
      EXPECT_THAT(logged(), ElementsAreArray(retries == 0 ? wanted.log : wanted.log_retried));
      board_->advance(2'000'000);
      expect_next_is_right();
      if (HasFailure()) return;
    }
  }
}

/// The device completes the first stream twice. The driver reads the second completion while it waits for the second stream.
TEST_F(StreamFaults, ARepeatedCompletionIsNotThatOfTheNextStream) {
  ASSERT_NO_FATAL_FAILURE(power_on("completion doubled queue=4 count=1"));
  ASSERT_NO_FATAL_FAILURE(start_mx(0));
  ASSERT_TRUE(mx_.run(streams_[0], kLimit).ok());
  EXPECT_THAT(logged(), ElementsAre());
  ASSERT_TRUE(mx_.run(streams_[1], kLimit).ok());
  EXPECT_TRUE(holds(2, 129));
  EXPECT_THAT(logged(), ElementsAre("device_fault corrected"));
}

/// Streams keep their tags whether the driver resets only the context or the whole engine.
TEST_F(StreamFaults, AllStreamsBehindRunAgainUnderTheirTags) {
  for (const char *plan :
       {"bus_error queue=MX access=12", "stuck queue=MX instruction=4", "reset engine=MX at=30000", "completion lost queue=4 count=2"}) {
    SCOPED_TRACE(plan);
    ASSERT_NO_FATAL_FAILURE(power_on(plan));
    ASSERT_NO_FATAL_FAILURE(start_mx(1));
    std::uint32_t tags[kStreams];
    for (unsigned i = 0; i < kStreams; ++i) tags[i] = mx_.submit(streams_[i]).value();
    for (const std::uint32_t tag : tags) {
      const Status status = mx_.wait(tag, kLimit);
      EXPECT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what();
    }
    EXPECT_TRUE(holds(3, 130));
    EXPECT_THAT(logged(), testing::Contains(testing::HasSubstr("retried")).Times(1));
    EXPECT_EQ(mx_.submit(streams_[0]).value(), tags[kStreams - 1] + 1) << "tags go on";
    EXPECT_TRUE(mx_.wait(tags[kStreams - 1] + 1, kLimit).ok());
    for (const std::uint32_t tag : tags) EXPECT_TRUE(mx_.wait(tag, 0).ok()) << "asked again";
    if (HasFailure()) return;
  }
}

TEST_F(StreamFaults, LostStreamsKeepTheirErrorAndTagsGoOn) {
  ASSERT_NO_FATAL_FAILURE(power_on("stuck queue=MX instruction=4"));
  ASSERT_NO_FATAL_FAILURE(start_mx(0));
  const std::uint32_t first = mx_.submit(streams_[0]).value();
  const std::uint32_t second = mx_.submit(streams_[1]).value();
  const std::uint32_t third = mx_.submit(streams_[2]).value();
  EXPECT_TRUE(mx_.wait(first, kLimit).ok());
  EXPECT_EQ(mx_.wait(second, kLimit).code(), ErrorCode::timeout);
  const std::uint32_t next = mx_.submit(streams_[0]).value();
  EXPECT_EQ(next, third + 1);
  EXPECT_EQ(mx_.wait(third, kLimit).code(), ErrorCode::timeout);
  EXPECT_TRUE(mx_.wait(first, kLimit).ok());
  EXPECT_TRUE(mx_.wait(next, kLimit).ok());
}

TEST_F(StreamFaults, RetriesEnd) {
  ASSERT_NO_FATAL_FAILURE(power_on("bus_error queue=MX access=3\nbus_error queue=MX access=6\nbus_error queue=MX access=9"));
  ASSERT_NO_FATAL_FAILURE(start_mx(2));
  EXPECT_EQ(mx_.run(streams_[0], kLimit).code(), ErrorCode::device_fault);
  EXPECT_THAT(logged(), ElementsAre("device_fault bus_error retried", "device_fault bus_error retried", "device_fault bus_error failed"));
  expect_next_is_right();
}

/// A retry would meet the stream's own fault again.
TEST_F(StreamFaults, AStreamsOwnFaultIsNotTriedAgain) {
  ASSERT_NO_FATAL_FAILURE(power_on(""));
  ASSERT_NO_FATAL_FAILURE(start_mx(3));
  const isa::Window anywhere{.base = 0, .bytes = ~std::uint64_t{0}, .read = true, .write = true};
  mx::Stream bad;
  ASSERT_TRUE(bad.init(board_->core_dram().subspan(9 * kMiB, 4096), {&anywhere, 1}).ok());
  ASSERT_TRUE(bad.append(isa::mx::Elementwise{.function = isa::mx::ElementwiseFunction::add,
                                              .input1 = at(0),
                                              .input2 = at(0),
                                              .output = hal::dram_range().address + 9 * kMiB,
                                              .blocks = 1})
                  .ok());
  EXPECT_EQ(mx_.run(bad, kLimit).value(), static_cast<std::int64_t>(FaultCode::window));
  EXPECT_THAT(logged(), ElementsAre("device_fault window failed"));
}

/// Two bits of a word are wrong. In a stream the error stays until the stream is rewritten, in a descriptor until the engine restarts.
TEST_F(StreamFaults, WhatEccCannotCorrect) {
  const auto flip = [](const char *memory, std::uint64_t address, const char *bits) {
    return std::string("flip memory=") + memory + " address=" + std::to_string(address) + " bits=" + bits + " at=0";
  };
  ASSERT_NO_FATAL_FAILURE(power_on(""));
  const std::uint64_t code = hal::dram_range().address + 8 * kMiB + 8;
  const std::uint64_t descriptor = hal::bus_address(board::queue_memory()) + 16;

  for (const std::string &one : {flip("dram", code, "1"), flip("queue", descriptor, "1")}) {
    ASSERT_NO_FATAL_FAILURE(power_on(one));
    ASSERT_NO_FATAL_FAILURE(start_mx(0));
    EXPECT_TRUE(mx_.run(streams_[0], kLimit).ok());
    EXPECT_EQ(hal::corrected_errors(), 1U);
    EXPECT_THAT(logged(), ElementsAre());
  }

  ASSERT_NO_FATAL_FAILURE(power_on("flip memory=dram address=" + std::to_string(code) + " bits=2 at=100\n" +
                                   "flip memory=queue address=" + std::to_string(descriptor) + " bits=2 at=20000"));
  ASSERT_NO_FATAL_FAILURE(start_mx(1));
  board_->advance(200);
  const Status status = mx_.run(streams_[0], kLimit);
  EXPECT_STREQ(status.what(), "memory");
  EXPECT_EQ(status.value(), static_cast<std::int64_t>(FaultCode::ecc));
  EXPECT_EQ(status.limit(), static_cast<std::int64_t>(code));
  EXPECT_EQ(mx_.fault().address, code);
  EXPECT_THAT(logged(), ElementsAre("device_fault ecc retried", "device_fault ecc failed"));
  board_->advance(30000);
  ASSERT_TRUE(mx_.close().ok());
  ASSERT_NO_FATAL_FAILURE(start_mx(1));
  // Now two bits of the descriptor are wrong. The run fails without a retry.
  EXPECT_STREQ(mx_.run(streams_[0], kLimit).what(), "descriptor");
  EXPECT_EQ(mx_.fault().code, FaultCode::ecc);
  EXPECT_TRUE(mx_.run(streams_[0], kLimit).ok());
  EXPECT_TRUE(holds(1, 128));
}

// The matrix unit's driver can run a stream in segments (`fed`). A segment depends on the previous ones, so it is never retried.

TEST_F(StreamFaults, OfTheMatrixUnitWhatIsJoinedDoesNotRunAgain) {
  for (const bool fed : {false, true}) {
    SCOPED_TRACE(fed ? "fed" : "one stream");
    ASSERT_NO_FATAL_FAILURE(power_on("reset engine=CUBE at=1000"));
    cube::Engine engine;
    ASSERT_TRUE(engine.init(accelerator_, {.context = 1, .windows = {&window_, 1}}).ok());
    engine.set_retries(1);
    cube::Stream stream;
    ASSERT_TRUE(stream.init(board_->core_dram().subspan(8 * kMiB, 16384), {&window_, 1}, fed ? 4 : 1).ok());
    if (fed) {
      ASSERT_TRUE(engine.attach(stream).ok());
    }
    // Each load takes 512 cycles: 64 KiB at 128 bytes a cycle.
    for (unsigned i = 0; i < 160; ++i) {
      const Status status = stream.append(isa::cube::encode(isa::cube::DramToL1{.source = at(0), .row_bytes = 64 << 10}));
      ASSERT_TRUE(status.ok()) << status.what();
    }
    const Status status = engine.run(stream, kLimit);
    EXPECT_EQ(status.ok(), !fed) << error_name(status.code()) << " " << status.what();
    if (fed) {
      EXPECT_STREQ(status.what(), "engine reset");
    }
    EXPECT_THAT(logged(), ElementsAre("device_fault reset", fed ? "device_fault failed" : "device_fault retried"));
    stream.clear();
    ASSERT_TRUE(stream.append(isa::cube::encode(isa::cube::Barrier{.pipes = 1})).ok());
    EXPECT_TRUE(engine.run(stream, kLimit).ok());
  }
}

}  // namespace
}  // namespace cox::kernels
