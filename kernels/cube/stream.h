// SPDX-License-Identifier: MIT
// A stream of the matrix unit's slots under construction (docs/kernels/cube.md, Streams): kernels write slots, an Engine runs them, while
// the rest is still being written where there is more than memory holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "isa/cube/encode.h"
#include "isa/cube/operation.h"
#include "kernels/engine/stream_buffer.h"

namespace cox::kernels::cube {

using kernels::kWindows;

class Stream : public StreamBuffer {
 public:
  /// Takes code(), a full segment, to run it joined to the next. Returns the memory of the next one: a segment().
  using Feed = Result<std::span<std::byte>> (*)(void *owner, Stream &stream);

  /// As StreamBuffer::init(), with memory that is aligned to 32 bytes. With more than one segment, each of at least kMostReserved slots, an
  /// Engine can run one while the kernels write the next (Engine::attach()).
  Status init(std::span<std::byte> memory, std::span<const isa::Window> windows, unsigned segments = 1);

  /// From now on a full segment is given to `feed`. nullptr: a full stream refuses again.
  void set_feed(Feed feed, void *owner);
  /// Empties the stream. The device must no longer read any of it.
  void clear();

  /// Slots that were fed since init() or clear().
  [[nodiscard]] std::uint32_t fed_slots() const { return handed_over(); }
  /// Slots that were written since init() or clear(), fed ones included.
  [[nodiscard]] std::uint32_t slots() const { return fed_slots() + static_cast<std::uint32_t>(code().size() / isa::cube::kSlotBytes); }

  // For kernels.

  /// Returns the memory of `count` slots (1 to kMostReserved), side by side, for the caller to write. nullptr: status() says why (no_room
  /// "stream" if there is no feed; not_ready before init(); the feed's error, after which nothing more is taken until clear()).
  [[nodiscard]] isa::cube::MachineCode *reserve(unsigned count) {
    // In slots, so that the shift costs no instruction.
    if (room() / isa::cube::kSlotBytes < count) [[unlikely]]
      return refill_slots(count);
    return reinterpret_cast<isa::cube::MachineCode *>(take(count * isa::cube::kSlotBytes));
  }
  static constexpr unsigned kMostReserved = 64;
  /// One slot, as it is. False: status() says why.
  [[nodiscard]] bool write(const isa::cube::MachineCode &code) {
    isa::cube::MachineCode *const slot = reserve(1);
    if (slot == nullptr) return false;
    *slot = code;
    return true;
  }
  /// Returns the memory of `count` pieces (at least 1) of `slots` each, or of as many, at least one, as the segment has room for: then
  /// `count` becomes their number.
  [[nodiscard]] isa::cube::MachineCode *reserve_pieces(std::uint32_t slots, std::uint32_t &count) {
    auto free_slots = static_cast<std::uint32_t>(room() / isa::cube::kSlotBytes);
    if (free_slots < slots) {
      if (refill_slots(slots) == nullptr) return nullptr;
      give_back(slots * isa::cube::kSlotBytes);
      free_slots = static_cast<std::uint32_t>(room() / isa::cube::kSlotBytes);
    }
    if (free_slots < slots * count) count = free_slots / slots;
    return reserve(slots * count);
  }

  /// One slot with all of the device's checks (isa/cube/operation.h, windows, the flag rule is the device's alone): what is refused is not
  /// written. For streams written by hand; kernels, whose slots are right by construction, use reserve(). missing_configuration also where
  /// the configuration was written through reserve() in a segment that has been fed.
  Status append(const isa::cube::MachineCode &code);

  /// As StreamBuffer::roll_back().
  void roll_back(const Mark &mark);

 private:
  static Result<std::span<std::byte>> call_feed(void *owner, StreamBuffer &buffer);
  isa::cube::MachineCode *refill_slots(unsigned count);
  /// Takes over what slots up to next() configure.
  void follow_configuration();

  isa::cube::Configuration first_configuration_;  ///< where the segment begins
  isa::cube::Configuration configuration_;        ///< at `followed_`
  const std::byte *followed_ = nullptr;
  Feed feed_ = nullptr;
};

}  // namespace cox::kernels::cube
