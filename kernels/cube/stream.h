// SPDX-License-Identifier: MIT
// A stream of the matrix unit's slots under construction (docs/kernels/cube.md, Streams). Kernels write slots; an Engine runs them. If the
// stream exceeds its memory, the Engine runs full segments while kernels write the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/isa/cube/encode.h"
#include "coxswain/isa/cube/operation.h"
#include "coxswain/kernels/engine/stream_buffer.h"

namespace cox::kernels::cube {

using kernels::kWindows;

class Stream : public StreamBuffer {
 public:
  /// Called when a segment is full. Submits its bytes, which stream.code() returns, as a stream to which the next segment will be joined.
  /// Returns the memory of the next segment, for example stream.segment(1).
  using Feed = Result<std::span<std::byte>> (*)(void *owner, Stream &stream);

  /// As StreamBuffer::init(), with memory that is aligned to 32 bytes. With more than one segment, an Engine can run one segment while
  /// kernels write the next (Engine::attach()). Each segment must then have room for kMostReserved slots.
  Status init(std::span<std::byte> memory, std::span<const isa::Window> windows, unsigned segments = 1);

  /// From now on a full segment is given to `feed`. With nullptr, writing to a full stream fails with no_room again.
  void set_feed(Feed feed, void *owner);
  /// Empties the stream. The device must no longer read any of it.
  void clear();

  /// Returns the number of slots that the feed (set_feed()) received since init() or clear().
  [[nodiscard]] std::uint32_t fed_slots() const { return handed_over(); }
  /// Returns the number of slots that were written since init() or clear(), including fed_slots().
  [[nodiscard]] std::uint32_t slots() const { return fed_slots() + static_cast<std::uint32_t>(code().size() / isa::cube::kSlotBytes); }

  // For kernels.

  /// Returns the memory of `count` contiguous slots (1 to kMostReserved) for the caller to write. Returns nullptr on failure, and status()
  /// holds the error: no_room ("stream") if there is no feed; not_ready before init(); or the feed's error, after which the stream takes
  /// nothing more until clear().
  [[nodiscard]] isa::cube::MachineCode *reserve(unsigned count) {
    // The division costs no instruction: it is a shift, which the compare instruction of the core includes.
    if (room() / isa::cube::kSlotBytes < count) [[unlikely]]
      return refill_slots(count);
    return reinterpret_cast<isa::cube::MachineCode *>(take(count * isa::cube::kSlotBytes));
  }
  static constexpr unsigned kMostReserved = 64;
  /// Writes one slot unchanged. If it returns false, status() holds the error.
  [[nodiscard]] bool write(const isa::cube::MachineCode &code) {
    isa::cube::MachineCode *const slot = reserve(1);
    if (slot == nullptr) return false;
    *slot = code;
    return true;
  }
  /// Returns the memory of `count` pieces of `slots` slots each; `count` is at least 1. If the segment has less room, the function reserves
  /// fewer pieces, at least one, and sets `count` to their number.
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

  /// Writes one slot if it passes the checks of isa/cube/operation.h and its DRAM accesses lie in windows of the stream. A slot that is
  /// refused is not written. append() cannot check flags: only the device returns flag_not_set and flag_overflow. append() is for streams
  /// written by hand. Kernels, whose slots are right by construction, use reserve(). append() also returns missing_configuration if the
  /// configuration was written through reserve() in an earlier segment.
  Status append(const isa::cube::MachineCode &code);

  /// Does the same as StreamBuffer::roll_back().
  void roll_back(const Mark &mark);

 private:
  static Result<std::span<std::byte>> call_feed(void *owner, StreamBuffer &buffer);
  isa::cube::MachineCode *refill_slots(unsigned count);
  /// Applies the slots up to next() to `configuration_`.
  void follow_configuration();

  isa::cube::Configuration first_configuration_;  ///< configuration at the start of the segment
  isa::cube::Configuration configuration_;        ///< configuration that the slots before followed_ have set
  const std::byte *followed_ = nullptr;
  Feed feed_ = nullptr;
};

}  // namespace cox::kernels::cube
