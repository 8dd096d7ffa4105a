// SPDX-License-Identifier: MIT
#include "tools/mx/assemble.h"

#include <algorithm>
#include <charconv>
#include <span>

#include "isa/mx/encode.h"
#include "isa/mx/table.h"
#include "tools/mx/bfloat16_text.h"
#include "tools/task/error.h"

namespace cox::tools::mx {
namespace {

using isa::EnumType;
using isa::EnumValue;
using isa::Field;
using isa::Kind;

/// A run of characters without blanks, and where it begins.
struct Word {
  std::string_view text;
  std::size_t column;  ///< from 1
};

/// Into `words`, which keeps its memory from line to line.
void read_words(std::string_view line, std::vector<Word> &words) {
  constexpr std::string_view kBlanks = " \t\r";
  line = line.substr(0, line.find('#'));
  words.clear();
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos; at = line.find_first_not_of(kBlanks, at)) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back({line.substr(at, end - at), at + 1});
    at = end;
  }
}

std::string quoted(std::string_view text) { return std::string("'").append(text).append("'"); }

std::string range_text(const Field &field) { return std::to_string(field.minimum) + " to " + std::to_string(field.maximum); }

/// One line: messages say file, line and column, and what is known of instruction, field and value.
class LineAssembler {
 public:
  LineAssembler(const std::string &file, std::size_t line) : file_(file), line_(line) {}

  [[nodiscard]] isa::mx::MachineCode assemble(const std::vector<Word> &words) {
    const Word &name = words.front();
    instruction_ = isa::mx::find_instruction(name.text);
    if (instruction_ == nullptr) fail(name.column, quoted(name.text) + " is not an instruction");
    isa::mx::MachineCode code = isa::mx::begin(instruction_->opcode);
    std::uint32_t given = 0;  // a bit a field
    for (const Word &word : std::span(words).subspan(1)) {
      const std::size_t equals = word.text.find('=');
      if (equals == std::string_view::npos) fail_instruction(word.column, quoted(word.text) + " is not Field=value");
      const std::string_view field_name = word.text.substr(0, equals);
      const Field *field = isa::mx::find_field(*instruction_, field_name);
      if (field == nullptr) fail_instruction(word.column, std::string(field_name) + ": no such field in this instruction");
      const std::uint32_t bit = 1U << (field - instruction_->fields.data());
      if ((given & bit) != 0) fail_field(*field, word.column, "is given twice");
      given |= bit;
      set_field(code, *field, {word.text.substr(equals + 1), word.column + equals + 1});
    }
    for (std::size_t i = 0; i < instruction_->fields.size(); ++i) {
      if ((given >> i & 1U) == 0) fail_field(instruction_->fields[i], name.column, "missing");
    }
    return code;
  }

  [[nodiscard]] const isa::mx::Instruction &instruction() const { return *instruction_; }

 private:
  [[noreturn]] void fail(std::size_t column, const std::string &why) const {
    throw task::FileError(file_ + ":" + std::to_string(line_) + ":" + std::to_string(column) + ": " + why);
  }
  [[noreturn]] void fail_instruction(std::size_t column, const std::string &why) const {
    fail(column, std::string(instruction_->name) + ": " + why);
  }
  [[noreturn]] void fail_field(const Field &field, std::size_t column, const std::string &why) const {
    fail_instruction(column, std::string(field.name) + ": " + why);
  }

  void set_field(isa::mx::MachineCode &code, const Field &field, const Word &value) const {
    if (value.text.empty()) fail_field(field, value.column, "no value");
    const std::int64_t number = number_of(field, value);
    if (!isa::mx::set(code, field, number)) {
      fail_field(field, value.column, std::string(value.text) + " is out of range (" + range_text(field) + ")");
    }
  }

  [[nodiscard]] std::int64_t number_of(const Field &field, const Word &value) const {
    switch (field.kind) {
      case Kind::boolean:
        if (value.text != "true" && value.text != "false") {
          fail_field(field, value.column, quoted(value.text) + " is neither true nor false");
        }
        return value.text == "true" ? 1 : 0;
      case Kind::enumeration: return enumeration_value(field, value);
      case Kind::bfloat16: return is_hexadecimal(value.text) ? whole_number(field, value) : bfloat16_value(field, value);
      default: return whole_number(field, value);
    }
  }

  static bool is_hexadecimal(std::string_view text) { return text.starts_with("0x") || text.starts_with("0X"); }

  [[nodiscard]] std::int64_t whole_number(const Field &field, const Word &value) const {
    constexpr int kDecimal = 10, kHexadecimal = 16;
    const bool hexadecimal = is_hexadecimal(value.text);
    const std::string_view digits = hexadecimal ? value.text.substr(2) : value.text;
    const char *end = digits.data() + digits.size();
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(digits.data(), end, number, hexadecimal ? kHexadecimal : kDecimal);
    if (stop != end || error == std::errc::invalid_argument || (hexadecimal && digits.starts_with('-'))) {
      fail_field(field, value.column, quoted(value.text) + " is not a whole number");
    }
    if (error != std::errc{}) fail_field(field, value.column, std::string(value.text) + " is out of range (" + range_text(field) + ")");
    return number;
  }

  [[nodiscard]] std::int64_t enumeration_value(const Field &field, const Word &value) const {
    const EnumType &type = *field.types[0];
    if (const EnumValue *entry = type.find(value.text)) return entry->value;
    std::string names;
    for (const EnumValue &entry : type.values) names += (names.empty() ? "" : ", ") + std::string(entry.name);
    fail_field(field, value.column, quoted(value.text) + " is not one of " + type.name + " (" + names + ")");
  }

  [[nodiscard]] std::int64_t bfloat16_value(const Field &field, const Word &value) const {
    constexpr std::uint16_t kExponent = 0x7F80;
    const std::optional<Bfloat16Decimal> read = read_bfloat16(value.text);
    if (!read.has_value()) fail_field(field, value.column, quoted(value.text) + " is not a number");
    if ((read->bits & kExponent) == kExponent) {
      fail_field(field, value.column, std::string(value.text) + " is out of range of BF16 (-3.39e+38 to 3.39e+38)");
    }
    if (!read->stated) {
      const std::string nearest = bfloat16_text(read->bits);
      fail_field(field, value.column, std::string(value.text) + " is no BF16, the nearest is " + nearest);
    }
    return read->bits;
  }

  const std::string &file_;
  std::size_t line_;
  const isa::mx::Instruction *instruction_ = nullptr;
};

}  // namespace

std::vector<std::uint8_t> assemble(std::string_view text, const std::string &file, std::size_t most_bytes) {
  std::vector<std::uint8_t> stream;
  std::vector<Word> words;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    read_words(text.substr(0, end), words);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty()) continue;
    LineAssembler assembler(file, line);
    const isa::mx::MachineCode code = assembler.assemble(words);
    for (std::size_t byte = 0; byte < assembler.instruction().bytes; ++byte) {
      stream.push_back(static_cast<std::uint8_t>(code[byte / 4] >> byte % 4 * 8));
    }
    if (stream.size() > most_bytes) {
      throw task::FileError(file + ":" + std::to_string(line) + ":1: the stream is longer than an engine takes (" +
                            std::to_string(most_bytes) + " bytes)");
    }
  }
  if (stream.empty()) throw task::FileError(file + ": no instruction in it");
  return stream;
}

}  // namespace cox::tools::mx
