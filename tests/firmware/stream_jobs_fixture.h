// SPDX-License-Identifier: MIT
// The firmware's parts for jobs of programs of streams, on the native board with the accelerator's model.
#pragma once

#include <gmock/gmock.h>

#include <unistd.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include "boards/native/native_board.h"
#include "coxswain/firmware/job/job_processor.h"
#include "coxswain/firmware/schedule/scheduler.h"
#include "coxswain/firmware/stream/stream_runs.h"
#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/bus.h"
#include "tests/firmware/stream_programs.h"

namespace cox::tests {

namespace job = firmware::job;
using job::Kind;
using job::Outcome;
using job::Request;
using job::State;
using Progress = job::JobProcessor::Progress;

class StreamJobs : public testing::Test {
 protected:
  /// Starts the firmware's parts. `plan` is a plan of faults (docs/faults.md).
  void boot(const std::string &plan = {}) {
    std::string error;
    board::NativeBoardSettings settings;
    const std::string path = testing::TempDir() + "stream_jobs_" + std::to_string(getpid());
    std::ofstream(path) << plan;
    settings.model_options = R"({"faults": ")" + path + R"("})";
    settings.log = [](int, std::string_view) {};
    board_ = board::NativeBoard::create(settings, error);
    ASSERT_NE(board_, nullptr) << error;
    ASSERT_TRUE(accelerator_->open().ok());
    scheduler_ = std::make_unique<firmware::schedule::Scheduler>();
    ASSERT_TRUE(scheduler_->initialise(*accelerator_).ok());
    streams_ = std::make_unique<firmware::stream::StreamRuns>(*accelerator_, *scheduler_, firmware::stream::program_kinds());
    const MemoryRange dram = hal::dram_range();
    jobs_ = std::make_unique<job::JobProcessor>(*scheduler_, dram, streams_.get());
    header().version = job::kVersion;
    header().capacity = kCapacity;
    header().magic = job::kMagic;
    top_ = sizeof(job::Header) + kCapacity * sizeof(job::Descriptor);
  }

  void switch_off() {
    jobs_.reset();
    streams_.reset();
    scheduler_.reset();
    accelerator_ = std::make_unique<hal::Accelerator>();
    board_.reset();
  }

  job::Header &header() { return *reinterpret_cast<job::Header *>(board_->dram().data()); }
  job::Descriptor &descriptor(std::size_t number) {
    return reinterpret_cast<job::Descriptor *>(board_->dram().data() + sizeof(job::Header))[number];
  }
  const Outcome &outcome(std::size_t number) { return descriptor(number).outcome; }
  [[nodiscard]] bool is_done(std::size_t number) { return outcome(number).is_done(static_cast<std::uint32_t>(number)); }

  std::uint64_t reserve(std::uint64_t bytes, std::uint64_t remainder = 0) {
    top_ = (top_ + 63) / 64 * 64 + remainder;
    const std::uint64_t at = hal::dram_range().address + top_;
    top_ += bytes;
    return at;
  }
  template <typename T>
  T *at(std::uint64_t address) {
    return reinterpret_cast<T *>(board_->dram().data() + (address - hal::dram_range().address));
  }
  std::size_t add(Request request) {
    request.state = State::submitted;
    descriptor(header().submitted).request = request;
    return header().submitted++;
  }
  std::size_t load(const TaskText &text, std::uint32_t slot, std::uint8_t owner = 0) {
    Image image(text);
    Request request{};
    request.kind = Kind::load;
    request.task_slot = slot;
    request.owner = owner;
    request.image_bytes = image.bytes().size();
    request.image_address = reserve(request.image_bytes, 48);
    std::memcpy(at<std::byte>(request.image_address), image.bytes().data(), image.bytes().size());
    request.workspace_bytes = firmware::image::workspace_bytes(image.bytes()).value();
    request.workspace_address = reserve(request.workspace_bytes);
    return add(request);
  }
  Request run_request(const TaskText &text, std::uint32_t slot, std::uint8_t owner = 0) {
    Request request{};
    request.kind = Kind::run;
    request.task_slot = slot;
    request.owner = owner;
    for (const WindowText &window : text.windows) request.windows[window.index] = {reserve(window.size), window.size};
    return request;
  }

  /// Serves jobs until `until()` is true.
  template <typename Until>
  void serve(Until until) {
    for (unsigned turn = 0; turn < 200'000 && !until(); ++turn) {
      const Progress progress = jobs_->serve();
      ASSERT_NE(progress, Progress::stopped);
      if (progress == Progress::idle) scheduler_->sleep();
    }
    ASSERT_TRUE(until()) << "the firmware did not come to it";
  }
  void serve_all() {
    serve([this] { return header().completed == header().submitted; });
  }
  void expect(std::size_t number, ErrorCode code, const char *what = "") {
    ASSERT_TRUE(is_done(number)) << number;
    EXPECT_EQ(static_cast<ErrorCode>(outcome(number).error), code)
        << number << ": " << error_name(static_cast<ErrorCode>(outcome(number).error)) << " " << outcome(number).error_what;
    EXPECT_STREQ(outcome(number).error_what, what) << number;
  }

  void fill(const Request &run, const WindowContents &contents) {
    for (std::size_t i = 0; i < contents.before.size(); ++i) {
      std::memcpy(at<std::uint8_t>(run.windows[i].address), contents.before[i].data(), contents.before[i].size());
    }
  }
  void expect_contents(const Request &run, const WindowContents &contents) {
    for (std::size_t i = 0; i < contents.after.size(); ++i) {
      ASSERT_EQ(std::memcmp(at<std::uint8_t>(run.windows[i].address), contents.after[i].data(), contents.after[i].size()), 0) << i;
    }
  }

  void fill_sum(const Request &run, unsigned seed) { fill(run, sum_contents(seed)); }
  void expect_sum(const Request &run, unsigned seed) { expect_contents(run, sum_contents(seed)); }
  void fill_product(const Request &run, unsigned seed) { fill(run, product_contents(seed)); }
  void expect_product(const Request &run, unsigned seed) { expect_contents(run, product_contents(seed)); }

  static constexpr std::uint32_t kCapacity = 64;
  std::unique_ptr<board::NativeBoard> board_;
  std::unique_ptr<hal::Accelerator> accelerator_ = std::make_unique<hal::Accelerator>();
  std::unique_ptr<firmware::schedule::Scheduler> scheduler_;
  std::unique_ptr<firmware::stream::StreamRuns> streams_;
  std::unique_ptr<job::JobProcessor> jobs_;
  std::uint64_t top_ = 0;
};

}  // namespace cox::tests
