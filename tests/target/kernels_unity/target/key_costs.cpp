// SPDX-License-Identifier: MIT
#include "key_costs.h"

#include <cstdint>
#include <cstdio>

#include "cost_of.h"
#include "coxswain/hal/unity/keys.h"
#include "tests/target/selftest/selftest.h"

namespace unity_selftest {

bool measure_keys() {
  namespace keys = cox::hal::unity;
  constexpr std::uint32_t kLimit = 100;  // microseconds
  constexpr std::uint8_t kTable = 3, kEntries = 64;
  for (std::uint8_t entry = 0; entry < kEntries; ++entry) {
    if (!selftest::good(keys::set_keys({kTable, entry}, 0))) return false;
  }
  const unsigned long add = cost_of([&] {
    for (std::uint8_t entry = 0; entry < kEntries; ++entry) keys::add_keys({kTable, entry}, 1);
  });
  bool come = true;
  const unsigned long await = cost_of([&] {
    for (std::uint8_t entry = 0; entry < kEntries; ++entry) come = keys::await_keys({kTable, entry}, 1, kLimit).ok() && come;
  });
  // The instructions of the loop count, too.
  std::printf("unity.keys.add_instructions %lu\n", (add + kEntries - 1) / kEntries);
  std::printf("unity.keys.await_instructions %lu\n", (await + kEntries - 1) / kEntries);
  const cox::Status missing = keys::await_keys({kTable, kEntries - 1}, 2, kLimit);
  const bool named = missing.code() == cox::ErrorCode::timeout && missing.index() == kTable && missing.value() == kEntries - 1;
  for (std::uint8_t entry = 0; entry < kEntries; ++entry) {
    if (keys::read_keys({kTable, entry}) != 1 || !keys::set_keys({kTable, entry}, 0)) return false;
  }
  return come && named;
}

}  // namespace unity_selftest
