// SPDX-License-Identifier: MIT
// Parameters of convolutions and pools: one value, one a channel or one a result element.
#pragma once

#include "sim/model/unity/arithmetic/elements.h"
#include "sim/model/unity/arithmetic/memory.h"

namespace cox::model::unity {

class ParameterValues {
 public:
  ParameterValues() = default;
  /// For a map of this shape: the result's, or for padding the source's.
  ParameterValues(Memory &memory, const isa::unity::Parameter &parameter, const isa::unity::FeatureMap &map) : parameter_(&parameter) {
    if (parameter.immediate) return;
    const std::uint64_t last = place(map.height - 1, map.width - 1, map.channels - 1);
    bytes_ = memory.read(parameter.address, (last + nibbles_of(parameter.unit) + 1) / 2);
  }

  [[nodiscard]] Unit unit() const { return parameter_->unit; }
  [[nodiscard]] bool immediate() const { return parameter_->immediate; }
  [[nodiscard]] bool per_element() const { return !parameter_->immediate && (parameter_->row != 0 || parameter_->column != 0); }
  [[nodiscard]] std::uint64_t bits(std::uint64_t h, std::uint64_t w, std::uint64_t c) const {
    return bytes_ == nullptr ? parameter_->value : load_at(bytes_, parameter_->unit, place(h, w, c));
  }
  /// Integers: modulo 2^64.
  [[nodiscard]] std::int64_t integer(std::uint64_t h, std::uint64_t w, std::uint64_t c) const {
    return isa::unity::integer_of(unit(), bits(h, w, c));
  }
  [[nodiscard]] Whole number(std::uint64_t h, std::uint64_t w, std::uint64_t c) const { return whole_of_bits(bits(h, w, c), unit()); }
  [[nodiscard]] double real(std::uint64_t h, std::uint64_t w, std::uint64_t c) const { return real_of_bits(bits(h, w, c), unit()); }

 private:
  [[nodiscard]] std::uint64_t place(std::uint64_t h, std::uint64_t w, std::uint64_t c) const {
    return h * parameter_->row + w * parameter_->column + c * parameter_->channel;
  }

  const isa::unity::Parameter *parameter_ = nullptr;
  const std::byte *bytes_ = nullptr;
};

}  // namespace cox::model::unity
