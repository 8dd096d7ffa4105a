// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/stream.h"

#include <cstring>

namespace cox::kernels::cube {

using isa::cube::kSlotBytes;
using isa::cube::MachineCode;
using isa::cube::Opcode;
using isa::cube::Operation;

Status Stream::init(std::span<std::byte> memory, std::span<const isa::Window> windows, unsigned segments) {
  const std::size_t least = segments == 1 ? kSlotBytes : kMostReserved * kSlotBytes;
  if (const Status status = StreamBuffer::init(memory, windows, {.unit = kSlotBytes, .least = least, .segments = segments}); !status)
    return status;
  clear();
  return {};
}

void Stream::set_feed(Feed feed, void *owner) {
  feed_ = feed;
  set_hand_over(feed == nullptr ? nullptr : call_feed, owner);
}

Result<std::span<std::byte>> Stream::call_feed(void *owner, StreamBuffer &buffer) {
  auto &stream = static_cast<Stream &>(buffer);
  return stream.feed_(owner, stream);
}

void Stream::clear() {
  first_configuration_ = configuration_ = {};
  followed_ = first();
  StreamBuffer::clear();
}

[[gnu::noinline]] MachineCode *Stream::refill_slots(unsigned count) {
  // `configuration_` is the result of the slots before `followed_`. refill() begins a new segment. If the old one has slots that were not
  // evaluated yet, the configuration becomes unknown.
  const bool is_followed = followed_ == next();
  const bool had_failed = has_failed();
  std::byte *const first = refill(count * kSlotBytes);
  if (first == nullptr) [[unlikely]] {
    if (had_failed || !has_failed()) return nullptr;
    drop();
  }
  if (!is_followed) configuration_ = {};
  first_configuration_ = configuration_;
  followed_ = begin();
  return reinterpret_cast<MachineCode *>(first);
}

void Stream::follow_configuration() {
  for (; followed_ != next(); followed_ += kSlotBytes) {
    MachineCode code;
    std::memcpy(code.data(), followed_, kSlotBytes);
    const auto opcode = static_cast<Opcode>(code[0] & 0xFF);
    if (opcode != Opcode::IM2COL_CFG && opcode != Opcode::OUT_CFG) continue;
    if (const Result<Operation> operation = isa::cube::resolve(code, configuration_)) configuration_.apply(operation.value());
  }
}

Status Stream::append(const MachineCode &code) {
  if (const Status status = isa::cube::check(code); !status) return status;
  follow_configuration();
  const Result<Operation> operation = isa::cube::resolve(code, configuration_);
  if (!operation) return operation.status();
  if (const Status status = isa::cube::check_windows(isa::cube::footprint(operation.value()), windows()); !status) return status;
  if (!write(code)) return status();
  follow_configuration();
  return {};
}

void Stream::roll_back(const Mark &mark) {
  StreamBuffer::roll_back(mark);
  if (followed_ <= next()) return;
  followed_ = begin();
  configuration_ = first_configuration_;
}

}  // namespace cox::kernels::cube
