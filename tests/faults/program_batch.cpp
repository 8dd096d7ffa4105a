// SPDX-License-Identifier: MIT
// A batch of programs of the PIM cores or the Unity units, or of both and other engines, as jobs of two owners through the job ring.
#include <array>
#include <cstring>

#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/job/job_processor.h"
#include "coxswain/firmware/stream/stream_runs.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "tests/faults/batch.h"
#include "tests/faults/keyed_sums.h"
#include "tests/firmware/mixed_programs.h"
#include "tests/firmware/stream_programs.h"

namespace cox::faults {
namespace {

namespace job = firmware::job;

constexpr unsigned kProgramOwners = 2, kProgramRuns = 6;
constexpr std::uint32_t kProgramCapacity = 256, kProgramTimeLimit = 3000;

/// A program and what it does to the device.
struct Program {
  registers::Engine engine;
  tests::TaskText text;
  tests::WindowContents (*contents)(unsigned seed);  ///< windows from 1 on have the results
  unsigned accesses;                                 ///< that a run makes to memory
  std::vector<Targets::Queue> peers{};               ///< queues of other engines that a run uses, with the numbers of one run
  std::vector<Targets::Unit> peer_units{};
};

class ProgramBatch final : public Batch {
 public:
  explicit ProgramBatch(Program program) : program_(std::move(program)) {}

  [[nodiscard]] std::string geometry() const override { return {}; }
  [[nodiscard]] Targets targets() const override { return targets_; }
  /// Run i may use i % 3 retries.
  [[nodiscard]] std::uint64_t bound() const override { return kProgramRuns * 3 * (kProgramTimeLimit + 5000) * 1000; }
  std::string boot(board::NativeBoard &board) override;
  std::vector<Outcome> run(board::NativeBoard &board) override;
  Outcome run_again(board::NativeBoard &board) override;

 private:
  std::uint64_t reserve(std::uint64_t bytes, std::uint64_t remainder = 0) {
    top_ = (top_ + job::kBlock - 1) / job::kBlock * job::kBlock + remainder;
    const std::uint64_t address = hal::dram_range().address + top_;
    top_ += bytes;
    return address;
  }
  /// What the submitter sees at a bus address.
  [[nodiscard]] std::byte *at(std::uint64_t address) const { return dram_.data() + (address - hal::dram_range().address); }
  job::Header &header() { return *reinterpret_cast<job::Header *>(dram_.data()); }
  job::Descriptor &descriptor(std::uint32_t number) {
    return reinterpret_cast<job::Descriptor *>(dram_.data() + sizeof(job::Header))[number % kProgramCapacity];
  }
  std::uint32_t submit(unsigned owner, job::Kind kind, job::Request request) {
    request.kind = kind;
    request.task_slot = owner;
    request.owner = static_cast<std::uint8_t>(owner + 1);
    request.state = job::State::submitted;
    descriptor(submitted_).request = request;
    header().submitted = submitted_ + 1;
    return submitted_++;
  }
  void load(unsigned owner);
  std::uint32_t start(unsigned run, unsigned retries);
  Outcome outcome(std::uint32_t number, unsigned run);
  void serve(board::NativeBoard &board);

  Program program_;
  tests::Image image_{program_.text};
  std::span<std::byte> dram_;
  std::uint64_t top_ = 0;
  std::uint32_t submitted_ = 0;
  std::array<std::uint64_t, kProgramOwners> images_{}, workspaces_{};
  std::uint64_t workspace_bytes_ = 0;
  std::array<std::vector<job::Window>, kProgramRuns> windows_;
  Targets targets_;
  hal::Accelerator accelerator_;
  std::unique_ptr<firmware::schedule::Scheduler> scheduler_;
  std::unique_ptr<firmware::stream::StreamRuns> streams_;
  std::unique_ptr<job::JobProcessor> jobs_;
};

std::string ProgramBatch::boot(board::NativeBoard &board) {
  scheduler_ = std::make_unique<firmware::schedule::Scheduler>();
  if (const Status status = accelerator_.open(); !status.ok()) return std::string("open: ") + status.what();
  if (const Status status = scheduler_->initialise(accelerator_); !status.ok()) return std::string("initialise: ") + status.what();
  streams_ = std::make_unique<firmware::stream::StreamRuns>(accelerator_, *scheduler_, firmware::stream::program_kinds());
  const firmware::schedule::MemoryRange dram = hal::dram_range();
  jobs_ = std::make_unique<job::JobProcessor>(*scheduler_, dram, streams_.get());
  submitted_ = 0;
  dram_ = board.dram();
  top_ = sizeof(job::Header) + kProgramCapacity * sizeof(job::Descriptor);
  workspace_bytes_ = firmware::image::workspace_bytes(image_.bytes()).value();
  for (unsigned owner = 0; owner < kProgramOwners; ++owner) {
    images_[owner] = reserve(image_.bytes().size(), 48);
    workspaces_[owner] = reserve(workspace_bytes_);
  }
  for (auto &windows : windows_) {
    windows.clear();
    for (const tests::WindowText &window : program_.text.windows) windows.push_back({reserve(window.size), window.size});
  }
  header() = {};
  header().magic = job::kMagic;
  header().version = job::kVersion;
  header().capacity = kProgramCapacity;
  return {};
}

void ProgramBatch::load(unsigned owner) {
  std::memcpy(at(images_[owner]), image_.bytes().data(), image_.bytes().size());
  job::Request request{};
  request.image_address = images_[owner];
  request.image_bytes = image_.bytes().size();
  request.workspace_address = workspaces_[owner];
  request.workspace_bytes = workspace_bytes_;
  submit(owner, job::Kind::load, request);
}

std::uint32_t ProgramBatch::start(unsigned run, unsigned retries) {
  const tests::WindowContents contents = program_.contents(run);
  job::Request request{};
  for (unsigned i = 0; i < windows_[run].size(); ++i) {
    std::memcpy(at(windows_[run][i].address), contents.before[i].data(), contents.before[i].size());
    request.windows[i] = windows_[run][i];
  }
  request.time_limit_us = kProgramTimeLimit;
  request.retries = static_cast<std::uint8_t>(retries);
  return submit(run % kProgramOwners, job::Kind::run, request);
}

Outcome ProgramBatch::outcome(std::uint32_t number, unsigned run) {
  const job::Descriptor &found = descriptor(number);
  const job::Outcome &done = found.outcome;
  if (!done.is_done(number)) return {.error = ErrorCode::not_ready, .what = "it has not ended", .value = 0, .right = false, .retries = 0};
  Outcome outcome{.error = static_cast<ErrorCode>(done.error),
                  .what = done.error_what,
                  .value = done.error_value,
                  .right = false,
                  .retries = found.request.retries};
  // A run of a stream that reaches its time limit does not begin again.
  if (outcome.error == ErrorCode::time_limit) outcome.retries = 0;
  const std::vector<std::vector<std::uint8_t>> right = program_.contents(run).after;
  outcome.right = true;
  for (std::size_t i = 1; i < right.size(); ++i)
    outcome.right = outcome.right && std::memcmp(at(windows_[run][i].address), right[i].data(), right[i].size()) == 0;
  return outcome;
}

void ProgramBatch::serve(board::NativeBoard &board) {
  const std::uint64_t until = board.now() + bound();
  while (header().completed != submitted_ && board.now() <= until) {
    const job::JobProcessor::Progress progress = jobs_->serve();
    if (progress == job::JobProcessor::Progress::stopped) return;
    if (progress == job::JobProcessor::Progress::idle) scheduler_->sleep();
  }
}

std::vector<Outcome> ProgramBatch::run(board::NativeBoard &board) {
  const std::uint64_t begin = board.now();
  for (unsigned owner = 0; owner < kProgramOwners; ++owner) load(owner);
  const std::uint32_t first = submitted_;
  for (unsigned i = 0; i < kProgramRuns; ++i) start(i, i % 3);
  serve(board);
  std::vector<Outcome> outcomes;
  for (unsigned i = 0; i < kProgramRuns; ++i) outcomes.push_back(outcome(first + i, i));
  if (targets_.cycles == 0) {
    targets_.cycles = board.now() - begin;
    const registers::EngineRow &row = registers::row_of(program_.engine);
    targets_.queues.push_back({row.name, kProgramRuns * program_.accesses, kProgramRuns, kProgramRuns});
    targets_.units.push_back({std::string("engine=") + row.name, row.completion_queue(), kProgramRuns});
    for (Targets::Queue queue : program_.peers) {
      queue.accesses *= kProgramRuns;
      queue.instructions *= kProgramRuns;
      targets_.queues.push_back(queue);
    }
    for (const Targets::Unit &unit : program_.peer_units) targets_.units.push_back(unit);
    targets_.needs_all = !program_.peer_units.empty();
    targets_.memory.push_back({"dram", images_[0], hal::dram_range().address + top_ - images_[0]});
    targets_.memory.push_back({"queue", hal::bus_address(board::queue_memory()), 1024});
  }
  return outcomes;
}

Outcome ProgramBatch::run_again(board::NativeBoard &board) {
  submit(0, job::Kind::unload, {});
  load(0);
  const std::uint32_t number = start(0, 0);
  serve(board);
  return outcome(number, 0);
}

}  // namespace

// A run reads its descriptor and its program.

std::unique_ptr<Batch> make_pim_batch() {
  // Two cores make 34 accesses in each of two rounds.
  return std::make_unique<ProgramBatch>(Program{registers::Engine::pim, tests::pim_program(2), tests::pim_contents, 2 + 2 * 2 * 34});
}

std::unique_ptr<Batch> make_unity_batch() {
  // Each sum, and the instruction that doubles them, reads its table and two operands and writes its result.
  constexpr unsigned kAccesses = 2 + 4 * (tests::kKeyedSums + 1);
  return std::make_unique<ProgramBatch>(Program{registers::Engine::unity, tests::keyed_sums(), tests::keyed_sums_contents, kAccesses});
}

std::unique_ptr<Batch> make_mixed_batch() {
  // The unit's own accesses: descriptor, container, slots of six instructions, and the last instruction's table and operands.
  Program program{registers::Engine::unity, tests::mixed_program(), tests::mixed_contents, 2 + 6 + 4};
  program.peers = {{"MX", 4, 2, 1},        {"CUBE", 12, 8, 1},     {"PIM", 40, 1, 1},
                   {"CT core=0", 1, 1, 1}, {"LD core=0", 3, 2, 1}, {"ST core=0", 3, 2, 1}};
  for (const registers::Engine engine : {registers::Engine::mx, registers::Engine::cube, registers::Engine::pim}) {
    const registers::EngineRow &row = registers::row_of(engine);
    program.peer_units.push_back({std::string("engine=") + row.name, row.completion_queue(), 1});
  }
  program.peer_units.push_back({"core=0", 0, 1});
  return std::make_unique<ProgramBatch>(std::move(program));
}

}  // namespace cox::faults
