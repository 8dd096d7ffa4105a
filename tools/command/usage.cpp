// SPDX-License-Identifier: MIT
#include "tools/command/usage.h"

#include <string_view>

#include "tools/names/did_you_mean.h"

namespace cox::tools {
namespace {

std::vector<std::string> option_names(const CLI::App &command) {
  std::vector<std::string> names;
  for (const CLI::Option *option : command.get_options()) {
    for (const std::string &name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// Returns the option that the error is about. CLI11 names it only in the error's text.
const CLI::Option *option_in(const CLI::App &command, std::string_view text) {
  for (const CLI::Option *option : command.get_options()) {
    if (text.find(option->get_name()) != std::string_view::npos) return option;
  }
  return nullptr;
}

std::string unknown_command(const CLI::App &app, const std::string &word) {
  std::vector<std::string> names;
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; })) names.push_back(command->get_name());
  return "'" + word + "' is not one of its commands" + did_you_mean(word, names);
}

std::string missing_option(const CLI::App &command) {
  for (const CLI::Option *option : command.get_options()) {
    if (option->get_required() && option->count() == 0) return option->get_name() + " is required";
  }
  return "a command is missing";
}

std::string unexpected(const CLI::App &app, const CLI::App &command) {
  const std::vector<std::string> words = app.remaining(true);
  if (words.empty()) return "there is an argument too many";
  const std::string &word = words.front();
  if (!word.starts_with('-')) return "'" + word + "' is an argument too many";
  return word + " is no option of it" + did_you_mean(word.substr(0, word.find('=')), option_names(command));
}

std::string wrong_number_of_values(const CLI::App &command, const CLI::ParseError &error) {
  const CLI::Option *option = option_in(command, error.what());
  if (option == nullptr) return "an option has no value, or is given twice";
  return option->get_name() + (option->results().size() > 1 ? " is given twice" : " needs a value");
}

std::string not_a_number(const CLI::App &command, const CLI::ParseError &error) {
  const CLI::Option *option = option_in(command, error.what());
  if (option == nullptr || option->results().empty()) return "an option has a value that it does not take";
  return option->get_name() + ": '" + option->results().front() + "' is not a number that it takes";
}

std::string reason(const CLI::App &app, const CLI::App &command, const CLI::ParseError &error) {
  if (dynamic_cast<const CLI::RequiredError *>(&error) != nullptr) {
    // If CLI11 does not know a word, it reports that the command is missing.
    const std::vector<std::string> words = app.remaining();
    return &command == &app && !words.empty() ? unknown_command(app, words.front()) : missing_option(command);
  }
  if (dynamic_cast<const CLI::ExtrasError *>(&error) != nullptr) return unexpected(app, command);
  if (dynamic_cast<const CLI::ArgumentMismatch *>(&error) != nullptr) return wrong_number_of_values(command, error);
  if (dynamic_cast<const CLI::ConversionError *>(&error) != nullptr) return not_a_number(command, error);
  if (dynamic_cast<const CLI::ValidationError *>(&error) != nullptr) return error.what();  // the text comes from one_of() or in_range()
  return "the options do not go together";
}

}  // namespace

std::string usage_text(const CLI::App &app, const CLI::ParseError &error) {
  const std::vector<CLI::App *> chosen = app.get_subcommands();
  const CLI::App &command = chosen.empty() ? app : *chosen.back();
  const std::string name = chosen.empty() ? "cox" : "cox " + command.get_name();
  const std::string text = name + ": " + reason(app, command, error);
  return text + (text.ends_with('?') ? " " : "; ") + name + " --help says more";
}

CLI::Validator one_of(const std::vector<std::string> &names) {
  const std::string all = CLI::detail::join(names, ", ");
  const auto check = [=](const std::string &text) -> std::string {
    for (const std::string &name : names) {
      if (name == text) return "";
    }
    return "'" + text + "' is not one of " + all + did_you_mean(text, names);
  };
  return {check, "{" + CLI::detail::join(names, ",") + "}"};
}

}  // namespace cox::tools
