// SPDX-License-Identifier: MIT
// Apart from the other functions on keys, because tools without a board link those.
#include "coxswain/hal/board.h"
#include "coxswain/hal/unity/keys.h"

namespace cox::hal::unity {

Status detail::await_missing_keys(isa::unity::Key key, std::uint16_t count, std::uint32_t limit_us) {
  const std::uint64_t deadline = board::microseconds() + limit_us;
  do {
    if (read_keys(key) >= count) return {};
  } while (board::microseconds() < deadline);
  return {ErrorCode::timeout, "key", key.table, key.entry, count};
}

}  // namespace cox::hal::unity
