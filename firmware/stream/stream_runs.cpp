// SPDX-License-Identifier: MIT
#include "firmware/stream/stream_runs.h"

#include <bit>
#include <utility>

#include "firmware/schedule/bindings.h"
#include "firmware/schedule/wake_flag.h"

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

Status StreamRuns::start(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows,
                         const schedule::RunOptions &options) {
  static constexpr auto kHandlers = []<std::size_t... kNumbers>(std::index_sequence<kNumbers...>) {
    return std::array<void (*)(), kMostKinds>{on_completion<kNumbers>...};
  }
  (std::make_index_sequence<kMostKinds>());
  const unsigned number = number_of(task);
  EngineRun &run = runs_[number];
  if (Status status = run.attach(accelerator_, kinds_[number]->engine(), kHandlers[number]); !status) return status;
  if (options.place_constants) place_constants(task, windows);
  const Status status = run.start(task, windows, options);
  if (status) busy_ |= 1U << number;
  return status;
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
