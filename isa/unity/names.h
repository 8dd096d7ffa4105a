// SPDX-License-Identifier: MIT
// Names of instructions and of their fields, for reports of faults. They are derived from the table at compile time, so that an application
// that only names faults does not hold the table and the layouts, which take 30 KB.
#pragma once

#include <cstddef>

namespace cox::isa::unity {

// `row` is the number of a row of kInstructions: row_of().

[[nodiscard]] const char *instruction_name(std::size_t row);
/// The field of the payload whose lowest bit is `bit`, or "instruction" without one.
[[nodiscard]] const char *payload_field_name(std::size_t row, unsigned bit);
/// Field `number` of the operand table, counted from bit 0 up, extension included; "" without one.
[[nodiscard]] const char *table_field_name(std::size_t row, unsigned number);

}  // namespace cox::isa::unity
