// SPDX-License-Identifier: MIT
// Shared by the self-tests on the control core: prints the line for each part, which the test's run.py expects, and makes random numbers.
#pragma once

#include <cstdint>
#include <cstdio>

#include "coxswain/base/status.h"

namespace selftest {

/// True if any part has failed.
inline bool failed = false;

inline void verdict(const char *name, bool passed) {
  std::printf("%s: %s\n", name, passed ? "ok" : "FAILED");
  failed = failed || !passed;
}

/// Prints the error, if there is one.
inline bool good(const cox::Status &status) {
  if (!status.ok())
    std::printf("%s: %s, index %ld, value %ld, limit %ld\n", cox::error_name(status.code()), status.what(),
                static_cast<long>(status.index()), static_cast<long>(status.value()), static_cast<long>(status.limit()));
  return status.ok();
}

/// A xorshift32 generator.
inline std::uint32_t random_bits() {
  static std::uint32_t state = 1;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

/// A random value from -1 to 1.
inline float random_value() { return static_cast<float>(static_cast<std::int32_t>(random_bits())) * 0x1p-31F; }

}  // namespace selftest
