// SPDX-License-Identifier: MIT
#include "sim/model/device/dma_engine.h"

#include <algorithm>

namespace cox::model {

namespace dma = registers::dma;

namespace {

constexpr faults::Place kBus{faults::Place::Memory::bus, 0};

constexpr std::uint64_t bytes_of(const dma::Descriptor &descriptor) { return std::uint64_t{descriptor.row_bytes} * descriptor.rows; }

dma::Error check(const dma::Descriptor &descriptor) {
  const bool reserved =
      std::any_of(std::begin(descriptor.reserved), std::end(descriptor.reserved), [](std::uint32_t word) { return word != 0; });
  if (reserved || (descriptor.control & ~dma::Descriptor::kInterrupt) != dma::Descriptor::kMark) return dma::Error::bad_descriptor;
  if (descriptor.row_bytes == 0 || descriptor.row_bytes > dma::kMostRowBytes) return dma::Error::bad_descriptor;
  if (descriptor.rows == 0 || descriptor.rows > dma::kMostRows || bytes_of(descriptor) > dma::kMostBytes) return dma::Error::bad_descriptor;
  const std::uint64_t words =
      descriptor.source | descriptor.destination | descriptor.row_bytes | descriptor.source_stride | descriptor.destination_stride;
  return words % dma::kWordBytes == 0 ? dma::Error::none : dma::Error::misaligned;
}

}  // namespace

DmaEngine::DmaEngine(const Geometry &geometry, const Host &host, faults::Injector &faults, DramChannel &channel)
    : geometry_(geometry), host_(host), faults_(faults), dram_(channel) {
  for (Channel &own : channels_) own.mover = dram_.add_movers(1);
}

void DmaEngine::reset(Cycle now) {
  for (Channel &channel : channels_) {
    stop(channel, now);
    channel = Channel{.mover = channel.mover};
  }
  status_ = enable_ = 0;
}

// Registers.

const dma::Register *DmaEngine::find_register(std::uint32_t offset, std::uint32_t size, unsigned &channel, const char *verb) const {
  const dma::Location location = size == 4 ? dma::locate(offset) : dma::Location{nullptr, {}};
  channel = location.index[0];
  if (location.definition == nullptr) host_.error("DMA: {} of {} bytes at offset {:#x}: there is no such register", verb, size, offset);
  return location.definition;
}

bool DmaEngine::read(std::uint32_t offset, std::uint32_t size, std::uint32_t &value) const {
  value = 0;
  unsigned index = 0;
  const dma::Register *definition = find_register(offset, size, index, "read");
  if (definition == nullptr) return false;
  if (definition->access == registers::Access::write_only) {
    host_.error("DMA: read of {}: the register is write-only", definition->text);
    return false;
  }
  const Channel &channel = channels_[index];
  switch (definition->name) {
    case dma::Name::int_status: value = status_; break;
    case dma::Name::int_enable: value = enable_; break;
    case dma::Name::channel_status:
      value = dma::channel::status::kBusy.put(channel.phase != Phase::idle ? 1 : 0) |
              dma::channel::status::kError.put(static_cast<std::uint32_t>(channel.last)) | dma::channel::status::kEnded.put(channel.ended);
      break;
    case dma::Name::channel_list_lo: value = static_cast<std::uint32_t>(channel.list); break;
    case dma::Name::channel_list_hi: value = static_cast<std::uint32_t>(channel.list >> 32); break;
    case dma::Name::channel_at_lo: value = static_cast<std::uint32_t>(channel.at); break;
    case dma::Name::channel_at_hi: value = static_cast<std::uint32_t>(channel.at >> 32); break;
    default: value = definition->reset; break;
  }
  return true;
}

bool DmaEngine::write(Cycle now, std::uint32_t offset, std::uint32_t size, std::uint32_t value) {
  unsigned index = 0;
  const dma::Register *definition = find_register(offset, size, index, "write");
  if (definition == nullptr) return false;
  const char *reason = "the register is read-only";
  if (definition->access != registers::Access::read_only)
    reason = write_register(now, definition->name, index, value & definition->writable);
  if (reason != nullptr) host_.error("DMA: write of {:#010x} to {} (channel {}): {}", value, definition->text, index, reason);
  return reason == nullptr;
}

const char *DmaEngine::write_register(Cycle now, dma::Name name, unsigned index, std::uint32_t value) {
  Channel &channel = channels_[index];
  switch (name) {
    case dma::Name::int_status: status_ &= ~value; return nullptr;
    case dma::Name::int_enable: enable_ = value; return nullptr;
    case dma::Name::channel_control: return write_channel_control(now, index, value);
    default: break;
  }
  if (channel.phase != Phase::idle) return "the channel is busy";
  if (name == dma::Name::channel_list_lo) {
    channel.list = (channel.list & ~std::uint64_t{0xFFFFFFFF}) | value;
  } else {
    channel.list = (channel.list & 0xFFFFFFFF) | std::uint64_t{value} << 32;
  }
  return nullptr;
}

const char *DmaEngine::write_channel_control(Cycle now, unsigned index, std::uint32_t value) {
  Channel &channel = channels_[index];
  const bool start = dma::channel::control::kStart.get(value) != 0;
  const bool abort = dma::channel::control::kAbort.get(value) != 0;
  if (start && abort) return "START and ABORT at once";
  if (start && channel.phase != Phase::idle) return "the channel is busy";
  if (start && !faults_.loses_doorbell(dma::kFirstQueueNumber + index, now)) {
    channel.ended = 0;
    channel.last = Error::none;
    begin_descriptor(index, channel.list, now);
  }
  if (!abort || channel.phase == Phase::idle) return nullptr;
  channel.aborted = true;
  if (!channel.held) end_descriptor(index, now);
  return nullptr;
}

// Time.

Cycle DmaEngine::phase_end(const Channel &channel) const {
  return channel.phase == Phase::transfer ? dram_.finish(channel.mover) : channel.until;
}

Cycle DmaEngine::next_event() const {
  Cycle next = kNever;
  for (const Channel &channel : channels_) next = std::min({next, phase_end(channel), channel.interrupt_at});
  return next;
}

void DmaEngine::step(Cycle now) {
  for (unsigned index = 0; index < channels_.size(); ++index) {
    Channel &channel = channels_[index];
    if (phase_end(channel) <= now) end_phase(index, now);
    if (channel.interrupt_at > now) continue;
    channel.interrupt_at = kNever;
    status_ |= 1U << index;
  }
}

void DmaEngine::begin_descriptor(unsigned index, std::uint64_t address, Cycle now) {
  Channel &channel = channels_[index];
  channel.at = address;
  channel.phase = Phase::fetch;
  channel.error = fetch(channel, index, now);
  const Cycle stands = faults_.stands_still(dma::kFirstQueueNumber + index, now);
  channel.until = stands == kNever ? kNever : now + geometry_.dma_setup_cycles + stands;
  channel.held = stands != 0 && stands != kNever;
  channel.aborted = false;
}

DmaEngine::Error DmaEngine::fetch(Channel &channel, unsigned index, Cycle now) {
  channel.descriptor = {};
  if (channel.at % dma::kDescriptorAlignment != 0) return Error::misaligned;
  if (!host_.read(channel.at, &channel.descriptor, sizeof(Descriptor))) return Error::bad_descriptor;
  if (!faults_.memory().empty() && faults_.memory().read(kBus, channel.at, sizeof(Descriptor))) return Error::bad_descriptor;
  if (const Error error = check(channel.descriptor); error != Error::none) return error;
  return faults_.refuses_access(dma::kFirstQueueNumber + index, now) ? Error::bus_read : Error::none;
}

void DmaEngine::end_phase(unsigned index, Cycle now) {
  Channel &channel = channels_[index];
  if (channel.aborted) return end_descriptor(index, now);
  channel.held = false;
  if (channel.phase == Phase::fetch && channel.error == Error::none) {
    const std::uint64_t bytes = bytes_of(channel.descriptor);
    channel.phase = Phase::transfer;
    channel.until = now + (bytes + geometry_.dma_bytes_per_cycle - 1) / geometry_.dma_bytes_per_cycle;
    dram_.begin(channel.mover, now, 2 * bytes);  // the engine reads each byte and writes it
    return;
  }
  if (channel.phase == Phase::transfer) {
    dram_.end(channel.mover, now);
    channel.phase = Phase::drain;
    if (channel.until > now) return;
  }
  end_descriptor(index, now);
}

void DmaEngine::end_descriptor(unsigned index, Cycle now) {
  Channel &channel = channels_[index];
  Error error = channel.error;
  // An engine that waits for the bus may have sent all writes before it stops. An engine that stops at once has written nothing here.
  if (error == Error::none && (channel.held || !channel.aborted)) error = copy_rows(channel.descriptor);
  if (channel.aborted) error = Error::stopped;
  write_status(channel, error, now);
  if (error != Error::none) return end_list(channel, error, now);
  ++channel.ended;
  if (channel.descriptor.next == 0) return end_list(channel, error, now);
  if ((channel.descriptor.control & Descriptor::kInterrupt) != 0) channel.interrupt_at = now + geometry_.interrupt_latency;
  begin_descriptor(index, channel.descriptor.next, now);
}

DmaEngine::Error DmaEngine::copy_rows(const Descriptor &descriptor) {
  row_.resize(descriptor.row_bytes);
  for (std::uint32_t row = 0; row < descriptor.rows; ++row) {
    const std::uint64_t source = descriptor.source + std::uint64_t{descriptor.source_stride} * row;
    const std::uint64_t destination = descriptor.destination + std::uint64_t{descriptor.destination_stride} * row;
    if (!host_.read(source, row_.data(), row_.size())) return Error::bus_read;
    if (!faults_.memory().empty() && faults_.memory().read(kBus, source, row_.size())) return Error::bus_read;
    if (!host_.write(destination, row_.data(), row_.size())) return Error::bus_write;
    if (faults_.memory().empty()) continue;
    faults_.memory().begin_write();
    faults_.memory().write(kBus, destination, row_.size());
  }
  return Error::none;
}

void DmaEngine::write_status(const Channel &channel, Error error, Cycle now) const {
  // A descriptor that the engine could not read has no status.
  if (channel.at % dma::kDescriptorAlignment != 0) return;
  const dma::Status status{.state = dma::Status::state_of(error), .reserved = 0, .time = now, .unused = {}};
  static_cast<void>(host_.write(channel.at + sizeof(Descriptor), &status, sizeof(status)));
}

void DmaEngine::end_list(Channel &channel, Error error, Cycle now) {
  stop(channel, now);
  channel.last = error;
  channel.interrupt_at = now + geometry_.interrupt_latency;
}

/// Makes the channel idle. A transfer in progress loses its part of the bandwidth.
void DmaEngine::stop(Channel &channel, Cycle now) {
  if (channel.phase == Phase::transfer) dram_.end(channel.mover, now);
  channel.phase = Phase::idle;
  channel.until = kNever;
}

}  // namespace cox::model
