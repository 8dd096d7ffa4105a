// SPDX-License-Identifier: MIT
#include "tools/command/description.h"

#include <CLI/CLI.hpp>

namespace cox::tools {
namespace {

/// Splits CLI11's name of a type, such as `TEXT:{native,qemu}` or `US:{1 to 10}`: one_of() and in_range() (usage.h) put the braces there.
void set_value(const std::string &type, OptionDescription &option) {
  const std::size_t brace = type.find('{');
  option.value = type.substr(0, brace == std::string::npos ? brace : type.find_last_not_of(':', brace - 1) + 1);
  if (option.value == "UINT" || option.value == "FLOAT") option.value = "NUMBER";
  if (option.value == "TEXT" || option.value.empty()) option.value = "VALUE";
  if (brace == std::string::npos) return;
  const std::string inside = type.substr(brace + 1, type.rfind('}') - brace - 1);
  if (inside.find(" to ") != std::string::npos) {
    option.range = inside;
  } else {
    option.choices = CLI::detail::split(inside, ',');
  }
}

OptionDescription describe(const CLI::Option &option) {
  OptionDescription described;
  for (const std::string &name : option.get_snames()) described.names.push_back("-" + name);
  for (const std::string &name : option.get_lnames()) described.names.push_back("--" + name);
  if (option.get_positional()) described.names = {option.get_name(true)};
  described.text = option.get_description();
  described.required = option.get_required();
  described.repeated = option.get_items_expected_max() >= CLI::detail::expected_max_vector_size;
  const bool flag = option.get_items_expected_max() == 0 || option.get_type_size() == 0;
  if (!flag) {
    set_value(option.get_type_name(), described);
    described.otherwise = option.get_default_str();
    const bool free = described.choices.empty() && described.range.empty();
    described.file =
        free && (described.value == "VALUE" || described.value == "TRACE" || described.value.find("FILE") != std::string::npos);
  }
  return described;
}

}  // namespace

CommandDescription describe(const CLI::App &app) {
  CommandDescription described{app.get_name(), app.get_description(), app.get_footer(), {}, {}, {}};
  for (const CLI::Option *option : app.get_options()) {
    if (option->get_group().empty()) continue;
    (option->get_positional() ? described.positionals : described.options).push_back(describe(*option));
  }
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; })) {
    if (!command->get_group().empty()) described.commands.push_back(describe(*command));
  }
  return described;
}

}  // namespace cox::tools
