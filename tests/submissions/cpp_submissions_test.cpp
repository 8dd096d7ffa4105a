// SPDX-License-Identifier: MIT
// Handles and callbacks through the C++ classes, for tasks and for streams of the MX engine. The C interface has the same tests and more
// (submissions_test.cpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "boards/native/native_board.h"
#include "firmware/image/loader.h"
#include "firmware/schedule/task_submissions.h"
#include "hal/cache.h"
#include "kernels/engine/stream_submissions.h"
#include "kernels/mx/eladd.h"
#include "kernels/mx/engine.h"
#include "tests/firmware/scheduled_tasks.h"

namespace cox::tests {
namespace {

namespace image = firmware::image;
namespace schedule = firmware::schedule;
namespace mx = kernels::mx;

constexpr std::uint64_t kLimit = 1'000'000;
constexpr std::uint64_t kEnoughCycles = 1'000'000;

/// Memory that an engine fills with zeros, a copy of other memory.
class Output {
 public:
  Output() = default;
  explicit Output(std::span<std::byte> bytes) : bytes_(bytes) {}
  void spoil() const {
    std::fill(bytes_.begin(), bytes_.end(), std::byte{0xEE});
    hal::clean_and_invalidate_cache(bytes_.data(), bytes_.size());
  }
  [[nodiscard]] bool is_written() const {
    hal::invalidate_cache(bytes_.data(), bytes_.size());
    return std::all_of(bytes_.begin(), bytes_.end(), [](std::byte byte) { return byte == std::byte{0}; });
  }

 private:
  std::span<std::byte> bytes_;
};

class CppSubmissionsTest : public testing::Test {
 protected:
  /// An engine's submissions, and a function that submits a piece of work whose output was spoilt.
  struct Engine {
    hal::Submissions *submissions;
    std::function<Result<hal::Handle>()> submit;
    Output output;
  };

  CppSubmissionsTest() {
    std::string error;
    board::NativeBoardSettings settings;
    settings.dram_bytes = std::size_t{16} << 20;
    board_ = board::NativeBoard::create(std::move(settings), error);
    EXPECT_NE(board_, nullptr) << error;
    open();
    prepare_task();
    prepare_stream();
  }
  ~CppSubmissionsTest() override { close(); }

  void open() {
    const isa::Window dram[] = {{.base = board::dram_base(), .bytes = board::dram_size(), .read = true, .write = true}};
    good(accelerator_.open());
    good(scheduler_.initialise(accelerator_));
    good(mx_engine_.init(accelerator_, {.windows = dram}));
    tasks_.open(accelerator_);
    streams_.open();
  }
  void close() {
    good(scheduler_.close());
    tasks_.close();
    good(mx_engine_.close());
    streams_.close();
    good(accelerator_.close());
  }
  std::vector<Engine> engines() {
    return {{&tasks_,
             [this] {
               task_output_.spoil();
               return tasks_.submit(task_, windows_);
             },
             task_output_},
            {&streams_,
             [this] {
               sum_.spoil();
               return streams_.submit(stream_);
             },
             sum_}};
  }
  static hal::Handle submitted(const Engine &engine) {
    const Result<hal::Handle> handle = engine.submit();
    EXPECT_TRUE(handle.ok()) << handle.status().what();
    return handle.ok() ? handle.value() : hal::Handle();
  }
  static void good(const Status &status) { EXPECT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what(); }
  static void refused(const Status &status, ErrorCode code, const char *what) {
    EXPECT_EQ(status.code(), code) << error_name(status.code());
    EXPECT_STREQ(status.what(), what);
  }

  std::unique_ptr<board::NativeBoard> board_;

 private:
  std::span<std::byte> take(std::size_t bytes) {
    const std::span<std::byte> taken = board_->core_dram().subspan(used_, bytes);
    used_ += (bytes + 63) / 64 * 64;
    return taken;
  }
  static std::uint64_t address_of(std::span<std::byte> memory) { return reinterpret_cast<std::uintptr_t>(memory.data()); }

  void prepare_task() {
    constexpr unsigned kRounds = 4;
    constexpr std::size_t kHalf = kRounds * kTensorBytes;
    Image made(copies_task(0, 3, kRounds));
    const std::span<std::byte> bytes = take(made.bytes().size());
    std::memcpy(bytes.data(), made.bytes().data(), bytes.size());
    const auto loaded = image::load(bytes, scheduler_.device_geometry(), take(image::workspace_bytes(bytes).value()));
    ASSERT_TRUE(loaded.ok()) << loaded.status().what();
    task_ = loaded.value();
    const std::span<std::byte> window = take(2 * kHalf);
    windows_[0] = {address_of(window), window.size(), true, true};
    task_output_ = Output(window.subspan(kHalf));
  }
  void prepare_stream() {
    constexpr std::uint32_t kSide = 8;
    constexpr std::size_t kBytes = std::size_t{kSide} * kSide * isa::mx::kBlockBytes;
    const std::span<std::byte> term = take(kBytes), sum = take(kBytes);
    const mx::Tensor from{address_of(term), 16, kSide, kSide}, to{address_of(sum), 16, kSide, kSide};
    good(stream_.init(take(1024), mx_engine_.windows()));
    good(mx::eladd(stream_, from, from, to));
    sum_ = Output(sum);
  }

  hal::Accelerator accelerator_;
  schedule::Scheduler scheduler_;
  mx::Engine mx_engine_;
  schedule::TaskSubmissions tasks_{scheduler_};
  kernels::StreamSubmissions<mx::Engine> streams_{mx_engine_};
  image::LoadedTask task_;
  std::array<hal::Window, hal::kWindows> windows_{};
  mx::Stream stream_;
  Output task_output_, sum_;
  std::size_t used_ = 0;
};

TEST_F(CppSubmissionsTest, AHandleIsValidOnce) {
  for (const Engine &engine : engines()) {
    const hal::Handle handle = submitted(engine);
    good(engine.submissions->wait(handle, kLimit));
    EXPECT_TRUE(engine.output.is_written());
    refused(engine.submissions->wait(handle, kLimit), ErrorCode::not_ready, "handle");
    refused(engine.submissions->call_at_end(handle, {.function = [](std::uint32_t, void *) {}}), ErrorCode::not_ready, "handle");
    EXPECT_TRUE(engine.submissions->has_ended(handle)) << "a wait returns at once";
    const hal::Handle next = submitted(engine);
    EXPECT_EQ(next.index(), handle.index());
    refused(engine.submissions->wait(handle, kLimit), ErrorCode::not_ready, "handle");
    good(engine.submissions->wait(next, kLimit));
  }
}

TEST_F(CppSubmissionsTest, WhatIsNoHandleOfTheEngineIsRefused) {
  const std::vector<Engine> all = engines();
  const hal::Handle run = submitted(all[0]), sum = submitted(all[1]);
  refused(all[0].submissions->wait(sum, kLimit), ErrorCode::invalid_argument, "engine");
  refused(all[1].submissions->wait(run, kLimit), ErrorCode::invalid_argument, "engine");
  for (const Engine &engine : all) refused(engine.submissions->wait(hal::Handle(), kLimit), ErrorCode::invalid_argument, "handle");
  refused(hal::Submissions::of(hal::Handle(0xF, 0, 1)).status(), ErrorCode::invalid_argument, "handle");
  good(all[0].submissions->wait(run, kLimit));
  good(all[1].submissions->wait(sum, kLimit));
}

// The accelerator was closed and opened again in the meantime.
TEST_F(CppSubmissionsTest, AHandleOfAnEarlierRuntimeIsRefused) {
  std::vector<hal::Handle> before;
  for (const Engine &engine : engines()) {
    before.push_back(submitted(engine));
    good(engine.submissions->wait(before.back(), kLimit));
  }
  before.push_back(submitted(engines()[1]));  // in flight
  close();
  for (const hal::Handle handle : before) refused(hal::Submissions::of(handle).status(), ErrorCode::not_ready, "handle");
  open();
  for (const Engine &engine : engines()) {
    const hal::Handle handle = submitted(engine);
    for (const hal::Handle each : before) {
      EXPECT_NE(each, handle);
      if (each.row() == handle.row()) refused(engine.submissions->wait(each, kLimit), ErrorCode::not_ready, "handle");
    }
    good(engine.submissions->wait(handle, kLimit));
    EXPECT_TRUE(engine.output.is_written());
  }
}

/// A callback that takes the outcome of its work and submits the work again.
struct Chain {
  const std::function<Result<hal::Handle>()> &submit;
  hal::Submissions &submissions;
  hal::CallFrom from;
  unsigned rounds = 0;

  static constexpr unsigned kRounds = 10;
  void begin() {
    const Result<hal::Handle> handle = submit();
    ASSERT_TRUE(handle.ok()) << handle.status().what();
    EXPECT_TRUE(submissions.call_at_end(handle.value(), {.function = next, .argument = this, .from = from}).ok());
  }
  static void next(std::uint32_t handle, void *argument) {
    Chain &chain = *static_cast<Chain *>(argument);
    EXPECT_TRUE(chain.submissions.wait(hal::Handle(handle), 0).ok());
    if (++chain.rounds < kRounds) chain.begin();
  }
};

TEST_F(CppSubmissionsTest, CallbacksSubmit) {
  for (const hal::CallFrom from : {hal::CallFrom::interrupt, hal::CallFrom::poll}) {
    for (const Engine &engine : engines()) {
      Chain chain{engine.submit, *engine.submissions, from};
      chain.begin();
      for (unsigned round = 0; round < Chain::kRounds; ++round) {
        board_->advance(kEnoughCycles);
        if (from == hal::CallFrom::poll) hal::Submissions::poll_all();
      }
      EXPECT_EQ(chain.rounds, Chain::kRounds);
      EXPECT_TRUE(engine.output.is_written());
    }
  }
}

}  // namespace
}  // namespace cox::tests
