// SPDX-License-Identifier: MIT
#include "sim/model/unity/machine/program_counter.h"

namespace cox::model::unity {

void ProgramCounter::start(const isa::unity::Container &container, unsigned unit) {
  container_ = &container;
  unit_ = unit;
  queue_ = unit < container.units() ? container.queue(unit) : isa::unity::Container::Queue{};
  next_program();
}

isa::unity::Stored ProgramCounter::instruction() const {
  const Frame &frame = frames_.back();
  return container_->instruction(frame.program, frame.number);
}

std::uint32_t ProgramCounter::position() const {
  const Frame &frame = frames_.back();
  return isa::unity::Container::position(frame.program, unit_, frame.number);
}

void ProgramCounter::next_program() {
  frames_.clear();
  if (queue_.first < queue_.end) frames_.push_back({container_->program(queue_.first++), 0});
}

}  // namespace cox::model::unity
