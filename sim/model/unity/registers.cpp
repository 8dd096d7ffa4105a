// SPDX-License-Identifier: MIT
#include "sim/model/unity/registers.h"

#include <algorithm>

namespace cox::model::unity {

using registers::Name;

namespace {

constexpr std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

}  // namespace

void Registers::power_on() {
  key_ = 0;
  waiting_.clear();
  contexts_ = {};
}

std::uint32_t Registers::waiting_units() const {
  std::uint32_t units = 0;
  for (const Waiting &waiting : waiting()) units |= 1U << waiting.unit;
  return units;
}

bool Registers::read(Name name, Index index, std::uint32_t &value) const {
  switch (name) {
    case Name::unity_units: value = machine_.units(); return true;
    case Name::unity_key: value = key_; return true;
    case Name::unity_key_count: value = machine_.key(key()); return true;
    case Name::unity_waiting: value = waiting_units(); return true;
    case Name::unity_context_page_lo: value = low(contexts_[index[0]].page); return true;
    case Name::unity_context_page_hi: value = high(contexts_[index[0]].page); return true;
    case Name::unity_context_keys: value = contexts_[index[0]].key_tables; return true;
    default: break;
  }
  if (name < Name::unity_unit_position || name > Name::unity_unit_bytes_hi) return false;
  value = index[0] < machine_.units() ? read_unit(name, index[0]) : 0;
  return true;
}

std::uint32_t Registers::read_unit(Name name, unsigned unit) const {
  const std::vector<Waiting> all = waiting();
  const auto found = std::ranges::find(all, unit, &Waiting::unit);
  const Waiting waiting = found == all.end() ? Waiting() : *found;
  const Counters &counters = machine_.counters(unit);
  namespace keys = registers::unity_unit::waits_for;
  switch (name) {
    case Name::unity_unit_position: return waiting.position;
    case Name::unity_unit_waits_for:
      return keys::kEntry.put(waiting.key.entry) | keys::kTable.put(waiting.key.table) | keys::kWanted.put(waiting.wanted) |
             keys::kHeld.put(waiting.held);
    case Name::unity_unit_instructions_lo: return low(counters.instructions);
    case Name::unity_unit_instructions_hi: return high(counters.instructions);
    case Name::unity_unit_busy_lo: return low(counters.busy);
    case Name::unity_unit_busy_hi: return high(counters.busy);
    case Name::unity_unit_waited_lo: return low(counters.waited);
    case Name::unity_unit_waited_hi: return high(counters.waited);
    case Name::unity_unit_macs_lo: return low(counters.macs);
    case Name::unity_unit_macs_hi: return high(counters.macs);
    case Name::unity_unit_bytes_lo: return low(counters.bytes);
    default: return high(counters.bytes);
  }
}

bool Registers::write(Name name, Index index, std::uint32_t value, Cycle now, const char *&reason) {
  switch (name) {
    case Name::unity_key: key_ = value; return true;
    case Name::unity_key_count:
      if (!machine_.set_key(key(), static_cast<std::uint16_t>(value))) reason = "a container runs";
      return true;
    case Name::unity_key_add:
      if (!machine_.add_keys(key(), value, now)) reason = "the entry would hold too many keys";
      return true;
    case Name::unity_context_page_lo: {
      std::uint64_t &page = contexts_[index[0]].page;
      page = (page & ~std::uint64_t{0xFFFFFFFF}) | value;
      return true;
    }
    case Name::unity_context_page_hi: {
      std::uint64_t &page = contexts_[index[0]].page;
      page = (page & 0xFFFFFFFF) | std::uint64_t{value} << 32;
      return true;
    }
    case Name::unity_context_keys: contexts_[index[0]].key_tables = value; return true;
    default: return false;
  }
}

}  // namespace cox::model::unity
