// SPDX-License-Identifier: MIT
// A stream of the matrix unit's slots under construction (docs/kernels/cube.md, Streams): kernels write slots, an Engine runs them, while
// the rest is still being written where there is more than memory holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "isa/cube/encode.h"
#include "isa/cube/operation.h"

namespace cox::kernels::cube {

inline constexpr unsigned kWindows = 4;

class Stream {
 public:
  /// Takes code(), a full segment, to run it joined to the next, and gives the memory of the next one: a segment().
  using Feed = Result<std::span<std::byte>> (*)(void *owner, Stream &stream);

  /// Slots go to `memory`, which the device reads at the same address: aligned to 32 bytes; what is over the last whole segment of slots is
  /// not used. With more than one segment (a power of two, at most kMostSegments, of kMostReserved slots or more each) an Engine can run
  /// one while the next is written (Engine::attach()). Accesses to DRAM are checked against `windows` (at most kWindows), those of the
  /// context that will run the stream. invalid_argument ("stream address", "stream size", "segments", "windows"): what does not do.
  Status init(std::span<std::byte> memory, std::span<const isa::Window> windows, unsigned segments = 1);
  static constexpr unsigned kMostSegments = 16;

  /// From now on a full segment is given to `feed`. nullptr: refused again.
  void set_feed(Feed feed, void *owner) {
    feed_ = feed;
    owner_ = owner;
  }
  /// Empty again, in the first segment. Not while the device may still read any of it.
  void clear();

  /// The slots that were written and not yet fed.
  [[nodiscard]] std::span<const std::byte> code() const { return std::as_bytes(std::span(begin_, next_)); }
  [[nodiscard]] std::uint32_t fed_slots() const { return fed_slots_; }  ///< since init() or clear()
  /// Written since init() or clear(), fed ones included.
  [[nodiscard]] std::uint32_t slots() const { return fed_slots_ + static_cast<std::uint32_t>(next_ - begin_); }
  [[nodiscard]] std::span<const isa::Window> windows() const { return {windows_.data(), window_count_}; }
  [[nodiscard]] unsigned segments() const { return segments_; }
  [[nodiscard]] std::span<std::byte> segment(unsigned index) const {
    return memory_.subspan(index * segment_slots_ * isa::cube::kSlotBytes, segment_slots_ * isa::cube::kSlotBytes);
  }

  // For kernels.

  /// Memory of `count` slots (1 to kMostReserved), side by side, to be written whole, or nullptr: then status() says why (no_room "stream"
  /// where there is no feed; not_ready before init(); what the feed said: then nothing more is taken until clear()).
  [[nodiscard]] isa::cube::MachineCode *reserve(unsigned count) {
    if (static_cast<std::size_t>(end_ - next_) < count) [[unlikely]]
      return refill(count);
    isa::cube::MachineCode *const first = next_;
    next_ += count;
    return first;
  }
  static constexpr unsigned kMostReserved = 64;
  /// One slot, as it is. False: status() says why.
  [[nodiscard]] bool write(const isa::cube::MachineCode &code) {
    isa::cube::MachineCode *const slot = reserve(1);
    if (slot == nullptr) return false;
    *slot = code;
    return true;
  }
  /// The same for `count` pieces (at least 1) of `slots` each, or for as many, at least one, as the segment has room for: then `count`
  /// says for how many.
  [[nodiscard]] isa::cube::MachineCode *reserve_pieces(std::uint32_t slots, std::uint32_t &count) {
    auto room = static_cast<std::uint32_t>(end_ - next_);
    if (room < slots) {
      if (refill(slots) == nullptr) return nullptr;
      next_ -= slots;
      room = static_cast<std::uint32_t>(end_ - next_);
    }
    if (room < slots * count) count = room / slots;
    return reserve(slots * count);
  }
  [[nodiscard]] const Status &status() const { return status_; }

  /// One slot with all of the device's checks (isa/cube/operation.h, windows, the flag rule is the device's alone): what is refused is not
  /// written. For streams written by hand; kernels, whose slots are right by construction, use reserve(). missing_configuration also where
  /// the configuration was written through reserve() in a segment that has been fed.
  Status append(const isa::cube::MachineCode &code);

  /// What was written since can be taken back; where a segment was fed in between, only what is in the one after.
  struct Mark {
    isa::cube::MachineCode *next = nullptr;
    std::uint32_t fed = 0;
  };
  [[nodiscard]] Mark mark() const { return {next_, fed_slots_}; }
  void roll_back(const Mark &mark);

 private:
  isa::cube::MachineCode *refill(unsigned count);
  void begin_segment(std::span<std::byte> memory);
  /// Takes over what slots up to next_ configure.
  void follow_configuration();

  isa::cube::MachineCode *next_ = nullptr, *end_ = nullptr, *begin_ = nullptr;
  std::uint32_t fed_slots_ = 0;
  std::span<std::byte> memory_;
  std::size_t segment_slots_ = 0;
  unsigned segments_ = 1;
  std::array<isa::Window, kWindows> windows_{};
  unsigned window_count_ = 0;
  isa::cube::Configuration first_configuration_;  ///< where the segment begins
  isa::cube::Configuration configuration_;        ///< at `followed_`
  const isa::cube::MachineCode *followed_ = nullptr;
  Status status_;
  bool failed_ = false;  ///< the feed did
  Feed feed_ = nullptr;
  void *owner_ = nullptr;
};

}  // namespace cox::kernels::cube
