// SPDX-License-Identifier: MIT
// A layer of a network file, by its operation.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "isa/tile/table.h"
#include "tools/lower/network/json_object.h"
#include "tools/lower/network/network.h"

namespace cox::lower {

/// The most rows, columns or channels of a map: what the instructions' fields hold.
constexpr auto kMaximumExtent = static_cast<std::uint32_t>(isa::tile::field_named<isa::tile::Opcode::pe_cfg_fm, "STile">()->maximum);

/// What the layers of an operation have in common.
struct OperationRules {
  enum class Formats : std::uint8_t { int8, fp16, either };

  std::string_view name;
  Operation operation;
  std::size_t least_inputs, most_inputs;
  Formats inputs;
  bool fp16_output;
  std::span<const std::string_view> fields;
};

/// Throws NetworkError for an operation that there is not, and for a field that it does not have.
[[nodiscard]] const OperationRules &rules_of(const Object &object);

/// The rest of a layer whose operation, inputs and output are known. The output's shape must follow from the inputs'.
void read_operation(const Object &object, const OperationRules &rules, const Network &network, Layer &layer);

}  // namespace cox::lower
