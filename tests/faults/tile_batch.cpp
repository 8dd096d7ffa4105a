// SPDX-License-Identifier: MIT
// A batch that runs a task as jobs of two owners through the job ring.
#include <algorithm>
#include <array>
#include <cstring>

#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/job/job_processor.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "tests/faults/batch.h"
#include "tools/file/file.h"
#include "tools/tile/image.h"

namespace cox::faults {
namespace {

namespace job = firmware::job;

constexpr unsigned kOwners = 2, kRunsOfOwner = 3;
constexpr std::uint32_t kCapacity = 256, kTimeLimit = 5000;
constexpr unsigned kRetries[kRunsOfOwner] = {0, 2, 1};

class TileBatch final : public Batch {
 public:
  TileBatch(const std::string &image, const std::string &inputs, unsigned tile_cores)
      : image_(tools::read_file(image)),
        task_(task::parse_image(image_, image)),
        inputs_(tools::read_file(inputs)),
        tile_cores_(tile_cores) {}

  [[nodiscard]] std::string geometry() const override { return R"("geometry": {"tile_cores": )" + std::to_string(tile_cores_) + "}"; }
  std::string boot(board::NativeBoard &board) override;
  std::vector<Outcome> run(board::NativeBoard &board) override;
  Outcome run_again(board::NativeBoard &board) override;
  [[nodiscard]] Targets targets() const override;
  [[nodiscard]] std::uint64_t bound() const override {
    // An attempt takes at most the time limit and the time to stop (docs/scheduler.md). The 5,000 us are a reserve for events that the
    // firmware notices late.
    std::uint64_t attempts = 0;
    for (const unsigned retries : kRetries) attempts += kOwners * (retries + 1);
    return attempts * (kTimeLimit + firmware::schedule::kStopLimit + 5000) * 1000;
  }

 private:
  using Windows = std::array<job::Window, job::kWindows>;
  std::uint64_t reserve(std::uint64_t bytes, std::uint64_t remainder = 0) {
    while (top_ % job::kBlock != 0) ++top_;
    top_ += remainder;
    const std::uint64_t address = hal::dram_range().address + top_;
    top_ += bytes;
    return address;
  }
  /// What the submitter sees at a bus address.
  [[nodiscard]] std::byte *at(std::uint64_t address) const { return dram_.data() + (address - hal::dram_range().address); }
  job::Descriptor &descriptor(std::uint32_t number) {
    return reinterpret_cast<job::Descriptor *>(dram_.data() + sizeof(job::Header))[number % kCapacity];
  }
  job::Header &header() { return *reinterpret_cast<job::Header *>(dram_.data()); }
  std::uint32_t submit(job::Request job) {
    job.state = job::State::submitted;
    descriptor(submitted_).request = job;
    header().submitted = submitted_ + 1;
    return submitted_++;
  }
  std::uint32_t load(unsigned owner);
  static job::Request job_of(unsigned owner, job::Kind kind) {
    job::Request job{};
    job.kind = kind;
    job.task_slot = owner;
    job.owner = static_cast<std::uint8_t>(owner + 1);
    return job;
  }
  std::uint32_t start(unsigned owner, unsigned inference, unsigned retries);
  Outcome outcome(std::uint32_t number, unsigned owner, unsigned inference);
  /// Runs the firmware until all jobs are done. Returns false if `until` has passed or the firmware refuses the ring.
  bool serve(board::NativeBoard &board, std::uint64_t until);

  std::vector<std::uint8_t> image_;
  task::Task task_;
  std::vector<std::uint8_t> inputs_;
  unsigned tile_cores_;
  std::span<std::byte> dram_;
  std::uint64_t top_ = 0;
  std::uint32_t submitted_ = 0;
  std::array<std::uint64_t, kOwners> images_{}, workspaces_{};
  std::array<Windows, kOwners * kRunsOfOwner> windows_{};
  std::uint64_t workspace_bytes_ = 0;
  std::vector<std::vector<std::byte>> right_;  ///< outputs of each inference
  Targets targets_;
  hal::Accelerator accelerator_;
  std::unique_ptr<firmware::schedule::Scheduler> scheduler_;
  std::unique_ptr<job::JobProcessor> jobs_;
};

std::string TileBatch::boot(board::NativeBoard &board) {
  scheduler_ = std::make_unique<firmware::schedule::Scheduler>();
  jobs_ = std::make_unique<job::JobProcessor>(*scheduler_, hal::dram_range());
  submitted_ = 0;
  dram_ = board.dram();
  top_ = sizeof(job::Header) + kCapacity * sizeof(job::Descriptor);
  workspace_bytes_ = firmware::image::workspace_bytes(std::as_bytes(std::span(image_))).value();
  for (unsigned owner = 0; owner < kOwners; ++owner) {
    images_[owner] = reserve(image_.size(), 48);
    workspaces_[owner] = reserve(workspace_bytes_);
    for (unsigned i = 0; i < kRunsOfOwner; ++i) {
      Windows &windows = windows_[owner * kRunsOfOwner + i];
      for (const task::Window &window : task_.windows) windows.at(window.index) = {reserve(window.size), window.size};
    }
  }
  if (top_ > board.dram().size()) return "the batch does not fit DRAM";
  header() = {};
  header().magic = job::kMagic;
  header().version = job::kVersion;
  header().capacity = kCapacity;
  if (const Status status = accelerator_.open(); !status.ok()) return std::string("open: ") + status.what();
  if (const Status status = scheduler_->initialise(accelerator_); !status.ok()) return std::string("initialise: ") + status.what();
  return {};
}

std::uint32_t TileBatch::load(unsigned owner) {
  std::memcpy(at(images_[owner]), image_.data(), image_.size());
  job::Request load = job_of(owner, job::Kind::load);
  load.image_address = images_[owner];
  load.image_bytes = image_.size();
  load.workspace_address = workspaces_[owner];
  load.workspace_bytes = workspace_bytes_;
  return submit(load);
}

std::uint32_t TileBatch::start(unsigned owner, unsigned inference, unsigned retries) {
  const Windows &windows = windows_[owner * kRunsOfOwner + inference];
  for (const job::Window &window : windows) std::memset(at(window.address), 0, window.size);
  for (const task::Tensor &tensor : task_.tensors) {
    if (tensor.direction != task::Direction::input) continue;
    const std::size_t from = (owner * kRunsOfOwner + inference) * tensor.size;
    std::memcpy(at(windows[tensor.window].address + tensor.offset), &inputs_.at(from), tensor.size);
  }
  job::Request run = job_of(owner, job::Kind::run);
  run.time_limit_us = kTimeLimit;
  run.retries = static_cast<std::uint8_t>(retries);
  std::ranges::copy(windows, run.windows);
  return submit(run);
}

Outcome TileBatch::outcome(std::uint32_t number, unsigned owner, unsigned inference) {
  const job::Descriptor &found = descriptor(number);
  const job::Outcome &done = found.outcome;
  Outcome outcome{.error = static_cast<ErrorCode>(done.error),
                  .what = done.error_what,
                  .value = done.error_value,
                  .right = false,
                  .retries = found.request.retries};
  if (!done.is_done(number)) return {.error = ErrorCode::not_ready, .what = "it has not ended", .value = 0, .right = false, .retries = 0};
  if (outcome.error != ErrorCode::ok) return outcome;
  const std::size_t index = owner * kRunsOfOwner + inference;
  std::vector<std::byte> outputs;
  for (const task::Tensor &tensor : task_.tensors) {
    const std::byte *from = at(windows_[index][tensor.window].address + tensor.offset);
    if (tensor.direction == task::Direction::output) outputs.insert(outputs.end(), from, from + tensor.size);
  }
  if (right_.size() == index) right_.push_back(outputs);
  outcome.right = outputs == right_.at(index);
  return outcome;
}

bool TileBatch::serve(board::NativeBoard &board, std::uint64_t until) {
  while (header().completed != submitted_) {
    switch (jobs_->serve()) {
      case job::JobProcessor::Progress::served: break;
      case job::JobProcessor::Progress::idle: scheduler_->sleep(); break;
      default: return false;
    }
    if (board.now() > until) return false;
  }
  return true;
}

std::vector<Outcome> TileBatch::run(board::NativeBoard &board) {
  const std::uint64_t begin = board.now();
  std::uint32_t first = 0;
  for (unsigned owner = 0; owner < kOwners; ++owner) load(owner);
  for (unsigned i = 0; i < kRunsOfOwner; ++i) {
    for (unsigned owner = 0; owner < kOwners; ++owner) {
      const std::uint32_t number = start(owner, i, kRetries[i]);
      if (i + owner == 0) first = number;
    }
  }
  static_cast<void>(serve(board, begin + bound()));
  std::vector<Outcome> outcomes;
  for (unsigned owner = 0; owner < kOwners; ++owner) {
    for (unsigned i = 0; i < kRunsOfOwner; ++i) outcomes.push_back(outcome(first + i * kOwners + owner, owner, i));
  }
  if (targets_.cycles == 0) {
    targets_.cycles = board.now() - begin;
    // The rings in queue memory: the nine submission queues of each core, followed by the completion queue of that core.
    for (unsigned core = 0; core < tile_cores_; ++core) {
      const std::string suffix = " core=" + std::to_string(core);
      unsigned all = 0;
      for (unsigned own = 0; own < isa::tile::kClasses; ++own) {
        const unsigned count = scheduler_->queue(core * isa::tile::kClasses + own).tail();
        if (count == 0) continue;
        all += count;
        targets_.queues.push_back({isa::tile::kClassNames[own] + suffix, 2 * count, count, count});
        const std::uint64_t base = hal::bus_address(board::queue_memory());
        constexpr std::uint64_t kRing = hal::tile::SubmissionQueue::kSlotBytes << firmware::schedule::kSubmissionSizeLog2;
        targets_.memory.push_back(
            {"queue", base + core * firmware::schedule::kCoreQueueBytes + own * kRing,
             hal::tile::SubmissionQueue::kSlotBytes * std::min(count, 1U << firmware::schedule::kSubmissionSizeLog2)});
      }
      if (all == 0) continue;
      targets_.units.push_back({"core=" + std::to_string(core), core, all});
      targets_.memory.push_back({"l2" + suffix, 0, task_.geometry.l2_bytes});
      targets_.memory.push_back({"wl0" + suffix, 0, task_.geometry.wl0_bytes});
    }
    const std::uint64_t from = images_[0];
    targets_.memory.push_back({"dram", from, hal::dram_range().address + top_ - from});
  }
  return outcomes;
}

Outcome TileBatch::run_again(board::NativeBoard &board) {
  submit(job_of(0, job::Kind::unload));
  load(0);
  const std::uint32_t number = start(0, 0, 0);
  static_cast<void>(serve(board, board.now() + bound()));
  return outcome(number, 0, 0);
}

Targets TileBatch::targets() const { return targets_; }

}  // namespace

std::unique_ptr<Batch> make_tile_batch(const std::string &image, const std::string &inputs, unsigned tile_cores) {
  return std::make_unique<TileBatch>(image, inputs, tile_cores);
}

}  // namespace cox::faults
