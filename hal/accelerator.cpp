// SPDX-License-Identifier: MIT
#include "coxswain/hal/accelerator.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "coxswain/device/engine_bits.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/context.h"
#include "coxswain/hal/interrupt_mask.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"
#include "coxswain/hal/threads.h"

namespace cox::hal {
namespace {

constexpr std::size_t aligned(std::size_t bytes) {
  constexpr std::size_t kMask = Accelerator::kQueueAlignment - 1;
  return (bytes + kMask) & ~kMask;
}

Status no_queue_memory(std::size_t wanted, std::size_t all) {
  return Status(ErrorCode::no_room, "queue memory", -1, static_cast<std::int64_t>(wanted), static_cast<std::int64_t>(all));
}

/// The handler of a line that no client needs.
void ignore() {}

/// Refuses a board whose DRAM has bus addresses with more bits than this core computes with.
Status check_dram() {
  if constexpr (sizeof(std::uintptr_t) < sizeof(std::uint64_t)) {
    const MemoryRange dram = dram_range();
    constexpr std::uint64_t kMost = std::numeric_limits<std::uintptr_t>::max();
    if (dram.address > kMost || dram.size - 1 > kMost - dram.address)
      return Status(ErrorCode::unsupported, "bus address of DRAM", -1, signed_of(dram.address), signed_of(kMost));
  }
  return {};
}

/// The engine of a queue in a fault record.
registers::Engine engine_with_queue(unsigned queue_number) {
  if (queue_number < registers::kFirstEngineQueueNumber) return registers::core_engine().id;
  return static_cast<registers::Engine>(queue_number - registers::kFirstEngineQueueNumber);
}

}  // namespace

/// The default for programs without an operating system: nothing waits except the core itself, and an interrupt ends its sleep.
extern "C" [[gnu::weak]] void cox_os_notify(std::uint32_t /*engine*/) {}

constinit Accelerator *Accelerator::active_ = nullptr;

Status Accelerator::open(std::span<std::byte> queue_memory, unsigned interrupt_priority) {
  const auto address = reinterpret_cast<std::uintptr_t>(queue_memory.data());
  if (address % kQueueAlignment != 0)
    return Status(ErrorCode::invalid_argument, "queue memory", -1, static_cast<std::int64_t>(address), kQueueAlignment);
  if (const Status status = check_dram(); !status.ok()) return status;
  const Result<Geometry> geometry = identify();
  if (!geometry) return geometry.status();
  if (const unsigned priorities = board::set_npu_interrupt_priority(interrupt_priority); interrupt_priority >= priorities)
    return Status(ErrorCode::invalid_argument, "interrupt_priority", -1, interrupt_priority, priorities);

  geometry_ = geometry.value();
  memory_ = queue_memory;
  free_end_ = queue_memory.size() & ~(kQueueAlignment - 1);
  last_fault_.reset();
  observer_ = nullptr;
  contexts_in_use_ = 0;
  clients_.fill({});
  is_open_ = true;
  // Before a reset of the control core, an engine may have run a stream. Without its clock it stands still until a client resets it.
  mmio::write(COX_NPU->CLOCK_ENABLE, 0);
  const InterruptMask mask;
  active_ = this;
  connect_handlers();
  mmio::write(COX_NPU->INT_ENABLE, registers::int_enable::kFault.put(1));
  set_enabled(true);
  return {};
}

Status Accelerator::close() {
  if (!is_open_) return Status(ErrorCode::not_ready, "accelerator");
  for (std::size_t i = 0; i < kMostClients; ++i) {
    if (clients_[i].is_attached) return Status(ErrorCode::not_owner, registers::kEngineRows[i].full_name);
  }
  set_enabled(false);
  mmio::write(COX_NPU->CLOCK_ENABLE, 0);
  const InterruptMask mask;
  mmio::write(COX_NPU->INT_ENABLE, 0);
  board::connect_npu_interrupts(ignore, ignore);
  is_open_ = false;
  active_ = nullptr;
  return {};
}

Result<std::span<std::byte>> Accelerator::attach(registers::Engine engine, std::size_t queue_bytes) {
  if (!is_open_) return Status(ErrorCode::not_ready, "accelerator");
  if (const Status status = check_engine(geometry_, engine); !status.ok()) return status;
  Client &client = clients_[index_of(engine)];
  if (client.is_attached) return Status(ErrorCode::not_owner, registers::engine_name(engine));
  const Result<std::span<std::byte>> memory = find_memory(queue_bytes);
  if (!memory) return memory;
  client.is_attached = true;
  client.memory = memory.value();
  {
    const InterruptMask mask;
    connect_handlers();
  }
  set_clock(engine, true);
  return memory;
}

Status Accelerator::connect(registers::Engine engine, const Handlers &handlers) {
  if (!is_attached(engine)) return Status(ErrorCode::not_ready, registers::engine_name(engine));
  const InterruptMask mask;
  const std::size_t index = index_of(engine);
  clients_[index].handlers = handlers;
  connect_handlers();
  // The interrupts of other clients stay as they are. A thread may wait for one that has no handler.
  const std::uint32_t own = completions_of(registers::kEngineRows[index]);
  const std::uint32_t others = mmio::read(COX_NPU->INT_ENABLE) & ~own;
  mmio::write(COX_NPU->INT_ENABLE, handlers.completion != nullptr ? others | own : others);
  return {};
}

Status Accelerator::detach(registers::Engine engine) {
  if (const Status status = connect(engine, {}); !status.ok()) return status;
  Client &client = clients_[index_of(engine)];
  for (unsigned context = 0; context < geometry_.contexts; ++context) {
    if ((client.contexts >> context & 1) != 0) static_cast<void>(release_context(geometry_, context));  // cannot fail: it exists
  }
  contexts_in_use_ &= ~client.contexts;
  client = {};
  set_clock(engine, false);
  const InterruptMask mask;
  connect_handlers();
  return {};
}

void Accelerator::observe(void (*function)()) {
  const InterruptMask mask;
  observer_ = function;
  connect_handlers();
}

Result<unsigned> Accelerator::take_context(registers::Engine engine, std::optional<unsigned> wanted) {
  if (!is_attached(engine)) return Status(ErrorCode::not_ready, registers::engine_name(engine));
  Client &client = clients_[index_of(engine)];
  if (wanted && *wanted >= geometry_.contexts) return Status(ErrorCode::invalid_argument, "context", -1, *wanted, geometry_.contexts);
  if (wanted && !is_free(*wanted)) return Status(ErrorCode::not_owner, "context", -1, *wanted);
  const std::uint32_t all = (1U << geometry_.contexts) - 1;
  const std::uint32_t free = all & ~contexts_in_use_;
  if (free == 0) return Status(ErrorCode::no_room, "contexts", -1, geometry_.contexts, geometry_.contexts);
  const unsigned context = wanted ? *wanted : static_cast<unsigned>(std::bit_width(free)) - 1;
  client.contexts |= 1U << context;
  contexts_in_use_ |= 1U << context;
  return context;
}

void Accelerator::give_context(unsigned context) {
  for (Client &client : clients_) client.contexts &= ~(1U << context);
  contexts_in_use_ &= ~(1U << context);
}

Result<std::span<std::byte>> Accelerator::reserve(std::size_t bytes) {
  const std::size_t wanted = aligned(bytes);
  if (wanted < bytes || wanted > free_end_ || !is_unused(free_end_ - wanted, wanted)) return no_queue_memory(bytes, memory_.size());
  free_end_ -= wanted;
  return memory_.subspan(free_end_, bytes);
}

std::size_t Accelerator::index_of(registers::Engine engine) {
  const registers::EngineRow *const row = registers::find_engine(engine);
  return row == nullptr ? kMostClients : static_cast<std::size_t>(row - std::begin(registers::kEngineRows));
}

bool Accelerator::is_attached(registers::Engine engine) const {
  const std::size_t index = index_of(engine);
  return index < kMostClients && clients_[index].is_attached;
}

/// Starts or stops the clock of an engine with a ring. Interrupts are masked, because handlers may write the clocks of cores.
void Accelerator::set_clock(registers::Engine engine, bool runs) const {
  const InterruptMask mask;
  if (registers::row_of(engine).has_ring()) static_cast<void>(set_engine_clock(geometry_, engine, runs));  // cannot fail: it is attached
}

/// True if no client has one of the bytes from `first` on.
bool Accelerator::is_unused(std::size_t first, std::size_t bytes) const {
  return std::none_of(clients_.begin(), clients_.end(), [&](const Client &client) {
    const auto begin = static_cast<std::size_t>(client.memory.data() - memory_.data());
    return !client.memory.empty() && first < begin + client.memory.size() && begin < first + bytes;
  });
}

/// Finds the lowest place for a client's queues: at the beginning of the queue memory, or behind the queues of another client.
Result<std::span<std::byte>> Accelerator::find_memory(std::size_t bytes) const {
  std::size_t place = free_end_;
  const auto try_place = [&](std::size_t first) {
    if (first < place && bytes <= free_end_ - first && is_unused(first, bytes)) place = first;
  };
  try_place(0);
  for (const Client &client : clients_) {
    if (!client.memory.empty()) try_place(aligned(static_cast<std::size_t>(client.memory.data() + client.memory.size() - memory_.data())));
  }
  if (place == free_end_) return no_queue_memory(bytes, memory_.size());
  return memory_.subspan(place, bytes);
}

/// The bits of INT_STATUS and INT_ENABLE that belong to the engine.
std::uint32_t Accelerator::completions_of(const registers::EngineRow &row) const {
  if (row.has_ring()) return registers::engine_completions::put(1U << row.number());
  return registers::int_enable::kCompletion.put((1U << geometry_.cores) - 1);
}

/// Connects the interrupt lines. If only one client takes completions, its handler is connected directly, so that the interrupt costs no
/// dispatch.
void Accelerator::connect_handlers() {
  board::InterruptHandler completion = observer_ != nullptr ? on_completion : ignore;
  for (const Client &client : clients_) {
    if (client.handlers.completion != nullptr) {
      completion = completion == ignore ? client.handlers.completion : on_completion;
    } else if (client.is_attached && has_threads()) {
      completion = on_completion;  // a thread may wait for the engine
    }
  }
  board::connect_npu_interrupts(completion, on_fault);
}

void Accelerator::on_completion() {
  const std::uint32_t pending = mmio::read(COX_NPU->INT_STATUS) & mmio::read(COX_NPU->INT_ENABLE);
  std::uint32_t waiting = 0;
  for (std::size_t i = 0; i < kMostClients; ++i) {
    const Client &client = active_->clients_[i];
    const std::uint32_t own = pending & active_->completions_of(registers::kEngineRows[i]);
    if (own == 0) continue;
    if (client.handlers.completion != nullptr) {
      client.handlers.completion();
    } else {
      waiting |= own;
    }
  }
  if (waiting != 0) stop_waiting(waiting);
  if (active_->observer_ != nullptr) active_->observer_();
}

/// Disables the interrupts of engines whose completions a thread will take, and unblocks their threads.
void Accelerator::stop_waiting(std::uint32_t pending) {
  mmio::write(COX_NPU->INT_ENABLE, mmio::read(COX_NPU->INT_ENABLE) & ~pending);
  for (const registers::EngineRow &row : registers::kEngineRows) {
    if ((pending & active_->completions_of(row)) != 0) cox_os_notify(os_number(row.id));
  }
}

void Accelerator::on_fault() {
  const std::optional<Fault> fault = read_fault();
  clear_fault();
  if (!fault) return;
  active_->last_fault_ = fault;
  const registers::Engine engine = engine_with_queue(fault->queue_number);
  if (!active_->is_attached(engine)) return;
  const Client &client = active_->clients_[index_of(engine)];
  if (client.handlers.fault != nullptr) client.handlers.fault(*fault);
}

}  // namespace cox::hal
