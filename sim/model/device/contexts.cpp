// SPDX-License-Identifier: MIT
// Contexts that come into use, and whose data they may find (docs/model.md, Owners).
#include <algorithm>

#include "sim/model/device/device.h"

namespace cox::model {

namespace control = registers::context::control;

const char *Device::write_context_control(unsigned index, std::uint32_t value) {
  Context &context = contexts_[index];
  const bool valid = control::kValid.get(value) != 0;
  const bool takes = valid && !context.valid;
  // Their effects would come after the clearing, or by windows that are meant for another owner.
  if (context.in_flight != 0 && (control::kReset.get(value) != 0 || takes)) return "instructions of the context are in flight";
  if (control::kReset.get(value) != 0) {
    context.quarantined = false;
    context.banks = {};
    context.mx_bases = {};
    cube_.on_context_reset(index);
    for (Observer *observer : observers_) observer->on_context_reset(index, now_);
  }
  if (takes) take_buffers(index);
  context.valid = valid;
  if (control::kAbort.get(value) != 0) context.quarantine(now_);
  return nullptr;
}

void Device::take_buffers(unsigned index) {
  Context &context = contexts_[index];
  const Holding wanted = context.wanted();
  if (context.holding && context.holding->owner != wanted.owner) {
    // What the owner before has left in the context itself, of which nothing is in flight.
    context.banks = {};
    context.mx_bases = {};
  }
  for (Context &other : contexts_) {
    if (other.holding && other.holding->owner != wanted.owner && other.holding->overlaps(wanted)) other.dispossess();
  }
  context.holding = wanted;
  context.clear_at = 0;
  const unsigned end = std::min(wanted.last_core + 1, geometry_.tile_cores);
  for (unsigned core = wanted.first_core; core < end; ++core) {
    const auto clear = [&](Scrubber::Buffer buffer, std::uint64_t first, std::uint64_t bytes) {
      const bool l2 = buffer == Scrubber::Buffer::l2;
      std::vector<std::byte> &memory = l2 ? cores_[core].l2 : cores_[core].wl0;
      std::fill_n(memory.begin() + static_cast<std::ptrdiff_t>(first), bytes, std::byte{0});
      faults_.memory().clear({l2 ? faults::Place::Memory::l2 : faults::Place::Memory::wl0, core}, first, bytes);
    };
    const Cycle clear_at =
        cores_[core].scrubber.take(wanted.owner, wanted.blocks, wanted.units, now_, geometry_.scrub_bytes_per_cycle, clear);
    context.clear_at = std::max(context.clear_at, clear_at);
  }
  all_clear_at_ = std::max(all_clear_at_, context.clear_at);
}

bool Device::hold(SubmissionQueue &queue) {
  queue.held_for = kNoContext;
  if (now_ >= all_clear_at_) return false;
  isa::tile::MachineCode code;
  if (!host_.read(queue.slot_address(queue.head), code.data(), kSlotBytes)) return false;
  const unsigned context = isa::tile::context_of(code);
  if (context >= geometry_.contexts || contexts_[context].start_at() <= now_) return false;
  queue.held_for = context;
  return true;
}

}  // namespace cox::model
