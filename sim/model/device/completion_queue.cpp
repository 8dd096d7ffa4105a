// SPDX-License-Identifier: MIT
#include "sim/model/device/completion_queue.h"

#include <algorithm>
#include <array>

namespace cox::model {

void CompletionQueue::reset() {
  base_ = 0;
  enabled_ = false;
  size_log2_ = head_ = tail_ = coalesce_ = 0;
  held_.reset();
}

const char *CompletionQueue::set_base(std::uint64_t base) {
  if (enabled_) return "the queue is enabled";
  base_ = base;
  return nullptr;
}

const char *CompletionQueue::set_control(bool enable, std::uint32_t size_log2, std::uint32_t size_log2_max) {
  if (enabled_ && enable && size_log2 != size_log2_) return "the size is fixed while the queue is enabled";
  if (enabled_ && !enable && (head_ != tail_ || held_)) return "the queue holds entries";
  if (!enabled_ && enable) {
    if (size_log2 < 1 || size_log2 > size_log2_max) return "SIZE_LOG2 is out of range";
    if (base_ % kCompletionBytes != 0) return "the base is not aligned to 16 bytes";
  }
  enabled_ = enable;
  size_log2_ = size_log2;
  return nullptr;
}

const char *CompletionQueue::set_head(std::uint32_t head) {
  if (head - head_ > tail_ - head_) return "the index is past TAIL";
  head_ = head;
  return nullptr;
}

bool CompletionQueue::push(const Completion &completion, Cycle now, const Host &host, faults::Injector &faults) {
  using faults::Effect;
  const faults::Planned *fault = faults.spoils_completion(number_, now);
  switch (fault == nullptr ? Effect::none : fault->effect) {
    case Effect::lost: return release(now, host);
    case Effect::swap:
      if (held_) break;
      held_ = Held{completion, now + kLongestHold};
      return true;
    case Effect::corrupt: return write(completion, now, host, fault->bit) && release(now, host);
    case Effect::doubled:
      if (!write(completion, now, host)) return false;
      if (!has_room()) return release(now, host);
      break;
    default: break;
  }
  return write(completion, now, host) && release(now, host);
}

void CompletionQueue::release_due(Cycle now, const Host &host) {
  if (release_at() <= now && !release(now, host)) host.error("completion queue {}: bus error at an entry: it is lost", number_);
}

bool CompletionQueue::release(Cycle now, const Host &host) {
  if (!held_) return true;
  const Completion completion = held_->completion;
  held_.reset();
  return write(completion, now, host);
}

bool CompletionQueue::write(const Completion &completion, Cycle now, const Host &host, std::uint32_t spoiled_bit) {
  const std::uint32_t phase = (tail_ >> size_log2_) & 1 ? 0 : 1;  // the phase bit is 1 in the first lap of the ring
  const bool fault = completion.status != registers::FaultCode::none;
  const std::uint32_t outcome = completion.queue | static_cast<std::uint32_t>(completion.status) << 8 | completion.context << 16 |
                                completion.warnings << 24 | phase << 31;
  // The check is chosen so that the XOR of the four half-words of entry[0] and entry[1] is 0xFFFF (docs/design.md, Queues).
  const std::uint32_t check = ~(completion.tag ^ outcome ^ outcome >> 16) & 0xFFFF;
  std::array<std::uint32_t, 4> entry{
      (completion.tag & 0xFFFF) | check << 16,
      outcome,
      static_cast<std::uint32_t>(completion.end),
      fault ? completion.detail : static_cast<std::uint32_t>(completion.end >> 32),
  };
  if (spoiled_bit != kNoBit) entry[spoiled_bit / 32] ^= 1U << spoiled_bit % 32;
  const std::uint64_t address = base_ + slot(tail_) * kCompletionBytes;
  written_[slot(tail_)] = now;
  ++tail_;
  return host.write(address, entry.data(), sizeof entry);
}

Cycle CompletionQueue::interrupt_at(Cycle latency) const {
  const std::uint32_t pending = tail_ - head_;
  if (!enabled_ || pending == 0) return kNever;
  const std::uint32_t count = std::max<std::uint32_t>(1, registers::cq::coalesce::kCount.get(coalesce_));
  const Cycle time = registers::cq::coalesce::kTime.get(coalesce_);
  Cycle condition = kNever;
  if (pending >= count) condition = written_[slot(head_ + count - 1)];
  if (time != 0) condition = std::min(condition, written_[slot(head_)] + time);
  return condition == kNever ? kNever : condition + latency;
}

}  // namespace cox::model
