// SPDX-License-Identifier: MIT
#include "coxswain/firmware/job/dispatch_order.h"

namespace cox::firmware::job {

namespace {

// Bits that describe the jobs of one owner that stand before a given job in the ring. Bit p, for p below kPriorities: a run of priority p
// waits. kOthersWait: a job that is not a run waits. kRuns: a run is on the device.
constexpr std::uint32_t kOthersWait = 1U << kPriorities;
constexpr std::uint32_t kRuns = kOthersWait << 1;
constexpr std::uint32_t kAnyWaits = kRuns - 1;

bool may_go(const JobRecord &job, std::uint32_t before, std::uint32_t busy_slots) {
  const bool slot_is_busy = (busy_slots >> job.task_slot & 1) != 0;
  switch (job.job_kind()) {
    case Kind::run: return (before & (kOthersWait | 1U << job.priority)) == 0 && !slot_is_busy;
    case Kind::load:
    case Kind::unload: return (before & kAnyWaits) == 0 && !slot_is_busy;
    case Kind::share: return (before & kAnyWaits) == 0;
    default: return before == 0;
  }
}

}  // namespace

// The loops skip the train behind a run that waits. Those runs cannot begin, and they make no difference to other jobs.
std::optional<std::uint32_t> next_job(const LookAhead &jobs, std::uint32_t first, std::uint32_t last, const Owners &owners) {
  std::uint32_t busy_slots = 0;
  bool loading = false;
  for (std::uint32_t number = first; number != last; number = jobs.behind(number)) {
    const Stage stage = jobs[number].stage;
    if (stage == Stage::running || stage == Stage::loading) busy_slots |= 1U << jobs[number].task_slot;
    loading = loading || stage == Stage::loading;
  }
  std::array<std::uint16_t, kOwners> before{};
  std::optional<std::uint32_t> best;
  bool nobody_passes = false;
  for (std::uint32_t number = first; number != last; number = jobs.behind(number)) {
    const JobRecord &job = jobs[number];
    if (job.stage == Stage::done) continue;
    std::uint16_t &mine = before[job.owner];
    if (job.stage == Stage::running) {
      mine = static_cast<std::uint16_t>(mine | kRuns);
      continue;
    }
    const bool ready = job.stage == Stage::waiting && !(loading && job.job_kind() == Kind::load) && may_go(job, mine, busy_slots);
    mine = static_cast<std::uint16_t>(mine | (job.job_kind() == Kind::run ? 1U << job.priority : kOthersWait));
    if (!ready) continue;
    if (job.blocked != 0) {
      nobody_passes = nobody_passes || (job.blocked == JobRecord::kNoRoom && job.passed >= kMostPasses);
      continue;
    }
    const bool better = !best || job.priority < jobs[*best].priority ||
                        (job.priority == jobs[*best].priority && owners.virtual_time(job.owner) < owners.virtual_time(jobs[*best].owner));
    if (better) best = number;
  }
  if (nobody_passes) return std::nullopt;
  return best;
}

}  // namespace cox::firmware::job
