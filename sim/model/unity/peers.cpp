// SPDX-License-Identifier: MIT
#include "sim/model/unity/peers.h"

#include <cstring>

#include "coxswain/isa/unity/engine_domain.h"
#include "coxswain/isa/unity/engine_slots.h"
#include "sim/model/engine.h"

namespace cox::model::unity {

using isa::unity::Domain;
using isa::unity::EngineSubmission;

namespace {

static_assert(sizeof(isa::unity::StreamSlot) == sizeof(registers::EngineDescriptor));

}  // namespace

model::Engine *PeerGate::engine_of(Domain domain) const { return peers_.find(isa::unity::engine_of(domain)); }

Status PeerGate::check(const EngineSubmission &submission, std::span<const std::byte> slots) {
  if (engine_of(submission.domain) == nullptr) return {ErrorCode::unsupported, "domain", -1, static_cast<std::int64_t>(submission.domain)};
  return isa::unity::check_slots(submission, slots);
}

void PeerGate::submit(std::uint32_t ticket, const EngineSubmission &submission, std::span<const std::byte> slots, std::uint64_t origin,
                      Cycle now) {
  model::Engine *const engine = engine_of(submission.domain);
  in_flight_[ticket] = {.left = submission.slots, .fault = {}};
  for (std::uint32_t number = 0; number < submission.slots; ++number) {
    PeerSubmission peer{.context = context_, .queue = submission.queue, .client = this, .ticket = ticket, .at = now};
    std::memcpy(peer.slot.data(), &slots[std::size_t{number} * kSlotBytes], kSlotBytes);
    if (isa::unity::has_streams(submission.domain)) {
      const isa::unity::StreamSlot stream = isa::unity::stream_slot(slots, number);
      const registers::EngineDescriptor descriptor{
          stream.address + origin, stream.bytes, registers::EngineDescriptor::control_of(context_, false), {}};
      std::memcpy(peer.slot.data(), &descriptor, sizeof descriptor);
    } else {
      constexpr std::size_t kContextByte = 1;
      peer.slot[kContextByte] = static_cast<std::byte>(context_);
    }
    // A core that the context does not have refuses the slot as if it had started there.
    if (!engine->accept(peer)) on_peer_end(ticket, {FaultCode::core, 0}, now);
  }
}

void PeerGate::withdraw(Cycle now) {
  for (auto &[ticket, slots] : in_flight_) slots.withdrawn = true;
  if (in_flight_.empty()) return;
  for (const Domain domain : isa::unity::kEngineDomains) {
    if (model::Engine *const engine = engine_of(domain); engine != nullptr) engine->withdraw(*this, now);
  }
}

void PeerGate::on_peer_end(std::uint32_t ticket, const Fault &fault, Cycle now) {
  const auto found = in_flight_.find(ticket);
  if (found == in_flight_.end()) return;
  Slots &slots = found->second;
  if (fault && slots.fault.ok())
    slots.fault = {ErrorCode::device_fault, "slot", -1, static_cast<std::int64_t>(fault.code), std::int64_t{fault.detail}};
  if (--slots.left != 0) return;
  const Slots ended = slots;
  in_flight_.erase(found);
  if (ended.withdrawn) return;
  has_failed_ = has_failed_ || !ended.fault.ok();
  machine_.end_submission(ticket, ended.fault, now);
}

}  // namespace cox::model::unity
