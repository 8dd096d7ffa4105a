// SPDX-License-Identifier: MIT
// The elements of a tensor that a descriptor describes.
#pragma once

#include <array>

#include "coxswain/isa/unity/descriptor.h"
#include "sim/model/unity/arithmetic/elements.h"
#include "sim/model/unity/arithmetic/memory.h"

namespace cox::model::unity {

/// Calls `visit(number, bits)` for each stored element, the last dimension first.
template <typename Visit>
void for_each_element(Memory &memory, const isa::unity::TensorDescriptor &tensor, const isa::unity::TensorRange &range, Visit visit) {
  if (range.bytes == 0) return;
  const std::byte *const bytes = memory.read(range.first, range.bytes);
  const Unit unit = tensor.element_unit();
  if (tensor.is_sparse()) {
    for (std::uint64_t i = 0; i < tensor.count(); ++i) visit(i, load_bits(bytes, unit, i));
    return;
  }
  std::array<std::uint32_t, isa::unity::kMostRank> index{};
  std::uint64_t place = range.origin;  // in nibbles; steps back are large numbers that wrap
  const auto step = [&](unsigned i) { return static_cast<std::uint64_t>(std::int64_t{tensor.strides[i]}) * nibbles_of(unit); };
  for (std::uint64_t number = 0, elements = tensor.elements(); number < elements; ++number) {
    visit(number, load_at(bytes, unit, place));
    for (unsigned i = tensor.rank; i-- > 0;) {
      place += step(i);
      if (++index[i] != tensor.dimensions[i]) break;
      place -= step(i) * tensor.dimensions[i];
      index[i] = 0;
    }
  }
}

}  // namespace cox::model::unity
