// SPDX-License-Identifier: MIT
// Values of fields as text.
#pragma once

#include <cstdint>
#include <string>

#include "coxswain/isa/field.h"
#include "tools/assembly/line.h"

namespace cox::tools::assembly {

/// Fails the line because the value is not in the field's range, which the message names.
[[noreturn]] void fail_out_of_range(const Line &line, const isa::Field &field, const Word &value);

/// Returns the number that the word stands for. For an FP32 or BF16 field this is the bit pattern.
/// The kind of the field decides which words are allowed:
/// - integer: decimal digits, or hexadecimal digits after 0x;
/// - boolean: true or false;
/// - enumeration: one of its names;
/// - FP32 or BF16: a decimal number, or the bits in hexadecimal. A BF16 field takes only decimals that are `stated` (read_bfloat16()).
/// Any other word fails the line. The field's range is not checked.
[[nodiscard]] std::int64_t read_value(const Line &line, const isa::Field &field, const Word &value);
[[nodiscard]] std::int64_t read_whole_number(const Line &line, const isa::Field &field, const Word &value);
[[nodiscard]] bool is_hexadecimal(std::string_view text);

/// Returns text that read_value() reads as this value.
[[nodiscard]] std::string value_text(const isa::Field &field, std::int64_t value);

}  // namespace cox::tools::assembly
