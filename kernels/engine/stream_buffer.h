// SPDX-License-Identifier: MIT
// The memory of a stream under construction (docs/design.md, Kernels of an engine). Each engine's stream is made of it; an engine whose
// kernels need nothing more uses it as it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "hal/context.h"
#include "isa/window.h"

namespace cox::kernels {

/// DRAM windows of a context.
inline constexpr unsigned kWindows = hal::kWindows;

/// What a kind of streams wants of its memory.
struct StreamShape {
  std::size_t unit = 8;        ///< bytes, a power of two: alignment of the memory; a segment is a whole number of units
  std::size_t least = unit;    ///< bytes of a segment
  std::uint32_t segments = 1;  ///< a power of two, at most StreamBuffer::kMostSegments
};

class StreamBuffer {
 public:
  /// What a full buffer does instead of refusing: takes code() and returns the memory in which the stream goes on, for example a segment().
  using HandOver = Result<std::span<std::byte>> (*)(void *owner, StreamBuffer &buffer);

  using Shape = StreamShape;
  static constexpr unsigned kMostSegments = 16;

  /// The stream goes to `memory`, which the device reads at the same address. It is cut into equal segments of at most
  /// registers::kMostStreamBytes; bytes that are left over are not used. `windows`, at most kWindows, are those of the context that will
  /// run the stream. Error: invalid_argument ("stream address", "segments", "stream size", "windows"); the buffer is as before.
  Status init(std::span<std::byte> memory, std::span<const isa::Window> windows, const Shape &shape = {});

  /// From now on a full buffer calls `function`. nullptr: a full buffer refuses again. An earlier failure of a hand-over is forgotten.
  void set_hand_over(HandOver function, void *owner);

  /// Empties the buffer and goes on in its first segment. The device must no longer read any of it.
  void clear() {
    next_ = begin_;
    if (has_moved_) [[unlikely]]
      start_again();
  }

  /// What was written and not yet handed over.
  [[nodiscard]] std::span<const std::byte> code() const { return {begin_, next_}; }
  [[nodiscard]] bool is_empty() const { return next_ == begin_; }
  /// Units that were handed over since init() or clear().
  [[nodiscard]] std::uint32_t handed_over() const { return handed_over_; }
  [[nodiscard]] std::span<const isa::Window> windows() const { return {windows_.data(), window_count_}; }
  [[nodiscard]] unsigned segments() const { return segments_; }
  [[nodiscard]] std::span<std::byte> segment(unsigned index) const { return memory_.subspan(index * segment_bytes_, segment_bytes_); }

  /// Returns `bytes` of memory, a whole number of units in one piece, for the caller to write. nullptr: status() says why. no_room
  /// ("stream"; value and limit in units): there is no hand-over, or no segment is that large. not_ready: before init(). Any other error is
  /// the hand-over's: the buffer keeps what it holds and takes nothing more until clear() or set_hand_over().
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
  /// Takes back what was written since the mark. After a hand-over all that the buffer holds came after the mark: then the buffer is empty,
  /// and the function returns false.
  bool roll_back(const Mark &mark);

 protected:
  [[nodiscard]] std::size_t room() const { return static_cast<std::size_t>(end_ - next_); }
  [[nodiscard]] bool has_room(std::size_t bytes) const {
    return reinterpret_cast<std::uintptr_t>(next_) + bytes <= reinterpret_cast<std::uintptr_t>(end_);
  }
  /// Only if there is room.
  [[nodiscard]] std::byte *take(std::size_t bytes) {
    std::byte *const first = next_;
    next_ += bytes;
    return first;
  }
  /// Undoes the last take() or refill() of as many bytes.
  void give_back(std::size_t bytes) { next_ -= bytes; }
  /// reserve() if there is no room.
  [[nodiscard]] std::byte *refill(std::size_t bytes);
  [[nodiscard]] bool has_hand_over() const { return hand_over_ != nullptr; }
  /// Hands over what the buffer holds and goes on in the memory that it gets. Only if has_hand_over().
  Status hand_over();
  /// A hand-over has failed, and nothing was done about it yet.
  [[nodiscard]] bool has_failed() const { return has_failed_; }
  /// Empties the buffer after a failed hand-over. Still nothing more is taken.
  void drop();

  /// The first byte of the memory, and of what is being written.
  [[nodiscard]] std::byte *first() const { return memory_.data(); }
  [[nodiscard]] std::byte *begin() const { return begin_; }
  [[nodiscard]] std::byte *next() const { return next_; }
  /// Bytes of the segment that is being written.
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

 private:
  void start_again();
  bool try_hand_over();
  void begin_segment(std::span<std::byte> memory);

  std::byte *next_ = nullptr, *end_ = nullptr, *begin_ = nullptr;
  bool has_moved_ = false;  ///< a hand-over has succeeded or failed since clear()
  bool has_failed_ = false;
  std::uint32_t handed_over_ = 0;
  std::uint32_t hand_overs_ = 0;  ///< since the buffer exists, so that marks do not outlive clear()
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
