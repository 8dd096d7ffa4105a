// SPDX-License-Identifier: MIT
#include "coxswain/hal/stream_engine.h"

#include <cstring>

#include "coxswain/device/engine_bits.h"
#include "coxswain/hal/barrier.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/ring.h"

namespace cox::hal {
namespace {

constexpr std::uint64_t kMemoryAlignment = 64;

namespace engine_control = registers::engine::control;

}  // namespace

Status StreamEngine::init(const Geometry &geometry, registers::Engine engine, std::span<std::byte> memory, unsigned size_log2) {
  if (Status status = check_engine(geometry, engine); !status.ok()) return status;
  // Checks only the ring of descriptors. The ring of completions has as many elements, and they are smaller.
  if (const Status status = check_ring(geometry, memory, sizeof(registers::EngineDescriptor), size_log2); !status.ok()) return status;
  const std::size_t wanted = queue_bytes(size_log2);
  if (memory.size() < wanted)
    return Status(ErrorCode::invalid_argument, "ring size", -1, static_cast<std::int64_t>(memory.size()),
                  static_cast<std::int64_t>(wanted));
  if (bus_address(memory) % kMemoryAlignment != 0)
    return Status(ErrorCode::invalid_argument, "ring address", -1, static_cast<std::int64_t>(bus_address(memory)), kMemoryAlignment);

  NPU_ENGINE_Type &registers = COX_NPU->ENGINE[static_cast<unsigned>(engine)];
  const std::uint32_t tail = mmio::read(registers.TAIL);
  const std::uint32_t head = mmio::read(registers.HEAD);
  if (tail != head) return Status(ErrorCode::not_ready, "ENGINE.HEAD", -1, head, tail);
  const std::span<std::byte> descriptors = memory.first(sizeof(registers::EngineDescriptor) << size_log2);
  if (const Status status = completions_.init(geometry, registers::kFirstEngineCompletionQueue + static_cast<unsigned>(engine),
                                              memory.subspan(descriptors.size()), size_log2, {});
      !status.ok())
    return status;

  slots_ = reinterpret_cast<registers::EngineDescriptor *>(descriptors.data());
  tail_ = tail;
  head_ = head;
  mask_ = (1U << size_log2) - 1;
  registers_ = &registers;
  interrupt_ = registers::engine_completions::put(1U << static_cast<unsigned>(engine));

  std::memset(descriptors.data(), 0, descriptors.size());

  const std::uint64_t base = bus_address(descriptors);
  mmio::write(registers.CONTROL, 0);  // base and size are fixed while a queue is enabled
  mmio::write(registers.BASE_LO, static_cast<std::uint32_t>(base));
  mmio::write(registers.BASE_HI, static_cast<std::uint32_t>(base >> 32));
  mmio::write(registers.CONTROL, engine_control::kEnable.put(1) | engine_control::kSizeLog2.put(size_log2));
  return Status();
}

/// Returns the reason why submit() refuses a stream.
[[gnu::noinline]] Status StreamEngine::refusal(unsigned context, std::uint64_t address, std::uint32_t bytes) const {
  if (registers_ == nullptr) return Status(ErrorCode::not_ready, "engine");
  if (context >= registers::context::kCount) return Status(ErrorCode::invalid_argument, "context", -1, context, registers::context::kCount);
  if (address % registers::kStreamAlignment != 0)
    return Status(ErrorCode::invalid_argument, "stream address", -1, static_cast<std::int64_t>(address), registers::kStreamAlignment);
  if (bytes == 0 || bytes % registers::kStreamAlignment != 0 || bytes > registers::kMostStreamBytes)
    return Status(ErrorCode::invalid_argument, "stream length", -1, bytes, registers::kMostStreamBytes);
  return Status(ErrorCode::no_room, "streams in flight", -1, in_flight(), mask_ + 1);
}

bool StreamEngine::is_enabled() const { return engine_control::kEnable.get(mmio::read(registers_->CONTROL)) != 0; }

bool StreamEngine::ring_again() const {
  if (mmio::read(registers_->TAIL) == tail_) return false;
  memory_barrier();
  mmio::write(registers_->TAIL, tail_);
  return true;
}

bool StreamEngine::is_quiet() const { return mmio::read(registers_->HEAD) == tail_ && completions_.is_drained(); }

Status reset_engine(const Geometry &geometry, registers::Engine engine) {
  if (Status status = check_engine(geometry, engine); !status.ok()) return status;
  mmio::write(COX_NPU->ENGINE_RESET, registers::engine_reset::kEngine.put(1U << static_cast<unsigned>(engine)));
  for (unsigned poll = 0; poll < kResetPolls; ++poll) {
    if (mmio::read(COX_NPU->ENGINE[static_cast<unsigned>(engine)].STATUS) == 0) return Status();
  }
  return Status(ErrorCode::timeout, "ENGINE.STATUS", -1, kResetPolls, kResetPolls);
}

}  // namespace cox::hal
