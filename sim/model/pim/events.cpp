// SPDX-License-Identifier: MIT
#include "sim/model/pim/events.h"

#include "coxswain/isa/pim/table.h"
#include "sim/model/pim/fault.h"

namespace cox::model::pim {

void Events::begin(const InstructionEvent &frame, const isa::pim::Program &program, const isa::pim::Configuration &configuration) {
  frame_ = frame;
  program_ = &program;
  configuration_ = &configuration;
}

void Events::start_copies(Cycle now) {
  if (!observers_.want_touches()) return;
  touches_.clear();
  for (std::uint32_t i = 0; i < program_->header().copies; ++i) {
    const isa::pim::Copy copy = program_->copy(i);
    const isa::pim::Place place = isa::pim::place(*configuration_, isa::pim::Reach::dram, copy.dram, copy.bytes);
    add_touch(copy.kind != isa::pim::CopyKind::load, place, copy.bytes);
  }
  if (touches_.empty()) return;
  InstructionEvent event = frame_;
  event.name = "copies";
  event.start = now;
  event.touches = touches_;
  observers_.start(event);
}

void Events::on_start(const CoreEvent &event) {
  InstructionEvent converted = convert(event);
  converted.end = 0;
  if (observers_.want_touches()) {
    add_touches(event);
    converted.touches = touches_;
  }
  observers_.start(converted);
}

void Events::on_end(const CoreEvent &event) { observers_.end(convert(event)); }

void Events::on_message(const CoreMessageEvent &event) {
  observers_.message({.engine = frame_.engine,
                      .context = frame_.context,
                      .index = frame_.index,
                      .sender = event.sender,
                      .receiver = event.receiver,
                      .id = event.id,
                      .bytes = event.bytes,
                      .send = event.send.pack(),
                      .receive = event.receive.pack(),
                      .sent = event.sent,
                      .received = event.received,
                      .landed = event.landed});
}

void Events::on_barrier(const CoreBarrierEvent &event) {
  observers_.barrier({.engine = frame_.engine,
                      .context = frame_.context,
                      .index = frame_.index,
                      .id = event.id,
                      .cores = event.cores,
                      .complete = event.complete,
                      .released = event.released});
}

InstructionEvent Events::convert(const CoreEvent &event) {
  InstructionEvent converted = frame_;
  converted.core = event.position.core;
  converted.lane = static_cast<unsigned>(event.unit);
  converted.position = event.position.pack();
  if (const isa::pim::Instruction *row = isa::pim::Set::find(event.code); row != nullptr) {
    converted.name = row->name;
    converted.opcode = static_cast<unsigned>(row->opcode);
  }
  code_ = {event.batched ? event.batch : event.code, event.code};
  converted.code = std::as_bytes(std::span(code_)).first((event.batched ? 2 : 1) * isa::pim::kInstructionBytes);
  if (!event.fault) converted.fault = fault_of(event.fault, event.position, program_);
  converted.start = event.start;
  converted.end = event.end;
  converted.stalled = event.start - event.ready;
  if (event.unit == Unit::compute || event.unit == Unit::simd) converted.compute = event.end - event.start;
  converted.bytes = event.bytes;
  return converted;
}

void Events::add_touches(const CoreEvent &event) {
  touches_.clear();
  if (event.operation == nullptr) return;
  isa::pim::for_each_access(*event.operation, *configuration_, *event.memory,
                            [this](const isa::pim::Access &access) { add_touch(access.write, access.place, access.bytes); });
}

void Events::add_touch(bool write, isa::pim::Place place, std::uint64_t bytes) {
  if (!place.is_dram() || bytes == 0) return;
  touches_.push_back({.write = write, .first = dram_.address(place.window(), place.offset), .run = bytes});
}

}  // namespace cox::model::pim
