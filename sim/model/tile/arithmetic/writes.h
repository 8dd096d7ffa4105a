// SPDX-License-Identifier: MIT
// Collects the writes of the reference, which take effect only after all sources have been read.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/model/tile/arithmetic/memory.h"

namespace cox::model::arithmetic::reference {

class Writes {
 public:
  /// Adds an element of `bits` (4, 8, 16, 32, 64) that begins at bit `bit`. If only one of the two INT4 in a byte is written, the other one
  /// becomes 0.
  void put(std::int64_t bit, unsigned bits, std::uint64_t element) {
    if (bits != 4) return elements_.push_back({bit >> 3, element, static_cast<std::uint8_t>(bits / 8)});
    const auto [half, fresh] = halves_.try_emplace(bit >> 3, elements_.size());
    if (fresh) elements_.push_back({bit >> 3, 0, 1});
    elements_[half->second].value |= (element & 0xF) << (bit & 4);
  }
  void commit(const Memory &memory) const {
    for (const Element &element : elements_) memory.write(element.address, &element.value, element.bytes);
  }

 private:
  struct Element {
    std::int64_t address;
    std::uint64_t value;  ///< little-endian, like the host
    std::uint8_t bytes;
  };
  std::vector<Element> elements_;
  std::unordered_map<std::int64_t, std::size_t> halves_;  ///< maps the address of a byte with INT4 to its index in elements_
};

}  // namespace cox::model::arithmetic::reference
