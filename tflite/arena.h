// SPDX-License-Identifier: MIT
// Plans where the activations of a model are in one block of memory, the arena. Tensors whose lives do not overlap share bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/tflite/model.h"
#include "coxswain/tflite/operator_set.h"
#include "coxswain/tflite/part.h"

namespace cox::tflite {

struct ArenaOptions {
  bool keep_inputs = false;      ///< the inputs of the model keep their values, so that a caller need not write them again
  bool inputs_outside = false;   ///< the inputs are in memory of the caller
  bool outputs_outside = false;  ///< the outputs are in memory of the caller
};

/// Workspace of plan_arena(): what it knows of a tensor, or of an operator's scratch memory.
struct ArenaRecord {
  std::int64_t change = 0;       ///< of the live bytes, at one step
  std::uint32_t bytes = 0;       ///< a multiple of kArenaAlignment; 0: not in the arena
  std::uint32_t offset = 0;      ///< from the start of the arena
  std::int32_t first = 0;        ///< the operator before which the life begins; -1: before the first one
  std::int32_t last = 0;         ///< the operator after which it ends
  std::int32_t storage = -1;     ///< the record whose bytes this one has: its own number, or another tensor's
  std::int32_t next = -1;        ///< list of the placed records, by offset
  std::uint32_t order = 0;       ///< numbers of the records, in the order in which they are placed
  std::uint32_t best_order = 0;  ///< the order that needed the smallest arena
};

/// Returns the number of records that plan_arena() needs for a model.
[[nodiscard]] inline std::size_t arena_records(const Model &model) { return model.tensors() + model.operators() + 2; }

/// Refers to the workspace of plan_arena().
class ArenaPlan {
 public:
  ArenaPlan() = default;

  /// Returns the size of the arena.
  [[nodiscard]] std::uint32_t bytes() const { return bytes_; }
  /// Returns the largest number of bytes that are alive at the same time, each tensor rounded up to kArenaAlignment. No plan is smaller.
  [[nodiscard]] std::uint32_t live_bytes() const { return live_bytes_; }

  /// Constants, tensors that nothing uses and tensors of the caller are not in the arena.
  [[nodiscard]] bool contains(std::int32_t tensor) const { return storage(tensor).bytes != 0; }
  /// Returns the offset of a tensor that is in the arena.
  [[nodiscard]] std::uint32_t offset(std::int32_t tensor) const { return storage(tensor).offset; }
  /// Returns the offset of an operator's scratch memory.
  [[nodiscard]] std::uint32_t scratch_offset(std::size_t op) const { return records_[tensors_ + op].offset; }
  /// Returns the size of that memory, rounded up to kArenaAlignment.
  [[nodiscard]] std::uint32_t scratch_bytes(std::size_t op) const { return records_[tensors_ + op].bytes; }
  /// Returns true if the operator has nothing to do: it copies its input (RESHAPE), and its output is in the same memory.
  [[nodiscard]] bool is_alias(std::size_t op) const { return records_[tensors_ + op].first < 0; }

 private:
  friend Result<ArenaPlan> plan_arena(const Model &model, const OperatorSet &kernels, const ArenaOptions &options,
                                      std::span<ArenaRecord> workspace);

  [[nodiscard]] const ArenaRecord &storage(std::int32_t tensor) const {
    return records_[static_cast<std::size_t>(records_[static_cast<std::size_t>(tensor)].storage)];
  }

  std::span<const ArenaRecord> records_;
  std::size_t tensors_ = 0;
  std::uint32_t bytes_ = 0, live_bytes_ = 0;
};

/// Places all activations of `model`, and the scratch memory that `kernels` ask for, the largest first. If that needs more than
/// live_bytes(), other orders are tried, too. Copies share the memory of their input, and kernels overwrite an input that is no longer
/// needed if they can. Operators without a kernel have no scratch memory. Variables keep their bytes. `workspace` has arena_records()
/// elements, or more. Errors: no_room ("workspace"; or "arena" if it would be larger than 2^31 bytes); unsupported if the caller's memory
/// holds inputs or outputs, and an output (`value`) is an input or a constant.
[[nodiscard]] Result<ArenaPlan> plan_arena(const Model &model, const OperatorSet &kernels, const ArenaOptions &options,
                                           std::span<ArenaRecord> workspace);

/// An operator, or a part of it.
struct OperatorPart {
  std::size_t op = 0;
  PartBytes bytes{};  ///< no output: the operator is whole
};

/// Returns true if `later` must not start before `earlier` has ended, because one of them writes bytes that the other one reads or writes.
/// `earlier` comes first in the order of the model.
[[nodiscard]] bool is_ordered(const Model &model, const ArenaPlan &plan, const OperatorPart &earlier, const OperatorPart &later);

}  // namespace cox::tflite
