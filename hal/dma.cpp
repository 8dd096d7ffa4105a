// SPDX-License-Identifier: MIT
#include "coxswain/hal/dma.h"

#include <algorithm>
#include <cstring>

#include "coxswain/hal/barrier.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/device.h"
#include "coxswain/hal/fault_log.h"
#include "coxswain/hal/interrupt_mask.h"
#include "coxswain/hal/mmio.h"

namespace cox::board {

// For a board that has no DMA engine.
[[gnu::weak]] std::uintptr_t dma_registers() { return 0; }
[[gnu::weak]] void connect_dma_interrupt(InterruptHandler /*handler*/) {}

}  // namespace cox::board

namespace cox::hal {

static_assert(Dma::kLine % kCacheLine == 0);

namespace r = registers::dma;
using r::Slot;

namespace {

constexpr const char *kName = "DMA";
constexpr const char *kChannelName = "DMA channel";

constexpr std::uint32_t kBusyMask = r::channel::status::kBusy.mask(), kAbort = r::channel::control::kAbort.mask();
constexpr unsigned kStopPolls = 16;  // looks at a channel in the critical section that aborts its list
constexpr std::uintptr_t kLineMask = Dma::kLine - 1;
constexpr std::uint32_t kWordMask = r::kWordBytes - 1;

// NOLINTBEGIN(performance-no-int-to-ptr): addresses of the core
std::byte *memory_at(std::uintptr_t address) { return reinterpret_cast<std::byte *>(address); }
// NOLINTEND(performance-no-int-to-ptr)

/// Bytes from the first byte of the first row to the last byte of the last row. The result is exact, or too large for any memory.
std::uint64_t extent(const DmaCopy &copy, std::uint32_t stride) { return std::uint64_t{copy.rows - 1} * stride + copy.bytes; }
/// The same, for a copy that was checked.
std::size_t source_bytes(const DmaCopy &copy) { return static_cast<std::size_t>(extent(copy, copy.source_stride)); }
std::size_t destination_bytes(const DmaCopy &copy) { return static_cast<std::size_t>(extent(copy, copy.destination_stride)); }

void copy_by_core(std::uintptr_t destination, std::uintptr_t source, std::size_t bytes) {
  if (bytes == 0) return;
  // Another master may have written the source, and bytes beside the destination in its first cache line and its last.
  clean_and_invalidate_cache(memory_at(source), bytes);
  clean_and_invalidate_cache(memory_at(destination), 1);
  clean_and_invalidate_cache(memory_at(destination + bytes - 1), 1);
  std::memcpy(memory_at(destination), memory_at(source), bytes);
  clean_cache(memory_at(destination), bytes);
}

/// The first byte that the engine writes.
std::byte *destination_of(const r::Descriptor &descriptor) { return core_pointer<std::byte>(descriptor.destination); }

/// Drops the core's copies of the lines that the engine writes.
void invalidate(const r::Descriptor &descriptor) {
  std::byte *const first = destination_of(descriptor);
  for (std::uint32_t row = 0; row < descriptor.rows; ++row) {
    invalidate_cache(first + std::size_t{descriptor.destination_stride} * row, descriptor.row_bytes);
  }
}

/// True if [first, first + bytes) overlaps [other, other + other_bytes). The sums must not overflow an address.
bool overlap(std::uintptr_t first, std::size_t bytes, std::uintptr_t other, std::size_t other_bytes) {
  return first - other < other_bytes || other - first < bytes;
}

/// The device has written the slot, so each call must read it again.
std::uint32_t state_of(const Slot &slot) { return *static_cast<const volatile std::uint32_t *>(&slot.status.state); }

}  // namespace

constinit Dma *Dma::active_ = nullptr;

bool Dma::is_present() { return board::dma_registers() != 0; }

/// Refuses an engine that this driver does not know.
Status Dma::identify() const {
  constexpr registers::Field kMajor = r::version::kMajor, kCount = r::geometry::kChannels;
  constexpr std::uint32_t kKnownMajor = kMajor.get(r::version::kResetValue);
  const char *what = "DMA.ID";
  std::uint32_t value = mmio::read(registers_->ID), known = r::id::kResetValue;
  if (value == known) {
    what = "DMA.VERSION";
    value = (mmio::read(registers_->VERSION) & kMajor.mask()) >> kMajor.shift;
    known = kKnownMajor;
  }
  if (value == known) {
    what = "DMA.GEOMETRY";
    value = (mmio::read(registers_->GEOMETRY) & kCount.mask()) >> kCount.shift;
    known = kChannels;
    if (value >= known) return {};
  }
  return Status(ErrorCode::unknown_device, what, -1, value, known);
}

Status Dma::open(std::span<std::byte> queue_memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(queue_memory.data());
  if (queue_memory.size() < kQueueBytes || address % r::kDescriptorAlignment != 0)
    return Status(ErrorCode::invalid_argument, "queue memory", -1, static_cast<std::int64_t>(queue_memory.size()), kQueueBytes);
  registers_ = reinterpret_cast<COX_DMA_Type *>(board::dma_registers());  // NOLINT(performance-no-int-to-ptr)
  lists_ = {};
  on_ = {};
  if (registers_ != nullptr) {
    if (const Status status = identify(); !status.ok()) return status;
    mmio::write(registers_->INT_ENABLE, 0);
    for (unsigned channel = 0; channel < kChannels; ++channel) {
      if (!stop(channel)) return Status(ErrorCode::timeout, kChannelName, static_cast<std::int32_t>(channel));
    }
    active_ = this;
    mmio::write(registers_->INT_STATUS, r::int_status::kWritableMask);
    mmio::write(registers_->INT_ENABLE, r::int_enable::kWritableMask);
    board::connect_dma_interrupt(on_interrupt);
  }
  slots_ = reinterpret_cast<Slot *>(queue_memory.data());
  return {};
}

Status Dma::close() {
  Status status;
  if (!is_open()) return status;
  if (registers_ != nullptr) {
    mmio::write(registers_->INT_ENABLE, 0);
    for (unsigned channel = 0; channel < kChannels; ++channel) {
      if (!stop(channel)) status = Status(ErrorCode::timeout, kChannelName, static_cast<std::int32_t>(channel));
    }
  }
  lists_ = {};  // no handle names a list any more, so wait() does not sleep for one
  on_ = {};
  slots_ = nullptr;
  return status;
}

/// Makes a channel idle. Returns false if it is still busy after kResetPolls reads of its status.
bool Dma::stop(unsigned channel) const {
  auto &own = registers_->CHANNEL[channel];
  mmio::write(own.CONTROL, kAbort);  // without effect on an idle channel
  for (unsigned polls = 0; polls < kResetPolls; ++polls) {
    if ((mmio::read(own.STATUS) & kBusyMask) == 0) return true;
  }
  return false;
}

// Lists.

Status Dma::check(const DmaCopy &copy) {
  const std::uintptr_t dram = board::dram_base();
  const std::size_t size = board::dram_size();
  const auto is_inside = [&](std::uintptr_t first, std::uint64_t bytes) { return first - dram < size && bytes <= size - (first - dram); };
  const bool one_row = copy.rows == 1;
  const std::uint32_t stride = std::min(copy.source_stride, copy.destination_stride);
  const char *what = "destination";
  std::uintptr_t value = copy.destination, limit = dram;
  ErrorCode code = ErrorCode::ok;
  if (copy.bytes - 1 >= r::kMostRowBytes) {
    code = ErrorCode::invalid_argument, what = "bytes", value = copy.bytes, limit = r::kMostRowBytes;
  } else if (copy.rows - 1 >= r::kMostRows) {
    code = ErrorCode::invalid_argument, what = "rows", value = copy.rows, limit = r::kMostRows;
  } else if (!one_row && stride < copy.bytes) {
    code = ErrorCode::invalid_argument, what = "stride", value = stride, limit = copy.bytes;
  } else if (!one_row && ((copy.source | copy.source_stride) & kWordMask) != 0) {
    code = ErrorCode::misaligned_address, what = "source", value = copy.source, limit = r::kWordBytes;
  } else if (!one_row && ((copy.destination | copy.destination_stride | copy.bytes) & kLineMask) != 0) {
    code = ErrorCode::misaligned_address, limit = kLine;
  } else if (!is_inside(copy.source, extent(copy, copy.source_stride))) {
    code = ErrorCode::window_outside_dram, what = "source", value = copy.source;
  } else if (!is_inside(copy.destination, extent(copy, copy.destination_stride))) {
    code = ErrorCode::window_outside_dram;
  } else if (overlap(copy.source, source_bytes(copy), copy.destination, destination_bytes(copy))) {
    code = ErrorCode::window_overlap, limit = copy.source;
  }
  return Status(code, what, -1, signed_of(value), signed_of(limit));
}

Status Dma::check_all(std::span<const DmaCopy> copies) {
  if (copies.empty() || copies.size() > kMostCopies)
    return Status(ErrorCode::invalid_argument, "copies", -1, static_cast<std::int64_t>(copies.size()), kMostCopies);
  for (std::size_t i = 0; i < copies.size(); ++i) {
    if (const Status status = check(copies[i]); !status.ok()) return status.at(static_cast<std::int32_t>(i));
  }
  return {};
}

Result<Dma::Handle> Dma::submit(std::span<const DmaCopy> copies, std::uint32_t time_limit_us) {
  if (!is_open()) return Status(ErrorCode::not_ready, kName);
  if (const Status status = check_all(copies); !status.ok()) return status;
  std::size_t all = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    all += std::size_t{copies[i].rows} * copies[i].bytes;
    Status status = check_memory(copies[i].source, source_bytes(copies[i]));
    if (status.ok()) status = check_memory(copies[i].destination, destination_bytes(copies[i]));
    if (!status.ok()) return status.at(static_cast<std::int32_t>(i));
  }
  List *const list = new_list(time_limit_us);
  if (list == nullptr) return Status(ErrorCode::no_room, kName, -1, kLists, kLists);
  if (all < kLeastListBytes) list->by_core = true;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const DmaCopy &copy = copies[i];
    if (copy.rows == 1) {
      add(*list, i, copy);
    } else if (!list->by_core && copy.rows * copy.bytes >= kLeastBytes) {
      append(*list, i, copy);
    } else {
      for (std::uint32_t row = 0; row < copy.rows; ++row) {
        copy_by_core(copy.destination + row * copy.destination_stride, copy.source + row * copy.source_stride, copy.bytes);
      }
    }
  }
  return begin(*list);
}

Dma::List *Dma::new_list(std::uint32_t time_limit_us) {
  for (List &list : lists_) {
    if (list.state != State::free) continue;
    // The low bits of a handle are the list's number.
    serial_ += kLists;
    list.serial = serial_ + static_cast<std::uint32_t>(&list - lists_.data());
    list.time_limit = time_limit_us == 0 ? kDefaultTimeLimit : time_limit_us;
    list.first = list.last = nullptr;
    list.end = {};
    list.by_core = !has_channel();
    return &list;
  }
  return nullptr;
}

/// The core copies what is not whole lines, or all of it.
void Dma::add(List &list, std::size_t index, const DmaCopy &copy) {
  const bool by_core = list.by_core || ((copy.source - copy.destination) & kWordMask) != 0 || copy.bytes < kLeastBytes;
  const std::uint32_t head = by_core ? copy.bytes : static_cast<std::uint32_t>(-copy.destination & kLineMask);
  const std::uint32_t tail = (copy.bytes - head) & kLineMask;
  const std::uint32_t bytes = copy.bytes - head - tail;
  copy_by_core(copy.destination, copy.source, head);
  copy_by_core(copy.destination + head + bytes, copy.source + head + bytes, tail);
  if (bytes != 0) append(list, index, {.source = copy.source + head, .destination = copy.destination + head, .bytes = bytes});
}

/// Fills the descriptor of a copy of whole lines, makes the caches ready for it, and appends it to the list.
void Dma::append(List &list, std::size_t index, const DmaCopy &copy) {
  Slot &slot = slots_[(list.serial % kLists) * kMostCopies + index];
  r::Descriptor &descriptor = slot.descriptor;
  descriptor = {.source = bus_address(memory_at(copy.source)),
                .destination = bus_address(memory_at(copy.destination)),
                .row_bytes = copy.bytes,
                .rows = copy.rows,
                .source_stride = copy.source_stride,
                .destination_stride = copy.destination_stride,
                .next = 0,
                .control = r::Descriptor::kMark,
                .reserved = {}};
  slot.status.state = 0;
  if (list.first == nullptr) {
    list.first = &slot;
  } else {
    list.last->descriptor.next = bus_address(&slot);
  }
  list.last = &slot;
  clean_cache(memory_at(copy.source), source_bytes(copy));
  invalidate(descriptor);
}

Dma::Handle Dma::begin(List &list) {
  list.state = list.first == nullptr ? State::ended : State::waiting;
  const InterruptMask mask;
  start_waiting();
  return static_cast<Handle>(list.serial);
}

/// The next slot of a list; nullptr behind the last. A link in memory that has failed may lead anywhere. If it does not lead to a later
/// slot of the list, the last slot comes next.
const Slot *Dma::behind(const List &list, const Slot &slot) {
  if (&slot == list.last) return nullptr;
  const std::uint64_t next = slot.descriptor.next, last = bus_address(list.last);
  const bool is_later = next > bus_address(&slot) && next < last && (last - next) % sizeof(Slot) == 0;
  return is_later ? core_pointer<const Slot>(next) : list.last;
}

Dma::List *Dma::find(Handle handle) {
  const auto serial = static_cast<std::uint32_t>(handle);
  List &list = lists_[serial % kLists];
  return list.state != State::free && list.state != State::held && list.serial == serial ? &list : nullptr;
}

bool Dma::has_ended(Handle handle) const {
  const List *list = const_cast<Dma *>(this)->find(handle);
  // The interrupt may end the list at any instruction of the caller.
  return list != nullptr && *static_cast<const volatile State *>(&list->state) == State::ended;
}

const Dma::Ended *Dma::take_ended(Handle handle) {
  if (!has_ended(handle)) return nullptr;
  List &list = *find(handle);
  memory_barrier();
  // The core may have read lines of the destinations ahead of time.
  for (const Slot *slot = list.first; slot != nullptr; slot = behind(list, *slot)) invalidate(slot->descriptor);
  const InterruptMask mask;
  list.state = on_[list.end.channel] == &list ? State::held : State::free;
  return &list.end;
}

Status Dma::take(Handle handle) {
  const List *const list = find(handle);
  if (list == nullptr) return Status(ErrorCode::invalid_argument, "handle", -1, static_cast<std::int64_t>(handle));
  const Ended *const end = take_ended(handle);
  if (end == nullptr) return Status(ErrorCode::not_ready, kName);
  if (end->code == ErrorCode::ok) return {};
  if (end->code == ErrorCode::not_ready) return Status(end->code, kChannelName);
  if (end->code != ErrorCode::device_fault) return Status(end->code, kName, -1, list->time_limit);
  const char *what = end->error == 0 ? kChannelName : end->error < r::kErrors ? r::kErrorNames[end->error] : kName;
  return Status(end->code, what, end->copy, end->error, end->channel);
}

Status Dma::wait(Handle handle, std::uint64_t limit_us) {
  std::uint64_t begun = 0;
  for (bool has_slept = false;; has_slept = true) {
    if (has_slept) supervise();
    const InterruptMask mask;
    const List *const list = find(handle);
    if (list == nullptr || list->state == State::ended) break;
    const std::uint64_t now = board::microseconds();
    if (!has_slept) begun = now;
    if (now - begun >= limit_us) return Status(ErrorCode::timeout, "wait", -1, signed_of(now - begun), signed_of(limit_us));
    board::wait_for_interrupt();
  }
  return take(handle);
}

Status Dma::abort(Handle handle) {
  const InterruptMask mask;
  List *const list = find(handle);
  if (list == nullptr) return Status(ErrorCode::invalid_argument, "handle", -1, static_cast<std::int64_t>(handle));
  give_up(*list, ErrorCode::cancelled);
  return {};
}

// Memory that must not be used.

Status Dma::check_memory(std::uintptr_t address, std::size_t bytes) const {
  for (unsigned channel = 0; channel < kChannels; ++channel) {
    const List *const list = held_by(channel);
    if (list == nullptr) continue;
    for (const Slot *slot = list->first; slot != nullptr; slot = behind(*list, *slot)) {
      const r::Descriptor &own = slot->descriptor;
      const std::size_t own_bytes = (own.rows - 1) * std::size_t{own.destination_stride} + own.row_bytes;
      if (overlap(address, bytes, reinterpret_cast<std::uintptr_t>(destination_of(own)), own_bytes))
        return Status(ErrorCode::window_overlap, kChannelName, -1, signed_of(address), channel);
    }
  }
  return {};
}

Status Dma::check_apart(std::span<const DmaCopy> copies) {
  if (const Status status = check_all(copies); !status.ok()) return status;
  for (const DmaCopy &copy : copies) {
    const std::size_t bytes = destination_bytes(copy);
    for (const DmaCopy &other : copies) {
      if (&copy == &other) continue;
      if (overlap(copy.destination, bytes, other.destination, destination_bytes(other)) ||
          overlap(copy.destination, bytes, other.source, source_bytes(other)))
        return Status(ErrorCode::window_overlap, "copies", static_cast<std::int32_t>(&copy - copies.data()), signed_of(copy.destination));
    }
  }
  return {};
}

// The engine. These functions run with interrupts masked, or in the handler.

/// True if a channel works.
bool Dma::has_channel() const {
  for (unsigned channel = 0; registers_ != nullptr && channel < kChannels; ++channel) {
    if (held_by(channel) == nullptr) return true;
  }
  return false;
}

/// Gives waiting lists, the oldest first, to idle channels. If no channel works, it ends them.
void Dma::start_waiting() {
  for (;;) {
    List *oldest = nullptr;
    for (List &list : lists_) {
      if (list.state == State::waiting && (oldest == nullptr || list.serial - oldest->serial > UINT32_MAX / 2)) oldest = &list;
    }
    if (oldest == nullptr) return;
    if (!has_channel()) {
      end(*oldest, ErrorCode::not_ready);
      continue;
    }
    const auto idle = std::ranges::find(on_, nullptr);
    if (idle == on_.end()) return;
    *idle = oldest;
    oldest->state = State::moving;
    oldest->end.channel = static_cast<std::uint8_t>(idle - on_.begin());
    oldest->deadline = board::microseconds() + oldest->time_limit;
    start(*oldest);
  }
}

/// Makes the list's channel begin it.
void Dma::start(const List &list) {
  auto &own = registers_->CHANNEL[list.end.channel];
  const std::uint64_t address = bus_address(list.first);
  memory_barrier();  // the descriptors are in memory before the engine reads them
  mmio::write(own.LIST_LO, static_cast<std::uint32_t>(address));
  mmio::write(own.LIST_HI, static_cast<std::uint32_t>(address >> 32));
  mmio::write(own.CONTROL, r::channel::control::kStart.put(1));
}

/// Ends the channel's list if the channel is idle. Starts the list again if the engine has missed the start.
void Dma::look_at(unsigned channel) {
  if (on_[channel] == nullptr) return;
  const std::uint32_t status = mmio::read(registers_->CHANNEL[channel].STATUS);
  if ((status & kBusyMask) != 0) return;
  memory_barrier();  // the engine has written the slots before it became idle
  List &list = *on_[channel];
  ErrorCode outcome = list.end.code;
  if (list.state == State::moving) {
    constexpr std::uint32_t kDone = r::Status::state_of(r::Error::none);
    if (state_of(*list.last) != kDone) {
      if (state_of(*list.first) == 0) return start(list);
      const Slot *bad = list.first;
      while (state_of(*bad) == kDone) bad = behind(list, *bad);  // ends, because the last slot has another state
      list.end.copy = static_cast<std::uint8_t>((bad - slots_) % kMostCopies);
      constexpr std::uint32_t kErrorMask = r::channel::status::kError.mask(), kErrorShift = r::channel::status::kError.shift;
      list.end.error = static_cast<std::uint8_t>((status & kErrorMask) >> kErrorShift);
      if (list.end.error == 0) list.end.error = r::kErrors;  // the engine contradicts itself
      outcome = ErrorCode::device_fault;
    }
  }
  on_[channel] = nullptr;
  if (list.state == State::held) list.state = State::free;
  if (list.state == State::moving || list.state == State::stopping) end(list, outcome);
  start_waiting();
}

/// Sets the outcome of a list, and records it if it is a fault.
void Dma::end(List &list, ErrorCode outcome) {
  list.end.code = outcome;
  list.state = State::ended;
  if (outcome == ErrorCode::ok || outcome == ErrorCode::cancelled) return;
  FaultRecord record;
  record.cycle = device_cycles();
  record.queue = static_cast<std::uint8_t>(r::kFirstQueueNumber + list.end.channel);
  record.instruction = outcome == ErrorCode::device_fault ? list.end.copy : -1;
  record.detail = list.end.error;
  record.error = outcome;
  record.action = FaultAction::failed;
  fault_log::append(record);
}

/// Ends a list before the engine has done all of it. If its channel does not stop now, look_at() or supervise() ends the list later.
void Dma::give_up(List &list, ErrorCode outcome) {
  if (list.state == State::waiting) end(list, outcome);
  if (list.state != State::moving) return;
  list.state = State::stopping;
  list.end.code = outcome;
  list.deadline = board::microseconds() + kStopLimit;
  mmio::write(registers_->CHANNEL[list.end.channel].CONTROL, kAbort);
  for (unsigned polls = 0; polls < kStopPolls && list.state == State::stopping; ++polls) look_at(list.end.channel);
}

void Dma::supervise() {
  if (!is_busy()) return;
  const InterruptMask mask;
  const std::uint64_t now = board::microseconds();
  for (unsigned channel = 0; channel < kChannels; ++channel) {
    look_at(channel);
    if (on_[channel] == nullptr) continue;
    List &list = *on_[channel];
    if (now < list.deadline || list.state >= State::ended) continue;
    if (list.state == State::moving) {
      give_up(list, ErrorCode::timeout);
    } else {
      end(list, ErrorCode::device_fault);  // the channel does not stop
      start_waiting();
    }
  }
}

void Dma::on_interrupt() {
  Dma &self = *active_;
  const std::uint32_t pending = mmio::read(self.registers_->INT_STATUS);
  mmio::write(self.registers_->INT_STATUS, pending);
  for (unsigned channel = 0; channel < kChannels; ++channel) {
    if ((pending >> channel & 1) != 0) self.look_at(channel);
  }
}

}  // namespace cox::hal
