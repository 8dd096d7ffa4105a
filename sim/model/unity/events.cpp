// SPDX-License-Identifier: MIT
#include "sim/model/unity/events.h"

#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/table.h"
#include "sim/model/unity/fault.h"

namespace cox::model::unity {

static_assert(isa::unity::Set::instructions().size() <= submit_opcode(isa::unity::Domain::tile));

void Events::on_start(const UnitEvent &event) {
  InstructionEvent converted = convert(event);
  converted.end = 0;
  if (observers_.want_touches()) {
    add_touches(event);
    converted.touches = touches_;
  }
  observers_.start(converted);
}

void Events::on_end(const UnitEvent &event) { observers_.end(convert(event)); }

void Events::on_keys(const KeyEvent &event) {
  observers_.keys({.engine = frame_.engine,
                   .context = frame_.context,
                   .index = frame_.index,
                   .core = isa::unity::Position::unpack(event.position).unit,
                   .lane = frame_.lane,
                   .position = event.position,
                   .table = event.key.table,
                   .entry = event.key.entry,
                   .given = event.deposit,
                   .count = event.count,
                   .time = event.time});
}

InstructionEvent Events::convert(const UnitEvent &event) {
  InstructionEvent converted = frame_;
  converted.core = isa::unity::Position::unpack(event.position).unit;
  converted.position = event.position;
  if (isa::unity::is_engine(event.domain)) {
    converted.name = "SUBMIT";
    converted.opcode = submit_opcode(event.domain);
  } else if (const isa::unity::Instruction *row = isa::unity::Set::find(event.code); row != nullptr) {
    converted.name = row->name;
    converted.opcode = static_cast<unsigned>(row->opcode);
  }
  code_ = event.code;
  converted.code = std::as_bytes(std::span(code_));
  if (!event.fault) converted.fault = fault_of(event.fault, event.position, &event.code);
  converted.start = event.start;
  converted.end = event.end;
  converted.stalled = event.start - event.ready;
  converted.bytes = event.bytes;
  return converted;
}

void Events::add_touches(const UnitEvent &event) {
  touches_.clear();
  if (event.operation == nullptr) return;
  isa::unity::for_each_access(event.code, *event.surroundings, *event.operation, [this](const isa::unity::Access &access) {
    touches_.push_back({.write = access.write, .first = access.start, .run = access.bytes});
  });
}

}  // namespace cox::model::unity
