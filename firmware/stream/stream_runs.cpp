// SPDX-License-Identifier: MIT
#include "coxswain/firmware/stream/stream_runs.h"

#include <bit>
#include <utility>

#include "coxswain/firmware/schedule/bindings.h"
#include "coxswain/firmware/schedule/wake_flag.h"

namespace cox::firmware::stream {

constinit StreamRuns *StreamRuns::active_ = nullptr;

StreamRuns::StreamRuns(hal::Accelerator &accelerator, schedule::Scheduler &scheduler, ProgramKinds kinds)
    : accelerator_(accelerator), scheduler_(scheduler), kinds_(kinds.first(std::min(kinds.size(), kMostKinds))), loader_(kinds_) {
  active_ = this;
}

unsigned StreamRuns::number_of(const image::LoadedTask &task) const {
  return static_cast<unsigned>(std::ranges::find(kinds_, task.program()->kind) - kinds_.begin());
}

template <std::size_t kNumber>
void StreamRuns::on_completion() {
  active_->runs_[kNumber].take_completion();
  schedule::WakeFlag::raise();
}

Status StreamRuns::attach(unsigned number) {
  static constexpr auto kHandlers = []<std::size_t... kNumbers>(std::index_sequence<kNumbers...>) {
    return std::array<void (*)(), kMostKinds>{on_completion<kNumbers>...};
  }
  (std::make_index_sequence<kMostKinds>());
  return runs_[number].attach(accelerator_, kinds_[number]->engine(), kHandlers[number]);
}

Status StreamRuns::start(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows,
                         const schedule::RunOptions &options) {
  const unsigned number = number_of(task);
  if (Status status = attach(number); !status) return status;
  Lease *lease = nullptr;
  if (const image::PeerNeeds &needs = task.program()->peers; needs.any()) {
    lease = &leases_[number];
    if (Status status = lease->take(*this, needs); !status) return status;
    leased_ |= 1U << number;
  }
  if (options.place_constants) place_constants(task, windows);
  const Status status = runs_[number].start(task, windows, options, lease);
  if (status) {
    busy_ |= 1U << number;
  } else if (lease != nullptr) {
    give_back(number);
  }
  return status;
}

void StreamRuns::give_back(unsigned number) {
  if ((leased_ >> number & 1) != 0) leases_[number].give_back();
  leased_ &= ~(1U << number);
}

Status StreamRuns::Lease::take(StreamRuns &runs, const image::PeerNeeds &needs) {
  runs_ = &runs;
  Status status;
  for (unsigned number = 0; number < runs.kinds_.size() && status.ok(); ++number) {
    const registers::Engine engine = runs.kinds_[number]->engine();
    if ((needs.engines >> registers::row_of(engine).number() & 1) == 0) continue;
    status = runs.attach(number);
    if (!status) break;
    runs.runs_[number].use_clock();
    engines_ |= 1U << number;
  }
  if (status.ok() && needs.cores != 0) {
    const Result<unsigned> first = runs.scheduler_.lend_cores(needs.cores);
    status = first.status();
    if (first) first_core = first.value();
    if (first) cores = needs.cores;
  }
  if (!status) give_back();
  return status;
}

void StreamRuns::Lease::give_back() {
  for (; engines_ != 0; engines_ &= engines_ - 1) runs_->runs_[static_cast<unsigned>(std::countr_zero(engines_))].leave_clock();
  if (cores != 0) runs_->scheduler_.take_back_cores(first_core, cores);
  cores = 0;
}

void StreamRuns::Lease::reset() {
  for (unsigned left = engines_; left != 0; left &= left - 1)
    static_cast<void>(runs_->runs_[static_cast<unsigned>(std::countr_zero(left))].reset_engine());
  reset_cores();
}

void StreamRuns::Lease::reset_cores() {
  // The run's next attempt gets the same cores.
  if (cores != 0) runs_->scheduler_.reset_lent_cores(first_core, cores);
}

/// Writes the constants in pieces, and lets the scheduler check its runs between two pieces.
void StreamRuns::place_constants(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) {
  schedule::ConstantCopy copy(task, windows);
  while (copy.step()) scheduler_.poll();
}

void StreamRuns::cancel(unsigned number) {
  runs_[number].cancel();
  schedule::WakeFlag::raise();
}

void StreamRuns::poll() {
  for (unsigned left = busy_; left != 0; left &= left - 1) {
    EngineRun &run = runs_[static_cast<unsigned>(std::countr_zero(left))];
    run.look();
    if (!run.must_restart()) continue;
    place_constants(run.task(), run.windows());
    run.restart();
  }
}

}  // namespace cox::firmware::stream
