// SPDX-License-Identifier: MIT
#include "tools/pim/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "coxswain/device/engine_descriptor.h"
#include "tools/assembly/line.h"
#include "tools/file/error.h"
#include "tools/names/did_you_mean.h"
#include "tools/pim/directives.h"
#include "tools/pim/instruction_reader.h"
#include "tools/pim/program_directives.h"
#include "tools/pim/pseudo_instructions.h"
#include "tools/pim/symbols.h"
#include "tools/pim/token.h"

namespace cox::tools::pim {
namespace {

using assembly::Line;
using assembly::quoted;
using isa::pim::Opcode;
using isa::pim::Set;

/// The code of some cores: what stands behind one or several equal lines `.core`.
struct Section {
  std::set<unsigned> cores;
  Definitions labels;
  std::uint32_t size = 0;  ///< instructions
  Code code;
};

/// A line with an instruction, or with a directive that the second pass reads.
struct Statement {
  std::size_t section = 0, number = 0;
  std::string_view text;
  std::uint32_t counter = 0, size = 0;
};

class Assembler final {
 public:
  Assembler(const std::string &file, const isa::pim::Configuration &configuration) : file_(file), symbols_(configuration) {}

  Assembled assemble(std::string_view text) {
    for (std::size_t number = 1; !text.empty(); ++number) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      first_pass(number, text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (sections_.empty()) throw FileError(file_ + ": no instruction in it");
    for (const Section &section : sections_) symbols_.set_cores(std::max(symbols_.cores(), *section.cores.rbegin() + 1));
    for (const Statement &statement : statements_) second_pass(statement);
    return finish();
  }

 private:
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
    const Scope scope(symbols_, &section().labels, section().size);
    bool unknown = false;
    const Value destination = take_expression(tokens, scope, &unknown);
    static_cast<void>(tokens.take_sign(","));
    if (destination.kind == ValueKind::special) return 1;
    const Value value = take_expression(tokens, scope, &unknown);
    return instructions_of_li(value.number, !unknown);
  }

  void constant(Tokens &tokens, std::size_t number) {
    const Token name = tokens.take();
    if (name.kind != TokenKind::name) tokens.line().fail(name.column, ".equ: a name is missing");
    if (!tokens.take_sign("=") && !tokens.take_sign(",")) tokens.line().fail(tokens.peek().column, ".equ: a = is missing");
    const Section *section = sections_.empty() ? nullptr : &sections_[current_];
    const Value value =
        take_expression(tokens, Scope(symbols_, section == nullptr ? nullptr : &section->labels, section == nullptr ? 0 : section->size));
    tokens.expect_end();
    define(tokens.line(), name, number, symbols_.constants(), value);
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
      const auto found = Scope(symbols_, nullptr, {}).find(tokens.take().text);
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
    const Scope scope(symbols_, &section.labels, statement.counter);
    if (head.text == ".word") {
      section.code.push_back(word(tokens, scope));
      return;
    }
    if (head.text.front() == '.') return directives_.read(tokens, head.text, section.cores, section.labels);
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
    const std::uint32_t value = take_number32(tokens, names, column);
    tokens.expect_end();
    return value;
  }

  Assembled finish() {
    Assembled result{.parts = std::move(program_), .lines = {}};
    ProgramParts &parts = result.parts;
    parts.cores.resize(symbols_.cores());
    // Codes are in the order of their first cores, as disassembling and assembling again finds them.
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < sections_.size(); ++i) order.push_back(i);
    std::ranges::sort(order, {}, [this](std::size_t i) { return *sections_[i].cores.begin(); });
    std::vector<std::size_t> place(sections_.size());
    for (const std::size_t i : order) {
      place[i] = parts.codes.size();
      if (sections_[i].code.empty()) continue;
      for (const unsigned core : sections_[i].cores) parts.cores[core] = parts.codes.size();
      parts.codes.push_back(std::move(sections_[i].code));
    }
    for (const Statement &statement : statements_) {
      if (statement.size != 0) result.lines.push_back({place[statement.section], statement.counter, statement.size, statement.number});
    }
    std::size_t bytes = 0;
    for (const Code &code : parts.codes) bytes += code.size() * sizeof(std::uint32_t);
    if (bytes > registers::kMostStreamBytes / 2 && build_program(parts).size() > registers::kMostStreamBytes)
      throw FileError(fmt::format("{}: the program is longer than an engine takes ({} bytes)", file_, registers::kMostStreamBytes));
    return result;
  }

  static const std::vector<assembly::Word> kNoWords;

  const std::string &file_;
  Symbols symbols_;
  ProgramParts program_;  ///< without codes, until finish()
  std::vector<Section> sections_;
  std::vector<std::size_t> section_lines_;
  std::size_t current_ = 0;
  std::vector<Statement> statements_;
  Directives directives_{symbols_, program_};
};

const std::vector<assembly::Word> Assembler::kNoWords;

}  // namespace

Assembled assemble_program(std::string_view text, const std::string &file, const isa::pim::Configuration &configuration) {
  return Assembler(file, configuration).assemble(text);
}

}  // namespace cox::tools::pim
