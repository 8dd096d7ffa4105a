// SPDX-License-Identifier: MIT
// Moves elements without changing their bits.
#pragma once

#include <cstring>

#include "sim/model/unity/arithmetic/elements.h"
#include "sim/model/unity/arithmetic/memory.h"

namespace cox::model::unity {

/// Moves elements of one unit from a source to a result.
class Mover {
 public:
  Mover(Memory &memory, const isa::unity::Run &source, const isa::unity::Run &result)
      : Mover(memory, source, result, write_optional(memory, result)) {}
  Mover(Memory &memory, const isa::unity::Run &source, const isa::unity::Run &result, std::byte *bytes)
      : source_(read(memory, source)), result_(bytes), run_(result) {}

  void move(std::uint64_t from, std::uint64_t to, std::uint64_t count = 1) const {
    if (const unsigned bytes = bits_of(run_.unit) / 8; bytes != 0) {
      std::memcpy(result_ + to * bytes, source_ + from * bytes, count * bytes);
      return;
    }
    for (std::uint64_t i = 0; i < count; ++i) store(to + i, load_bits(source_, run_.unit, from + i));
  }
  void store(std::uint64_t to, std::uint64_t bits) const { store_bits(result_, run_.unit, to, bits); }
  void finish() const {
    if (run_.elements != 0) clear_spare(result_, run_.unit, run_.elements);
  }

 private:
  const std::byte *source_;
  std::byte *result_;
  isa::unity::Run run_;
};

}  // namespace cox::model::unity
