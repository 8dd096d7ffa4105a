// SPDX-License-Identifier: MIT
#include "tools/unity/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "coxswain/device/engine_descriptor.h"
#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/units.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/names/did_you_mean.h"
#include "tools/unity/container_layout.h"
#include "tools/unity/instruction_reader.h"
#include "tools/unity/program_text.h"
#include "tools/unity/slot_block.h"

namespace cox::tools::unity {
namespace {

using namespace isa::unity;  // NOLINT(google-build-using-namespace)
using assembly::Line;
using assembly::quoted;

constexpr std::string_view kDirectives[] = {".units", ".unit",       ".sub",  ".data",   ".slots",  ".space",         ".absolute",
                                            ".page",  ".time_limit", ".key",  ".tensor", ".window", ".host_deposits", ".equ",
                                            ".bytes", ".size",       ".zero", ".file",   ".payload"};
constexpr std::uint64_t kDefaultAlignment = 8;  // of data

std::optional<Unit> unit_of_directive(std::string_view name) {
  for (unsigned code = 0; code < kUnits; ++code) {
    if (name.substr(1) == name_of(static_cast<Unit>(code))) return static_cast<Unit>(code);
  }
  return std::nullopt;
}

/// A line that takes bytes of the container.
struct Statement {
  std::size_t line = 0;
  std::string_view text;
  AddressSpace space{};     ///< of an instruction
  std::uint64_t place = 0;  ///< of an instruction's table, or of the line's data
};

/// A program, a sub-program, or a block of data or slots.
struct Section {
  std::string label;
  std::optional<unsigned> unit;  ///< of a program
  std::optional<std::uint64_t> at;
  std::uint64_t alignment = kDefaultAlignment;
  std::uint64_t place = 0;
  std::uint64_t bytes = 0;  ///< of data or slots
  std::vector<Statement> statements;
  std::optional<SlotBlock> slots;
};

class Assembler {
 public:
  explicit Assembler(const std::string &file) : file_(file) {}

  Assembled assemble(std::string_view text) {
    std::size_t number = 0;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      first_pass(++number, text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    if (block_ != nullptr) throw FileError(fmt::format("{}:{}:1: .slots has no .end", file_, block_->line()));
    if (programs_.empty()) throw FileError(file_ + ": no unit has a program");
    lay_out();
    write();
    return {std::move(bytes_), std::move(bindings_), std::move(instructions_)};
  }

 private:
  // The first pass: names, sections and sizes.

  void first_pass(std::size_t number, std::string_view text) {
    const Line line(file_, number, kNoWords);
    if (block_ != nullptr) return block_line(line, number, text);
    Tokens tokens(line, text);
    const Token head = tokens.peek();
    if (head.kind == TokenKind::end) return;
    if (head.kind != TokenKind::name) line.fail(head.column, quoted(head.text) + " is not expected here; an instruction is missing");
    if (is_instruction_name(head.text)) return instruction(line, head, number, text);
    if (head.text.front() != '.') line.fail(head.column, quoted(head.text) + " is not an instruction" + suggest_instruction(head.text));
    if (head.text == ".zero" || head.text == ".file" || unit_of_directive(head.text)) return data_line(line, head, number, text);
    static_cast<void>(tokens.take());
    directive(tokens, head, number, text);
  }

  void instruction(const Line &line, const Token &head, std::size_t number, std::string_view text) {
    if (code_ == nullptr) line.fail(head.column, "an instruction stands behind .unit or .sub");
    code_->statements.push_back({number, text, space_, 0});
    if (code_->statements.size() >= kMostInstructions)
      line.fail(head.column, fmt::format("the program is longer than {} instructions", kMostInstructions - 1));
  }

  void data_line(const Line &line, const Token &head, std::size_t number, std::string_view text) {
    if (data_ == nullptr) line.fail(head.column, "data stand behind .data");
    data_->statements.push_back({number, text, space_, data_->bytes});
    data_->bytes += data_of(data_->statements.back()).size();
    if (data_->bytes > kMostContainerBytes) line.fail(head.column, "the data are longer than a container");
  }

  /// A line between .slots and .end, in the text form of another engine unless it begins with .stream or .end.
  void block_line(const Line &line, std::size_t number, std::string_view text) {
    const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
    const std::string_view head = text.substr(first, text.find_first_of(" \t\r#", first) - first);
    if (head != ".end" && head != ".stream") return block_->add_line(number, text);
    Tokens tokens(line, text);
    static_cast<void>(tokens.take());
    tokens.expect_end();
    if (head == ".stream") return block_->next_stream(number);
    block_ = nullptr;
  }

  void directive(Tokens &tokens, const Token &head, std::size_t number, std::string_view text) {
    const Line &line = tokens.line();
    const std::string_view name = head.text;
    const auto strict = [&](const char *what, std::int64_t minimum, std::int64_t maximum) {
      return take_number(tokens, symbols_, what, minimum, maximum, Labels::refused);
    };
    if (name == ".units") {
      header_.units = static_cast<std::uint16_t>(strict(".units", 1, kMostUnits));
    } else if (name == ".unit") {
      const auto unit = static_cast<unsigned>(strict(".unit", 0, kMostUnits - 1));
      begin_section(tokens, programs_, {}, number)->unit = unit;
    } else if (name == ".sub") {
      begin_section(tokens, sub_programs_, tokens.take(), number);
    } else if (name == ".data") {
      begin_data(tokens, number);
    } else if (name == ".slots") {
      begin_slots(tokens, number);
    } else if (name == ".space") {
      space_ = take_space(tokens, symbols_);
    } else if (name == ".absolute") {
      absolute_ = true;
      base_ = static_cast<std::uint64_t>(take_expression(tokens, symbols_, Labels::refused));
    } else if (name == ".page") {
      header_.page = static_cast<std::uint64_t>(take_expression(tokens, symbols_, Labels::refused));
      if (header_.page % kPageBytes != 0) line.fail(head.column, ".page: the address is no multiple of 64 KiB");
    } else if (name == ".time_limit") {
      const std::int64_t cycles = strict(".time_limit", 1, std::int64_t{std::numeric_limits<std::uint32_t>::max()} * kTimeUnit);
      header_.time_limit = static_cast<std::uint32_t>((cycles + kTimeUnit - 1) / kTimeUnit);
    } else if (name == ".host_deposits") {
      header_.flags |= kFlagHostDeposits;
    } else if (name == ".key") {
      const Key key = take_key(tokens, symbols_);
      tokens.expect_sign("=");
      keys_.push_back({key.table, key.entry, static_cast<std::uint16_t>(strict(".key", 0, kMostCount))});
    } else if (name == ".window") {
      window(tokens);
    } else if (name == ".tensor") {
      tensor(tokens, number);
    } else if (name == ".equ") {
      const Token constant = tokens.take();
      tokens.expect_sign("=");
      symbols_.define(line, constant, number, take_expression(tokens, symbols_, Labels::refused));
    } else if (name == ".bytes") {
      patches_.push_back({number, text, space_, static_cast<std::uint64_t>(strict(".bytes", 0, kMostContainerBytes))});
      return;
    } else if (name == ".size") {
      size_ = static_cast<std::uint64_t>(strict(".size", 0, kMostContainerBytes));
    } else {
      std::vector<std::string_view> names(std::begin(kDirectives), std::end(kDirectives));
      std::vector<std::string> units;
      for (unsigned code = 0; code < kUnits; ++code) units.push_back(fmt::format(".{}", name_of(static_cast<Unit>(code))));
      names.insert(names.end(), units.begin(), units.end());
      line.fail(head.column, quoted(name) + " is not a directive" + did_you_mean(name, names));
    }
    tokens.expect_end();
  }

  /// Takes `at=` and `align=`. `label`: its token, or a token of kind end.
  Section *begin_section(Tokens &tokens, std::vector<std::unique_ptr<Section>> &sections, const Token &label, std::size_t number) {
    Section &section = *sections.emplace_back(std::make_unique<Section>());
    code_ = data_ = nullptr;
    if (&sections != &programs_) {
      symbols_.declare(tokens.line(), label, number);
      section.label = label.text;
    }
    while (!tokens.at_end()) {
      const Token word = tokens.take();
      tokens.expect_sign("=");
      const bool image = &sections != &data_blocks_;
      const std::size_t column = tokens.peek().column;
      const std::int64_t value = take_number(tokens, symbols_, word.text == "at" ? "at" : "align", 0, kMostContainerBytes, Labels::refused);
      if (word.text == "at") {
        if (image && value % kProgramAlignment != 0) tokens.line().fail(column, fmt::format("at: {} is no multiple of 32", value));
        section.at = static_cast<std::uint64_t>(value);
      } else if (word.text == "align" && !image) {
        if (value == 0 || !std::has_single_bit(static_cast<std::uint64_t>(value)))
          tokens.line().fail(column, fmt::format("align: {} is no power of two", value));
        section.alignment = static_cast<std::uint64_t>(value);
      } else {
        tokens.line().fail(word.column, quoted(word.text) + (image ? " is not expected here; only at=" : " is neither at= nor align="));
      }
    }
    (&sections != &data_blocks_ ? code_ : data_) = &section;
    return &section;
  }

  void begin_data(Tokens &tokens, std::size_t number) {
    const Token label = tokens.take();
    begin_section(tokens, data_blocks_, label, number);
  }

  void begin_slots(Tokens &tokens, std::size_t number) {
    const Token label = tokens.take();
    const Token engine = tokens.take();
    const std::optional<Domain> domain = find_engine(engine.text);
    if (!domain) tokens.line().fail(engine.column, quoted(engine.text) + " is not an engine" + suggest_engine(engine.text));
    symbols_.declare(tokens.line(), label, number);
    Section &section = *data_blocks_.emplace_back(std::make_unique<Section>());
    code_ = data_ = nullptr;
    section.label = label.text;
    section.alignment = kSlotAlignment;
    section.slots.emplace(*domain, number, file_);
    block_ = &*section.slots;
    while (!tokens.at_end()) {
      const Token word = tokens.take();
      tokens.expect_sign("=");
      if (word.text == "file") {
        section.slots->add_file(read_engine_file(*domain, take_path(tokens)));
        block_ = nullptr;
      } else if (word.text == "at") {
        const std::size_t column = tokens.peek().column;
        section.at = static_cast<std::uint64_t>(take_number(tokens, symbols_, "at", 0, kMostContainerBytes, Labels::refused));
        if (*section.at % kSlotAlignment != 0) tokens.line().fail(column, fmt::format("at: {} is no multiple of 32", *section.at));
      } else {
        tokens.line().fail(word.column, quoted(word.text) + " is neither at= nor file=");
      }
    }
  }

  void window(Tokens &tokens) {
    const std::int64_t index = take_number(tokens, symbols_, ".window", 0, kImageWindows - 1, Labels::refused);
    const std::size_t place = window_place(static_cast<unsigned>(index));
    Window &window = bindings_.image.windows[place];
    while (!tokens.at_end()) {
      const Token word = tokens.take();
      if (word.text == "readonly") {
        window.writable = false;
        continue;
      }
      tokens.expect_sign("=");
      if (word.text == "base") {
        bindings_.starts[place] = static_cast<std::uint64_t>(take_expression(tokens, symbols_, Labels::refused));
      } else if (word.text == "bytes") {
        window.size = static_cast<std::uint64_t>(take_number(tokens, symbols_, "bytes", 1, kLargestOffset, Labels::refused));
      } else {
        tokens.line().fail(word.column, quoted(word.text) + " is not a field of .window" +
                                            did_you_mean(word.text, std::array<std::string_view, 3>{"base", "bytes", "readonly"}));
      }
    }
  }

  /// Adds the window if the program does not have it.
  std::size_t window_place(unsigned index) {
    std::vector<Window> &windows = bindings_.image.windows;
    const auto found = std::ranges::find(windows, index, &Window::index);
    if (found != windows.end()) return static_cast<std::size_t>(found - windows.begin());
    windows.push_back({static_cast<std::uint8_t>(index), kBareWindowBytes, true});
    bindings_.starts.push_back((std::uint64_t{index} + 1) << 24);
    return windows.size() - 1;
  }

  void tensor(Tokens &tokens, std::size_t number) {
    const Token name = tokens.take();
    Tensor tensor;
    std::optional<Direction> direction;
    while (!tokens.at_end()) {
      const Token word = tokens.take();
      if (word.text == "in" || word.text == "out") {
        direction = word.text == "in" ? Direction::input : Direction::output;
        continue;
      }
      tokens.expect_sign("=");
      if (word.text == "window") {
        tensor.window = static_cast<std::uint8_t>(take_number(tokens, symbols_, "window", 0, kImageWindows - 1, Labels::refused));
      } else if (word.text == "offset") {
        tensor.offset = static_cast<std::uint64_t>(take_number(tokens, symbols_, "offset", 0, kLargestOffset, Labels::refused));
      } else if (word.text == "bytes") {
        tensor.size = static_cast<std::uint64_t>(
            take_number(tokens, symbols_, "bytes", 1, std::numeric_limits<std::uint32_t>::max(), Labels::refused));
      } else {
        tokens.line().fail(word.column,
                           quoted(word.text) + " is not a field of .tensor" +
                               did_you_mean(word.text, std::array<std::string_view, 5>{"window", "offset", "bytes", "in", "out"}));
      }
    }
    const std::size_t place = window_place(tensor.window);
    const std::uint64_t window_bytes = bindings_.image.windows[place].size;
    if (tensor.offset > window_bytes || tensor.size > window_bytes - tensor.offset) {
      tokens.line().fail(name.column, fmt::format("{} ends behind window {}, which has {} bytes; .window can say how many",
                                                  quoted(name.text), tensor.window, window_bytes));
    }
    symbols_.define(tokens.line(), name, number, static_cast<std::int64_t>(bindings_.starts[place] + tensor.offset));
    if (!direction) return;
    if (tensor.size == 0) tokens.line().fail(name.column, quoted(name.text) + " needs bytes=");
    tensor.name = name.text;
    tensor.direction = *direction;
    tensor.shape = {1, 1, 1, static_cast<std::uint32_t>(tensor.size)};
    bindings_.image.tensors.push_back(std::move(tensor));
  }

  // Layout.

  /// The programs of a container: those of unit 0 first.
  void lay_out() {
    std::ranges::stable_sort(programs_, {}, [](const auto &section) { return *section->unit; });
    header_.programs = static_cast<std::uint32_t>(programs_.size());
    header_.sub_programs = static_cast<std::uint32_t>(sub_programs_.size());
    header_.keys = static_cast<std::uint32_t>(keys_.size());
    const unsigned last = *programs_.back()->unit;
    if (header_.units == 0) header_.units = static_cast<std::uint16_t>(last + 1);
    if (last >= header_.units) throw FileError(fmt::format("{}: unit {} has a program, but .units says {}", file_, last, header_.units));
    if (!absolute_) header_.flags |= kFlagRelative;
    LayoutCursor cursor(container_front(header_.programs, header_.keys, header_.sub_programs));
    const auto image = [&](Section &section) {
      const std::uint64_t bytes = program_bytes(section.statements.size() + 1);
      section.place = cursor.place(section.at, kProgramAlignment, bytes);
      grow(section.place + bytes);
    };
    symbols_.end_of_text();
    for (const auto &section : data_blocks_) {
      if (!section->slots) continue;
      const SlotBlock::Built built = section->slots->build(symbols_, 0);
      section->bytes = built.bytes.size();
      symbols_.describe(section->label, {section->slots->domain(), built.queue, built.slots});
    }
    for (const auto &section : programs_) image(*section);
    for (const auto &section : sub_programs_) image(*section);
    const auto tables = [&](Section &section) {
      for (Statement &statement : section.statements) {
        const ReadInstruction read = read_statement(statement);
        if (read.layout == nullptr) continue;
        statement.place = cursor.place(read.at, kTableAlignment, read.table_bytes());
        grow(statement.place + read.table_bytes());
      }
    };
    for (const auto &section : programs_) tables(*section);
    for (const auto &section : sub_programs_) tables(*section);
    for (const auto &section : data_blocks_) {
      section->place = cursor.place(section->at, section->alignment, section->bytes);
      grow(section->place + section->bytes);
    }
    if (end_ > kMostContainerBytes)
      throw FileError(fmt::format("{}: the container has {} bytes; {} is the most", file_, end_, kMostContainerBytes));
    for (const auto &section : sub_programs_) symbols_.place(section->label, address(section->place));
    for (const auto &section : data_blocks_) symbols_.place(section->label, address(section->place));
    std::ranges::stable_sort(sub_programs_, {}, [](const auto &section) { return section->place; });
  }

  void grow(std::uint64_t end) { end_ = std::max(end_, end); }
  [[nodiscard]] std::int64_t address(std::uint64_t offset) const { return static_cast<std::int64_t>((absolute_ ? base_ : 0) + offset); }

  [[nodiscard]] ReadInstruction read_statement(const Statement &statement) const {
    Line line(file_, statement.line, kNoWords);
    Tokens tokens(line, statement.text);
    const std::string name(tokens.peek().text);
    line.set_instruction(name.c_str());
    return read_instruction(tokens, symbols_, statement.space);
  }

  // The second pass: bytes.

  void write() {
    std::vector<std::pair<std::uint64_t, std::vector<std::uint8_t>>> patches;
    for (const Statement &patch : patches_) {
      patches.emplace_back(patch.place, bytes_of(patch));
      grow(patch.place + patches.back().second.size());
    }
    if (size_ && *size_ < end_) throw FileError(fmt::format("{}: .size: the container has {} bytes already", file_, end_));
    bytes_.assign(size_.value_or((end_ + registers::kStreamAlignment - 1) / registers::kStreamAlignment * registers::kStreamAlignment), 0);
    put(0, header_);
    std::uint64_t entry = sizeof header_;
    for (const auto *sections : {&programs_, &sub_programs_}) {
      for (const auto &section : *sections) {
        put(entry, ProgramEntry{.offset = static_cast<std::uint32_t>(section->place),
                                .instructions = static_cast<std::uint16_t>(section->statements.size() + 1),
                                .unit = static_cast<std::uint8_t>(section->unit.value_or(0))});
        entry += sizeof(ProgramEntry);
      }
    }
    for (const InitialKey &key : keys_) {
      put(entry, key);
      entry += sizeof key;
    }
    for (const auto *sections : {&programs_, &sub_programs_}) {
      for (const auto &section : *sections) write_code(*section);
    }
    for (const auto &section : data_blocks_) {
      if (section->slots) write_slots(*section);
      for (const Statement &statement : section->statements) {
        const std::vector<std::uint8_t> bytes = data_of(statement);
        std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(section->place + statement.place));
      }
    }
    for (const auto &[place, bytes] : patches) std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(place));
  }

  void write_slots(const Section &section) {
    const std::vector<std::uint8_t> built = section.slots->build(symbols_, static_cast<std::uint64_t>(address(section.place))).bytes;
    if (built.size() != section.bytes)
      throw FileError(fmt::format("{}:{}:1: .slots: the length of a stream depends on a label", file_, section.slots->line()));
    std::ranges::copy(built, bytes_.begin() + static_cast<std::ptrdiff_t>(section.place));
  }

  template <typename T>
  void put(std::uint64_t offset, const T &value) {
    std::memcpy(&bytes_[offset], &value, sizeof value);
  }

  void write_code(const Section &section) {
    const std::uint64_t bytes = program_bytes(section.statements.size() + 1);
    ImageWriter writer(std::as_writable_bytes(std::span(bytes_)).subspan(section.place, bytes));
    const std::string program = section.unit ? fmt::format("unit {}", *section.unit) : section.label;
    std::uint32_t number = 0;
    for (const Statement &statement : section.statements) {
      ReadInstruction read = read_statement(statement);
      if (read.layout != nullptr) set_table(read, statement);
      static_cast<void>(writer.add(read.code, read.domain));
      instructions_.push_back({statement.line, program, number++, read.code});
    }
    writer.end();
  }

  void set_table(ReadInstruction &read, const Statement &statement) {
    const Line line(file_, statement.line, kNoWords);
    std::uint64_t address = (absolute_ ? base_ : 0) + statement.place;
    if (statement.place % kTableAlignment != 0) line.fail(1, fmt::format("at: {} is no multiple of 4", statement.place));
    if (read.space() == AddressSpace::bits16) {
      address -= header_.page;
      if (!absolute_ || address + read.table_bytes() > kPageBytes) {
        line.fail(1,
                  "an operand table of a 16-bit address space lies in the page, but the container does not: give the table's place in the "
                  "page as "
                  "table=");
      }
    }
    const std::span<std::byte> place = std::as_writable_bytes(std::span(bytes_)).subspan(statement.place);
    if (read.table_bytes() > place.size() || statement.place + read.table_bytes() > end_)
      line.fail(1, "the length of the operand table depends on a label");
    read.table.copy_to(place.first(read.table_bytes()));
    read.code[2] = static_cast<std::uint32_t>(address);
    read.code[3] = static_cast<std::uint32_t>(address >> 32);
    if (read.space() == AddressSpace::bits32 && address >> 32 != 0) line.fail(1, "the operand table lies above 4 GiB");
  }

  [[nodiscard]] std::vector<std::uint8_t> data_of(const Statement &statement) const {
    const Line line(file_, statement.line, kNoWords);
    Tokens tokens(line, statement.text);
    const Token head = tokens.take();
    if (head.text == ".file") {
      const std::string path = take_path(tokens);
      tokens.expect_end();
      return read_file(path);
    }
    if (head.text == ".zero") {
      const std::int64_t count = take_number(tokens, symbols_, ".zero", 0, kMostContainerBytes, Labels::refused);
      tokens.expect_end();
      return std::vector<std::uint8_t>(static_cast<std::size_t>(count));
    }
    return elements(tokens, *unit_of_directive(head.text));
  }

  /// The path of a file beside the text.
  [[nodiscard]] std::string take_path(Tokens &tokens) const {
    const Token name = tokens.take();
    if (name.kind != TokenKind::text) tokens.line().fail(name.column, "file: a name in quotes is missing");
    return (std::filesystem::path(file_).parent_path() / std::string(name.text)).string();
  }

  [[nodiscard]] std::vector<std::uint8_t> elements(Tokens &tokens, Unit unit) const {
    std::vector<std::uint8_t> bytes;
    unsigned nibbles = 0;
    do {
      const std::uint64_t bits = element(tokens, unit);
      for (unsigned nibble = 0; nibble < nibbles_of(unit); ++nibble, ++nibbles) {
        const auto value = static_cast<std::uint8_t>(bits >> (4 * nibble) & 0xF);
        if (nibbles % 2 == 0) {
          bytes.push_back(value);
        } else {
          bytes.back() = static_cast<std::uint8_t>(bytes.back() | value << 4);
        }
      }
    } while (tokens.take_sign(","));
    tokens.expect_end();
    return bytes;
  }

  /// Integers of a unit may have either sign; floats are decimal, or their bits as 0x...
  [[nodiscard]] std::uint64_t element(Tokens &tokens, Unit unit) const {
    const std::size_t column = tokens.peek().column;
    Tokens ahead = tokens;
    const bool negative = ahead.take_sign("-");
    const Token token = ahead.peek();
    const bool bits = token.text.starts_with("0x");
    if (is_float(unit) && token.kind == TokenKind::number && !bits) {
      double value = static_cast<double>(token.number);
      if (!token.is_whole) std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
      if (negative) static_cast<void>(tokens.take());
      static_cast<void>(tokens.take());
      return float_bits(tokens, column, unit, negative ? -value : value);
    }
    const std::int64_t value = take_expression(tokens, symbols_);
    if (bits_of(unit) < 64) {
      const std::int64_t most = (std::int64_t{1} << bits_of(unit)) - 1;
      const std::string name = fmt::format(".{}", name_of(unit));
      check_range(tokens, column, name.c_str(), value, is_signed(unit) ? minimum_of(unit) : 0, most);
    }
    return static_cast<std::uint64_t>(value);
  }

  static std::uint64_t float_bits(const Tokens &tokens, std::size_t column, Unit unit, double value) {
    if (unit == Unit::fp32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    if (unit == Unit::fp64) return std::bit_cast<std::uint64_t>(value);
    tokens.line().fail(column, ".fp16: give the bits, such as 0x3C00");
  }

  /// The bytes of .bytes: pairs of hexadecimal digits.
  [[nodiscard]] std::vector<std::uint8_t> bytes_of(const Statement &statement) const {
    const Line line(file_, statement.line, kNoWords);
    Tokens tokens(line, statement.text);
    static_cast<void>(tokens.take());
    static_cast<void>(take_expression(tokens, symbols_));
    tokens.expect_sign(":");
    const Token digits = tokens.take();
    if (digits.kind != TokenKind::text) line.fail(digits.column, ".bytes: hexadecimal digits in quotes are missing");
    tokens.expect_end();
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i < digits.text.size(); i += 2) {
      std::uint8_t byte = 0;
      const char *const first = digits.text.data() + i;
      const char *const end = first + std::min<std::size_t>(2, digits.text.size() - i);
      const auto [stop, error] = std::from_chars(first, end, byte, 16);
      if (error != std::errc{} || stop != end || end - first != 2)
        line.fail(digits.column + 1 + i, ".bytes: two hexadecimal digits a byte are needed");
      bytes.push_back(byte);
    }
    return bytes;
  }

  static const std::vector<assembly::Word> kNoWords;

  const std::string &file_;
  Symbols symbols_;
  StreamBindings bindings_ = bare_bindings();
  ContainerHeader header_;
  std::vector<InitialKey> keys_;
  std::vector<std::unique_ptr<Section>> programs_, sub_programs_, data_blocks_;
  std::vector<Statement> patches_;
  Section *code_ = nullptr, *data_ = nullptr;
  SlotBlock *block_ = nullptr;  ///< whose lines the text is at
  AddressSpace space_ = AddressSpace::bits32;
  bool absolute_ = false;
  std::uint64_t base_ = 0, end_ = 0;
  std::optional<std::uint64_t> size_;
  std::vector<std::uint8_t> bytes_;
  std::vector<AssembledInstruction> instructions_;
};

const std::vector<assembly::Word> Assembler::kNoWords;

}  // namespace

Assembled assemble_part(std::string_view text, const std::string &file) { return Assembler(file).assemble(text); }

Assembled assemble(std::string_view text, const std::string &file) {
  Assembled assembled = assemble_part(text, file);
  static_cast<void>(open_container(assembled.container, file));
  return assembled;
}

bool begins_like_program(std::string_view text) {
  assembly::Lines lines(text);
  std::string_view head;
  do {  // programs of the PIM cores have the same two directives
    if (!lines.next()) return false;
    head = lines.words().front().text;
  } while (head == ".equ" || head == ".time_limit");
  constexpr std::string_view kOwn[] = {".units",    ".unit", ".sub", ".data",   ".slots",  ".space",
                                       ".absolute", ".page", ".key", ".tensor", ".window", ".host_deposits"};
  return is_instruction_name(head) || std::ranges::find(kOwn, head) != std::end(kOwn);
}

StreamBindings bare_bindings() {
  StreamBindings bindings;
  for (std::uint8_t window = 0; window < kBareWindows; ++window) {
    bindings.image.windows.push_back({window, kBareWindowBytes, true});
    bindings.starts.push_back((std::uint64_t{window} + 1) << 24);
  }
  return bindings;
}

}  // namespace cox::tools::unity
