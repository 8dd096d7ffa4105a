// SPDX-License-Identifier: MIT
#include "tests/host/submitter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/job/job_queue.h"
#include "coxswain/isa/cube/table.h"
#include "coxswain/isa/pim/program.h"
#include "tests/host/host_fixture.h"

namespace cox::tests {
namespace {

using Bytes = std::vector<std::uint8_t>;
using tools::run::kTensor;

constexpr unsigned kJobsOfAProgram = 25;
constexpr unsigned kPimRounds = 4;
constexpr unsigned kUnityRounds = 8;
constexpr std::uint64_t kUnityInstructions = 2 * (kUnityRounds + 1);  ///< of both units, each with its END
constexpr std::uint64_t kWindowBytes = 20'480;                        ///< room for the largest window of the programs
constexpr std::uint64_t kAreaBytes = 3 * kWindowBytes;
constexpr std::uint64_t kWorkspaceBytes = 64 << 10;
constexpr std::uint64_t kImageRemainder = 48;  ///< of an image's address modulo 64 (docs/jobs.md)

WindowContents copy_contents(unsigned seed) {
  Bytes before = tools::run::counting(2 * kTensor, seed), after = before;
  std::copy_n(before.begin(), kTensor, after.begin() + kTensor);
  return {{std::move(before)}, {std::move(after)}};
}

Bytes image_of(const TaskText &text) {
  Image image(text);
  Bytes bytes(image.bytes().size());
  std::memcpy(bytes.data(), image.bytes().data(), bytes.size());
  return bytes;
}

EngineProgram stream_program(const TaskText &text, WindowContents (*contents)(unsigned), std::uint64_t instructions) {
  return {.name = text.name, .image = image_of(text), .windows = text.windows, .contents = contents, .instructions = instructions};
}

/// Number of instructions of a PIM program.
std::uint64_t instructions_of(const TaskText &text) {
  const isa::pim::Program program = isa::pim::Program::open(std::as_bytes(std::span(text.program->code))).value();
  std::uint64_t sum = 0;
  for (unsigned core = 0; core < program.cores(); ++core) sum += program.entry(core).instructions;
  return sum;
}

}  // namespace

EnginePrograms engine_programs() {
  constexpr unsigned kRounds = 12;
  const TaskText product = product_program(), pim = pim_program(kPimRounds), unity = unity_program(kUnityRounds);
  const task::Task copy = tools::run::copy_task();
  return {{{.name = copy.name,
            .image = task::build_image(copy),
            .windows = {{0, 2 * kTensor, true}},
            .contents = copy_contents,
            .instructions = copy.instructions.size(),
            .cores = 1},
           stream_program(sum_program(kRounds), sum_contents, kRounds + 1),
           stream_program(product, product_contents, product.program->code.size() / sizeof(isa::cube::MachineCode)),
           stream_program(pim, pim_contents, instructions_of(pim)),
           stream_program(unity, unity_contents, kUnityInstructions)}};
}

Answers &Answers::operator+=(const Answers &other) {
  right += other.right;
  refused += other.refused;
  cancelled += other.cancelled;
  failed += other.failed;
  retried += other.retried;
  return *this;
}

Submitter::Submitter(cox_host *host, const EnginePrograms &programs, const Settings &settings)
    : host_(host), programs_(programs), settings_(settings), random_(settings.seed) {
  for (std::size_t i = 0; i < kEnginePrograms; ++i) {
    const Bytes &image = programs[i].image;
    images_[i] = allocate(image.size() + kImageRemainder) + kImageRemainder;
    std::memcpy(cox_host_memory(host_, images_[i], image.size()), image.data(), image.size());
  }
  for (std::uint64_t &area : areas_) area = allocate(kAreaBytes);
  workspace_ = allocate(kWorkspaceBytes);
}

AnswersByProgram Submitter::run() {
  for (unsigned i = 0; i < settings_.jobs && !has_failed(); ++i) {
    if (i % kJobsOfAProgram == 0) change_program();
    if (pending_.size() == areas_.size()) finish();
    submit();
    if (random_() % 8 == 0) cancel_one();
  }
  while (!pending_.empty() && !has_failed()) finish();
  return answers_;
}

/// After a failure, waiting for each further job would take long.
bool Submitter::has_failed() const { return testing::Test::HasFatalFailure(); }

/// Loads the next program into the slot.
void Submitter::change_program() {
  while (!pending_.empty()) finish();
  cox_host_job job{};
  job.owner = static_cast<std::uint8_t>(settings_.number);
  job.task_slot = settings_.number;
  if (current_ != kEnginePrograms) {
    job.kind = COX_HOST_UNLOAD;
    perform(job);
  }
  current_ = (current_ == kEnginePrograms ? settings_.number : current_ + 1) % kEnginePrograms;
  job.kind = COX_HOST_LOAD;
  job.image_address = images_[current_];
  job.image_bytes = program().image.size();
  job.workspace_address = workspace_;
  job.workspace_bytes = kWorkspaceBytes;
  perform(job);
}

void Submitter::perform(const cox_host_job &job) {
  const cox_status status = cox_host_do(host_, &job, kLong, nullptr);
  ASSERT_EQ(status.error, COX_OK) << program().name << ", kind " << job.kind << ": " << cox_error_name(status.error) << " " << status.what;
}

Submitter::Pending Submitter::run_job(cox_host_job &job) {
  Pending pending{.area = free_area(), .contents = program().contents(random_() % 64)};
  job.kind = COX_HOST_RUN;
  job.task_slot = settings_.number;
  job.time_limit_us = settings_.time_limit_us;
  if (settings_.time_limit_us != 0) job.retries = static_cast<std::uint8_t>(random_() % 3);
  for (std::size_t i = 0; i < program().windows.size(); ++i) {
    const Bytes &bytes = pending.contents.before[i];
    job.windows[i] = {pending.area + i * kWindowBytes, program().windows[i].size};
    std::memcpy(window(pending.area, i), bytes.data(), bytes.size());
  }
  return pending;
}

Submitter::Pending Submitter::too_small_a_window(cox_host_job &job) {
  Pending pending = run_job(job);
  job.windows[0].size = 8;
  pending.error = COX_ERROR_WINDOW_TOO_SMALL;
  pending.what = "windows";
  return pending;
}

Submitter::Pending Submitter::missing_window(cox_host_job &job) {
  Pending pending = run_job(job);
  job.windows[program().windows.size() - 1] = {};
  pending.error = COX_ERROR_WINDOW_MISSING;
  pending.what = "windows";
  return pending;
}

Submitter::Pending Submitter::no_such_slot(cox_host_job &job) {
  Pending pending = run_job(job);
  job.task_slot = firmware::job::kTaskSlots;
  pending.error = COX_ERROR_INVALID_ARGUMENT;
  pending.what = "task_slot";
  return pending;
}

Submitter::Pending Submitter::share(cox_host_job &job) {
  job.kind = COX_HOST_SHARE;
  job.argument = 1 + static_cast<std::uint32_t>(random_()) % 100;
  return {};
}

const std::array<Submitter::Choice, 5> Submitter::kChoices = {{{20, &Submitter::run_job},
                                                               {1, &Submitter::too_small_a_window},
                                                               {1, &Submitter::missing_window},
                                                               {1, &Submitter::no_such_slot},
                                                               {2, &Submitter::share}}};

void Submitter::submit() {
  cox_host_job job{};
  job.owner = static_cast<std::uint8_t>(settings_.number);
  job.priority = static_cast<std::uint8_t>(random_() % 3);
  unsigned sum = 0;
  for (const Choice &choice : kChoices) sum += choice.weight;
  unsigned chosen = static_cast<unsigned>(random_()) % sum;
  const Choice *choice = kChoices.data();
  while (chosen >= choice->weight) chosen -= (choice++)->weight;
  Pending pending = (this->*choice->make)(job);
  const cox_status status = cox_host_submit(host_, &job, kLong, &pending.ticket);
  ASSERT_EQ(status.error, COX_OK) << cox_error_name(status.error) << " " << status.what;
  pending_.push_back(std::move(pending));
}

/// Cancels the oldest job, which may run, or the newest, which mostly waits.
void Submitter::cancel_one() {
  if (pending_.empty() || (program().cores != 0 && !settings_.cancel_tasks)) return;
  Pending &victim = random_() % 2 == 0 ? pending_.front() : pending_.back();
  const cox_status status = cox_host_cancel(host_, victim.ticket, kLong);
  ASSERT_TRUE(status.error == COX_OK || status.error == COX_ERROR_NOT_READY) << cox_error_name(status.error) << " " << status.what;
  victim.cancelled = victim.cancelled || status.error == COX_OK;
}

void Submitter::finish() {
  const Pending pending = std::move(pending_.front());
  pending_.pop_front();
  cox_host_outcome outcome{};
  const cox_status status = cox_host_wait(host_, pending.ticket, kLong, &outcome);
  ASSERT_EQ(status.error, COX_OK) << program().name << ", " << cox_error_name(status.error) << " " << status.what;
  EXPECT_EQ(cox_host_wait(host_, pending.ticket, 0, &outcome).error, static_cast<std::uint32_t>(COX_ERROR_INVALID_ARGUMENT));
  judge(pending, outcome);
}

void Submitter::judge(const Pending &pending, const cox_host_outcome &outcome) {
  SCOPED_TRACE(program().name + ": " + cox_error_name(outcome.error) + " " + outcome.what);
  const bool runs = pending.area != 0 && pending.error == COX_OK;
  const bool faulty = settings_.time_limit_us != 0 && runs;
  // A core that does not stop is reset, which ends all runs on it.
  const bool lost_its_core = outcome.error == COX_ERROR_CANCELLED && std::strcmp(outcome.what, "tile core") == 0;
  if (outcome.error == COX_ERROR_DEVICE_FAULT || outcome.error == COX_ERROR_TIME_LIMIT || lost_its_core) {
    EXPECT_TRUE(faulty);
    EXPECT_STRNE(outcome.what, "");
    ++answers().failed;
  } else if (outcome.error == COX_ERROR_CANCELLED) {
    EXPECT_TRUE(pending.cancelled);
    if (outcome.end_cycle == 0) expect_memory(pending, pending.contents.before);  // the job has not begun. A job may begin in cycle 0
    ++answers().cancelled;
  } else if (pending.error != COX_OK) {
    EXPECT_EQ(outcome.error, pending.error);
    EXPECT_STREQ(outcome.what, pending.what);
    expect_memory(pending, pending.contents.before);
    ++answers().refused;
  } else {
    EXPECT_EQ(outcome.error, static_cast<std::uint32_t>(COX_OK));
    EXPECT_STREQ(outcome.what, "");
    EXPECT_EQ(outcome.start_cycle < outcome.end_cycle, runs);
    EXPECT_EQ(outcome.accelerator_instructions, runs ? program().instructions : 0);
    if (runs) {
      EXPECT_EQ(outcome.cores, program().cores);
    }
    expect_memory(pending, pending.contents.after);
    ++answers().right;
    if (outcome.retried != 0) ++answers().retried;
  }
}

void Submitter::expect_memory(const Pending &pending, const std::vector<Bytes> &expected) const {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(std::memcmp(window(pending.area, i), expected[i].data(), expected[i].size()), 0) << "window " << i;
  }
}

std::uint64_t Submitter::allocate(std::uint64_t bytes) const {
  std::uint64_t address = 0;
  EXPECT_EQ(cox_host_allocate(host_, bytes, &address).error, COX_OK);
  return address;
}

std::uint64_t Submitter::free_area() const {
  return *std::ranges::find_if(areas_, [this](std::uint64_t area) {
    return std::ranges::none_of(pending_, [area](const Pending &pending) { return pending.area == area; });
  });
}

std::uint8_t *Submitter::window(std::uint64_t area, std::size_t index) const {
  return static_cast<std::uint8_t *>(cox_host_memory(host_, area + index * kWindowBytes, kWindowBytes));
}

}  // namespace cox::tests
