// SPDX-License-Identifier: MIT
// Console output about jobs, their tasks and their owners.
#include "coxswain/firmware/console/console.h"
#include "coxswain/firmware/console/text.h"
#include "coxswain/hal/board.h"

namespace cox::firmware::console {

namespace {

const char *kind_name(job::Kind kind) {
  switch (kind) {
    case job::Kind::load: return "load";
    case job::Kind::run: return "run";
    case job::Kind::unload: return "unload";
    case job::Kind::cancel: return "cancel";
    case job::Kind::share: return "share";
    case job::Kind::read_trace: return "read_trace";
    case job::Kind::read_faults: return "read_faults";
  }
  return "unknown";
}

}  // namespace

void Console::print_tasks() const {
  bool any = false;
  for (unsigned i = 0; i < job::kTaskSlots; ++i) {
    const job::TaskSlot &slot = jobs_.slot(i);
    if (!slot.task.valid()) continue;
    any = true;
    const std::string_view name = slot.task.name();
    print((Text() << "slot " << i << "  " << (name.empty() ? "(no name)" : name)).pad_to(32)
          << "owner " << unsigned{slot.owner} << ", " << static_cast<std::uint64_t>(slot.task.instruction_count()) << " instructions, "
          << slot.runs << " runs, " << slot.failures << " failures");
  }
  if (!any) print(Text() << "no task is loaded");
}

void Console::print_jobs() const {
  const job::Ring &ring = jobs_.ring();
  print(Text() << "submitted " << ring.submitted() << ", taken " << ring.taken() << ", completed " << ring.completed());
  for (std::uint32_t number = ring.completed(); number != ring.taken(); ++number) {
    const job::JobRecord &job = jobs_.record(number);
    if (job.stage == job::Stage::done) continue;
    Text text;
    (text << "job " << number).pad_to(14) << kind_name(job.job_kind());
    text.pad_to(26) << "owner " << unsigned{job.owner} << ", priority " << unsigned{job.priority};
    if (job.job_kind() == job::Kind::run) text << ", slot " << unsigned{job.task_slot};
    if (job.stage == job::Stage::running) {
      text << ", runs in context " << unsigned{jobs_.active_run(job.task_slot).context};
    } else {
      text << (job.blocked ? ", waits for room" : ", waits");
    }
    print(text);
  }
}

void Console::print_owners() const {
  std::uint64_t all = 0;
  for (unsigned owner = 0; owner < job::kOwners; ++owner) all += jobs_.owners().account(owner).device_cycles;
  for (unsigned owner = 0; owner < job::kOwners; ++owner) {
    const job::Owners::Account &account = jobs_.owners().account(owner);
    if (account.jobs == 0 && account.active == 0) continue;
    print((Text() << "owner " << owner).pad_to(10)
          << "weight " << unsigned{account.weight} << ", jobs " << account.jobs << " done, " << unsigned{account.active}
          << " wait or run, device cycles " << account.device_cycles << " (" << Share{account.device_cycles, all} << ")");
  }
  if (all == 0) print(Text() << "nobody has used the device");
}

void Console::print_statistics() const {
  const schedule::Totals totals = scheduler_.totals();
  print(Text() << "jobs " << jobs_.jobs() << ", runs " << totals.runs << ", failures " << totals.failures);
  print(Text() << "accelerator instructions " << totals.instructions << ", core resets " << totals.core_resets << ", bad completions "
               << totals.bad_completions);
  const schedule::RunSummary &last = jobs_.last_run();
  print(Text() << "last run: " << last.status);
  for (const registers::WaitingUnit &unit : last.waiting) {
    print(Text() << "  unit " << unsigned{unit.unit} << ", instruction " << unit.instruction << ": entry " << unsigned{unit.table} << ":"
                 << unsigned{unit.entry} << " holds " << unsigned{unit.held} << ", wants " << unsigned{unit.wanted});
  }
  print(Text() << "  cycles " << (last.end_cycle - last.start_cycle) << ", accelerator instructions " << last.accelerator_instructions);
  if (last.control_instructions != UINT64_MAX) print(Text() << "  control instructions " << last.control_instructions);
  const std::uint64_t awake = board::awake_microseconds();
  const std::uint64_t now = board::microseconds();
  if (awake <= now) print(Text() << "control core asleep " << Share{now - awake, now} << " of " << now << " us");
}

}  // namespace cox::firmware::console
