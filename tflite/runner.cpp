// SPDX-License-Identifier: MIT
#include "coxswain/tflite/runner.h"

#include <algorithm>
#include <memory>

#include "coxswain/tflite/check/container.h"
#include "coxswain/tflite/flatbuffer.h"

namespace cox::tflite {

namespace {

/// The records come first, because they have the larger alignment.
static_assert(alignof(ArenaRecord) >= alignof(TensorUse) && sizeof(ArenaRecord) % alignof(TensorUse) == 0 &&
              alignof(ArenaRecord) <= kArenaAlignment);

Status check_alignment(std::span<const std::byte> memory, const char *what) {
  const auto misalignment = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(memory.data()) % kArenaAlignment);
  if (misalignment == 0) return {};
  return {ErrorCode::invalid_argument, what, -1, misalignment, static_cast<std::int64_t>(kArenaAlignment)};
}

Status check_block(std::span<const std::byte> memory, std::size_t needed, const char *what) {
  if (Status status = check_alignment(memory, what); !status) return status;
  if (memory.size() < needed) return {ErrorCode::no_room, what, -1, signed_of(memory.size()), signed_of(needed)};
  return {};
}

}  // namespace

Result<std::size_t> runner_workspace_bytes(std::span<const std::byte> file, unsigned units) {
  const Result<const schema::Model *> model = check::container(file);
  if (!model) return model.status();
  const schema::SubGraph &graph = *model.value()->subgraphs()->Get(0);
  const std::size_t tensors = graph.tensors()->size(), operators = graph.operators()->size();
  const std::size_t bytes = (tensors + operators + 2) * sizeof(ArenaRecord) + tensors * sizeof(TensorUse);
  return units == 1 ? bytes : bytes + alignof(Task) + operators * units * sizeof(Task);
}

Status RunnerBase::open_model(std::span<const std::byte> file, std::span<std::byte> workspace, const ArenaOptions &options) {
  const Result<std::size_t> needed = runner_workspace_bytes(file);
  if (!needed) return needed.status();
  if (Status status = check_block(workspace, needed.value(), "workspace"); !status) return status;
  const std::size_t tensors = tensor_count(file).value();
  const std::size_t records = (needed.value() - tensors * sizeof(TensorUse)) / sizeof(ArenaRecord);
  auto *const first_record = reinterpret_cast<ArenaRecord *>(workspace.data());
  std::uninitialized_default_construct_n(first_record, records);
  auto *const first_use = reinterpret_cast<TensorUse *>(first_record + records);
  std::uninitialized_default_construct_n(first_use, tensors);

  const Result<Model> model = tflite::open(file, {first_use, tensors});
  if (!model) return model.status();
  const Result<ArenaPlan> plan = plan_arena(model.value(), kernels_, options, {first_record, records});
  if (!plan) return plan.status();
  model_ = model.value();
  plan_ = plan.value();
  rest_ = workspace.subspan(needed.value());
  arena_ = {};
  constant_bytes_ = 0;
  for (std::size_t i = 0; i < model_.operators(); ++i) {
    if (!plan_.is_alias(i)) constant_bytes_ += rounded_up(kernels_.check(model_, i).constant_bytes);
  }
  return {};
}

Status RunnerBase::first_unsupported() const {
  for (std::size_t i = 0; i < model_.operators(); ++i) {
    if (plan_.is_alias(i)) continue;
    if (const Support support = kernels_.check(model_, i); !support.status) return support.status.at(static_cast<std::int32_t>(i));
  }
  return {};
}

Status RunnerBase::check_memory(std::span<std::byte> arena, std::span<std::byte> constants) {
  if (Status status = check_block(arena, arena_bytes(), "arena"); !status) return status;
  if (Status status = check_block(constants, constant_bytes_, "constants"); !status) return status;
  arena_ = arena;
  return {};
}

Result<std::span<Task>> RunnerBase::schedule(unsigned units) {
  void *first = rest_.data();
  std::size_t bytes = rest_.size();
  const std::size_t tasks = std::align(alignof(Task), sizeof(Task), first, bytes) == nullptr ? 0 : bytes / sizeof(Task);
  auto *const first_task = static_cast<Task *>(first);
  std::uninitialized_default_construct_n(first_task, tasks);
  return schedule_operators(model_, plan_, kernels_, units, {first_task, tasks});
}

std::span<std::byte> RunnerBase::memory_of(std::int32_t tensor) const {
  if (arena_.empty() || !plan_.contains(tensor)) return {};
  return arena_.subspan(plan_.offset(tensor), model_.tensor(static_cast<std::size_t>(tensor)).bytes);
}

void RunnerBase::reset_variables() const {
  for (std::size_t i = 0; i < model_.tensors(); ++i) {
    const TensorView tensor = model_.tensor(i);
    if (!tensor.variable) continue;
    const std::span<std::byte> memory = memory_of(static_cast<std::int32_t>(i));
    const bool quantised = tensor.type == ElementType::int8 && tensor.quantisation.count == 1;
    std::fill(memory.begin(), memory.end(),
              quantised ? static_cast<std::byte>(static_cast<std::uint8_t>(tensor.quantisation.zero_point())) : std::byte{0});
  }
}

}  // namespace cox::tflite
