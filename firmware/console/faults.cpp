// SPDX-License-Identifier: MIT
// Console output about faults, and about the previous boot.
#include "coxswain/device/dma_descriptor.h"
#include "coxswain/firmware/boot/boot_record.h"
#include "coxswain/firmware/console/console.h"
#include "coxswain/firmware/console/core_queue.h"
#include "coxswain/firmware/console/text.h"
#include "coxswain/hal/fault_log.h"

namespace cox::firmware::console {

namespace {

using registers::kFirstEngineQueueNumber;

Text &add_queue(Text &text, std::uint32_t queue) {
  if (queue == hal::FaultRecord::kNone) return text << "no queue";
  if (queue < kFirstEngineQueueNumber) return add_core_queue(text, queue);
  const std::uint32_t channel = queue - registers::dma::kFirstQueueNumber;
  if (channel < registers::dma::channel::kCount) return text << "DMA channel " << channel;
  const registers::EngineRow *engine = registers::engine_with_ring(queue - kFirstEngineQueueNumber);
  if (engine == nullptr) return text << "unknown queue " << queue;
  return text << engine->name;
}

}  // namespace

void print_last_boot() {
  const boot_record::Entry &last = boot_record::last_boot();
  if (last.phase == boot_record::Phase::none) return;
  const auto phase = static_cast<unsigned>(last.phase);
  Text text;
  text << "last boot: " << (phase < boot_record::kPhases ? boot_record::kPhaseNames[phase] : "unknown") << ", since " << last.microseconds
       << " us";
  if (last.job != boot_record::kNobody) text << ", job " << last.job;
  if (last.context != boot_record::kNobody) text << ", context " << last.context;
  if (last.queue != boot_record::kNobody) {
    text << "; ";
    add_queue(text, last.queue) << " had " << last.dispatched << " instructions in flight from " << last.index;
  }
  print(text);
}

void Console::print_faults() {
  const std::uint32_t there = hal::fault_log::size();
  if (there == 0) print(Text() << "no fault since power-on");
  if (hal::fault_log::count() != there) print(Text() << hal::fault_log::count() << " faults, the last " << there << ":");
  for (std::uint32_t i = 0; i < there; ++i) {
    const hal::FaultRecord fault = hal::fault_log::at(i);
    const auto code = static_cast<unsigned>(fault.fault);
    const auto action = static_cast<unsigned>(fault.action);
    Text text;
    text << "cycle " << fault.cycle << ": ";
    add_queue(text, fault.queue);
    if (fault.context != hal::FaultRecord::kNone) text << ", context " << unsigned{fault.context};
    if (fault.owner != hal::FaultRecord::kNone) text << ", owner " << unsigned{fault.owner};
    if (fault.instruction >= 0) text << ", instruction " << fault.instruction;
    text << ": " << (code < registers::kFaultCodes ? registers::kFaultCodeNames[code] : "unknown_fault") << " " << Hexadecimal{fault.detail}
         << ", " << error_name(fault.error) << "; " << (action < hal::kFaultActions ? hal::kFaultActionNames[action] : "unknown");
    print(text);
  }
  print_last_boot();
}

}  // namespace cox::firmware::console
