// SPDX-License-Identifier: MIT
#include "tests/sim/pim/reference/writer.h"

#include <algorithm>

namespace cox::model::pim::oracle {

Writer::Writer(const Configuration &configuration, Random &random, Limits limits)
    : configuration_(configuration), random_(random), limits_(limits) {
  // The last memory is for messages.
  for (unsigned i = 0; i + 1 < configuration.memories_count; ++i) room_ = std::max<std::uint64_t>(room_, configuration.memories[i].bytes);
}

void Writer::begin() {
  used_.clear();
  claims_.clear();
}

bool Writer::is_bound(unsigned number) const { return std::ranges::count(configuration_.bound, static_cast<std::uint8_t>(number)) != 0; }

bool Writer::is_free(unsigned number) const { return !held_.contains(number) && !used_.contains(number) && !is_bound(number); }

unsigned Writer::free_register() {
  for (unsigned attempt = 0;; ++attempt) {
    const auto number = static_cast<unsigned>(random_.below(32));
    const bool any = limits_.wrong != 0 && random_.one_in(40) && !held_.contains(number);
    const bool used_before = attempt >= 300 && !held_.contains(number) && !is_bound(number);  // an action that needs all registers
    if (!any && !is_free(number) && !used_before) continue;
    used_.insert(number);
    return number;
  }
}

unsigned Writer::unbound_register() {
  unsigned number = 0;
  do {
    number = static_cast<unsigned>(random_.below(32));
  } while (!is_free(number));
  used_.insert(number);
  return number;
}

void Writer::load(unsigned number, std::uint32_t value) {
  used_.insert(number);
  if (value < 1U << 21 && !random_.one_in(8)) {
    emit(words::general_li(number, value));
    return;
  }
  // addi extends the sign of its immediate.
  const std::uint32_t high = (value + 0x8000) >> 16;
  emit(words::immediate(2, static_cast<unsigned>(random_.below(32)), number, static_cast<int>(high)));
  if ((value & 0xFFFF) != 0 || random_.one_in(4)) emit(words::immediate(0, number, number, static_cast<int>(value & 0xFFFF)));
}

unsigned Writer::value(std::uint32_t value) {
  const unsigned number = free_register();
  load(number, value);
  return number;
}

void Writer::special(unsigned number, std::uint32_t value) {
  if (value < 1U << 21 && !random_.one_in(5)) {
    emit(words::special_li(number, value));
  } else {
    emit(words::general_to_special(this->value(value), number));
  }
}

void Writer::poke(std::uint32_t address, const Bytes &bytes) {
  const unsigned base = value(address), data = free_register();
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    std::uint32_t word = 0;
    for (unsigned b = 0; b < 4; ++b) word |= (i + b < bytes.size() ? std::uint32_t{bytes[i + b]} : 0U) << 8 * b;
    load(data, word);
    emit(words::memory(1, base, data, static_cast<int>(i)));
  }
}

std::uint32_t Writer::local_address(std::uint64_t bytes) {
  std::uint32_t address = 0;
  for (unsigned attempt = 0; attempt < 30; ++attempt) {
    const isa::pim::Memory &memory = configuration_.memories[random_.below(configuration_.memories_count - 1)];
    if (memory.bytes < bytes) continue;
    address = static_cast<std::uint32_t>(memory.first + random_.up_to(0, memory.bytes - bytes));
    const bool taken = std::ranges::any_of(claims_, [&](const Claim &c) { return address < c.end && c.first < address + bytes; });
    if (!taken) break;
  }
  claims_.push_back({address, address + bytes});
  return address;
}

std::uint32_t Writer::array_address(std::uint64_t bytes) {
  const std::uint64_t size = configuration_.array.bytes();
  return static_cast<std::uint32_t>(configuration_.array.first + random_.up_to(0, size < bytes ? 0 : size - bytes));
}

std::uint32_t Writer::dram_address(std::uint64_t bytes, bool write) {
  const std::uint64_t slot_bytes = limits_.window_bytes / (limits_.slots + 1);
  const std::uint64_t slot = !write && random_.one_in(2) ? limits_.slots : limits_.slot;
  const std::uint64_t in_slot = random_.up_to(0, slot_bytes < bytes ? 0 : slot_bytes - bytes);
  return static_cast<std::uint32_t>(configuration_.dram_first + random_.below(4) * (configuration_.dram_bytes / 4) + slot * slot_bytes +
                                    in_slot);
}

std::uint32_t Writer::bad_dram_address(std::uint64_t bytes) {
  const std::uint64_t first = configuration_.dram_first + random_.below(4) * (configuration_.dram_bytes / 4);
  return static_cast<std::uint32_t>(first + limits_.window_bytes - bytes + random_.up_to(1, bytes));
}

std::uint32_t Writer::bad_address(std::uint64_t bytes) {
  const isa::pim::Memory &memory = random_.pick(configuration_.local_memories());
  const auto last = static_cast<std::uint32_t>(memory.first + memory.bytes);
  const auto shift = static_cast<std::uint32_t>(random_.up_to(1, bytes));
  switch (random_.below(6)) {
    case 0: return last - static_cast<std::uint32_t>(bytes) + shift;  // passes the end, or is behind it
    case 1: return memory.first - shift;
    case 2: return 0 - shift;
    case 3: return array_address(bytes);
    case 4: return configuration_.dram_first;
    default: return random_.word();
  }
}

std::uint32_t Writer::width(std::uint32_t most) {
  constexpr std::uint32_t kWrong[] = {0, 3, 5, 12, 64, 0x80000008, 0xFFFFFFFF};
  if (wrong()) return random_.pick(kWrong);
  for (;;) {
    const std::uint32_t width = 1U << random_.below(6);
    if (width <= most) return width;
  }
}

std::uint32_t Writer::count(std::uint64_t number) {
  constexpr std::uint32_t kWrong[] = {0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 100000};
  if (wrong()) return random_.pick(kWrong);
  return static_cast<std::uint32_t>(number);
}

}  // namespace cox::model::pim::oracle
