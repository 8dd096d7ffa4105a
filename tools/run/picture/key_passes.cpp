// SPDX-License-Identifier: MIT
#include "tools/run/picture/key_passes.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <utility>

#include "tools/run/picture/lane_picture.h"

namespace cox::tools::run {

using model::EventRecord;

std::string KeyPass::text(std::uint64_t zero) const {
  return fmt::format("key {}:{} from core {} to core {}\ngiven at {}, taken at {}", given->detail >> 8, given->detail & 0xFF,
                     given->engine_core, taken->engine_core, grouped(given->end - zero), grouped(taken->end - zero));
}

std::vector<KeyPass> match_keys(std::span<const EventRecord *const> keys) {
  std::map<std::pair<unsigned, std::uint32_t>, std::deque<const EventRecord *>> held;  // by engine and entry
  std::vector<KeyPass> passes;
  for (const EventRecord *record : keys) {
    std::deque<const EventRecord *> &entry = held[{record->core, record->detail}];
    if (record->last != 0) {
      entry.push_back(record);
      continue;
    }
    for (std::uint64_t i = 0; i < record->bytes && !entry.empty(); ++i) {
      passes.push_back({entry.front(), record});
      entry.pop_front();
    }
  }
  return passes;
}

}  // namespace cox::tools::run
