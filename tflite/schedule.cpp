// SPDX-License-Identifier: MIT
#include "coxswain/tflite/schedule.h"

#include <algorithm>
#include <bit>

#include "coxswain/tflite/resolve.h"

namespace cox::tflite {

namespace {

// What a byte of memory, the start of an operator and a wait take, in multiply-accumulates of a unit: a unit has about 256 a cycle, moves
// 16 bytes in it, and starts an operator in 128. Only the order of the sums matters.
constexpr std::uint64_t kByte = 16, kStart = 128 * 256, kWait = 128 * 256;

/// What an operator does.
class Work {
 public:
  Work(const Model &model, const ArenaPlan &plan, const OperatorSet &kernels, std::size_t index) {
    const OperatorView op = model.op(index);
    for (const std::span<const std::int32_t> side : {op.inputs, op.outputs}) {
      for (const std::int32_t tensor : side) {
        if (tensor != kAbsent) (plan.contains(tensor) ? activations_ : constants_) += model.tensor(static_cast<std::size_t>(tensor)).bytes;
      }
    }
    operation_ = resolve(model, index);
    if (!operation_) return;
    products_ = multiply_accumulates(operation_.value());
    if (plan.scratch_bytes(index) == 0 && kernels.check(model, index).by_parts) rows_ = rows_of(model, operation_.value());
  }

  /// Estimate for parts that run side by side. They share the memory, and rows around a part are read twice.
  [[nodiscard]] std::uint64_t cost(const Model &model, unsigned parts) const {
    std::uint64_t bytes = activations_ + parts * constants_;
    std::uint64_t most_rows = rows_;
    if (parts > 1) {
      bytes = parts * constants_;
      most_rows = (rows_ + parts - 1) / parts;
      for (unsigned i = 0; i < parts; ++i) {
        const PartBytes part = this->bytes(model, {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(parts)});
        bytes += part.input_bytes * static_cast<unsigned>(std::popcount(part.inputs)) + part.output_bytes;
      }
    }
    return kStart + std::max(kByte * bytes, products_ * most_rows / rows_);
  }
  /// `before` is the number of parts of the operator before. If it is as good as any other, it needs the fewest waits.
  [[nodiscard]] unsigned best_parts(const Model &model, unsigned units, unsigned before) const {
    const unsigned most = std::min<std::uint32_t>(units, rows_);
    unsigned best = 1;
    for (unsigned parts = 2; parts <= most; ++parts) {
      if (cost(model, parts) < cost(model, best)) best = parts;
    }
    return before <= most && cost(model, before) == cost(model, best) ? before : best;
  }
  /// `part` is not whole.
  [[nodiscard]] PartBytes bytes(const Model &model, const Part &part) const { return bytes_of(model, operation_.value(), part); }

 private:
  Result<Operation> operation_ = Operation();
  std::uint64_t activations_ = 0, constants_ = 0;  ///< bytes
  std::uint64_t products_ = 0;
  std::uint32_t rows_ = 1;
};

class Scheduler {
 public:
  Scheduler(const Model &model, const ArenaPlan &plan, const OperatorSet &kernels, unsigned units, std::span<Task> tasks)
      : model_(model), plan_(plan), kernels_(kernels), units_(units), tasks_(tasks) {}

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
    const Work work(model_, plan_, kernels_, op);
    const unsigned parts = work.best_parts(model_, units_, parts_);
    parts_ = parts;
    for (unsigned i = 0; i < parts; ++i) {
      const Part part{static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(parts)};
      add({op, part.is_whole() ? PartBytes() : work.bytes(model_, part)}, part, work.cost(model_, parts));
    }
  }

  void add(const OperatorPart &bytes, const Part &part, std::uint64_t cost) {
    const Needs needs = needs_of(bytes);
    const unsigned unit = part.is_whole() ? best_unit(needs) : part.index;
    Task &task = tasks_[count_] = {};
    task.op = static_cast<std::uint16_t>(bytes.op);
    task.unit = static_cast<std::uint8_t>(unit);
    task.part = part;
    task.bytes = bytes.bytes;
    task.end = start_of(needs, unit) + cost;
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
  [[nodiscard]] Needs needs_of(const OperatorPart &part) const {
    Needs needs{};
    if (units_ == 1) return needs;
    for (std::size_t i = count_; i-- > 0;) {
      const Task &task = tasks_[i];
      if (task.place <= needs.ended[task.unit] || !is_ordered(model_, plan_, {task.op, task.bytes}, part)) continue;
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
  const OperatorSet &kernels_;
  unsigned units_;
  std::span<Task> tasks_;
  std::size_t count_ = 0;
  unsigned parts_ = 1;                          ///< of the last operator
  std::array<const Task *, kMaxUnits> last_{};  ///< of each unit
};

}  // namespace

Result<std::span<Task>> schedule_operators(const Model &model, const ArenaPlan &plan, const OperatorSet &kernels, unsigned units,
                                           std::span<Task> workspace) {
  if (units == 0 || units > kMaxUnits) return Status{ErrorCode::invalid_argument, "units", -1, units, kMaxUnits};
  const std::size_t needed = schedule_tasks(model, units);
  if (workspace.size() < needed) return Status{ErrorCode::no_room, "workspace", -1, signed_of(workspace.size()), signed_of(needed)};
  Scheduler scheduler(model, plan, kernels, model.operators() > kMaxScheduledOperators ? 1 : units, workspace);
  return workspace.first(scheduler.run());
}

}  // namespace cox::tflite
