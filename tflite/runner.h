// SPDX-License-Identifier: MIT
// Runs a model with the kernels of an engine. An application
// 1. gives the file and a workspace to open(),
// 2. asks first_unsupported() if every operator has a kernel,
// 3. gives an arena of arena_bytes() and memory for constants of constant_bytes() to encode(), which appends the whole model to a builder,
// 4. writes the inputs, runs what the builder holds, and reads the outputs, as often as it likes.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/tflite/arena.h"
#include "coxswain/tflite/model.h"
#include "coxswain/tflite/operator_table.h"
#include "coxswain/tflite/schedule.h"

namespace cox::tflite {

/// The part of a runner that does not depend on the engine.
class RunnerBase {
 public:
  RunnerBase(const RunnerBase &) = delete;
  RunnerBase &operator=(const RunnerBase &) = delete;

  [[nodiscard]] const Model &model() const { return model_; }
  [[nodiscard]] const ArenaPlan &plan() const { return plan_; }

  /// Sizes of the memory that encode() needs, in bytes, both at multiples of kArenaAlignment.
  [[nodiscard]] std::size_t arena_bytes() const { return plan_.bytes(); }
  [[nodiscard]] std::size_t constant_bytes() const { return constant_bytes_; }

  /// Returns ok if each operator has a kernel or needs none, else the error of the first one without, with its index.
  [[nodiscard]] Status first_unsupported() const;

  /// Returns where an input or an output of the model is, after encode(). `index` is below the number of inputs or outputs.
  [[nodiscard]] std::span<std::byte> input(std::size_t index) const { return memory_of(model_.inputs()[index]); }
  [[nodiscard]] std::span<std::byte> output(std::size_t index) const { return memory_of(model_.outputs()[index]); }

  /// Returns where an activation is, after encode() or in its `encoded`. Other tensors may have its memory before and after its life.
  [[nodiscard]] std::span<std::byte> memory_of(std::int32_t tensor) const;

  /// Gives the variables of the model the value 0, after encode().
  void reset_variables() const;

 protected:
  explicit RunnerBase(const OperatorSet &kernels) : kernels_(kernels) {}
  ~RunnerBase() = default;

  [[nodiscard]] Status open_model(std::span<const std::byte> file, std::span<std::byte> workspace, const ArenaOptions &options);
  [[nodiscard]] Status check_memory(std::span<std::byte> arena, std::span<std::byte> constants);
  [[nodiscard]] std::span<std::byte> scratch_of(std::size_t op, const Support &support) const {
    return support.scratch_bytes == 0 ? std::span<std::byte>() : arena_.subspan(plan_.scratch_offset(op), support.scratch_bytes);
  }

  /// Gives each operator its unit, in the part of the workspace behind that of open_model().
  [[nodiscard]] Result<std::span<Task>> schedule(unsigned units);

  static constexpr std::size_t rounded_up(std::size_t bytes) { return (bytes + kArenaAlignment - 1) & ~(kArenaAlignment - 1); }

  const OperatorSet &kernels_;
  Model model_;
  ArenaPlan plan_;
  std::size_t constant_bytes_ = 0;
  std::span<std::byte> arena_;
  std::span<std::byte> rest_;  ///< of the workspace
};

/// Returns the size of a runner's workspace for the model in `file`, at a multiple of kArenaAlignment, if its builder has `units` units.
/// Errors: those of tensor_count().
[[nodiscard]] Result<std::size_t> runner_workspace_bytes(std::span<const std::byte> file, unsigned units = 1);

/// A builder for several units, as kernels::unity::ContainerBuilder: a unit waits for another one by a signal.
template <typename Builder>
concept BuilderOfUnits = requires(Builder &builder, unsigned number) {
  { builder.units() } -> std::convertible_to<unsigned>;
  { builder.select_unit(number) } -> std::same_as<Status>;
  { builder.add_signal() } -> std::same_as<Result<unsigned>>;
  { builder.take_keys(number, number) } -> std::same_as<Status>;
  { builder.give_key(number) } -> std::same_as<Status>;
  { builder.finish() } -> std::same_as<Status>;
};

/// The argument of Runner::encode() for callers that do not need to know which instructions are whose.
struct Unwatched {
  constexpr void operator()(std::size_t /*op*/) const {}
};

/// `kernels` must outlive the runner.
template <typename Builder>
class Runner final : public RunnerBase {
 public:
  explicit Runner(const OperatorTable<Builder> &kernels) : RunnerBase(kernels), table_(kernels) {}

  /// Reads and checks the model and plans its arena. `file` and `workspace` must outlive the runner and stay unchanged. Errors: those of
  /// tflite::open() and plan_arena(); no_room or invalid_argument ("workspace"). ArenaOptions for memory of the caller are unsupported.
  [[nodiscard]] Status open(std::span<const std::byte> file, std::span<std::byte> workspace, bool keep_inputs = false) {
    return open_model(file, workspace, {.keep_inputs = keep_inputs});
  }

  /// Appends all operators to `builder`, in order. If it has several units, each operator goes to the unit that schedule_operators() gives
  /// it. Errors: that of first_unsupported(); no_room, invalid_argument ("arena", "constants": too small, misaligned); no_room
  /// ("workspace") if open() had one for fewer units; those of the kernels and of the builder, with the operator's index. After an error,
  /// `builder` holds a part of the model. `encoded` is called with the index of each operator, or part of one, whose instructions have been
  /// appended.
  template <typename Encoded = Unwatched>
  [[nodiscard]] Status encode(std::span<std::byte> arena, std::span<std::byte> constants, Builder &builder, Encoded encoded = {}) {
    if (Status status = first_unsupported(); !status) return status;
    if (Status status = check_memory(arena, constants); !status) return status;
    if constexpr (BuilderOfUnits<Builder>) {
      if (builder.units() > 1) return encode_side_by_side(constants, builder, encoded);
    }
    for (std::size_t i = 0; i < model_.operators(); ++i) {
      if (plan_.is_alias(i)) continue;
      const Support support = table_.check(model_, i);
      if (const Status status = encode_operator(i, {}, support, constants, builder); !status) return status;
      constants = constants.subspan(rounded_up(support.constant_bytes));
      encoded(i);
    }
    return {};
  }

 private:
  [[nodiscard]] Status encode_operator(std::size_t op, const Part &part, const Support &support, std::span<std::byte> constants,
                                       Builder &builder) {
    const Status status = table_.encode(model_, op, Addresses(model_, plan_, arena_), scratch_of(op, support),
                                        constants.first(support.constant_bytes), builder, part);
    return of_operator(status, op);
  }

  template <typename Encoded>
  [[nodiscard]] Status encode_side_by_side(std::span<std::byte> constants, Builder &builder, Encoded &encoded) {
    const Result<std::span<Task>> schedule = this->schedule(builder.units());
    if (!schedule) return schedule.status();
    const std::span<Task> tasks = schedule.value();
    for (Task &task : tasks) {
      if (task.wait_count() == 0) continue;
      const Result<unsigned> signal = builder.add_signal();
      if (!signal) return of_operator(signal.status(), task.op);
      task.signal = static_cast<std::uint16_t>(signal.value());
    }
    Support support;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const Task &task = tasks[i];
      if (task.part.index == 0) support = table_.check(model_, task.op);
      Status status = builder.select_unit(task.unit);
      if (status && task.wait_count() != 0) status = builder.take_keys(task.signal, task.wait_count());
      if (status) status = encode_operator(task.op, task.part, support, constants, builder);
      for (const Task &later : tasks.subspan(i + 1)) {
        if (status && later.waits_for(task)) status = builder.give_key(later.signal);
      }
      if (!status) return of_operator(status, task.op);
      if (task.part.index + 1 == task.part.count) constants = constants.subspan(rounded_up(support.constant_bytes));
      encoded(task.op);
    }
    return builder.finish();
  }

  [[nodiscard]] static Status of_operator(const Status &status, std::size_t op) {
    return !status && status.index() < 0 ? status.at(static_cast<std::int32_t>(op)) : status;
  }

  const OperatorTable<Builder> &table_;
};

}  // namespace cox::tflite
