// SPDX-License-Identifier: MIT
#include "coxswain/kernels/engine/stream_buffer.h"

#include <algorithm>
#include <bit>

#include "coxswain/device/engine_descriptor.h"

namespace cox::kernels {

Status StreamBuffer::init(std::span<std::byte> memory, std::span<const isa::Window> windows, const Shape &shape) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  if (address % shape.unit != 0)
    return Status(ErrorCode::invalid_argument, "stream address", -1, static_cast<std::int64_t>(address),
                  static_cast<std::int64_t>(shape.unit));
  if (!std::has_single_bit(shape.segments) || shape.segments > kMostSegments)
    return Status(ErrorCode::invalid_argument, "segments", -1, shape.segments, kMostSegments);
  const std::size_t least = shape.segments * shape.least;
  if (memory.size() < least)
    return Status(ErrorCode::invalid_argument, "stream size", -1, static_cast<std::int64_t>(memory.size()),
                  static_cast<std::int64_t>(least));
  if (windows.size() > kWindows)
    return Status(ErrorCode::invalid_argument, "windows", -1, static_cast<std::int64_t>(windows.size()), kWindows);

  memory_ = memory;
  unit_shift_ = static_cast<unsigned>(std::countr_zero(shape.unit));
  segments_ = shape.segments;
  segment_bytes_ = std::min<std::size_t>(memory.size() / segments_, registers::kMostStreamBytes) & ~(shape.unit - 1);
  window_count_ = static_cast<unsigned>(windows.size());
  std::copy(windows.begin(), windows.end(), windows_.begin());
  start_again();
  return {};
}

void StreamBuffer::set_hand_over(HandOver function, void *owner) {
  hand_over_ = function;
  owner_ = owner;
  if (!has_failed_) return;
  has_failed_ = false;
  end_ = begin_ + capacity_;
}

void StreamBuffer::start_again() {
  has_moved_ = has_failed_ = false;
  handed_over_ = 0;
  begin_segment(segment(0));
}

void StreamBuffer::begin_segment(std::span<std::byte> memory) {
  begin_ = next_ = memory.data();
  capacity_ = memory.size();
  end_ = begin_ + capacity_;
}

// Inlined into its callers, refill() and hand_over(), to save the time of a call.
[[gnu::always_inline]] inline bool StreamBuffer::try_hand_over() {
  const auto units = static_cast<std::uint32_t>(code().size() >> unit_shift_);
  const Result<std::span<std::byte>> next = hand_over_(owner_, *this);
  has_moved_ = true;
  if (!next) [[unlikely]] {
    status_ = next.status();
    has_failed_ = true;
    end_ = next_;
    return false;
  }
  handed_over_ += units;
  ++hand_overs_;
  begin_segment(next.value());
  return true;
}

[[gnu::noinline]] std::byte *StreamBuffer::refill(std::size_t bytes) {
  if (has_failed_) return nullptr;
  if (begin_ == nullptr) {
    status_ = Status(ErrorCode::not_ready, "stream");
    return nullptr;
  }
  if (hand_over_ == nullptr || bytes > segment_bytes_) {
    const std::size_t wanted = (hand_over_ == nullptr ? code().size() : 0) + bytes;
    status_ = Status(ErrorCode::no_room, "stream", -1, static_cast<std::int64_t>(wanted >> unit_shift_),
                     static_cast<std::int64_t>(segment_bytes_ >> unit_shift_));
    return nullptr;
  }
  return try_hand_over() ? take(bytes) : nullptr;
}

Status StreamBuffer::hand_over() { return !has_failed_ && try_hand_over() ? Status() : status_; }

bool StreamBuffer::roll_back(const Mark &mark) {
  const bool is_here = mark.hand_overs == hand_overs_;
  next_ = is_here ? mark.next : begin_;
  if (has_failed_) end_ = next_;
  return is_here;
}

void StreamBuffer::drop() {
  next_ = end_ = begin_;
  ++hand_overs_;
}

}  // namespace cox::kernels
