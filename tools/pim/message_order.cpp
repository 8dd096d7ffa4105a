// SPDX-License-Identifier: MIT
#include "tools/pim/message_order.h"

#include <algorithm>
#include <variant>

namespace cox::tools::pim {

using isa::pim::Access;
using model::pim::CoreEvent;

void MessageOrder::on_start(const CoreEvent &event) {
  if (event.operation == nullptr) return;
  const unsigned number = event.position.core;
  Core &core = cores_[number];
  const std::uint32_t position = core.issued++;
  core.clock.ended[number] = position;
  bool touches_dram = false;
  isa::pim::for_each_access(*event.operation, configuration_, *event.memory, [&](const Access &each) {
    if (each.place.is_dram() && !touches_dram) touchers_.push_back(event.position);
    touches_dram = touches_dram || each.place.is_dram();
    access(number, event, each, position);
  });
  if (const auto *message = std::get_if<isa::pim::Message>(event.operation)) open_message(number, event, *message);
  if (const auto *barrier = std::get_if<isa::pim::Barrier>(event.operation)) arrive(number, *barrier);
  if (const auto *wait = std::get_if<isa::pim::Wait>(event.operation)) {
    core.wait = *wait;
    core.waiting = &core.wait;
  }
}

void MessageOrder::on_end(const CoreEvent &event) {
  Core &core = cores_[event.position.core];
  if (core.waiting == nullptr || !event.fault) return;
  // Other instructions of the core may end while it waits. The wait is the last one that it has issued, and the only message instruction.
  if (isa::pim::Set::find(event.code) == nullptr || isa::pim::Set::find(event.code)->opcode != isa::pim::Opcode::wait) return;
  const auto is_meant = [&core](const Open &open) { return open.other == core.wait.core && open.id == core.wait.id; };
  for (const Open &open : core.open) {
    if (is_meant(open)) core.clock.join(open.learnt);
  }
  std::erase_if(core.open, is_meant);
  core.waiting = nullptr;
}

void MessageOrder::on_message(const model::pim::CoreMessageEvent &event) {
  Open *const sent = find_open(cores_[event.sender], true, event.receiver, event.id);
  Open *const received = find_open(cores_[event.receiver], false, event.sender, event.id);
  if (sent == nullptr || received == nullptr) return;
  sent->learnt = received->before;
  received->learnt = sent->before;
  sent->landed = received->landed = true;
  for (const unsigned number : {event.sender, event.receiver}) {
    Core &core = cores_[number];
    const auto is_over = [](const Open &open) { return open.landed && open.synchronous; };
    for (const Open &open : core.open) {
      if (is_over(open)) core.clock.join(open.learnt);
    }
    std::erase_if(core.open, is_over);
  }
}

void MessageOrder::access(unsigned core, const CoreEvent &event, const Access &access, std::uint32_t position) {
  if (access.place.is_local()) return check_open(cores_[core], event, access);
  if (!access.place.is_dram()) return;
  const Shadow::Toucher toucher{static_cast<std::int32_t>(touchers_.size() - 1), core, position};
  const auto first = static_cast<std::int64_t>(access.place.offset), bytes = static_cast<std::int64_t>(access.bytes);
  dram_[access.place.window()].touch(toucher, cores_[core].clock, access.write, first, bytes, [&](const Shadow::Conflict &conflict) {
    report({.kind = Hazard::Kind::dram,
            .earlier = touchers_[static_cast<std::size_t>(conflict.earlier.instruction)],
            .later = event.position,
            .earlier_writes = conflict.earlier_wrote,
            .later_writes = access.write,
            .space = access.place.space,
            .first = static_cast<std::uint64_t>(conflict.first),
            .bytes = static_cast<std::uint64_t>(conflict.bytes)});
  });
}

void MessageOrder::check_open(const Core &core, const CoreEvent &event, const Access &access) {
  for (const Open &open : core.open) {
    if (open.place.space != access.place.space || (open.send && !access.write)) continue;
    const std::uint64_t first = std::max(open.place.offset, access.place.offset);
    const std::uint64_t end = std::min(open.place.offset + open.bytes, access.place.offset + access.bytes);
    if (first >= end) continue;
    report({.kind = open.send ? Hazard::Kind::source : Hazard::Kind::destination,
            .earlier = open.position,
            .later = event.position,
            .earlier_writes = !open.send,
            .later_writes = access.write,
            .space = access.place.space,
            .first = first,
            .bytes = end - first});
  }
}

void MessageOrder::open_message(unsigned number, const CoreEvent &event, const isa::pim::Message &message) {
  Core &core = cores_[number];
  Open open;
  open.send = message.send;
  open.synchronous = message.synchronous;
  open.other = message.core;
  open.id = message.id;
  open.position = event.position;
  const std::uint32_t address = message.send ? message.source : message.destination;
  open.place = isa::pim::place(configuration_, isa::pim::Reach::local, address, message.bytes);
  open.bytes = message.bytes;
  open.before = core.clock;
  open.before.ended[number] = core.issued;  // this instruction, too
  core.open.push_back(open);
}

void MessageOrder::arrive(unsigned core, const isa::pim::Barrier &barrier) {
  std::vector<unsigned> &arrived = barriers_[barrier.id];
  arrived.push_back(core);
  if (arrived.size() < barrier.cores) return;
  Clock all;
  for (const unsigned each : arrived) {
    cores_[each].clock.ended[each] = cores_[each].issued;
    all.join(cores_[each].clock);
  }
  for (const unsigned each : arrived) cores_[each].clock = all;
  arrived.clear();
}

void MessageOrder::report(const Hazard &hazard) {
  if (reported_.emplace(hazard.earlier.pack(), hazard.later.pack()).second) hazards_.push_back(hazard);
}

MessageOrder::Open *MessageOrder::find_open(Core &core, bool send, std::uint32_t other, std::uint32_t id) {
  const auto found = std::ranges::find_if(
      core.open, [&](const Open &open) { return !open.landed && open.send == send && open.other == other && open.id == id; });
  return found == core.open.end() ? nullptr : &*found;
}

}  // namespace cox::tools::pim
