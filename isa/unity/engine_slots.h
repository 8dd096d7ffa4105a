// SPDX-License-Identifier: MIT
// The queue slots that a Unity program submits to other engines (docs/isa/unity.md, Other engines).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/isa/unity/storage.h"

namespace cox::isa::unity {

/// A slot of an engine with a ring: it describes a stream. The unit sets its context.
struct StreamSlot {
  std::uint64_t address = 0;  ///< of the stream, a multiple of 8; counts from the container's first byte if the container is relative
  std::uint32_t bytes = 0;    ///< a multiple of 8, at least 8
  std::uint32_t control = 0;  ///< 0
  std::uint32_t reserved[4]{};
};
static_assert(sizeof(StreamSlot) == kSlotBytes);

/// True if the engine's slots describe streams. Those of the tile cores are instructions.
constexpr bool has_streams(Domain domain) { return domain != Domain::tile; }

/// Slot `number` of an engine with streams. `slots` holds it.
[[nodiscard]] inline StreamSlot stream_slot(std::span<const std::byte> slots, std::size_t number) {
  StreamSlot slot;
  std::memcpy(&slot, &slots[number * kSlotBytes], sizeof slot);
  return slot;
}

/// Checks all slots of a submission by themselves. `index` of an error is the number of the slot. Errors:
/// - field_out_of_range: "queue", which is a class of the tile cores, and 0 for other engines; "stream" for an address or a length that no
///   stream has.
/// - reserved_bits: "slot" if the slot has a context, asks for a completion, is joined to another, or has other bits that must be 0.
/// - unknown_instruction: "slot" for a tile instruction of another class.
/// - those of isa::tile::check() for a tile instruction.
[[nodiscard]] Status check_slots(const EngineSubmission &submission, std::span<const std::byte> slots);

}  // namespace cox::isa::unity
