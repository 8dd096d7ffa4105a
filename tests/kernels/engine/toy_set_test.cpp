// SPDX-License-Identifier: MIT
// A new engine needs only a Set: StreamBuffer and Engine<Set> drive it.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "coxswain/kernels/engine/engine.h"
#include "tests/kernels/engine/fake_engine.h"

namespace cox::tests {
namespace {

using kernels::StreamFault;

/// Instructions are words of 8 bytes. The set uses the registers of the MX engine, because the fake device has only these.
struct ToySet {
  static constexpr registers::Engine kEngine = registers::Engine::mx;
  static constexpr unsigned kQueueSizeLog2 = 2;
  using Stream = kernels::StreamBuffer;
  using ContextState = kernels::NoContextState;
  static void explain(std::span<const std::byte> stream, const registers::EngineFaultDetail &detail, StreamFault &fault) {
    fault.instruction = static_cast<std::int32_t>(detail.offset / 8);
    fault.name = stream[detail.offset] == std::byte{7} ? "TOY" : "?";
  }
};
using ToyEngine = kernels::Engine<ToySet>;
static_assert(!ToyEngine::kJoins);

class ToySetTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(accelerator.open().ok());
    ASSERT_TRUE(toy.init(accelerator, {.context = FakeEngine::kContext}).ok());
    ASSERT_TRUE(stream.init(memory.bytes, {}).ok());
  }
  /// Appends an instruction, as a kernel does.
  void append(std::uint64_t instruction) {
    std::byte *const place = stream.reserve(sizeof(instruction));
    ASSERT_NE(place, nullptr);
    std::memcpy(place, &instruction, sizeof(instruction));
  }

  FakeEngine device;
  hal::Accelerator accelerator;
  struct alignas(8) Memory {
    std::array<std::byte, 32> bytes{};
  } memory;
  kernels::StreamBuffer stream;
  ToyEngine toy;
};

TEST_F(ToySetTest, AStreamRuns) {
  append(5);
  append(7);
  device.on_sleep = [this] { device.complete(0); };
  EXPECT_TRUE(toy.run(stream).ok());
  EXPECT_EQ(toy.end_cycle(), device.now);
}

TEST_F(ToySetTest, AnEmptyStreamIsRefused) { EXPECT_EQ(toy.submit(stream).status().code(), ErrorCode::invalid_argument); }

TEST_F(ToySetTest, AFaultIsExplainedByTheSet) {
  append(5);
  append(7);
  device.on_sleep = [this] {
    device.end_silently(0);
    device.write(device.fault(0, hal::FaultCode::unknown_instruction, {.offset = 8, .field_bit = 0}));
  };
  const Status status = toy.run(stream);
  EXPECT_EQ(status.code(), ErrorCode::device_fault);
  EXPECT_EQ(status.index(), 1);
  EXPECT_STREQ(toy.fault().name, "TOY");
}

/// The stream gives its full buffer to the engine to run. After that, the buffer is empty and takes further instructions.
TEST_F(ToySetTest, AFullStreamIsRunByTheEngine) {
  stream.set_hand_over(
      [](void *owner, kernels::StreamBuffer &full) -> Result<std::span<std::byte>> {
        if (const Status status = static_cast<ToyEngine *>(owner)->run(full); !status) return status;
        return full.segment(0);
      },
      &toy);
  std::uint32_t ended = 0;
  device.on_sleep = [&] { device.complete(ended++); };
  for (std::uint64_t i = 0; i < 10; ++i) append(i);
  EXPECT_EQ(ended, 2U);
  EXPECT_EQ(stream.code().size(), 2 * 8U);
}

}  // namespace
}  // namespace cox::tests
