// SPDX-License-Identifier: MIT
// The memory of a stream under construction (docs/design.md, Kernels of an engine). Each engine's stream class builds on it; an engine
// whose kernels need nothing more uses it directly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/context.h"
#include "coxswain/isa/window.h"

namespace cox::kernels {

/// The largest number of DRAM windows that a context can have.
inline constexpr unsigned kWindows = hal::kWindows;

/// Layout that a kind of stream requires of its memory.
struct StreamShape {
  std::size_t unit = 8;        ///< bytes of a unit, a power of two. Address and size of a segment are multiples of it
  std::size_t least = unit;    ///< minimum bytes of a segment
  std::uint32_t segments = 1;  ///< number of segments, a power of two, at most StreamBuffer::kMostSegments
};

class StreamBuffer {
 public:
  /// Called when the buffer is full. The function takes over the bytes that code() returns. It returns the memory in which the stream
  /// continues, for example segment(1). Without such a function, reserve() fails when the buffer is full.
  using HandOver = Result<std::span<std::byte>> (*)(void *owner, StreamBuffer &buffer);

  using Shape = StreamShape;
  static constexpr unsigned kMostSegments = 16;

  /// Places the stream in `memory`, which the device reads. The memory is cut into equal segments of at most
  /// registers::kMostStreamBytes; remaining bytes are not used. `windows` are the windows of the context that will run the stream, at most
  /// kWindows. Error: invalid_argument ("stream address", "segments", "stream size", "windows"); the buffer is unchanged then.
  Status init(std::span<std::byte> memory, std::span<const isa::Window> windows, const Shape &shape = {});

  /// From now on a full buffer calls `function`. If `function` is nullptr, reserve() fails when the buffer is full. The
  /// call also clears the failure of an earlier hand-over.
  void set_hand_over(HandOver function, void *owner);

  /// Empties the buffer and continues in its first segment. The device must no longer read any of it.
  void clear() {
    next_ = begin_;
    if (has_moved_) [[unlikely]]
      start_again();
  }

  /// Returns the bytes that were written and not yet handed over.
  [[nodiscard]] std::span<const std::byte> code() const { return {begin_, next_}; }
  /// Returns the bus address of code(). The address of a fault in the stream minus this one is the fault's place in code().
  [[nodiscard]] std::uint64_t address() const { return hal::bus_address(begin_); }
  [[nodiscard]] bool is_empty() const { return next_ == begin_; }
  /// Returns how much the hand-over function has taken since init() or clear(), in units of StreamShape::unit bytes.
  [[nodiscard]] std::uint32_t handed_over() const { return handed_over_; }
  [[nodiscard]] std::span<const isa::Window> windows() const { return {windows_.data(), window_count_}; }
  [[nodiscard]] unsigned segments() const { return segments_; }
  [[nodiscard]] std::span<std::byte> segment(unsigned index) const { return memory_.subspan(index * segment_bytes_, segment_bytes_); }

  /// Returns `bytes` of contiguous memory for the caller to write; `bytes` is a multiple of the unit. On failure it returns nullptr, and
  /// status() holds the error: not_ready before init(), no_room ("stream"; value and limit in units), or the error of the hand-over
  /// function. After an error of that function, the contents stay, and reserve() fails until clear() or set_hand_over().
  [[nodiscard]] std::byte *reserve(std::size_t bytes) {
    if (room() < bytes) [[unlikely]]
      return refill(bytes);
    return take(bytes);
  }
  [[nodiscard]] const Status &status() const { return status_; }

  /// A place in the stream to which it can be rolled back.
  struct Mark {
    std::byte *next = nullptr;
    std::uint32_t hand_overs = 0;
  };
  [[nodiscard]] Mark mark() const { return {next_, hand_overs_}; }
  /// Removes what was written since the mark. If there was a hand-over since the mark, the function empties the buffer and returns false.
  bool roll_back(const Mark &mark);

 protected:
  [[nodiscard]] std::size_t room() const { return static_cast<std::size_t>(end_ - next_); }
  [[nodiscard]] bool has_room(std::size_t bytes) const {
    return reinterpret_cast<std::uintptr_t>(next_) + bytes <= reinterpret_cast<std::uintptr_t>(end_);
  }
  /// Call only if there is room.
  [[nodiscard]] std::byte *take(std::size_t bytes) {
    std::byte *const first = next_;
    next_ += bytes;
    return first;
  }
  /// Undoes the last take() or refill(), which must have had the same number of bytes.
  void give_back(std::size_t bytes) { next_ -= bytes; }
  /// Implements reserve() if there is no room.
  [[nodiscard]] std::byte *refill(std::size_t bytes);
  [[nodiscard]] bool has_hand_over() const { return hand_over_ != nullptr; }
  /// Hands over the contents and continues in the memory that the hand-over returns. Call only if has_hand_over().
  Status hand_over();
  /// Returns true if a hand-over has failed since the last clear() or set_hand_over().
  [[nodiscard]] bool has_failed() const { return has_failed_; }
  /// Empties the buffer after a failed hand-over. The buffer takes nothing more until clear() or set_hand_over().
  void drop();

  /// first() is the start of the memory; begin() is the start of the segment that is being written.
  [[nodiscard]] std::byte *first() const { return memory_.data(); }
  [[nodiscard]] std::byte *begin() const { return begin_; }
  [[nodiscard]] std::byte *next() const { return next_; }
  /// Returns the size in bytes of the segment that is being written.
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

 private:
  void start_again();
  bool try_hand_over();
  void begin_segment(std::span<std::byte> memory);

  std::byte *next_ = nullptr, *end_ = nullptr, *begin_ = nullptr;
  bool has_moved_ = false;  ///< a hand-over has succeeded or failed since clear()
  bool has_failed_ = false;
  std::uint32_t handed_over_ = 0;
  std::uint32_t hand_overs_ = 0;  ///< clear() does not reset it, so that a Mark from before a hand-over stays invalid
  std::size_t capacity_ = 0;
  std::span<std::byte> memory_;
  unsigned unit_shift_ = 0;
  std::size_t segment_bytes_ = 0;
  std::uint32_t segments_ = 1;
  std::array<isa::Window, kWindows> windows_{};
  unsigned window_count_ = 0;
  HandOver hand_over_ = nullptr;
  void *owner_ = nullptr;
  Status status_;
};

}  // namespace cox::kernels
