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
  /// Takes a full segment to run it, joined to the next, and gives the memory of the next one.
  using Feed = Result<std::span<std::byte>> (*)(void *owner, Stream &stream);

  /// Slots go to `memory`, which the device reads at the same address: aligned to 32 bytes; what is over the last whole segment of slots is
  /// not used. With more than one segment (a power of two, at most kMostSegments) an Engine can run one while the next is written
  /// (Engine::attach()). Accesses to DRAM are checked against `windows` (at most kWindows), those of the context that will run the stream.
  /// invalid_argument: memory, segments or windows that do not do.
  Status init(std::span<std::byte> memory, std::span<const isa::Window> windows, unsigned segments = 1);
  static constexpr unsigned kMostSegments = 16;

  /// From now on a full segment is given to `feed`. nullptr: refused again.
  void set_feed(Feed feed, void *owner);
  /// Empty again, in the first segment.
  void clear();

  /// The slots that were written and not yet fed.
  [[nodiscard]] std::span<const std::byte> code() const;
  [[nodiscard]] std::uint32_t slots() const;  ///< written since init() or clear(), fed ones included
  [[nodiscard]] std::span<const isa::Window> windows() const;

  // For kernels.

  /// Memory of `count` slots (1 to kMostReserved), side by side, to be written whole, or nullptr: then status() says why (no_room, or what
  /// the feed said).
  [[nodiscard]] isa::cube::MachineCode *reserve(unsigned count) {
    if (static_cast<std::size_t>(end_ - next_) < count) [[unlikely]]
      return refill(count);
    isa::cube::MachineCode *const first = next_;
    next_ += count;
    return first;
  }
  static constexpr unsigned kMostReserved = 64;
  [[nodiscard]] const Status &status() const { return status_; }

  /// One slot with all of the device's checks (isa/cube/operation.h, windows, the flag rule is the device's alone): what is refused is not
  /// written. For streams written by hand; kernels, whose slots are right by construction, use reserve().
  Status append(const isa::cube::MachineCode &code);

  /// What was written since can be taken back, unless a segment was fed in between.
  struct Mark {
    isa::cube::MachineCode *next = nullptr;
    std::uint32_t fed = 0;
  };
  [[nodiscard]] Mark mark() const { return {next_, fed_slots_}; }
  void roll_back(const Mark &mark);

 private:
  isa::cube::MachineCode *refill(unsigned count);

  isa::cube::MachineCode *next_ = nullptr, *end_ = nullptr, *begin_ = nullptr;
  std::uint32_t fed_slots_ = 0;
  std::span<std::byte> memory_;
  unsigned segments_ = 1;
  std::array<isa::Window, kWindows> windows_{};
  unsigned window_count_ = 0;
  isa::cube::Configuration configuration_;  ///< as append() has set it
  Status status_;
  Feed feed_ = nullptr;
  void *owner_ = nullptr;
};

}  // namespace cox::kernels::cube
