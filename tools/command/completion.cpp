// SPDX-License-Identifier: MIT
// Completion of the words of `cox` in bash, zsh and fish.
#include <fmt/format.h>

#include "tools/command/description.h"

namespace cox::tools {
namespace {

/// Quotes a text for bash and zsh.
std::string quoted(const std::string &text) {
  std::string out = "'";
  for (const char c : text) out.append(c == '\'' ? std::string("'\\''") : std::string(1, c));
  return out + "'";
}

/// Quotes a text for fish, whose single quotes know two escapes.
std::string quoted_for_fish(const std::string &text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string escaped(const std::string &text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// Returns the first clause of a description, which fits on a line beside the option.
std::string brief(const std::string &text) { return text.substr(0, text.find(';')); }

std::vector<std::string> command_names(const CommandDescription &cox) {
  std::vector<std::string> names;
  for (const CommandDescription &command : cox.commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> option_names(const CommandDescription &command) {
  std::vector<std::string> names;
  for (const OptionDescription &option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

const std::vector<std::string> *choices_of_positional(const CommandDescription &command) {
  for (const OptionDescription &positional : command.positionals) {
    if (!positional.choices.empty()) return &positional.choices;
  }
  return nullptr;
}

std::string bash_values(const CommandDescription &command, const std::string &name) {
  std::string cases;
  for (const OptionDescription &option : command.options) {
    if (option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string &each : option.names) patterns.push_back(name + ":" + each);
    const std::string words = option.choices.empty() ? "" : fmt::format("_cox_words '{}'; ", fmt::join(option.choices, " "));
    cases += fmt::format("    {}) {}return ;;\n", fmt::join(patterns, " | "), words);
  }
  return cases;
}

/// Returns the part of _arguments that says what an option's or a positional's value is.
std::string zsh_value(const OptionDescription &option) {
  const std::string value = escaped(option.value, ":");
  if (!option.choices.empty()) return fmt::format(":{}:({})", value, fmt::join(option.choices, " "));
  return fmt::format(":{}:{}", value, option.file ? "_files" : "");
}

std::string zsh_arguments(const CommandDescription &command) {
  std::string text;
  for (const OptionDescription &option : command.options) {
    const std::string brackets = "[" + escaped(brief(option.text), "[]\\") + "]";
    const std::string value = option.value.empty() ? "" : zsh_value(option);
    for (const std::string &name : option.names) {
      const std::string others = option.repeated ? "*" : fmt::format("({})", fmt::join(option.names, " "));
      const bool joined = !value.empty() && name.starts_with("--");  // --board=native, too
      text += " \\\n        " + quoted(others + name + (joined ? "=" : "") + brackets + value);
    }
  }
  for (const OptionDescription &positional : command.positionals) text += " \\\n        " + quoted(":" + zsh_value(positional));
  return text;
}

std::string fish_option(const OptionDescription &option, const std::string &condition) {
  std::string text = fmt::format("complete -c cox -n {}", quoted_for_fish(condition));
  for (const std::string &name : option.names) text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.choices.empty()) {
    text += " -x -a " + quoted_for_fish(fmt::format("{}", fmt::join(option.choices, " ")));
  } else if (!option.value.empty()) {
    text += option.file ? " -r -F" : " -x";
  }
  return text + " -d " + quoted_for_fish(brief(option.text)) + "\n";
}

}  // namespace

std::string bash_completion(const CommandDescription &cox) {
  std::string values = bash_values(cox, ""), options = fmt::format("      '') _cox_words '{}' ;;\n", fmt::join(option_names(cox), " "));
  std::string positionals = fmt::format("    '') _cox_words '{}' ;;\n", fmt::join(command_names(cox), " "));
  for (const CommandDescription &command : cox.commands) {
    values += bash_values(command, command.name);
    options += fmt::format("      {}) _cox_words '{}' ;;\n", command.name, fmt::join(option_names(command), " "));
    if (const auto *choices = choices_of_positional(command))
      positionals += fmt::format("    {}) _cox_words '{}' ;;\n", command.name, fmt::join(*choices, " "));
  }
  return fmt::format(R"(# Completion of cox for bash, written by `cox help --format bash`.
_cox_words() {{
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}}

# Without a reply, readline completes names of files: values of options, the part after NAME= among them, and programs.
_cox() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} command= word
  COMPREPLY=()
  # readline splits --option=VALUE into three words.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]] && ((COMP_CWORD > 2)); then
    prev=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $word in
      {}) command=$word; break ;;
    esac
  done
  case $command:$prev in
{}  esac
  if [[ $cur == -* ]]; then
    case $command in
{}    esac
    return
  fi
  case $command in
{}  esac
}}

complete -o bashdefault -o default -F _cox cox
)",
                     fmt::join(command_names(cox), " | "), values, options, positionals);
}

std::string zsh_completion(const CommandDescription &cox) {
  std::string commands, cases;
  for (const CommandDescription &command : cox.commands) {
    commands += "    " + quoted(escaped(command.name, ":") + ":" + brief(command.text)) + "\n";
    cases += fmt::format("      {})\n        _arguments{}\n        ;;\n", command.name, zsh_arguments(command));
  }
  return fmt::format(R"(#compdef cox
# Completion of cox for zsh, written by `cox help --format zsh`.
_cox() {{
  local curcontext="$curcontext" state line
  local -a commands=(
{}  )
  _arguments -C{} \
        '1:command:->command' \
        '*::argument:->argument'
  case $state in
    command) _describe -t commands 'command' commands ;;
    argument)
      case $line[1] in
{}      esac
      ;;
  esac
}}

if [[ $funcstack[1] == _cox ]]; then
  _cox "$@"
else
  compdef _cox cox
fi
)",
                     commands, zsh_arguments(cox), cases);
}

std::string fish_completion(const CommandDescription &cox) {
  std::string text = "# Completion of cox for fish, written by `cox help --format fish`.\n";
  for (const OptionDescription &option : cox.options) text += fish_option(option, "__fish_use_subcommand");
  for (const CommandDescription &command : cox.commands) {
    text += fmt::format("complete -c cox -n __fish_use_subcommand -f -a {} -d {}\n", command.name, quoted_for_fish(brief(command.text)));
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    for (const OptionDescription &option : command.options) text += fish_option(option, condition);
    if (const auto *choices = choices_of_positional(command))
      text += fmt::format("complete -c cox -n '{}' -f -a '{}'\n", condition, fmt::join(*choices, " "));
  }
  return text;
}

}  // namespace cox::tools
