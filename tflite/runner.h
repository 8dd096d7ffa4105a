// SPDX-License-Identifier: MIT
// Runs a model with the kernels of an engine. An application
// 1. gives the file and a workspace to open(),
// 2. asks first_unsupported() if every operator has a kernel,
// 3. gives an arena of arena_bytes() and memory for constants of constant_bytes() to encode(), which appends the whole model to a builder,
// 4. writes the inputs, runs what the builder holds, and reads the outputs, as often as it likes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "tflite/arena.h"
#include "tflite/model.h"
#include "tflite/operator_table.h"

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

  static constexpr std::size_t rounded_up(std::size_t bytes) { return (bytes + kArenaAlignment - 1) & ~(kArenaAlignment - 1); }

  const OperatorSet &kernels_;
  Model model_;
  ArenaPlan plan_;
  std::size_t constant_bytes_ = 0;
  std::span<std::byte> arena_;
};

/// Returns the size of a runner's workspace for the model in `file`, at a multiple of kArenaAlignment. Errors: those of tensor_count().
[[nodiscard]] Result<std::size_t> runner_workspace_bytes(std::span<const std::byte> file);

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

  /// Appends all operators to `builder`, in order. Errors: that of first_unsupported(); no_room, invalid_argument ("arena", "constants":
  /// too small, misaligned); those of the kernels, with the operator's index. After an error, `builder` holds a part of the model.
  /// `encoded` is called with the index of each operator whose instructions have been appended.
  template <typename Encoded = Unwatched>
  [[nodiscard]] Status encode(std::span<std::byte> arena, std::span<std::byte> constants, Builder &builder, Encoded encoded = {}) {
    if (Status status = first_unsupported(); !status) return status;
    if (Status status = check_memory(arena, constants); !status) return status;
    const Addresses addresses(model_, plan_, arena_);
    for (std::size_t i = 0; i < model_.operators(); ++i) {
      if (plan_.is_alias(i)) continue;
      const Support support = table_.check(model_, i);
      const Status status = table_.encode(model_, i, addresses, scratch_of(i, support), constants.first(support.constant_bytes), builder);
      if (!status) return status.index() < 0 ? status.at(static_cast<std::int32_t>(i)) : status;
      constants = constants.subspan(rounded_up(support.constant_bytes));
      encoded(i);
    }
    return {};
  }

 private:
  const OperatorTable<Builder> &table_;
};

}  // namespace cox::tflite
