// SPDX-License-Identifier: MIT
// Reads a layer of a network file by the rules of its operation.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "coxswain/isa/tile/table.h"
#include "tools/lower/network/json_object.h"
#include "tools/lower/network/network.h"

namespace cox::lower {

/// Largest number of rows, columns or channels of a map, which the instructions' fields limit.
constexpr auto kMaximumExtent = static_cast<std::uint32_t>(isa::tile::field_named<isa::tile::Opcode::pe_cfg_fm, "STile">()->maximum);

/// What the network file may say in a layer of this operation.
struct OperationRules {
  enum class Formats : std::uint8_t { int8, fp16, either };

  std::string_view name;
  Operation operation;
  std::size_t least_inputs, most_inputs;
  Formats inputs;
  bool fp16_output;
  std::span<const std::string_view> fields;
};

/// Throws NetworkError if the operation does not exist, or if `object` has a field that the operation does not have.
[[nodiscard]] const OperationRules &rules_of(const Object &object);

/// Reads the rest of a layer whose operation, inputs and output are known. The output's shape must follow from the inputs' shapes.
void read_operation(const Object &object, const OperationRules &rules, const Network &network, Layer &layer);

}  // namespace cox::lower
