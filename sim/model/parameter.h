// SPDX-License-Identifier: MIT
// Parameters of the geometry: numbers that the option `geometry` sets by name (docs/model.md, Geometry).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace cox::model {

struct Parameter {
  const char *name;
  std::uint32_t minimum, maximum;
  std::uint32_t initial = 0;  ///< the value without the option; parameters_of() sets it
};

/// The parameters that the option `geometry` sets, by name. Each value is within the parameter's range.
using ParameterValues = std::map<std::string, std::uint32_t, std::less<>>;

/// A parameter, and the member of `Numbers` that holds it.
template <typename Numbers>
struct ParameterField {
  Parameter parameter;
  std::uint32_t Numbers::*member;
};

/// Largest value of a parameter that is a number of cycles, or a number per cycle.
inline constexpr std::uint32_t kMostCycles = 1'000'000;

template <typename Numbers, std::size_t kCount>
constexpr std::array<Parameter, kCount> parameters_of(const ParameterField<Numbers> (&fields)[kCount]) {
  std::array<Parameter, kCount> parameters{};
  for (std::size_t i = 0; i < kCount; ++i) {
    parameters[i] = fields[i].parameter;
    parameters[i].initial = Numbers{}.*(fields[i].member);
  }
  return parameters;
}

/// Sets the members of `numbers` whose parameters are in `values`.
template <typename Numbers, std::size_t kCount>
void set_parameters(Numbers &numbers, const ParameterField<Numbers> (&fields)[kCount], const ParameterValues &values) {
  for (const ParameterField<Numbers> &field : fields) {
    if (const auto value = values.find(field.parameter.name); value != values.end()) numbers.*(field.member) = value->second;
  }
}

}  // namespace cox::model
