// SPDX-License-Identifier: MIT
#include "tools/assembly/value.h"

#include <charconv>
#include <optional>

#include "tools/assembly/bfloat16_text.h"
#include "tools/assembly/float32_text.h"
#include "tools/names/did_you_mean.h"

namespace cox::tools::assembly {
namespace {

using isa::EnumType;
using isa::EnumValue;
using isa::Field;
using isa::Kind;

std::int64_t read_enumeration(const Line &line, const Field &field, const Word &value) {
  const EnumType &type = *field.types[0];
  if (const EnumValue *entry = type.find(value.text)) return entry->value;
  std::string names;
  for (const EnumValue &entry : type.values) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  line.fail(
      field, value.column,
      quoted(value.text) + " is not one of " + type.name + " (" + names + ")" + did_you_mean(value.text, type.values, &EnumValue::name));
}

std::int64_t read_bfloat16_value(const Line &line, const Field &field, const Word &value) {
  constexpr std::uint16_t kExponent = 0x7F80;
  if (is_hexadecimal(value.text)) return read_whole_number(line, field, value);
  const std::optional<Bfloat16Decimal> read = read_bfloat16(value.text);
  if (!read.has_value()) line.fail(field, value.column, quoted(value.text) + " is not a number");
  if ((read->bits & kExponent) == kExponent)
    line.fail(field, value.column, std::string(value.text) + " is out of range of BF16 (-3.39e+38 to 3.39e+38)");
  if (!read->stated) line.fail(field, value.column, std::string(value.text) + " is no BF16, the nearest is " + bfloat16_text(read->bits));
  return read->bits;
}

std::int64_t read_floating_point(const Line &line, const Field &field, const Word &value) {
  if (!is_hexadecimal(value.text)) {
    const std::optional<Float32Decimal> read = read_float32(value.text);
    if (!read.has_value()) line.fail(field, value.column, quoted(value.text) + " is not a number");
    if (!read->in_range) line.fail(field, value.column, std::string(value.text) + " is out of range of FP32");
    return read->bits;
  }
  const std::int64_t bits = read_whole_number(line, field, value);
  if (bits > 0xFFFFFFFF) line.fail(field, value.column, std::string(value.text) + " has more than 32 bits");
  return bits;
}

}  // namespace

void fail_out_of_range(const Line &line, const Field &field, const Word &value) {
  const std::string range = std::to_string(field.minimum) + " to " + std::to_string(field.maximum);
  line.fail(field, value.column, std::string(value.text) + " is out of range (" + range + ")");
}

bool is_hexadecimal(std::string_view text) { return text.starts_with("0x") || text.starts_with("0X"); }

std::int64_t read_whole_number(const Line &line, const Field &field, const Word &value) {
  constexpr int kDecimal = 10, kHexadecimal = 16;
  const bool hexadecimal = is_hexadecimal(value.text);
  const std::string_view digits = hexadecimal ? value.text.substr(2) : value.text;
  const char *end = digits.data() + digits.size();
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), end, number, hexadecimal ? kHexadecimal : kDecimal);
  if (stop != end || error == std::errc::invalid_argument || (hexadecimal && digits.starts_with('-'))) {
    line.fail(field, value.column, quoted(value.text) + " is not a whole number");
  }
  if (error != std::errc{}) fail_out_of_range(line, field, value);
  return number;
}

std::int64_t read_value(const Line &line, const Field &field, const Word &value) {
  if (value.text.empty()) line.fail(field, value.column, "no value");
  switch (field.kind) {
    case Kind::boolean:
      if (value.text != "true" && value.text != "false") {
        line.fail(field, value.column, quoted(value.text) + " is neither true nor false");
      }
      return value.text == "true" ? 1 : 0;
    case Kind::enumeration: return read_enumeration(line, field, value);
    case Kind::floating_point: return read_floating_point(line, field, value);
    case Kind::bfloat16: return read_bfloat16_value(line, field, value);
    default: return read_whole_number(line, field, value);
  }
}

std::string value_text(const Field &field, std::int64_t value) {
  switch (field.kind) {
    case Kind::boolean: return value != 0 ? "true" : "false";
    case Kind::enumeration: return field.types[0]->find(value)->name;
    case Kind::floating_point: return float32_text(static_cast<std::uint32_t>(value));
    case Kind::bfloat16: return bfloat16_text(static_cast<std::uint16_t>(value));
    default: return std::to_string(value);
  }
}

}  // namespace cox::tools::assembly
