// SPDX-License-Identifier: MIT
#include "tools/unity/instruction_reader.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/table.h"
#include "tools/names/did_you_mean.h"
#include "tools/unity/engine_text.h"

namespace cox::tools::unity {
namespace {

using namespace isa::unity;  // NOLINT(google-build-using-namespace)
using assembly::quoted;

constexpr std::string_view kSubmit = "submit", kPayload = ".payload";
constexpr const char *kWords[] = {"space", "table", "at", "fetch", "deposit", "blk"};

std::optional<Unit> find_unit(std::string_view name) {
  for (unsigned code = 0; code < kUnits; ++code) {
    if (name == name_of(static_cast<Unit>(code))) return static_cast<Unit>(code);
  }
  return std::nullopt;
}

std::uint32_t take_word(Tokens &tokens, const Symbols &symbols) {
  return static_cast<std::uint32_t>(take_number(tokens, symbols, "word", 0, std::numeric_limits<std::uint32_t>::max()));
}

class Reader {
 public:
  Reader(Tokens &tokens, const Symbols &symbols, AddressSpace space) : tokens_(tokens), symbols_(symbols), space_(space) {}

  ReadInstruction read(const Instruction &row) {
    name_ = row.name;
    layout_ = row.layout;
    while (!tokens_.at_end()) word();
    read_.code = Set::begin(row);
    if (layout_ == nullptr) return read_;
    read_.code[0] |= static_cast<std::uint32_t>(space_) << 6;
    read_.code[1] = sync_word(sync_);
    if (raw_table_) {
      if (!given_.empty()) tokens_.line().fail(raw_column_, "table: the operand table is written beside the instruction already");
      if (read_.at) tokens_.line().fail(raw_column_, "table: at is for an operand table that is written beside the instruction");
      set_table(*raw_table_);
      return read_;
    }
    read_.layout = layout_;
    set_floats();
    read_.extended = is_extended(*layout_, read_.table, space_);
    if (!read_.extended && extension_column_ != 0) {
      tokens_.line().fail(extension_column_,
                          fmt::format("{}: the field is in the table's extension, which {} decides", extension_field_, layout_->condition));
    }
    return read_;
  }

  ReadInstruction read_submission() {
    name_ = kSubmit;
    take_engine();
    std::int64_t queue = 0, slots = 0, address = 0;
    const SlotsLabel *block = nullptr;
    std::size_t column = tokens_.peek().column;
    while (!tokens_.at_end()) {
      const Token word = take_name();
      if (is_common(word)) continue;
      tokens_.expect_sign("=");
      if (word.text == "queue") {
        column = word.column;
        queue = take_number(tokens_, symbols_, "queue", 0, 63);
      } else if (word.text == "slots" && (block = find_block()) != nullptr) {
        queue = block->queue;
        slots = block->slots;
        address = take_operand(tokens_, symbols_);
      } else if (word.text == "slots") {
        slots = take_number(tokens_, symbols_, "slots", 1, 16383);
      } else if (word.text == "address") {
        column = word.column;
        address = take_expression(tokens_, symbols_);
      } else {
        fail_unknown(word, {"queue", "slots", "address"});
      }
    }
    if (block != nullptr && (words_.contains("queue") || words_.contains("address")))
      tokens_.line().fail(column, "queue and address follow from the block that slots names");
    if (slots == 0) tokens_.line().fail(column, "slots is missing: a block of .slots, or a number");
    read_.code[0] = static_cast<std::uint32_t>(queue) | static_cast<std::uint32_t>(space_) << 6 | static_cast<std::uint32_t>(slots) << 8;
    read_.code[1] = sync_word(sync_);
    set_table(static_cast<std::uint64_t>(address));
    return read_;
  }

  ReadInstruction read_payload() {
    if (tokens_.peek().kind == TokenKind::name) take_engine();
    for (std::size_t i = 0; i < read_.code.size(); ++i) {
      if (i > 0) tokens_.expect_sign(",");
      read_.code[i] = take_word(tokens_, symbols_);
    }
    tokens_.expect_end();
    return read_;
  }

 private:
  void take_engine() {
    const Token name = tokens_.take();
    const std::optional<Domain> found = find_engine(name.text);
    if (!found) tokens_.line().fail(name.column, quoted(name.text) + " is not an engine" + suggest_engine(name.text));
    read_.domain = *found;
  }

  /// Returns the block that the next token is the name of, or nullptr at a number or a constant.
  const SlotsLabel *find_block() const {
    const Token name = tokens_.peek();
    if (name.kind != TokenKind::name) return nullptr;
    const SlotsLabel *block = symbols_.find_slots(name.text);
    if (block == nullptr && symbols_.is_label(name.text))
      tokens_.line().fail(name.column, "slots: " + quoted(name.text) + " is no block of .slots");
    if (block != nullptr && block->domain != read_.domain)
      tokens_.line().fail(name.column, fmt::format("slots: {} holds slots of {}", quoted(name.text), engine_name(block->domain)));
    return block;
  }

  Token take_name() {
    const Token word = tokens_.take();
    if (word.kind != TokenKind::name) tokens_.line().fail(word.column, quoted(word.text) + " is not expected here; a field is missing");
    if (!words_.insert(std::string(word.text)).second)
      tokens_.line().fail(word.column, std::string(word.text) + ": the field is given twice");
    return word;
  }

  void set_table(std::uint64_t address) {
    read_.code[2] = static_cast<std::uint32_t>(address);
    read_.code[3] = static_cast<std::uint32_t>(address >> 32);
  }

  /// Words of the payload that every instruction with keys has.
  bool is_common(const Token &word) {
    if (word.text == "blk") {
      sync_.blocks = true;
    } else if (word.text == "fetch") {
      tokens_.expect_sign("=");
      fetch(word.column);
    } else if (word.text == "deposit") {
      tokens_.expect_sign("=");
      sync_.deposits = true;
      sync_.deposit = take_key(tokens_, symbols_);
    } else if (word.text == "space") {
      tokens_.expect_sign("=");
      space_ = take_space(tokens_, symbols_);
      if (!given_.empty()) tokens_.line().fail(word.column, "space: the address space comes before the fields of the operand table");
    } else {
      return false;
    }
    return true;
  }

  /// fetch=table:entry, or fetch=keys*table:entry.
  void fetch(std::size_t column) {
    const std::size_t at = tokens_.peek().column;
    std::int64_t keys = 1, table = take_operand(tokens_, symbols_);
    if (tokens_.take_sign("*")) {
      keys = table;
      check_range(tokens_, at, "fetch: keys", keys, 1, kMostKeys);
      table = take_operand(tokens_, symbols_);
    }
    check_range(tokens_, column, "fetch: table", table, 0, kKeyTables - 1);
    if (!tokens_.take_sign(":")) tokens_.line().fail(tokens_.peek().column, "fetch: it should be table:entry or keys*table:entry");
    const std::size_t entry_column = tokens_.peek().column;
    const std::int64_t entry = take_operand(tokens_, symbols_);
    check_range(tokens_, entry_column, "fetch: entry", entry, 0, kKeyEntries - 1);
    sync_.fetches = true;
    sync_.keys = static_cast<std::uint8_t>(keys);
    sync_.fetch = {static_cast<std::uint8_t>(table), static_cast<std::uint8_t>(entry)};
  }

  void word() {
    const Token word = take_name();
    if (layout_ == nullptr) tokens_.line().fail(word.column, quoted(word.text) + " is not expected here; the instruction has no fields");
    if (is_common(word)) return;
    if (word.text == "table") {
      tokens_.expect_sign("=");
      raw_column_ = word.column;
      raw_table_ = static_cast<std::uint64_t>(take_expression(tokens_, symbols_));
      return;
    }
    if (word.text == "at") {
      tokens_.expect_sign("=");
      read_.at = static_cast<std::uint64_t>(take_number(tokens_, symbols_, "at", 0, kMostContainerBytes, Labels::refused));
      return;
    }
    const Placed placed = find_field(*layout_, word.text);
    if (placed.field == nullptr) fail_unknown(word, {});
    tokens_.expect_sign("=");
    given_.insert(std::string(word.text));
    if (placed.in_extension && extension_column_ == 0) {
      extension_column_ = word.column;
      extension_field_ = placed.field->name;
    }
    value(placed);
  }

  [[noreturn]] void fail_unknown(const Token &word, std::vector<std::string_view> names) const {
    names.insert(names.end(), std::begin(kWords), std::end(kWords));
    if (layout_ != nullptr) {
      for_each_field(*layout_, true, [&](const Placed &placed) {
        names.emplace_back(placed.field->name);
        return true;
      });
    }
    tokens_.line().fail(word.column, quoted(word.text) + " is not a field of " + std::string(name_) + did_you_mean(word.text, names));
  }

  void value(const Placed &placed) {
    const Token first = tokens_.peek();
    const char *name = placed.field->name;
    std::int64_t value = 0;
    if (placed.field->holds == Holds::float32) {
      value = std::bit_cast<std::uint32_t>(static_cast<float>(take_float()));
      if (first.kind == TokenKind::number && first.is_whole && (first.text.starts_with("0x") || first.text.starts_with("0X")))
        value = first.number;
    } else if (placed.field->holds == Holds::parameter && is_fraction()) {
      floats_.push_back({placed, first.column, take_float()});
      return;
    } else if (placed.field->holds == Holds::unit && first.kind == TokenKind::name && find_unit(first.text)) {
      value = static_cast<std::int64_t>(*find_unit(tokens_.take().text));
    } else if (placed.field->holds == Holds::boolean && (first.text == "true" || first.text == "false")) {
      value = tokens_.take().text == "true" ? 1 : 0;
    } else {
      if (placed.field->holds == Holds::unit && first.kind == TokenKind::name) check_unit(first, name);
      value = take_expression(tokens_, symbols_);
    }
    if (const Status status = set_field(read_.table, placed, space_, value); !status) {
      const std::string bound =
          status.value() < status.limit() ? fmt::format("at least {}", status.limit()) : fmt::format("at most {}", status.limit());
      tokens_.line().fail(first.column, fmt::format("{}: {} is out of range ({})", name, value, bound));
    }
  }

  /// A name that is nearly a unit gets a better message than an unknown name.
  void check_unit(const Token &token, const char *field) const {
    std::vector<std::string_view> units;
    for (unsigned code = 0; code < kUnits; ++code) units.emplace_back(name_of(static_cast<Unit>(code)));
    const std::string suggestion = did_you_mean(token.text, units);
    if (!suggestion.empty())
      tokens_.line().fail(token.column, fmt::format("{}: {} is not a unit{}", field, quoted(token.text), suggestion));
  }

  [[nodiscard]] bool is_fraction() const {
    Tokens rest = tokens_;
    if (!rest.take_sign("-")) static_cast<void>(rest.take_sign("+"));
    return rest.peek().kind == TokenKind::number && !rest.peek().is_whole;
  }

  double take_float() {
    const bool negative = tokens_.take_sign("-");
    if (!negative) static_cast<void>(tokens_.take_sign("+"));
    const Token token = tokens_.take();
    double value = 0;
    if (token.text == "inf") {
      value = std::numeric_limits<double>::infinity();
    } else if (token.kind == TokenKind::number) {
      value = static_cast<double>(token.number);
      if (!token.is_whole) std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
    } else {
      tokens_.line().fail(token.column, quoted(token.text) + " is not a number");
    }
    return negative ? -value : value;
  }

  /// Values with a fraction in parameters, whose units other fields hold.
  void set_floats() {
    for (const Fraction &fraction : floats_) {
      const TableField &field = *fraction.placed.field;
      const Placed unit_field = find_field(*layout_, field.unit);
      const std::optional<Unit> unit = unit_field.field == nullptr
                                           ? find_unit(field.unit)
                                           : std::optional(static_cast<Unit>(get_field(read_.table, unit_field, space_)));
      std::uint64_t bits = 0;
      if (unit == Unit::fp32) {
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(fraction.value));
      } else if (unit == Unit::fp64 && fraction.placed.place.width(space_) == 64) {
        bits = std::bit_cast<std::uint64_t>(fraction.value);
      } else {
        tokens_.line().fail(fraction.column,
                            fmt::format("{}: a number with a fraction needs the unit fp32, or fp64 and a field of 64 bits; "
                                        "give the bits instead",
                                        field.name));
      }
      read_.table.write(fraction.placed.place, space_, bits);
    }
  }

  struct Fraction {
    Placed placed;
    std::size_t column = 0;
    double value = 0;
  };

  Tokens &tokens_;
  const Symbols &symbols_;
  AddressSpace space_;
  std::string_view name_;
  const Layout *layout_ = nullptr;
  ReadInstruction read_;
  Sync sync_;
  std::set<std::string> words_, given_;
  std::vector<Fraction> floats_;
  std::optional<std::uint64_t> raw_table_;
  std::size_t raw_column_ = 0, extension_column_ = 0;
  std::string extension_field_;
};

}  // namespace

AddressSpace take_space(Tokens &tokens, const Symbols &symbols) {
  const std::size_t column = tokens.peek().column;
  const std::int64_t bits = take_operand(tokens, symbols, Labels::refused);
  if (bits != 16 && bits != 32 && bits != 64) tokens.line().fail(column, fmt::format("space: {} is not 16, 32 or 64", bits));
  return bits == 16 ? AddressSpace::bits16 : bits == 32 ? AddressSpace::bits32 : AddressSpace::bits64;
}

Key take_key(Tokens &tokens, const Symbols &symbols) {
  const std::size_t column = tokens.peek().column;
  const std::int64_t table = take_operand(tokens, symbols);
  check_range(tokens, column, "table of keys", table, 0, kKeyTables - 1);
  tokens.expect_sign(":");
  const std::size_t entry_column = tokens.peek().column;
  const std::int64_t entry = take_operand(tokens, symbols);
  check_range(tokens, entry_column, "entry of keys", entry, 0, kKeyEntries - 1);
  return {static_cast<std::uint8_t>(table), static_cast<std::uint8_t>(entry)};
}

ReadInstruction read_instruction(Tokens &tokens, const Symbols &symbols, AddressSpace space) {
  const Token head = tokens.take();
  Reader reader(tokens, symbols, space);
  if (head.text == kPayload) return reader.read_payload();
  if (head.text == kSubmit) return reader.read_submission();
  return reader.read(*Set::find(head.text));
}

bool is_instruction_name(std::string_view name) { return name == kSubmit || name == kPayload || Set::find(name) != nullptr; }

std::string suggest_instruction(std::string_view name) {
  std::vector<std::string_view> names{kSubmit};
  for (const Instruction &row : Set::instructions()) names.emplace_back(row.name);
  return did_you_mean(name, names);
}

}  // namespace cox::tools::unity
