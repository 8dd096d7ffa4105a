// SPDX-License-Identifier: MIT
#include "tools/pim/program_directives.h"

#include <fmt/format.h>

#include <optional>

namespace cox::tools::pim {
namespace {

/// `core12` names a core; `core12.r5` a register of it.
std::optional<unsigned> core_of(std::string_view text) {
  if (!text.starts_with("core") || text.size() == 4 || text.size() > 6) return std::nullopt;
  unsigned core = 0;
  for (const char digit : text.substr(4)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    core = core * 10 + static_cast<unsigned>(digit - '0');
  }
  return core;
}

/// Reads the rest of the line once for each core, because CORE has another value for each.
template <typename Read>
void for_each_core(const Tokens &tokens, const std::set<unsigned> &cores, const Read &read) {
  for (const unsigned core : cores) {
    Tokens rest = tokens;
    read(rest, core);
  }
}

}  // namespace

std::set<unsigned> Directives::named_core(const Tokens &tokens, unsigned core, std::size_t column) const {
  if (core >= symbols_.cores()) tokens.line().fail(column, fmt::format("there is no core {}; the program has {}", core, symbols_.cores()));
  return {core};
}

void Directives::read(Tokens &tokens, std::string_view name, const std::set<unsigned> &section_cores, const Definitions &labels) {
  const std::size_t column = tokens.peek().column;
  if (name == ".time_limit") {
    const std::int64_t cycles = take_number(tokens, Scope(symbols_, &labels, {}));
    if (cycles < 1) tokens.line().fail(column, fmt::format("{} is no number of cycles", cycles));
    parts_.time_limit = static_cast<std::uint64_t>(cycles);
    return tokens.expect_end();
  }
  if (name == ".set") return set(tokens, section_cores, labels);
  std::set<unsigned> cores = section_cores;
  if (tokens.peek().kind == TokenKind::name) {
    if (const auto core = core_of(tokens.peek().text)) {
      static_cast<void>(tokens.take());
      cores = named_core(tokens, *core, column);
      if (!tokens.take_sign(",")) tokens.line().fail(tokens.peek().column, "a comma is missing");
    }
  }
  copy(tokens, name, cores, labels);
}

void Directives::set(Tokens &tokens, const std::set<unsigned> &section_cores, const Definitions &labels) {
  const Token token = tokens.take();
  if (token.kind != TokenKind::name) tokens.line().fail(token.column, "a register is missing");
  std::string_view name = token.text;
  std::set<unsigned> cores = section_cores;
  if (const std::size_t dot = name.find('.'); dot != std::string_view::npos) {
    if (const auto core = core_of(name.substr(0, dot))) {
      cores = named_core(tokens, *core, token.column);
      name.remove_prefix(dot + 1);
    }
  }
  auto place = Scope(symbols_, &labels, {}).find(name);
  if (!place) place = find_register(name);
  if (!place || (place->kind != ValueKind::general && place->kind != ValueKind::special))
    tokens.line().fail(token.column, assembly::quoted(name) + " is not a register");
  if (place->kind == ValueKind::special && !isa::pim::is_special(static_cast<unsigned>(place->number)))
    tokens.line().fail(token.column, fmt::format("there is no special register {}", place->number));
  if (!tokens.take_sign("=") && !tokens.take_sign(",")) tokens.line().fail(tokens.peek().column, "a = is missing");
  for_each_core(tokens, cores, [&](Tokens &rest, unsigned core) {
    isa::pim::Setting setting;
    setting.core = static_cast<std::uint8_t>(core);
    setting.place = static_cast<std::uint8_t>(place->number + (place->kind == ValueKind::special ? isa::pim::kRegisters : 0));
    setting.value = take_number32(rest, Scope(symbols_, &labels, {}, core), rest.peek().column);
    rest.expect_end();
    if (!settings_.emplace(core, setting.place).second)
      tokens.line().fail(token.column, fmt::format("core {}: {} is set twice", core, name));
    parts_.settings.push_back(setting);
  });
}

void Directives::copy(Tokens &tokens, std::string_view name, const std::set<unsigned> &cores, const Definitions &labels) {
  for_each_core(tokens, cores, [&](Tokens &rest, unsigned core) {
    const Scope scope(symbols_, &labels, {}, core);
    const auto number = [&] { return take_number32(rest, scope, rest.peek().column); };
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

}  // namespace cox::tools::pim
