// SPDX-License-Identifier: MIT
// Random numbers that are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace cox::model::pim::oracle {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint32_t word() { return static_cast<std::uint32_t>(engine_()); }
  std::uint8_t byte() { return static_cast<std::uint8_t>(engine_()); }
  /// 0 to limit - 1; 0 if the limit is 0.
  std::uint64_t below(std::uint64_t limit) { return limit == 0 ? 0 : engine_() % limit; }
  std::int64_t between(std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(last - first) + 1));
  }
  bool one_in(unsigned count) { return below(count) == 0; }
  template <typename Container>
  auto pick(const Container &container) {
    return container[below(std::size(container))];
  }
  /// A number up to `last` that is often near an end.
  std::uint64_t up_to(std::uint64_t first, std::uint64_t last) {
    if (one_in(6)) return first;
    if (one_in(6)) return last;
    return first + (one_in(2) ? below(last - first + 1) : below(last - first + 1) * below(65) / 64);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace cox::model::pim::oracle
