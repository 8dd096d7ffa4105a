// SPDX-License-Identifier: MIT
#include "tflite/schedule.h"

#include <algorithm>

#include "tflite/resolve.h"

namespace cox::tflite {

namespace {

// What a byte of memory, the start of an operator and a wait take, in multiply-accumulates of a unit: a unit has about 256 a cycle, moves
// 16 bytes in it, and starts an operator in 128. Only the order of the sums matters.
constexpr std::uint64_t kByte = 16, kStart = 128 * 256, kWait = 128 * 256;

std::uint64_t cost_of(const Model &model, std::size_t index) {
  const OperatorView op = model.op(index);
  std::uint64_t bytes = 0;
  for (const std::span<const std::int32_t> side : {op.inputs, op.outputs}) {
    for (const std::int32_t tensor : side) bytes += tensor == kAbsent ? 0 : model.tensor(static_cast<std::size_t>(tensor)).bytes;
  }
  const Result<Operation> operation = resolve(model, index);
  return kStart + std::max(kByte * bytes, operation ? multiply_accumulates(operation.value()) : 0);
}

class Scheduler {
 public:
  Scheduler(const Model &model, const ArenaPlan &plan, unsigned units, std::span<Task> tasks)
      : model_(model), plan_(plan), units_(units), tasks_(tasks) {}

  std::size_t run() {
    for (std::size_t i = 0; i < model_.operators(); ++i) {
      if (!plan_.is_alias(i)) add(i);
    }
    return count_;
  }

 private:
  /// For each unit, a number of tasks.
  using Places = std::array<std::uint16_t, kMaxUnits>;
  /// What the next task must wait for.
  struct Needs {
    Places waits{};                            ///< as Task::waits
    Places ended{};                            ///< tasks that have ended then
    std::array<std::uint64_t, kMaxUnits> end;  ///< estimate for each of `waits`
  };

  void add(std::size_t op) {
    const Needs needs = needs_of(op);
    const unsigned unit = best_unit(needs);
    Task &task = tasks_[count_] = {};
    task.op = static_cast<std::uint16_t>(op);
    task.unit = static_cast<std::uint8_t>(unit);
    task.end = start_of(needs, unit) + cost_of(model_, op);
    const Task *const before = last_[unit];
    task.ended = needs.ended;
    for (unsigned other = 0; other < units_; ++other) {
      const std::uint16_t known = before == nullptr ? 0 : before->ended[other];
      if (other != unit && needs.waits[other] > known) task.waits[other] = needs.waits[other];
      task.ended[other] = std::max(task.ended[other], known);
    }
    task.place = task.ended[unit] = static_cast<std::uint16_t>((before == nullptr ? 0 : before->place) + 1);
    last_[unit] = &task;
    ++count_;
  }

  /// From the last task back. A task that is waited for implies all that have ended before it ends.
  [[nodiscard]] Needs needs_of(std::size_t op) const {
    Needs needs{};
    if (units_ == 1) return needs;
    for (std::size_t i = count_; i-- > 0;) {
      const Task &task = tasks_[i];
      if (task.place <= needs.ended[task.unit] || !is_ordered(model_, plan_, task.op, op)) continue;
      needs.waits[task.unit] = task.place;
      needs.end[task.unit] = task.end;
      for (unsigned unit = 0; unit < units_; ++unit) needs.ended[unit] = std::max(needs.ended[unit], task.ended[unit]);
    }
    return needs;
  }

  [[nodiscard]] std::uint64_t start_of(const Needs &needs, unsigned unit) const {
    std::uint64_t start = last_[unit] == nullptr ? 0 : last_[unit]->end;
    for (unsigned other = 0; other < units_; ++other) {
      if (needs.waits[other] != 0) start = std::max(start, needs.end[other] + (other == unit ? 0 : kWait));
    }
    return start;
  }

  [[nodiscard]] unsigned best_unit(const Needs &needs) const {
    unsigned best = 0;
    for (unsigned unit = 1; unit < units_; ++unit) {
      if (start_of(needs, unit) < start_of(needs, best)) best = unit;
    }
    return best;
  }

  const Model &model_;
  const ArenaPlan &plan_;
  unsigned units_;
  std::span<Task> tasks_;
  std::size_t count_ = 0;
  std::array<const Task *, kMaxUnits> last_{};  ///< of each unit
};

}  // namespace

Result<std::span<Task>> schedule_operators(const Model &model, const ArenaPlan &plan, unsigned units, std::span<Task> workspace) {
  const std::size_t needed = schedule_tasks(model);
  if (units == 0 || units > kMaxUnits) return Status{ErrorCode::invalid_argument, "units", -1, units, kMaxUnits};
  if (workspace.size() < needed) return Status{ErrorCode::no_room, "workspace", -1, signed_of(workspace.size()), signed_of(needed)};
  Scheduler scheduler(model, plan, model.operators() > kMaxScheduledOperators ? 1 : units, workspace);
  return workspace.first(scheduler.run());
}

}  // namespace cox::tflite
