// SPDX-License-Identifier: MIT
#include "sim/model/cube/dispatcher.h"

#include <algorithm>
#include <bit>

#include "sim/model/cube/duration.h"
#include "sim/model/cube/fault.h"

namespace cox::model::cube {

void Dispatcher::forget() {
  configuration_ = {};
  flags_ = {};
}

void Dispatcher::begin(const Stream &stream) {
  address_ = stream.descriptor.address;
  bytes_ = stream.descriptor.bytes;
  offset_ = 0;
  stream_ = stream.index;
}

Fault Dispatcher::next(std::span<const isa::Window> windows, Slot &slot, Cycle now) {
  slot.stream = stream_;
  slot.offset = offset_;
  if (Fault fault = fetch(slot, now)) return fault;
  if (Fault fault = admit(windows, slot)) return fault;
  slot.sequence = sequence_++;
  offset_ += isa::cube::kSlotBytes;
  return {};
}

Fault Dispatcher::fetch(Slot &slot, Cycle now) const {
  const std::uint32_t length = std::min<std::uint32_t>(isa::cube::kSlotBytes, bytes_ - offset_);
  // The slot is copied, because a mapping of the stream would be valid only during this call.
  if (const Fault fault = port_.read(address_ + offset_, slot.code.data(), length, offset_, now)) return fault;
  if (const Fault fault = port_.check_ecc(address_ + offset_, length)) return fault;
  if (length != isa::cube::kSlotBytes) return stream_fault(FaultCode::stream_truncated, offset_);
  slot.instruction = isa::cube::find_instruction(slot.code[0]);
  return {};
}

Fault Dispatcher::admit(std::span<const isa::Window> windows, Slot &slot) {
  const auto fault = [&](const Status &status) { return fault_of(status, slot.instruction, offset_); };
  if (const Status status = isa::cube::check(slot.code); !status) return fault(status);
  slot.pipe = isa::cube::pipe_of(slot.code);
  slot.flags = isa::cube::flags_of(slot.code);
  const Result<isa::cube::Operation> resolved = isa::cube::resolve(slot.code, configuration_);
  if (!resolved) return fault(resolved.status());
  slot.operation = resolved.value();
  const isa::cube::Footprint footprint = isa::cube::footprint(slot.operation);
  if (const Status status = isa::cube::check_windows(footprint, windows); !status) return fault(status);
  if (Fault refused = check_flags(slot)) return refused;

  flags_.take(slot.pipe, slot.flags.wait);
  flags_.give(slot.pipe, slot.flags.set);
  configuration_.apply(slot.operation);
  slot.banks = banks_of(footprint);
  const Cost cost = cost_of(slot.operation, geometry_);
  slot.work = cost.work;
  slot.dram_bytes = cost.dram_bytes;
  return {};
}

Fault Dispatcher::check_flags(const Slot &slot) const {
  // A slot has two masks of flags: those that it waits for and those that it sets. If the refused flag's bit is 1 in a mask, the fault
  // names this mask as its field. A SET_FLAG or WAIT_FLAG names its flag outside of the masks. A fault about this flag names no field.
  const auto refused = [&](FaultCode code, std::uint32_t flags, unsigned field_bit) {
    const std::uint32_t in_field = isa::extract_bits(slot.code, field_bit, isa::cube::kMaskWidth);
    return stream_fault(code, offset_, (flags & in_field) != 0 ? field_bit : isa::cube::kNoField);
  };
  if (const std::uint32_t missing = flags_.missing(slot.pipe, slot.flags.wait); missing != 0) {
    return refused(FaultCode::flag_not_set, missing, isa::cube::kWaitBit);
  }
  if (const std::uint32_t full = flags_.full(slot.pipe, slot.flags.set); full != 0) {
    return refused(FaultCode::flag_overflow, full, isa::cube::kSetBit);
  }
  return {};
}

}  // namespace cox::model::cube
