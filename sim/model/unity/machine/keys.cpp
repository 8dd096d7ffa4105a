// SPDX-License-Identifier: MIT
#include "sim/model/unity/machine/keys.h"

namespace cox::model::unity {

Status KeyTables::add(Key key, std::uint32_t count) {
  std::uint16_t &entry = entries_[key.table][key.entry];
  const std::uint64_t sum = std::uint64_t{entry} + count;
  if (sum > isa::unity::kMostCount)
    return {ErrorCode::field_out_of_range, "deposit_key", key.table, static_cast<std::int64_t>(sum), isa::unity::kMostCount};
  entry = static_cast<std::uint16_t>(sum);
  return {};
}

void KeyTables::clear() {
  entries_ = {};
  waiting_.clear();
}

bool KeyTables::take(unsigned unit, Key key, unsigned count) {
  if (spend(key, count)) return true;
  waiting_.push_back({unit, key, count});
  return false;
}

bool KeyTables::spend(Key key, unsigned count) {
  std::uint16_t &entry = entries_[key.table][key.entry];
  if (entry < count) return false;
  entry = static_cast<std::uint16_t>(entry - count);
  return true;
}

}  // namespace cox::model::unity
