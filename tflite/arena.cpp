// SPDX-License-Identifier: MIT
#include "coxswain/tflite/arena.h"

#include <algorithm>

#include "coxswain/base/memory_range.h"
#include "coxswain/tflite/resolve.h"

namespace cox::tflite {

namespace {

constexpr unsigned kAttempts = 16;          ///< orders of the records that the planner tries
constexpr std::size_t kManyRecords = 1024;  ///< of more records it tries one order, because its time grows with their square
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;

std::uint32_t rounded_up(std::uint32_t bytes) {
  return (bytes + static_cast<std::uint32_t>(kArenaAlignment) - 1) & ~(static_cast<std::uint32_t>(kArenaAlignment) - 1);
}

/// Writes the records: first lives, then shared storage, then places.
class Planner {
 public:
  Planner(const Model &model, const OperatorSet &kernels, const ArenaOptions &options, std::span<ArenaRecord> records)
      : model_(model),
        kernels_(kernels),
        options_(options),
        records_(records),
        tensors_(model.tensors()),
        operators_(static_cast<std::int32_t>(model.operators())) {}

  Status run() {
    if (Status status = check_outside(); !status) return status;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      records_[i] = {};
      records_[i].storage = static_cast<std::int32_t>(i);
      if (i < tensors_) begin_life(i);
    }
    for (std::size_t i = 0; i < model_.operators(); ++i) share_storage(i);
    count_live_bytes();
    return order_and_place();
  }

  [[nodiscard]] std::uint32_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint32_t live_bytes() const { return live_bytes_; }

 private:
  /// A tensor of the caller has one address, so it cannot be an input and an output.
  [[nodiscard]] Status check_outside() const {
    if (!options_.inputs_outside && !options_.outputs_outside) return {};
    for (const std::int32_t tensor : model_.outputs()) {
      if (model_.use(static_cast<std::size_t>(tensor)).is_input) return {ErrorCode::unsupported, "outputs: an input", -1, tensor};
      if (model_.tensor(static_cast<std::size_t>(tensor)).constant()) return {ErrorCode::unsupported, "outputs: a constant", -1, tensor};
    }
    return {};
  }

  void begin_life(std::size_t tensor) {
    const TensorUse &use = model_.use(tensor);
    const TensorView view = model_.tensor(tensor);
    const bool used = use.writer >= 0 || use.last_reader >= 0 || use.is_input || use.is_output;
    if (view.constant() || !used) return;
    if ((use.is_input && options_.inputs_outside) || (use.is_output && options_.outputs_outside)) return;
    ArenaRecord &record = records_[tensor];
    record.bytes = rounded_up(view.bytes);
    record.first = use.is_input || view.variable ? -1 : use.writer;
    record.last = std::max(use.writer, use.last_reader);
    if (use.is_output || view.variable || (use.is_input && options_.keep_inputs)) record.last = operators_;
  }

  [[nodiscard]] ArenaRecord &storage(std::int32_t tensor) {
    return records_[static_cast<std::size_t>(records_[static_cast<std::size_t>(tensor)].storage)];
  }
  [[nodiscard]] bool is_movable(std::int32_t tensor) {
    return tensor != kAbsent && storage(tensor).bytes != 0 && !model_.tensor(static_cast<std::size_t>(tensor)).variable;
  }

  /// Gives the output of an operator the storage of an input, which the operator copies or overwrites.
  void join(std::int32_t input, std::int32_t output) {
    const ArenaRecord &from = records_[static_cast<std::size_t>(output)];
    ArenaRecord &to = storage(input);
    to.last = std::max(to.last, from.last);
    records_[static_cast<std::size_t>(output)].storage = records_[static_cast<std::size_t>(input)].storage;
  }

  void share_storage(std::size_t index) {
    ArenaRecord &scratch = records_[tensors_ + index];
    const auto step = static_cast<std::int32_t>(index);
    scratch.first = scratch.last = step;
    if (is_copy(index)) {
      const OperatorView op = model_.op(index);
      if (is_movable(op.inputs[0]) && is_movable(op.outputs[0])) {
        join(op.inputs[0], op.outputs[0]);
        scratch.first = -1;  // see ArenaPlan::is_alias()
        return;
      }
    }
    const Support support = kernels_.check(model_, index);
    if (!support.status) return;
    scratch.bytes = rounded_up(support.scratch_bytes);
    overwrite_input(model_.op(index), support.overwritable, step);
  }

  /// Returns true if the operator resolves to a Copy.
  [[nodiscard]] bool is_copy(std::size_t index) const {
    const OperatorCode code = model_.op(index).code;
    if (code != OperatorCode::reshape && code != OperatorCode::squeeze && code != OperatorCode::expand_dims) return false;
    return resolve(model_, index).ok();
  }

  void overwrite_input(const OperatorView &op, std::uint32_t overwritable, std::int32_t step) {
    if (op.outputs.size() != 1 || !is_movable(op.outputs[0])) return;
    const std::int32_t output = op.outputs[0];
    for (std::size_t i = 0; i < std::min<std::size_t>(op.inputs.size(), 32); ++i) {
      if ((overwritable >> i & 1) == 0 || !is_movable(op.inputs[i])) continue;
      const ArenaRecord &input = storage(op.inputs[i]);
      if (input.last != step || input.bytes != storage(output).bytes) continue;
      // Another input in the same storage must be overwritable too.
      bool others = true;
      for (std::size_t j = 0; j < op.inputs.size(); ++j) {
        const bool same = op.inputs[j] != kAbsent && &storage(op.inputs[j]) == &input;
        others = others && (!same || (j < 32 && (overwritable >> j & 1) != 0));
      }
      if (!others) continue;
      join(op.inputs[i], output);
      return;
    }
  }

  [[nodiscard]] bool is_storage(std::size_t record) const {
    return records_[record].bytes != 0 && records_[record].storage == static_cast<std::int32_t>(record);
  }

  void count_live_bytes() {
    // records_[step + 1].change is what a step adds; step -1 is before the first operator, and there is one after the last.
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (!is_storage(i)) continue;
      records_[static_cast<std::size_t>(records_[i].first + 1)].change += records_[i].bytes;
      if (records_[i].last < operators_) records_[static_cast<std::size_t>(records_[i].last + 2)].change -= records_[i].bytes;
    }
    std::int64_t live = 0, most = 0;
    for (std::int32_t step = 0; step < operators_ + 2; ++step) {
      live += records_[static_cast<std::size_t>(step)].change;
      most = std::max(most, live);
    }
    live_bytes_ = static_cast<std::uint32_t>(std::min<std::int64_t>(most, UINT32_MAX));
  }

  Status order_and_place() {
    std::size_t count = 0;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (is_storage(i)) records_[count++].order = static_cast<std::uint32_t>(i);
    }
    sort_orders(count, [this](const ArenaRecord &a, const ArenaRecord &b) { return comes_before(a.order, b.order); });
    // If a plan is larger than what is alive, the record that makes it so large is placed first the next time.
    std::uint32_t best = UINT32_MAX;
    const unsigned attempts = count <= kManyRecords ? kAttempts : 1;
    for (unsigned attempt = 0; attempt < attempts; ++attempt) {
      const Status status = place_all(count);
      if (!status && attempt == 0) return status;
      if (!status) break;
      if (bytes_ < best) {
        best = bytes_;
        for (std::size_t i = 0; i < count; ++i) records_[i].best_order = records_[i].order;
      }
      if (best == live_bytes_) return {};
      move_to_front(highest(count));
    }
    for (std::size_t i = 0; i < count; ++i) records_[i].order = records_[i].best_order;
    return place_all(count);
  }

  Status place_all(std::size_t count) {
    first_placed_ = -1;
    bytes_ = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (Status status = place(static_cast<std::int32_t>(records_[i].order)); !status) return status;
    }
    return {};
  }

  /// Returns the place in the order of the first record that ends at the end of the arena.
  [[nodiscard]] std::size_t highest(std::size_t count) const {
    std::size_t place = 0;
    while (place + 1 < count && records_[records_[place].order].offset + records_[records_[place].order].bytes != bytes_) ++place;
    return place;
  }

  void move_to_front(std::size_t place) {
    const std::uint32_t moved = records_[place].order;
    for (; place > 0; --place) records_[place].order = records_[place - 1].order;
    records_[0].order = moved;
  }

  /// The largest first; of equal ones, that which lives longest, then the first.
  [[nodiscard]] bool comes_before(std::uint32_t a, std::uint32_t b) const {
    const ArenaRecord &first = records_[a], &second = records_[b];
    if (first.bytes != second.bytes) return first.bytes > second.bytes;
    if (first.last - first.first != second.last - second.first) return first.last - first.first > second.last - second.first;
    return a < b;
  }

  /// Heap sort of the first `count` members `order`: no recursion, no memory.
  template <typename Before>
  void sort_orders(std::size_t count, const Before &before) {
    const auto sink = [&](std::size_t place, std::size_t end) {
      for (std::size_t child = 2 * place + 1; child < end; child = 2 * place + 1) {
        if (child + 1 < end && before(records_[child], records_[child + 1])) ++child;
        if (!before(records_[place], records_[child])) return;
        std::swap(records_[place].order, records_[child].order);
        place = child;
      }
    };
    for (std::size_t i = count / 2; i-- > 0;) sink(i, count);
    for (std::size_t end = count; end > 1; --end) {
      std::swap(records_[0].order, records_[end - 1].order);
      sink(0, end - 1);
    }
  }

  /// Places a record into the smallest gap that is large enough, between the placed ones that are alive at the same time, or behind them.
  Status place(std::int32_t number) {
    ArenaRecord &record = records_[static_cast<std::size_t>(number)];
    std::uint64_t end = 0, best = UINT64_MAX, best_size = UINT64_MAX;
    for (std::int32_t other = first_placed_; other >= 0; other = records_[static_cast<std::size_t>(other)].next) {
      const ArenaRecord &placed = records_[static_cast<std::size_t>(other)];
      if (placed.last < record.first || record.last < placed.first) continue;
      if (placed.offset > end) {
        const std::uint64_t gap = placed.offset - end;
        if (gap >= record.bytes && gap < best_size) {
          best = end;
          best_size = gap;
        }
      }
      end = std::max(end, std::uint64_t{placed.offset} + placed.bytes);
    }
    if (best == UINT64_MAX) best = end;
    if (best + record.bytes > kMostBytes) return {ErrorCode::no_room, "arena", -1, signed_of(best + record.bytes), signed_of(kMostBytes)};
    record.offset = static_cast<std::uint32_t>(best);
    bytes_ = std::max(bytes_, record.offset + record.bytes);
    std::int32_t *link = &first_placed_;
    while (*link >= 0 && records_[static_cast<std::size_t>(*link)].offset < record.offset)
      link = &records_[static_cast<std::size_t>(*link)].next;
    record.next = *link;
    *link = number;
    return {};
  }

  const Model &model_;
  const OperatorSet &kernels_;
  const ArenaOptions &options_;
  std::span<ArenaRecord> records_;
  std::size_t tensors_;
  std::int32_t operators_;
  std::int32_t first_placed_ = -1;
  std::uint32_t bytes_ = 0, live_bytes_ = 0;
};

/// Calls `body(range, writes)` for the ranges that a part of an operator accesses, until it returns true. Returns whether it did.
template <typename Body>
bool any_access(const Model &model, const ArenaPlan &plan, const OperatorPart &part, const Body &body) {
  const OperatorView op = model.op(part.op);
  // A tensor outside of the arena overlaps only itself, so it has a range of its own.
  const auto range = [&](std::int32_t tensor) {
    const std::uint64_t outside = (static_cast<std::uint64_t>(tensor) + 1) << 32;
    return MemoryRange{plan.contains(tensor) ? plan.offset(tensor) : outside, model.tensor(static_cast<std::size_t>(tensor)).bytes};
  };
  const bool whole = part.bytes.output_bytes == 0;
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    const std::int32_t tensor = op.inputs[i];
    if (tensor == kAbsent) continue;
    if (!plan.contains(tensor) && model.use(static_cast<std::size_t>(tensor)).writer < 0) continue;  // a constant: nothing writes it
    MemoryRange input = range(tensor);
    if (!whole && i < 32 && (part.bytes.inputs >> i & 1) != 0) input = {input.address + part.bytes.input, part.bytes.input_bytes};
    if (body(input, model.tensor(static_cast<std::size_t>(tensor)).variable)) return true;
  }
  for (const std::int32_t tensor : op.outputs) {
    MemoryRange output = range(tensor);
    if (!whole) output = {output.address + part.bytes.output, part.bytes.output_bytes};
    if (body(output, true)) return true;
  }
  const std::uint32_t scratch = plan.scratch_bytes(part.op);
  return scratch != 0 && body(MemoryRange{plan.scratch_offset(part.op), scratch}, true);
}

}  // namespace

Result<ArenaPlan> plan_arena(const Model &model, const OperatorSet &kernels, const ArenaOptions &options,
                             std::span<ArenaRecord> workspace) {
  const std::size_t needed = arena_records(model);
  if (workspace.size() < needed) return Status{ErrorCode::no_room, "workspace", -1, signed_of(workspace.size()), signed_of(needed)};
  const std::span<ArenaRecord> records = workspace.first(needed);
  Planner planner(model, kernels, options, records);
  if (Status status = planner.run(); !status) return status;
  ArenaPlan plan;
  plan.records_ = records;
  plan.tensors_ = model.tensors();
  plan.bytes_ = planner.bytes();
  plan.live_bytes_ = planner.live_bytes();
  return plan;
}

bool is_ordered(const Model &model, const ArenaPlan &plan, const OperatorPart &earlier, const OperatorPart &later) {
  return any_access(model, plan, earlier, [&](const MemoryRange &first, bool first_writes) {
    return any_access(model, plan, later, [&](const MemoryRange &second, bool second_writes) {
      return (first_writes || second_writes) && first.overlaps(second);
    });
  });
}

}  // namespace cox::tflite
