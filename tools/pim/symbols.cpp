// SPDX-License-Identifier: MIT
#include "tools/pim/symbols.h"

#include <fmt/format.h>

#include <utility>

#include "tools/pim/form.h"

namespace cox::tools::pim {
namespace {

constexpr std::string_view kCore = "CORE", kCores = "CORES", kHere = ".";

bool is_reserved(std::string_view name) {
  return name == kCore || name == kCores || name == kAsync || name == "true" || name == "false" || name.front() == '.' ||
         find_register(name);
}

}  // namespace

void define(const assembly::Line &line, const Token &name, std::size_t number, Definitions &names, Value value) {
  if (is_reserved(name.text)) line.fail(name.column, assembly::quoted(name.text) + " is a word of the assembler, and cannot be defined");
  const auto [at, is_new] = names.try_emplace(std::string(name.text), Definition{value, number});
  if (!is_new) line.fail(name.column, fmt::format("{} is defined already, in line {}", assembly::quoted(name.text), at->second.line));
}

Symbols::Symbols(const isa::pim::Configuration &configuration) {
  for (const isa::pim::Memory &memory : configuration.local_memories()) predefine(std::string(memory.name()), memory.first);
  predefine("array", configuration.array.first);
  predefine("dram", configuration.dram_first);
  for (unsigned window = 0; window < isa::pim::kWindows; ++window)
    predefine(fmt::format("dram{}", window), configuration.dram_first + static_cast<std::int64_t>(window * configuration.dram_part()));
}

void Symbols::predefine(std::string name, std::int64_t value) {
  for (char &c : name) {
    const bool is_in_name = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!is_in_name) c = '_';
  }
  predefined_[std::move(name)] = {{ValueKind::number, value}, 0};
}

std::optional<Value> Scope::find(std::string_view name) const {
  if (name == kHere && counter_) return Value{ValueKind::label, *counter_};
  if (name == kCore && core_) return Value{ValueKind::number, *core_};
  if (name == kCores && symbols_.cores() != 0) return Value{ValueKind::number, symbols_.cores()};
  if (const auto constant = symbols_.constants().find(name); constant != symbols_.constants().end()) return constant->second.value;
  if (labels_ != nullptr) {
    if (const auto label = labels_->find(name); label != labels_->end()) return label->second.value;
  }
  if (const auto known = symbols_.predefined().find(name); known != symbols_.predefined().end()) return known->second.value;
  return std::nullopt;
}

std::vector<std::string_view> Scope::all() const {
  std::vector<std::string_view> names;
  for (const auto &[name, constant] : symbols_.constants()) names.emplace_back(name);
  if (labels_ != nullptr) {
    for (const auto &[name, label] : *labels_) names.emplace_back(name);
  }
  for (const auto &[name, constant] : symbols_.predefined()) names.emplace_back(name);
  return names;
}

}  // namespace cox::tools::pim
