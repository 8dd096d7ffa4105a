// SPDX-License-Identifier: MIT
#include "coxswain/hal/tile/submission_queue.h"

#include "coxswain/hal/ring.h"

namespace cox::hal::tile {

namespace sq = registers::core::sq;

// push() shifts these fields into the first word of an instruction.
static_assert(isa::tile::kContextWidth == 8 && isa::tile::kContextBit + isa::tile::kContextWidth <= 32);
static_assert(isa::tile::kCompletionBit < 32);

Status SubmissionQueue::init(const Geometry &geometry, unsigned core, isa::tile::Class queue, std::span<std::byte> ring,
                             unsigned size_log2) {
  if (core >= geometry.cores || core >= registers::core::kCount)
    return Status(ErrorCode::invalid_argument, "core", -1, core, geometry.cores);
  const auto index = static_cast<unsigned>(queue);
  if (index >= sq::kCount) return Status(ErrorCode::invalid_argument, "queue", -1, index, sq::kCount);
  if (const Status status = check_ring(geometry, ring, kSlotBytes, size_log2); !status.ok()) return status;

  NPU_CORE_SQ_Type &registers = COX_NPU->CORE[core].SQ[index];
  const std::uint32_t tail = mmio::read(registers.TAIL);
  const std::uint32_t head = mmio::read(registers.HEAD);
  if (tail != head) return Status(ErrorCode::not_ready, "SQ.HEAD", -1, head, tail);

  slots_ = reinterpret_cast<isa::tile::MachineCode *>(ring.data());
  tail_ = tail;
  done_ = head - 1;
  limit_ = tail - kFarPast;
  mask_ = (1U << size_log2) - 1;
  registers_ = &registers;

  const std::uint64_t base = bus_address(ring);
  mmio::write(registers.CONTROL, 0);  // base and size are fixed while a queue is enabled
  mmio::write(registers.BASE_LO, static_cast<std::uint32_t>(base));
  mmio::write(registers.BASE_HI, static_cast<std::uint32_t>(base >> 32));
  mmio::write(registers.CONTROL, sq::control::kEnable.put(1) | sq::control::kSizeLog2.put(size_log2));
  return Status();
}

void SubmissionQueue::set_limit(std::uint32_t kept, std::uint32_t most) {
  next_ = slots_ + (tail_ & mask_);
  const std::uint32_t full = head() + mask_ + 1 - kept;
  const std::uint32_t end = (tail_ | mask_) + 1 - most;
  limit_ = static_cast<std::int32_t>(full - end) < 0 ? full : end;
}

}  // namespace cox::hal::tile
