// SPDX-License-Identifier: MIT
#include "tools/pim/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "device/engine_descriptor.h"
#include "isa/pim/build.h"
#include "tools/assembly/line.h"
#include "tools/file/error.h"
#include "tools/names/did_you_mean.h"
#include "tools/pim/directives.h"
#include "tools/pim/instruction_reader.h"
#include "tools/pim/token.h"

namespace cox::tools::pim {
namespace {

namespace build = isa::pim::build;
using assembly::Line;
using assembly::quoted;
using isa::pim::Opcode;
using isa::pim::Set;

constexpr std::string_view kCore = "CORE", kCores = "CORES", kHere = ".";

struct Definition {
  Value value;
  std::size_t line = 0;  ///< 0: the assembler defines it
};

/// The code of some cores: what stands behind one or several equal lines `.core`.
struct Section {
  std::set<unsigned> cores;
  std::map<std::string, Definition, std::less<>> labels;
  std::uint32_t size = 0;  ///< instructions
  Code code;
};

/// A line with an instruction, or with a directive that the second pass reads.
struct Statement {
  std::size_t section = 0, number = 0;
  std::string_view text;
  std::uint32_t counter = 0, size = 0;
};

void skip_labels(Tokens &tokens) {
  while (tokens.peek().kind == TokenKind::name && tokens.second().is(":")) {
    static_cast<void>(tokens.take());
    static_cast<void>(tokens.take());
  }
}

class Assembler final {
 public:
  Assembler(const std::string &file, const isa::pim::Configuration &configuration) : file_(file) {
    for (const isa::pim::Memory &memory : configuration.local_memories()) predefine(std::string(memory.name()), memory.first);
    predefine("array", configuration.array.first);
    predefine("dram", configuration.dram_first);
    for (unsigned window = 0; window < isa::pim::kWindows; ++window)
      predefine(fmt::format("dram{}", window), configuration.dram_first + static_cast<std::int64_t>(window * configuration.dram_part()));
  }

  Assembled assemble(std::string_view text) {
    for (std::size_t number = 1; !text.empty(); ++number) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      first_pass(number, text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (sections_.empty()) throw FileError(file_ + ": no instruction in it");
    for (const Section &section : sections_) cores_ = std::max(cores_, *section.cores.rbegin() + 1);
    for (const Statement &statement : statements_) second_pass(statement);
    return finish();
  }

 private:
  /// The names that an expression may use.
  class Scope final : public Names {
   public:
    Scope(const Assembler &assembler, const Section *section, std::optional<std::uint32_t> counter, std::optional<unsigned> core = {})
        : assembler_(assembler), section_(section), counter_(counter), core_(core) {}

    [[nodiscard]] std::optional<Value> find(std::string_view name) const override {
      if (name == kHere && counter_) return Value{ValueKind::label, *counter_};
      if (name == kCore && core_) return Value{ValueKind::number, *core_};
      if (name == kCores && assembler_.cores_ != 0) return Value{ValueKind::number, assembler_.cores_};
      if (const auto constant = assembler_.constants_.find(name); constant != assembler_.constants_.end()) return constant->second.value;
      if (section_ != nullptr) {
        if (const auto label = section_->labels.find(name); label != section_->labels.end()) return label->second.value;
      }
      if (const auto known = assembler_.predefined_.find(name); known != assembler_.predefined_.end()) return known->second.value;
      return std::nullopt;
    }
    [[nodiscard]] std::vector<std::string_view> all() const override {
      std::vector<std::string_view> names;
      for (const auto &[name, constant] : assembler_.constants_) names.emplace_back(name);
      if (section_ != nullptr) {
        for (const auto &[name, label] : section_->labels) names.emplace_back(name);
      }
      for (const auto &[name, constant] : assembler_.predefined_) names.emplace_back(name);
      return names;
    }

   private:
    const Assembler &assembler_;
    const Section *section_;
    std::optional<std::uint32_t> counter_;
    std::optional<unsigned> core_;
  };

  void predefine(std::string name, std::int64_t value) {
    for (char &c : name) {
      const bool is_in_name = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!is_in_name) c = '_';
    }
    predefined_[std::move(name)] = {{ValueKind::number, value}, 0};
  }

  // The first pass: sections, labels, constants and sizes.

  void first_pass(std::size_t number, std::string_view text) {
    const Line line(file_, number, kNoWords);
    Tokens tokens(line, text);
    while (tokens.peek().kind == TokenKind::name && tokens.second().is(":")) {
      const Token name = tokens.take();
      static_cast<void>(tokens.take());
      define(line, name, number, section().labels, {ValueKind::label, section().size});
    }
    if (tokens.peek().kind == TokenKind::end) return;
    const assembly::Word head = tokens.take_head();
    if (head.text.empty()) line.fail(head.column, quoted(tokens.peek().text) + " is not expected here; an instruction is missing");
    if (head.text == ".equ") return constant(tokens, number);
    if (head.text == ".core") return begin_section(tokens, number);
    std::uint32_t size = 1;
    if (head.text == "li") {
      size = first_pass_of_li(tokens);
    } else if (head.text.front() == '.' && head.text != ".word") {
      if (std::ranges::find(kDirectives, head.text) == std::end(kDirectives))
        line.fail(head.column, quoted(head.text) + " is not a directive" + did_you_mean(head.text, kDirectives));
      size = 0;
    } else if (head.text != ".word" && !is_instruction_name(head.text)) {
      fail_unknown(line, head);
    }
    const std::size_t index = section_index();
    statements_.push_back({index, number, text, section().size, size});
    section().size += size;
    if (section().size > isa::pim::kMostInstructions)
      line.fail(head.column, fmt::format("the code is longer than a core takes ({} instructions)", isa::pim::kMostInstructions));
  }

  [[noreturn]] static void fail_unknown(const Line &line, const assembly::Word &head) {
    std::vector<std::string_view> names{"li", "mv", "nop"};
    for (const isa::pim::Instruction &row : Set::instructions()) names.emplace_back(row.name);
    for (const SimdName &simd : simd_names()) names.emplace_back(simd.name);
    line.fail(head.column, quoted(head.text) + " is not an instruction" + did_you_mean(head.text, names));
  }

  /// li needs one or two instructions; labels behind it depend on that.
  std::uint32_t first_pass_of_li(Tokens &tokens) {
    const Scope scope(*this, &section(), section().size);
    bool unknown = false;
    const Value destination = take_expression(tokens, scope, &unknown);
    static_cast<void>(tokens.take_sign(","));
    if (destination.kind == ValueKind::special) return 1;
    const Value value = take_expression(tokens, scope, &unknown);
    return instructions_of_li(value.number, !unknown);
  }

  static bool is_reserved(std::string_view name) {
    return name == kCore || name == kCores || name == kAsync || name == "true" || name == "false" || name.front() == '.' ||
           find_register(name);
  }

  static void define(const Line &line, const Token &name, std::size_t number, std::map<std::string, Definition, std::less<>> &names,
                     Value value) {
    if (is_reserved(name.text)) line.fail(name.column, quoted(name.text) + " is a word of the assembler, and cannot be defined");
    const auto [at, is_new] = names.try_emplace(std::string(name.text), Definition{value, number});
    if (!is_new) line.fail(name.column, fmt::format("{} is defined already, in line {}", quoted(name.text), at->second.line));
  }

  void constant(Tokens &tokens, std::size_t number) {
    const Token name = tokens.take();
    if (name.kind != TokenKind::name) tokens.line().fail(name.column, ".equ: a name is missing");
    if (!tokens.take_sign("=") && !tokens.take_sign(",")) tokens.line().fail(tokens.peek().column, ".equ: a = is missing");
    const Section *section = sections_.empty() ? nullptr : &sections_[current_];
    const Value value = take_expression(tokens, Scope(*this, section, section == nullptr ? 0 : section->size));
    tokens.expect_end();
    define(tokens.line(), name, number, constants_, value);
  }

  void begin_section(Tokens &tokens, std::size_t number) {
    const Line &line = tokens.line();
    std::set<unsigned> cores;
    do {
      const std::size_t column = tokens.peek().column;
      const unsigned first = core_number(tokens);
      // `0-3` is a range, not a difference, so the bounds behind a minus are plain numbers.
      const bool is_range = tokens.take_sign("..") || tokens.take_sign("-");
      const unsigned last = is_range ? core_number(tokens) : first;
      if (last < first) line.fail(column, fmt::format(".core: {} to {} is no range", first, last));
      for (unsigned core = first; core <= last; ++core) cores.insert(core);
    } while (tokens.take_sign(","));
    tokens.expect_end();
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      if (sections_[i].cores == cores) {
        current_ = i;
        return;
      }
      for (const unsigned core : sections_[i].cores) {
        if (cores.contains(core)) line.fail(1, fmt::format(".core: core {} has code already, from line {}", core, section_lines_[i]));
      }
    }
    add_section(std::move(cores), number);
  }

  unsigned core_number(Tokens &tokens) const {
    const Token token = tokens.peek();
    std::int64_t number = token.number;
    if (token.kind == TokenKind::number) {
      static_cast<void>(tokens.take());
    } else if (token.kind == TokenKind::name) {
      const auto found = Scope(*this, nullptr, {}).find(tokens.take().text);
      if (!found || found->kind != ValueKind::number) tokens.line().fail(token.column, ".core: " + quoted(token.text) + " is not a number");
      number = found->number;
    } else {
      tokens.line().fail(token.column, ".core: the number of a core is missing");
    }
    if (number < 0 || number >= isa::pim::kMostCores)
      tokens.line().fail(token.column, fmt::format(".core: {} is out of range (0 to {})", number, isa::pim::kMostCores - 1));
    return static_cast<unsigned>(number);
  }

  void add_section(std::set<unsigned> cores, std::size_t number) {
    current_ = sections_.size();
    sections_.push_back({.cores = std::move(cores), .labels = {}, .code = {}});
    section_lines_.push_back(number);
  }

  /// The section of the current line. Lines before the first .core are for core 0.
  Section &section() {
    if (sections_.empty()) add_section({0}, 1);
    return sections_[current_];
  }
  std::size_t section_index() {
    static_cast<void>(section());
    return current_;
  }

  // The second pass: machine code, settings and copies.

  void second_pass(const Statement &statement) {
    Line line(file_, statement.number, kNoWords);
    Tokens tokens(line, statement.text);
    skip_labels(tokens);
    const assembly::Word head = tokens.take_head();
    const std::string name(head.text);
    line.set_instruction(name.c_str());
    Section &section = sections_[statement.section];
    const Scope scope(*this, &section, statement.counter);
    if (head.text == ".word") {
      section.code.push_back(word(tokens, scope));
      return;
    }
    if (head.text.front() == '.') return directive(tokens, head.text, section);
    const Operands operands{tokens, scope, statement.counter, head.column};
    if (head.text == "li") return load_immediate(operands, statement.size, section.code);
    if (head.text == "mv") {
      section.code.push_back(move(operands));
    } else if (head.text == "nop") {
      tokens.expect_end();
      section.code.push_back(Set::begin(Opcode::addi)[0]);
    } else {
      const SimdName *simd = find_simd(head.text);
      const isa::pim::Instruction &row = simd != nullptr ? Set::row(Opcode::simd_compute) : *Set::find(head.text);
      section.code.push_back(read_instruction(row, simd, operands));
    }
  }

  static std::uint32_t word(Tokens &tokens, const Names &names) {
    const std::size_t column = tokens.peek().column;
    const std::uint32_t value = number32(tokens, names, column);
    tokens.expect_end();
    return value;
  }

  /// Takes a number of 32 bits, with or without a sign.
  static std::uint32_t number32(Tokens &tokens, const Names &names, std::size_t column) {
    const std::int64_t number = take_number(tokens, names);
    if (number < std::numeric_limits<std::int32_t>::min() || number > std::numeric_limits<std::uint32_t>::max())
      tokens.line().fail(column, fmt::format("{} does not fit into 32 bits", number));
    return static_cast<std::uint32_t>(number);
  }

  static void load_immediate(const Operands &operands, std::uint32_t size, Code &code) {
    Tokens &tokens = operands.tokens;
    const std::size_t column = tokens.peek().column;
    const Value destination = take_expression(tokens, operands.names);
    if (destination.kind != ValueKind::general && destination.kind != ValueKind::special)
      tokens.line().fail(column, "rd: wants a register");
    if (!tokens.take_sign(",")) tokens.line().fail(tokens.peek().column, "a comma is missing");
    const std::size_t value_column = tokens.peek().column;
    const std::uint32_t value = number32(tokens, operands.names, value_column);
    tokens.expect_end();
    constexpr std::uint32_t kMost = (1U << 21) - 1;
    if (destination.kind == ValueKind::special) {
      const isa::pim::Special special = special_of(tokens, destination, column);
      if (value > kMost) {
        tokens.line().fail(value_column, fmt::format("{} is out of range (0 to {}) for a special register; load a general register and "
                                                     "copy it with mv",
                                                     static_cast<std::int32_t>(value), kMost));
      }
      code.push_back(build::special_li(special, value)[0]);
      return;
    }
    const build::Constant constant = build::constant(general_of(destination), value);
    for (const isa::pim::MachineCode &word : constant.code()) code.push_back(word[0]);
    // The first pass has reserved two instructions for a value that it did not know.
    if (constant.count < size) code.push_back(build::addi(general_of(destination), general_of(destination), 0)[0]);
  }

  static build::Reg general_of(const Value &value) { return build::r(static_cast<unsigned>(value.number)); }
  static isa::pim::Special special_of(const Tokens &tokens, const Value &value, std::size_t column) {
    if (!isa::pim::is_special(static_cast<unsigned>(value.number)))
      tokens.line().fail(column, fmt::format("there is no special register {}", value.number));
    return static_cast<isa::pim::Special>(value.number);
  }

  static std::uint32_t move(const Operands &operands) {
    Tokens &tokens = operands.tokens;
    const std::size_t column = tokens.peek().column;
    const Value to = take_expression(tokens, operands.names);
    if (!tokens.take_sign(",")) tokens.line().fail(tokens.peek().column, "a comma is missing");
    const std::size_t from_column = tokens.peek().column;
    const Value from = take_expression(tokens, operands.names);
    tokens.expect_end();
    for (const auto &[value, at] : {std::pair(to, column), std::pair(from, from_column)}) {
      if (value.kind != ValueKind::general && value.kind != ValueKind::special)
        tokens.line().fail(at, "mv copies registers; li loads constants");
    }
    if (to.kind == ValueKind::special && from.kind == ValueKind::special)
      tokens.line().fail(column, "a special register cannot be copied to another at once; use a general register between them");
    if (to.kind == ValueKind::special) return build::general_to_special(special_of(tokens, to, column), general_of(from))[0];
    if (from.kind == ValueKind::special) return build::special_to_general(general_of(to), special_of(tokens, from, from_column))[0];
    return build::addi(general_of(to), general_of(from), 0)[0];
  }

  // Directives of the second pass. They hold for each core of the section, or for the core that they name.

  /// `core12` names a core; `core12.r5` a register of it.
  static std::optional<unsigned> core_of(std::string_view text) {
    if (!text.starts_with("core") || text.size() == 4 || text.size() > 6) return std::nullopt;
    unsigned core = 0;
    for (const char digit : text.substr(4)) {
      if (digit < '0' || digit > '9') return std::nullopt;
      core = core * 10 + static_cast<unsigned>(digit - '0');
    }
    return core;
  }

  std::set<unsigned> named_core(const Tokens &tokens, unsigned core, std::size_t column) const {
    if (core >= cores_) tokens.line().fail(column, fmt::format("there is no core {}; the program has {}", core, cores_));
    return {core};
  }

  void directive(Tokens &tokens, std::string_view name, const Section &section) {
    const std::size_t column = tokens.peek().column;
    if (name == ".time_limit") {
      const std::int64_t cycles = take_number(tokens, Scope(*this, &section, {}));
      if (cycles < 1) tokens.line().fail(column, fmt::format("{} is no number of cycles", cycles));
      parts_.time_limit = static_cast<std::uint64_t>(cycles);
      return tokens.expect_end();
    }
    if (name == ".set") return set(tokens, section);
    std::set<unsigned> cores = section.cores;
    if (tokens.peek().kind == TokenKind::name) {
      if (const auto core = core_of(tokens.peek().text)) {
        static_cast<void>(tokens.take());
        cores = named_core(tokens, *core, column);
        if (!tokens.take_sign(",")) tokens.line().fail(tokens.peek().column, "a comma is missing");
      }
    }
    copy(tokens, name, section, cores);
  }

  void set(Tokens &tokens, const Section &section) {
    const Token token = tokens.take();
    if (token.kind != TokenKind::name) tokens.line().fail(token.column, "a register is missing");
    std::string_view name = token.text;
    std::set<unsigned> cores = section.cores;
    if (const std::size_t dot = name.find('.'); dot != std::string_view::npos) {
      if (const auto core = core_of(name.substr(0, dot))) {
        cores = named_core(tokens, *core, token.column);
        name.remove_prefix(dot + 1);
      }
    }
    auto place = Scope(*this, &section, {}).find(name);
    if (!place) place = find_register(name);
    if (!place || (place->kind != ValueKind::general && place->kind != ValueKind::special))
      tokens.line().fail(token.column, quoted(name) + " is not a register");
    if (place->kind == ValueKind::special && !isa::pim::is_special(static_cast<unsigned>(place->number)))
      tokens.line().fail(token.column, fmt::format("there is no special register {}", place->number));
    if (!tokens.take_sign("=") && !tokens.take_sign(",")) tokens.line().fail(tokens.peek().column, "a = is missing");
    for_each_core(tokens, cores, [&](Tokens &rest, unsigned core) {
      isa::pim::Setting setting;
      setting.core = static_cast<std::uint8_t>(core);
      setting.place = static_cast<std::uint8_t>(place->number + (place->kind == ValueKind::special ? isa::pim::kRegisters : 0));
      setting.value = number32(rest, Scope(*this, &section, {}, core), rest.peek().column);
      rest.expect_end();
      if (!settings_.emplace(core, setting.place).second)
        tokens.line().fail(token.column, fmt::format("core {}: {} is set twice", core, name));
      parts_.settings.push_back(setting);
    });
  }

  void copy(Tokens &tokens, std::string_view name, const Section &section, const std::set<unsigned> &cores) {
    for_each_core(tokens, cores, [&](Tokens &rest, unsigned core) {
      const Scope scope(*this, &section, {}, core);
      const auto number = [&] { return number32(rest, scope, rest.peek().column); };
      const auto comma = [&] {
        if (!rest.take_sign(",")) rest.line().fail(rest.peek().column, "a comma is missing");
      };
      isa::pim::Copy copy;
      copy.core = static_cast<std::uint8_t>(core);
      copy.kind = name == ".load" ? isa::pim::CopyKind::load : isa::pim::CopyKind::store;
      if (name == ".store_registers") {
        copy.kind = isa::pim::CopyKind::store_registers;
        copy.dram = number();
        copy.bytes = isa::pim::kStoredRegistersBytes;
      } else {
        copy.local = number();
        comma();
        copy.dram = number();
        comma();
        copy.bytes = number();
      }
      rest.expect_end();
      parts_.copies.push_back(copy);
    });
  }

  /// Reads the rest of the line once for each core, because CORE has another value for each.
  template <typename Read>
  static void for_each_core(const Tokens &tokens, const std::set<unsigned> &cores, const Read &read) {
    for (const unsigned core : cores) {
      Tokens rest = tokens;
      read(rest, core);
    }
  }

  Assembled finish() {
    Assembled result;
    parts_.cores.resize(cores_);
    // Codes are in the order of their first cores, as disassembling and assembling again finds them.
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < sections_.size(); ++i) order.push_back(i);
    std::ranges::sort(order, {}, [this](std::size_t i) { return *sections_[i].cores.begin(); });
    std::vector<std::size_t> place(sections_.size());
    for (const std::size_t i : order) {
      place[i] = parts_.codes.size();
      if (sections_[i].code.empty()) continue;
      for (const unsigned core : sections_[i].cores) parts_.cores[core] = parts_.codes.size();
      parts_.codes.push_back(std::move(sections_[i].code));
    }
    for (const Statement &statement : statements_) {
      if (statement.size != 0) result.lines.push_back({place[statement.section], statement.counter, statement.size, statement.number});
    }
    std::size_t bytes = 0;
    for (const Code &code : parts_.codes) bytes += code.size() * sizeof(std::uint32_t);
    if (bytes > registers::kMostStreamBytes / 2 && build_program(parts_).size() > registers::kMostStreamBytes)
      throw FileError(fmt::format("{}: the program is longer than an engine takes ({} bytes)", file_, registers::kMostStreamBytes));
    result.parts = std::move(parts_);
    return result;
  }

  static const std::vector<assembly::Word> kNoWords;

  const std::string &file_;
  std::map<std::string, Definition, std::less<>> constants_, predefined_;
  std::vector<Section> sections_;
  std::vector<std::size_t> section_lines_;
  std::size_t current_ = 0;
  unsigned cores_ = 0;  ///< known in the second pass
  std::vector<Statement> statements_;
  ProgramParts parts_;
  std::set<std::pair<unsigned, unsigned>> settings_;  ///< core and place
};

const std::vector<assembly::Word> Assembler::kNoWords;

}  // namespace

Assembled assemble_program(std::string_view text, const std::string &file, const isa::pim::Configuration &configuration) {
  return Assembler(file, configuration).assemble(text);
}

bool begins_like_program(std::string_view text) {
  const std::string file;
  const std::vector<assembly::Word> no_words;
  try {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const Line line(file, 1, no_words);
      Tokens tokens(line, text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      skip_labels(tokens);
      if (tokens.peek().kind == TokenKind::end) continue;
      const std::string_view head = tokens.take_head().text;
      return is_instruction_name(head) || std::ranges::find(kDirectives, head) != std::end(kDirectives);
    }
  } catch (const FileError &) {  // a line that has no tokens is not of this text form
  }
  return false;
}

std::string listing(std::string_view text, const Assembled &assembled) {
  std::string list;
  auto next = assembled.lines.begin();
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view source = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (next == assembled.lines.end() || next->line != number) {
      list += fmt::format("{:22}  {}\n", "", source);
      continue;
    }
    const Code &code = assembled.parts.codes[next->code];
    const auto core = std::ranges::find(assembled.parts.cores, std::optional(next->code)) - assembled.parts.cores.begin();
    for (std::uint32_t i = 0; i < next->count; ++i) {
      const std::uint32_t instruction = next->instruction + i;
      list += fmt::format("{:>2} {:>6}  {:08x}    {}\n", core, instruction, code[instruction], i == 0 ? source : "");
    }
    ++next;
  }
  return list;
}

}  // namespace cox::tools::pim
