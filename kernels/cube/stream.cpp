// SPDX-License-Identifier: MIT
#include "kernels/cube/stream.h"

#include <algorithm>
#include <bit>

#include "device/engine_descriptor.h"

namespace cox::kernels::cube {

using isa::cube::kSlotBytes;
using isa::cube::MachineCode;
using isa::cube::Opcode;
using isa::cube::Operation;

Status Stream::init(std::span<std::byte> memory, std::span<const isa::Window> windows, unsigned segments) {
  const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(memory.data()));
  if (address % static_cast<std::int64_t>(kSlotBytes) != 0)
    return Status(ErrorCode::invalid_argument, "stream address", -1, address, kSlotBytes);
  if (!std::has_single_bit(segments) || segments > kMostSegments)
    return Status(ErrorCode::invalid_argument, "segments", -1, segments, kMostSegments);
  const std::size_t least = segments == 1 ? 1 : std::size_t{segments} * kMostReserved;
  if (memory.size() / kSlotBytes < least)
    return Status(ErrorCode::invalid_argument, "stream size", -1, static_cast<std::int64_t>(memory.size()),
                  static_cast<std::int64_t>(least * kSlotBytes));
  if (windows.size() > kWindows)
    return Status(ErrorCode::invalid_argument, "windows", -1, static_cast<std::int64_t>(windows.size()), kWindows);

  memory_ = memory;
  segments_ = segments;
  segment_slots_ = std::min<std::size_t>(memory.size() / kSlotBytes / segments, registers::kMostStreamBytes / kSlotBytes);
  window_count_ = static_cast<unsigned>(windows.size());
  std::copy(windows.begin(), windows.end(), windows_.begin());
  clear();
  return {};
}

void Stream::clear() {
  fed_slots_ = 0;
  failed_ = false;
  status_ = {};
  configuration_ = {};
  begin_segment(memory_.empty() ? memory_ : segment(0));
}

void Stream::begin_segment(std::span<std::byte> memory) {
  begin_ = next_ = reinterpret_cast<MachineCode *>(memory.data());
  end_ = begin_ + memory.size() / kSlotBytes;
  followed_ = begin_;
  first_configuration_ = configuration_;
}

[[gnu::noinline]] MachineCode *Stream::refill(unsigned count) {
  if (failed_) return nullptr;
  if (begin_ == nullptr) {
    status_ = Status(ErrorCode::not_ready, "stream");
    return nullptr;
  }
  if (feed_ == nullptr || count > segment_slots_) {
    const auto room = static_cast<std::int64_t>(segment_slots_);
    status_ = Status(ErrorCode::no_room, "stream", -1, feed_ == nullptr ? next_ - begin_ + count : count, room);
    return nullptr;
  }
  const auto slots = static_cast<std::uint32_t>(next_ - begin_);
  // Whoever writes through reserve() knows its own configuration: only append() must follow it, and has done so up to here.
  if (followed_ != next_) configuration_ = {};
  const Result<std::span<std::byte>> next = feed_(owner_, *this);
  if (!next) {
    status_ = next.status();
    failed_ = true;
    end_ = next_ = begin_;
    return nullptr;
  }
  fed_slots_ += slots;
  begin_segment(next.value());
  next_ += count;
  return begin_;
}

void Stream::follow_configuration() {
  for (; followed_ != next_; ++followed_) {
    const auto opcode = static_cast<Opcode>((*followed_)[0] & 0xFF);
    if (opcode != Opcode::IM2COL_CFG && opcode != Opcode::OUT_CFG) continue;
    if (const Result<Operation> operation = isa::cube::resolve(*followed_, configuration_)) configuration_.apply(operation.value());
  }
}

Status Stream::append(const MachineCode &code) {
  if (const Status status = isa::cube::check(code); !status) return status;
  follow_configuration();
  const Result<Operation> operation = isa::cube::resolve(code, configuration_);
  if (!operation) return operation.status();
  if (const Status status = isa::cube::check_windows(isa::cube::footprint(operation.value()), windows()); !status) return status;
  if (!write(code)) return status_;
  follow_configuration();
  return {};
}

void Stream::roll_back(const Mark &mark) {
  // After a feed all that is in here came after the mark.
  next_ = mark.fed == fed_slots_ && !failed_ ? mark.next : begin_;
  if (followed_ <= next_) return;
  followed_ = begin_;
  configuration_ = first_configuration_;
}

}  // namespace cox::kernels::cube
