// SPDX-License-Identifier: MIT
// The start of a program, and its copies: loads before the first instruction, stores after the last.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "sim/model/pim/machine/schedule.h"

namespace cox::model::pim {

using isa::pim::Copy;
using isa::pim::CopyKind;
using isa::pim::Place;
using isa::pim::Position;
using isa::pim::Reach;

namespace {

/// The error of a copy.
Status of_copy(const Copy &copy, std::uint32_t number, const Status &status) {
  const char *name = copy.kind == CopyKind::load ? "load" : "store";
  return Status(status.code(), name, static_cast<std::int32_t>(number), status.value(), status.limit());
}

}  // namespace

/// Checks a copy as far as the program does not tell. Errors have the copy's number.
Status Schedule::check_copy(std::uint32_t number, Dram &dram) const {
  const Copy copy = program_->copy(number);
  Status status = isa::pim::check(copy, configuration_);
  if (status.ok() && copy.bytes != 0) {
    const Place place = isa::pim::place(configuration_, Reach::dram, copy.dram, copy.bytes);
    status = dram.check(copy.kind != CopyKind::load, place.window(), place.offset, copy.bytes);
  }
  return status.ok() ? status : of_copy(copy, number, status);
}

/// Checks all that could keep the program from starting, so that a program that cannot start changes nothing.
Status Schedule::check(Dram &dram, Position &position) const {
  if (program_->cores() > cores()) return Status(ErrorCode::field_out_of_range, "cores", -1, program_->cores(), cores());
  for (std::uint32_t i = 0; i < program_->header().copies; ++i) {
    position = {program_->copy(i).core, 0};
    if (const Status status = check_copy(i, dram); !status.ok()) return status;
  }
  return {};
}

void Schedule::refuse(const Status &status, Position position) {
  stage_ = Stage::idle;
  outcome_ = {status, position, origin_, 0};
}

/// Makes a copy whose transfer begins when the bus is free. Sets `end` to its end.
Status Schedule::make_copy(const Copy &copy, Cycle now, Cycle &end) {
  const std::uint64_t bytes = copy.bytes;
  if (bytes == 0) return {};
  Core &core = *cores_[copy.core];
  const Place dram = isa::pim::place(configuration_, Reach::dram, copy.dram, bytes);
  end = std::max(end, execution_.bus().book(now + timing_.dram_latency, bytes, timing_.dram_bytes_per_cycle));
  core.counters.energy.dram += bytes * energy_.dram_byte;
  if (copy.kind == CopyKind::store_registers) {
    std::array<std::byte, isa::pim::kStoredRegistersBytes> data{};
    std::size_t at = 0;
    const auto put = [&](std::uint32_t value) {
      for (unsigned i = 0; i < 4; ++i) data[at++] = static_cast<std::byte>(value >> 8 * i);
    };
    for (const std::uint32_t value : core.registers.general) put(value);
    for (unsigned i = 0; i < isa::pim::kRegisters; ++i) put(core.registers.read(configuration_, static_cast<isa::pim::Special>(i)));
    put(core.counter);
    return execution_.dram().write(dram.window(), dram.offset, data);
  }
  const Place local = isa::pim::place(configuration_, Reach::all, copy.local, bytes);
  const bool is_load = copy.kind == CopyKind::load;
  if (!local.is_dram()) core.charge_access(local.space, is_load, bytes);
  return is_load ? execution_.copy(core, dram, local, bytes) : execution_.copy(core, local, dram, bytes);
}

void Schedule::start(const isa::pim::Program &program, Dram &dram, Cycle now) {
  stop();
  origin_ = now;
  execution_.reporter().set_origin(now);
  program_ = std::make_unique<isa::pim::Program>(program);
  Position position;
  if (const Status status = check(dram, position); !status.ok()) return refuse(status, position);
  running_ = std::span(cores_).first(program.cores());
  execution_.begin(running_, dram);
  now_ = last_landing_ = settled_ = halted_since_ = 0;
  concluded_ = kNever;
  const std::uint64_t own_limit = std::uint64_t{program.header().time_limit_hi} << 32 | program.header().time_limit_lo;
  limit_ = own_limit == 0 ? timing_.time_limit : std::min<Cycle>(own_limit, timing_.time_limit);

  std::map<std::pair<std::uint32_t, std::uint32_t>, std::shared_ptr<Code>> codes;
  for (const std::unique_ptr<Core> &core : running_) {
    const isa::pim::CodeEntry entry = program_->entry(core->number);
    std::shared_ptr<Code> &code = codes[{entry.offset, entry.instructions}];
    if (!code) code = std::make_shared<Code>(configuration_, *program_, core->number);
    core->begin(code, 0);
  }
  for (std::uint32_t i = 0; i < program.header().settings; ++i) {
    const isa::pim::Setting setting = program.setting(i);
    isa::pim::Registers &registers = cores_[setting.core]->registers;
    if (setting.place < isa::pim::kRegisters) {
      registers.general[setting.place] = setting.value;
    } else {
      registers.write(configuration_, static_cast<isa::pim::Special>(setting.place - isa::pim::kRegisters), setting.value);
    }
  }
  Cycle loaded = 0;
  for (std::uint32_t i = 0; i < program.header().copies; ++i) {
    const Copy copy = program.copy(i);
    if (copy.kind != CopyKind::load) continue;
    if (const Status status = make_copy(copy, 0, loaded); !status.ok()) {
      stop();
      return refuse(of_copy(copy, i, status), {copy.core, 0});
    }
  }
  for (const std::unique_ptr<Core> &core : running_) {
    core->next = core->ready = loaded + timing_.decode_cycles;
    if (core->code->size() == 0) core->next = core->ready = loaded;
    core->end_reached();
  }
  passing_ = stepping_ = 0;
  stage_ = Stage::running;
  conclude();
}

void Schedule::store() {
  execution_.reporter().ends_until(kNever - 1);
  Cycle end = settled_;
  for (std::uint32_t i = 0; i < program_->header().copies; ++i) {
    const Copy copy = program_->copy(i);
    if (copy.kind == CopyKind::load) continue;
    Status status = check_copy(i, execution_.dram());
    if (status.ok()) status = make_copy(copy, settled_, end);
    if (!status.ok() && outcome_.status.ok()) {
      outcome_.status = of_copy(copy, i, status);
      outcome_.position = {copy.core, 0};
    }
  }
  if (outcome_.status.ok()) outcome_.time = end + origin_;
  settled_ = end;
  stage_ = Stage::storing;
}

}  // namespace cox::model::pim
