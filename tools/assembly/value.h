// SPDX-License-Identifier: MIT
// Values of fields as text.
#pragma once

#include <cstdint>
#include <string>

#include "isa/field.h"
#include "tools/assembly/line.h"

namespace cox::tools::assembly {

/// Fails the line because the value is not in the field's range, which the message names.
[[noreturn]] void fail_out_of_range(const Line &line, const isa::Field &field, const Word &value);

/// Returns the value of the word; for a floating-point or BF16 field, its bits. A word is a whole number in decimal, or with 0x in
/// hexadecimal; true or false; a name of an enumeration; an FP32 number as read_float32() takes it; or a BF16 number that is stated exactly
/// (read_bfloat16()). Any other word fails the line. The field's own range is not checked.
[[nodiscard]] std::int64_t read_value(const Line &line, const isa::Field &field, const Word &value);
[[nodiscard]] std::int64_t read_whole_number(const Line &line, const isa::Field &field, const Word &value);
[[nodiscard]] bool is_hexadecimal(std::string_view text);

/// Returns text that read_value() reads as this value.
[[nodiscard]] std::string value_text(const isa::Field &field, std::int64_t value);

}  // namespace cox::tools::assembly
