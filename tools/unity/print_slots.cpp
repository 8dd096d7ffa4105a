// SPDX-License-Identifier: MIT
#include "tools/unity/print_slots.h"

#include <span>

#include "coxswain/isa/tile/header.h"
#include "coxswain/isa/tile/table.h"
#include "coxswain/isa/unity/engine_slots.h"
#include "tools/unity/engine_text.h"
#include "tools/unity/slot_block.h"

namespace cox::tools::unity {

using isa::unity::Container;
using isa::unity::Domain;

namespace {

std::span<const std::uint8_t> bytes_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()};
}

PrintedSlots print_tile(std::span<const std::byte> slots) {
  PrintedSlots printed{.text = print_engine(Domain::tile, bytes_of(slots)), .queue = 0, .bytes = slots.size()};
  if (!printed.text.empty()) printed.queue = assemble_engine(Domain::tile, printed.text, "").queue;
  return printed;
}

}  // namespace

PrintedSlots print_slots(const Container &container, Domain domain, unsigned slots, std::uint64_t address) {
  const std::span<const std::byte> all = container.bytes();
  const std::uint64_t size = std::uint64_t{slots} * isa::unity::kSlotBytes;
  if (address > all.size() || size > all.size() - address) return {};
  if (!isa::unity::has_streams(domain)) return print_tile(all.subspan(address, size));
  // The streams must lie where the assembler puts them.
  PrintedSlots printed{.text = {}, .queue = 0, .bytes = size};
  for (unsigned i = 0; i < slots; ++i) {
    const isa::unity::StreamSlot slot = isa::unity::stream_slot(all.subspan(address), i);
    printed.bytes = (printed.bytes + kSlotAlignment - 1) / kSlotAlignment * kSlotAlignment;
    const std::uint64_t place = address + printed.bytes;
    if (slot.address != place || slot.bytes == 0 || place > all.size() || slot.bytes > all.size() - place) return {};
    const std::string stream = print_engine(domain, bytes_of(all.subspan(place, slot.bytes)));
    if (stream.empty()) return {};
    printed.text += (i == 0 ? "" : ".stream\n") + stream;
    printed.bytes += slot.bytes;
  }
  return printed;
}

}  // namespace cox::tools::unity
