// SPDX-License-Identifier: MIT
#include "boards/native/native_board.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "boards/native/machine.h"
#include "boards/qemu-npu-soc/board_map.h"
#include "coxswain/device/mailbox_registers.h"

namespace cox::board {
namespace {

constexpr std::size_t kMib = std::size_t{1} << 20;
// Largest number of handler runs and events while no time passes. Correct firmware needs far fewer.
constexpr unsigned kMostSteps = 1'000'000;

NativeBoard::Machine *machine_of_process = nullptr;

NativeBoard::Machine &machine_of(void *opaque) { return *static_cast<NativeBoard::Machine *>(opaque); }

void *host_map(void *opaque, std::uint64_t address, std::uint64_t size) { return machine_of(opaque).map_for_device(address, size); }

int host_read(void *opaque, std::uint64_t address, void *data, std::uint64_t size) {
  return machine_of(opaque).read_by_device(address, data, size) ? 0 : 1;
}

int host_write(void *opaque, std::uint64_t address, const void *data, std::uint64_t size) {
  return machine_of(opaque).write_by_device(address, data, size) ? 0 : 1;
}

void host_interrupt(void *opaque, std::uint32_t line, int level) {
  if (line < NativeBoard::Machine::kModelLines) machine_of(opaque).levels[line] = level != 0;
}

void host_log(void *opaque, int level, const char *text) {
  const NativeBoard::Machine &machine = machine_of(opaque);
  if (machine.settings.log) {
    machine.settings.log(level, text);
  } else {
    std::fprintf(stderr, "npu: %s\n", text);
  }
}

/// Returns the number in COX_BUS_OFFSET, which may be hexadecimal.
std::optional<std::uint64_t> bus_offset_of_environment() {
  const char *const text = std::getenv("COX_BUS_OFFSET");
  if (text == nullptr) return std::nullopt;
  std::string_view digits = text;
  const bool is_hexadecimal = digits.starts_with("0x");
  if (is_hexadecimal) digits.remove_prefix(2);
  std::uint64_t offset = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), offset, is_hexadecimal ? 16 : 10);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return offset;
}

/// Returns what NativeBoardSettings::bus_offset says of DRAM.
std::uint64_t dram_offset_of(std::optional<std::uint64_t> bus_offset) {
  return bus_offset ? 2 * *bus_offset : BOARD_DRAM_BUS_BASE - BOARD_DRAM_BASE;
}

}  // namespace

void halt(const char *sentence) {
  std::fprintf(stderr, "native board: %s\n", sentence);
  std::abort();
}

NativeBoard::Machine *machine_if_any() { return machine_of_process; }

NativeBoard::Machine &current_machine() {
  if (machine_of_process == nullptr) halt("used before a NativeBoard was created");
  return *machine_of_process;
}

NativeBoard::Machine::Machine(NativeBoardSettings wanted)
    : settings(std::move(wanted)),
      sram_offset(settings.bus_offset.value_or(BOARD_SRAM_BUS_BASE - BOARD_SRAM_BASE)),
      dram_offset(dram_offset_of(settings.bus_offset)) {}

NativeBoard::Machine::~Machine() { power_off(); }

void NativeBoard::Machine::power_off() {
  if (model != nullptr) cox_model_destroy(model);
  model = nullptr;
  if (machine_of_process == this) {
    hal::native::set_bus(nullptr);
    machine_of_process = nullptr;
  }
}

bool NativeBoard::Machine::power_on(std::string &error) {
  if (machine_of_process != nullptr) {
    error = "a native board exists already, and its addresses are fixed: one at a time";
    return false;
  }
  if (settings.dram_bytes < BOARD_DRAM_SIZE_MIN || settings.dram_bytes > BOARD_DRAM_SIZE_MAX || settings.dram_bytes % kMib != 0) {
    error = "DRAM of " + std::to_string(settings.dram_bytes) + " bytes: whole MiB from " + std::to_string(BOARD_DRAM_SIZE_MIN / kMib) +
            " to " + std::to_string(BOARD_DRAM_SIZE_MAX / kMib) + " MiB are possible";
    return false;
  }
  if (cox_model_abi() != COX_MODEL_ABI) {
    error = "the model has interface version " + std::to_string(cox_model_abi()) + ", the board wants " + std::to_string(COX_MODEL_ABI);
    return false;
  }
  if (!sram.map("SRAM", BOARD_SRAM_BASE, BOARD_SRAM_SIZE, error)) return false;
  if (!dram.map("DRAM", BOARD_DRAM_BASE, settings.dram_bytes, error)) return false;
  const auto host_is = settings.idle_tick.count() > 0 ? CoreCache::Host::other_threads : CoreCache::Host::same_thread;
  if (settings.cache_seed && !cache.emplace().create(dram.bytes(), *settings.cache_seed, error, host_is)) return false;

  cox_host host = {};
  host.abi = COX_MODEL_ABI;
  host.size = sizeof(host);
  host.opaque = this;
  host.map = host_map;
  host.read = host_read;
  host.write = host_write;
  host.interrupt = host_interrupt;
  host.log = host_log;
  char reason[512] = "";
  model = cox_model_create(&host, settings.model_options.empty() ? nullptr : settings.model_options.c_str(), reason, sizeof(reason));
  if (model == nullptr) {
    error = reason;
    return false;
  }
  machine_of_process = this;
  hal::native::set_bus(this);
  return true;
}

std::byte *NativeBoard::Machine::map_for_device(std::uint64_t address, std::uint64_t size) const {
  std::byte *const found = dram.at(address - dram_offset, size);
  if (found == nullptr) return sram.at(address - sram_offset, size);
  // The cache must learn which bytes the device writes.
  return cache ? nullptr : found;
}

bool NativeBoard::Machine::read_by_device(std::uint64_t address, void *data, std::uint64_t size) {
  const std::byte *const memory = map_for_device(address, size);
  if (memory != nullptr) {
    std::memcpy(data, memory, size);
    return true;
  }
  if (dram.at(address - dram_offset, size) == nullptr) return false;
  cache->read(address - dram_offset - BOARD_DRAM_BASE, data, size);
  return true;
}

bool NativeBoard::Machine::write_by_device(std::uint64_t address, const void *data, std::uint64_t size) {
  std::byte *const memory = map_for_device(address, size);
  if (memory != nullptr) {
    std::memcpy(memory, data, size);
    return true;
  }
  if (dram.at(address - dram_offset, size) == nullptr) return false;
  cache->write(address - dram_offset - BOARD_DRAM_BASE, data, size);
  return true;
}

std::uint64_t NativeBoard::Machine::bus_address(std::uint64_t core_address) const {
  if (dram.at(core_address, 1) != nullptr) return core_address + dram_offset;
  return sram.at(core_address, 1) != nullptr ? core_address + sram_offset : core_address;
}

std::uint64_t NativeBoard::Machine::core_address(std::uint64_t bus_address) const {
  if (dram.at(bus_address - dram_offset, 1) != nullptr) return bus_address - dram_offset;
  return sram.at(bus_address - sram_offset, 1) != nullptr ? bus_address - sram_offset : bus_address;
}

void NativeBoard::Machine::barrier() {
  if (cache) cache->disturb();
}

void NativeBoard::Machine::maintain_cache(hal::native::CacheOperation operation, std::uintptr_t address, std::size_t bytes) {
  if (cache) cache->maintain(operation, address, bytes);
}

std::optional<std::uint32_t> NativeBoard::Machine::model_offset(std::uintptr_t address) const {
  if (address >= BOARD_NPU_BASE && address - BOARD_NPU_BASE < BOARD_NPU_SIZE) return static_cast<std::uint32_t>(address - BOARD_NPU_BASE);
  if (!settings.has_dma || address < BOARD_DMA_BASE || address - BOARD_DMA_BASE >= BOARD_DMA_SIZE) return std::nullopt;
  return static_cast<std::uint32_t>(COX_MODEL_DMA_OFFSET + (address - BOARD_DMA_BASE));
}

std::uint32_t NativeBoard::Machine::read(std::uintptr_t address) {
  if (cache) cache->disturb();
  std::uint32_t value = 0;
  if (address == BOARD_MAILBOX_BASE + registers::mailbox::to_core_status::kOffset) return mailbox.core_is_rung() ? 1 : 0;
  if (address == BOARD_MAILBOX_BASE + registers::mailbox::to_host_status::kOffset) return mailbox.host_is_rung() ? 1 : 0;
  const std::optional<std::uint32_t> offset = model_offset(address);
  if (!offset || cox_model_read(model, now, *offset, sizeof(value), &value) != 0) {
    bus_fault(BusFault{address, false, 0});
    return 0;
  }
  run_pending_handlers();
  return value;
}

/// Returns false if the mailbox has no writable register at `address`. The bit that acts is bit 0 in each of its registers.
bool NativeBoard::Machine::write_mailbox(std::uintptr_t address, std::uint32_t value) {
  void (HostMailbox::*act)() = nullptr;
  switch (address - BOARD_MAILBOX_BASE) {
    case registers::mailbox::to_core_set::kOffset: act = &HostMailbox::ring_core; break;
    case registers::mailbox::to_core_clear::kOffset: act = &HostMailbox::clear_core; break;
    case registers::mailbox::to_host_set::kOffset: act = &HostMailbox::ring_host; break;
    case registers::mailbox::to_host_clear::kOffset: act = &HostMailbox::clear_host; break;
    default: return false;
  }
  if ((value & 1) != 0) (mailbox.*act)();
  return true;
}

void NativeBoard::Machine::write(std::uintptr_t address, std::uint32_t value) {
  if (cache) cache->disturb();
  if (write_mailbox(address, value)) return run_pending_handlers();
  const std::optional<std::uint32_t> offset = model_offset(address);
  if (!offset || cox_model_write(model, now, *offset, sizeof(value), value) != 0) {
    bus_fault(BusFault{address, true, value});
    return;
  }
  run_pending_handlers();
}

void NativeBoard::Machine::bus_fault(const BusFault &fault) {
  if (settings.bus_fault) {
    settings.bus_fault(fault);
    return;
  }
  char sentence[96];
  if (fault.write) {
    std::snprintf(sentence, sizeof(sentence), "bus fault: write of 0x%08x to 0x%08llx", fault.value,
                  static_cast<unsigned long long>(fault.address));
  } else {
    std::snprintf(sentence, sizeof(sentence), "bus fault: read from 0x%08llx", static_cast<unsigned long long>(fault.address));
  }
  halt(sentence);
}

bool NativeBoard::Machine::is_pending(unsigned line) const {
  return handlers[line] != nullptr && (line == kMailboxLine ? mailbox.core_is_rung() : levels[line]);
}

bool NativeBoard::Machine::is_pending() const {
  for (unsigned line = 0; line < kLines; ++line) {
    if (is_pending(line)) return true;
  }
  return false;
}

void NativeBoard::Machine::run_pending_handlers() {
  if (masked || in_handler_) return;
  if (now >= next_tick) next_tick = now - now % kTickCycles + kTickCycles;
  while (is_pending()) {
    count_step();
    in_handler_ = true;
    for (unsigned line = 0; line < kLines; ++line) {
      if (is_pending(line)) handlers[line]();
    }
    in_handler_ = false;
    let_pulse_end();
  }
  restless_ = 0;
}

/// A fault plan can raise an interrupt line without a cause, for one cycle (docs/faults.md). Handlers take no time here, so such a pulse
/// would never end. Therefore every kPasses-th call that finds a line high lets one cycle pass.
void NativeBoard::Machine::let_pulse_end() {
  constexpr unsigned kPasses = 1000;
  if (!is_pending() || ++restless_ % kPasses != 0) return;
  if (restless_ > kMostSteps) halt("an interrupt line stays high");
  ++now;
  run_events_of_now();
}

void NativeBoard::Machine::count_step() {
  if (now != steps_at_) {
    steps_at_ = now;
    steps_ = 0;
  }
  if (++steps_ > kMostSteps) halt("an interrupt line stays high, or an event comes again and again, and no time passes");
}

void NativeBoard::Machine::run_events_of_now() {
  while (cox_model_next_event(model) <= now) {
    count_step();
    cox_model_advance(model, now);
  }
}

void NativeBoard::Machine::look_at_watchdog() {
  if (now < watchdog_deadline) return;
  watchdog_deadline = UINT64_MAX;
  if (!settings.watchdog) halt("nobody fed the watchdog in time");
  settings.watchdog();
}

void NativeBoard::Machine::reset(ResetCause why) {
  for (InterruptHandler &handler : handlers) handler = nullptr;
  masked = false;
  cause = why;
  watchdog_us = 0;
  feed_watchdog();
  if (cache) cache->reset();
}

void NativeBoard::Machine::advance_to(std::uint64_t cycle) {
  run_events_of_now();
  run_pending_handlers();
  while (now < cycle) {
    now = std::min(cox_model_next_event(model), cycle);
    run_events_of_now();
    run_pending_handlers();
  }
  look_at_watchdog();
}

void NativeBoard::Machine::sleep() {
  masked = true;
  if (cache) cache->sleep();
  run_events_of_now();
  let_pulse_end();
  while (!is_pending() && now < next_tick) {
    if (cox_model_next_event(model) >= next_tick) {
      sleep_until_tick();
    } else {
      now = cox_model_next_event(model);
    }
    run_events_of_now();
  }
  if (cache) cache->sleep();
  look_at_watchdog();
}

/// Lets time pass until the next tick, before which the device does nothing. Returns early, without time passing, if the device is idle and
/// the host rings.
void NativeBoard::Machine::sleep_until_tick() {
  const bool is_busy = cox_model_next_event(model) < next_tick + kTickCycles;  // at work that ends after the tick
  if (!is_busy && settings.idle_tick.count() > 0 && mailbox.wait_for_host(settings.idle_tick)) return;
  if (!is_busy && settings.on_idle_tick) settings.on_idle_tick();
  now = next_tick;
}

void NativeBoard::Machine::wait() {
  sleep();
  masked = false;
  run_pending_handlers();
  masked = true;
}

void NativeBoard::Machine::restore_interrupts(bool wanted) {
  masked = wanted;
  run_pending_handlers();
  if (!masked && !in_handler_ && settings.on_unmask) settings.on_unmask();
}

NativeBoard::NativeBoard(std::unique_ptr<Machine> machine) : machine_(std::move(machine)) {}

NativeBoard::~NativeBoard() = default;

std::unique_ptr<NativeBoard> NativeBoard::create(NativeBoardSettings settings, std::string &error) {
  if (!settings.cache_seed) settings.cache_seed = cache_seed_of_environment();
  if (!settings.bus_offset) settings.bus_offset = bus_offset_of_environment();
  auto machine = std::make_unique<Machine>(std::move(settings));
  if (!machine->power_on(error)) return nullptr;
  return std::unique_ptr<NativeBoard>(new NativeBoard(std::move(machine)));
}

std::uint64_t NativeBoard::now() const { return machine_->now; }

void NativeBoard::advance(std::uint64_t cycles) { machine_->advance_to(machine_->now + cycles); }

void NativeBoard::type(std::string_view text) { machine_->typed.insert(machine_->typed.end(), text.begin(), text.end()); }

void NativeBoard::reset(ResetCause cause) { machine_->reset(cause); }

std::span<std::byte> NativeBoard::dram() const { return machine_->cache ? machine_->cache->memory() : machine_->dram.bytes(); }

std::span<std::byte> NativeBoard::core_dram() const { return machine_->dram.bytes(); }

std::uint64_t NativeBoard::dram_address() const { return BOARD_DRAM_BASE + machine_->dram_offset; }

std::uint64_t NativeBoard::default_dram_address() { return BOARD_DRAM_BASE + dram_offset_of(bus_offset_of_environment()); }

HostMailbox &NativeBoard::mailbox() const { return machine_->mailbox; }

cox_model *NativeBoard::model() const { return machine_->model; }

}  // namespace cox::board
