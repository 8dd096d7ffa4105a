// SPDX-License-Identifier: MIT
// The local memories of a core, as isa::pim reads tables and masks from them.
#pragma once

#include <algorithm>

#include "coxswain/isa/pim/operation.h"
#include "sim/model/pim/arithmetic/execute.h"

namespace cox::model::pim {

class LocalBytes final : public isa::pim::LocalMemory {
 public:
  explicit LocalBytes(const CoreMemories &memories) : memories_(memories) {}

  void read(isa::pim::Place place, std::span<std::byte> bytes) const override {
    const std::span<const std::byte> memory = memories_.local[place.space];
    std::copy_n(memory.begin() + static_cast<std::ptrdiff_t>(place.offset), bytes.size(), bytes.begin());
  }

 private:
  const CoreMemories &memories_;
};

}  // namespace cox::model::pim
