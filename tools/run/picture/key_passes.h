// SPDX-License-Identifier: MIT
// Which instruction has taken the key that another one has given.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/model/observers/event_log.h"

namespace cox::tools::run {

struct KeyPass {
  const model::EventRecord *given = nullptr, *taken = nullptr;

  /// In words; times count from `zero`.
  [[nodiscard]] std::string text(std::uint64_t zero) const;
};

/// `keys`: the records of keys of a log, in order. Keys of one entry are all alike, so the one that was given first counts as taken first.
/// Keys that were there before, or that the control core gave, have no record; what takes them has no pass.
[[nodiscard]] std::vector<KeyPass> match_keys(std::span<const model::EventRecord *const> keys);

}  // namespace cox::tools::run
