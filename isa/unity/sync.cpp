// SPDX-License-Identifier: MIT
#include "coxswain/isa/unity/sync.h"

namespace cox::isa::unity {
namespace {

struct Part {
  const char *name;
  bool of_fetch;  ///< else of the deposit
  unsigned bit, width;
};
constexpr Part kParts[] = {
    {"num_key", true, 3, 3}, {"keyr_bar", true, 6, 2}, {"keyw_bar", false, 8, 2}, {"fetch_key", true, 10, 8}, {"deposit_key", false, 18, 8},
};
constexpr unsigned kFirstReserved = 26;
constexpr unsigned kSyncBit = 32;  // of bit 0 in the payload

}  // namespace

Status check_sync(std::uint32_t word) {
  for (unsigned bit = kFirstReserved; bit < 32; ++bit) {
    if ((word >> bit & 1) != 0) return Status(ErrorCode::reserved_bits, "sync", static_cast<std::int32_t>(kSyncBit + bit), kSyncBit + bit);
  }
  const Sync sync = read_sync(word);
  for (const Part &part : kParts) {
    const std::uint32_t value = word >> part.bit & ((1U << part.width) - 1);
    const bool on = part.of_fetch ? sync.fetches : sync.deposits;
    if (!on && value != 0) return Status(ErrorCode::field_out_of_range, part.name, -1, value, 0);
  }
  return {};
}

}  // namespace cox::isa::unity
