// SPDX-License-Identifier: MIT
// The echo engine's kernel on the native board: a copy, refused calls, faults with and without a retry, a hang and the recovery.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>

#include "boards/native/native_board.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/device.h"
#include "tests/echo/kernels/build.h"
#include "tests/echo/kernels/echo.h"

namespace cox::kernels::echo {
namespace {

constexpr std::uint64_t kMiB = 1U << 20;
constexpr std::uint64_t kLimit = 1000;  // us
constexpr std::uint32_t kBytes = 10'000;

class EchoKernel : public testing::Test {
 protected:
  void SetUp() override { power_on(""); }
  void power_on(const std::string &plan, unsigned retries = 0) {
    board_.reset();
    const std::string path = testing::TempDir() + "echo_plan_" + std::to_string(getpid());
    std::ofstream(path) << plan;
    board::NativeBoardSettings settings;
    settings.model_options = R"({"faults": ")" + path + R"("})";
    settings.dram_bytes = 16 * kMiB;
    settings.log = [](int, std::string_view) {};
    std::string error;
    board_ = board::NativeBoard::create(std::move(settings), error);
    ASSERT_NE(board_, nullptr) << error;
    ASSERT_TRUE(accelerator_.open().ok());
    ASSERT_TRUE(accelerator_.geometry().has(registers::Engine::echo)) << "the capability of the row";
    window_ = {.base = base(), .bytes = kMiB, .read = true, .write = true};
    ASSERT_TRUE(engine_.init(accelerator_, {.context = 1, .windows = {&window_, 1}}).ok());
    engine_.set_retries(retries);
    ASSERT_TRUE(stream_.init(board_->core_dram().subspan(2 * kMiB, 4096), {&window_, 1}).ok());
    for (std::uint32_t i = 0; i < kBytes; ++i) board_->dram()[i] = static_cast<std::byte>(i * 13 + (i >> 7));
  }
  static std::uint64_t base() { return hal::dram_range().address; }
  static std::uint64_t destination() { return base() + 0x8000; }
  [[nodiscard]] bool is_copied() const { return std::memcmp(board_->dram().data(), board_->dram().data() + 0x8000, kBytes) == 0; }

  std::unique_ptr<board::NativeBoard> board_;
  hal::Accelerator accelerator_;
  isa::Window window_;
  Engine engine_;
  Stream stream_;
};

TEST_F(EchoKernel, Copies) {
  ASSERT_TRUE(copy(stream_, base(), destination(), kBytes).ok());
  const Status status = engine_.run(stream_, kLimit);
  ASSERT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what();
  EXPECT_TRUE(is_copied());
}

TEST_F(EchoKernel, Fills) {
  ASSERT_TRUE(fill(stream_, 0x5A, destination(), kBytes).ok());
  ASSERT_TRUE(engine_.run(stream_, kLimit).ok());
  const std::byte *bytes = board_->dram().data() + 0x8000;
  EXPECT_TRUE(std::all_of(bytes, bytes + kBytes, [](std::byte byte) { return byte == std::byte{0x5A}; }));
  EXPECT_EQ(bytes[-1], std::byte{0});
  EXPECT_EQ(bytes[kBytes], std::byte{0});
}

TEST_F(EchoKernel, RefusedCallsAppendNothing) {
  EXPECT_EQ(fill(stream_, 1, destination(), 0).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(fill(stream_, 1, base() + kMiB - 1, 2).code(), ErrorCode::address_outside_window);
  EXPECT_EQ(copy(stream_, base(), destination(), 0).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(copy(stream_, base(), destination(), isa::echo::kMostBytes + 1).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(copy(stream_, base(), base() + 1, 2).code(), ErrorCode::tensor_overlap);
  EXPECT_EQ(copy(stream_, base() - 1, destination(), 1).code(), ErrorCode::address_outside_window);
  EXPECT_EQ(copy(stream_, std::uint64_t{1} << 32, destination(), 1).code(), ErrorCode::address_outside_window);
  EXPECT_TRUE(stream_.is_empty());
  for (unsigned i = 0; i < 256; ++i) ASSERT_TRUE(copy(stream_, base(), destination(), 1).ok()) << i;
  EXPECT_EQ(copy(stream_, base(), destination(), 1).code(), ErrorCode::no_room);
  EXPECT_EQ(stream_.code().size(), 4096U);
}

/// Appends an instruction without the checks of the kernel.
void append(Stream &stream, const isa::echo::MachineCode &code) { std::memcpy(stream.reserve(sizeof code), &code, sizeof code); }

TEST_F(EchoKernel, AFaultNamesTheInstructionAndTheNextRunIsRight) {
  ASSERT_TRUE(copy(stream_, base(), base() + 0x4000, 64).ok());
  append(stream_, isa::echo::fail());
  const Status status = engine_.run(stream_, kLimit);
  EXPECT_EQ(status.code(), ErrorCode::device_fault);
  EXPECT_EQ(status.index(), 1);
  EXPECT_STREQ(engine_.fault().name, "FAIL");
  EXPECT_EQ(engine_.fault().code, hal::FaultCode::unsupported);
  stream_.clear();
  ASSERT_TRUE(copy(stream_, base(), destination(), kBytes).ok());
  EXPECT_TRUE(engine_.run(stream_, kLimit).ok());
  EXPECT_TRUE(is_copied());
}

TEST_F(EchoKernel, AHangEndsAtTheLimitAndTheNextRunIsRight) {
  append(stream_, isa::echo::hang());
  EXPECT_EQ(engine_.run(stream_, kLimit).code(), ErrorCode::timeout);
  stream_.clear();
  ASSERT_TRUE(copy(stream_, base(), destination(), kBytes).ok());
  EXPECT_TRUE(engine_.run(stream_, kLimit).ok());
  EXPECT_TRUE(is_copied());
}

TEST_F(EchoKernel, FaultsOfAPlanAreNamedOrSurvived) {
  const std::string queue = std::to_string(registers::row_of(registers::Engine::echo).completion_queue());
  const std::string plans[] = {
      "bus_error queue=ECHO access=1",
      "bus_error queue=ECHO access=2",
      "bus_error queue=ECHO access=3",
      "stuck queue=ECHO instruction=1",
      "reset engine=ECHO at=100",
      "completion lost queue=" + queue + " count=1",
      "completion corrupt queue=" + queue + " count=1 bit=20",
  };
  for (const std::string &plan : plans) {
    for (const unsigned retries : {0U, 1U}) {
      SCOPED_TRACE(plan + ", retries " + std::to_string(retries));
      ASSERT_NO_FATAL_FAILURE(power_on(plan, retries));
      ASSERT_TRUE(copy(stream_, base(), destination(), kBytes).ok());
      const Status status = engine_.run(stream_, kLimit);
      EXPECT_EQ(status.ok(), retries == 1) << error_name(status.code()) << " " << status.what();
      if (retries == 1) {
        EXPECT_TRUE(is_copied());
      }
      EXPECT_TRUE(engine_.run(stream_, kLimit).ok());
      EXPECT_TRUE(is_copied());
    }
  }
}

}  // namespace
}  // namespace cox::kernels::echo
