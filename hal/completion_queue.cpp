// SPDX-License-Identifier: MIT
#include "coxswain/hal/completion_queue.h"

#include <cstring>

#include "coxswain/device/engines.h"
#include "coxswain/hal/ring.h"

namespace cox::hal {

namespace cq = registers::cq;

namespace {

/// Refuses the number of a completion queue that the device does not have. If the number belongs to an engine, `what` of the status is the
/// engine's name.
Status check_number(const Geometry &geometry, unsigned number) {
  if (number < registers::kFirstEngineCompletionQueue) {
    if (number < geometry.cores) return Status();
    return Status(ErrorCode::invalid_argument, "queue", -1, number, geometry.cores);
  }
  const unsigned ring = number - registers::kFirstEngineCompletionQueue;
  const registers::EngineRow *engine = registers::engine_with_ring(ring);
  if (engine != nullptr && (geometry.engines >> ring & 1) != 0) return Status();
  return Status(ErrorCode::invalid_argument, engine != nullptr ? engine->full_name : "queue", -1, number, registers::cq::kCount);
}

}  // namespace

void CompletionRing::set_coalescing(const Coalescing &coalescing) const {
  mmio::write(registers_->COALESCE, cq::coalesce::kCount.put(coalescing.count) | cq::coalesce::kTime.put(coalescing.cycles));
}

Status CompletionRing::connect(const Geometry &geometry, unsigned number, std::span<std::byte> ring, unsigned size_log2,
                               const Coalescing &coalescing) {
  if (Status status = check_number(geometry, number); !status.ok()) return status;
  if (const Status status = check_ring(geometry, ring, sizeof(Completion), size_log2); !status.ok()) return status;
  if (coalescing.count > cq::coalesce::kCount.maximum())
    return Status(ErrorCode::invalid_argument, "coalescing count", -1, coalescing.count, cq::coalesce::kCount.maximum());
  if (coalescing.cycles > cq::coalesce::kTime.maximum())
    return Status(ErrorCode::invalid_argument, "coalescing cycles", -1, coalescing.cycles, cq::coalesce::kTime.maximum());

  NPU_CQ_Type &registers = COX_NPU->CQ[number];
  const std::uint32_t tail = mmio::read(registers.TAIL);
  const std::uint32_t head = mmio::read(registers.HEAD);
  if (tail != head) return Status(ErrorCode::not_ready, "CQ.HEAD", -1, head, tail);

  auto *const entries = reinterpret_cast<Completion *>(ring.data());
  const std::uint32_t size = 1U << size_log2;
  const std::uint32_t mask = size - 1;
  registers_ = &registers;
  head_ = head;
  entries_ = entries;

  // Each entry gets the opposite of the phase with which the device will write it next, so that no entry looks new. For example, the device
  // writes the first lap with phase 1, so its entries get phase 0 here.
  std::memset(entries, 0, size * sizeof(Completion));
  const std::uint32_t lap = (head | mask) + 1;  // the index at which the next lap begins
  const bool own_lap = phase_of(head, size_log2) == 0;
  for (std::uint32_t index = own_lap ? head : lap; index != (own_lap ? lap : head + size); ++index) {
    entries[index & mask].outcome = 1U << Completion::kPhaseBit;
  }
  memory_barrier();

  const std::uint64_t base = bus_address(ring);
  mmio::write(registers.CONTROL, 0);  // base and size are fixed while a queue is enabled
  mmio::write(registers.BASE_LO, static_cast<std::uint32_t>(base));
  mmio::write(registers.BASE_HI, static_cast<std::uint32_t>(base >> 32));
  set_coalescing(coalescing);
  mmio::write(registers.CONTROL, cq::control::kEnable.put(1) | cq::control::kSizeLog2.put(size_log2));
  return Status();
}

Status CompletionQueue::init(const Geometry &geometry, unsigned number, std::span<std::byte> ring, unsigned size_log2,
                             const Coalescing &coalescing) {
  if (const Status status = connect(geometry, number, ring, size_log2, coalescing); !status.ok()) return status;
  const std::uint32_t size = 1U << size_log2;
  next_ = entries_ + (head_ & (size - 1));
  end_ = entries_ + size;
  phase_ = phase_of(head_, size_log2) << Completion::kPhaseBit;
  return {};
}

}  // namespace cox::hal
