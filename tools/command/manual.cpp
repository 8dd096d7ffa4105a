// SPDX-License-Identifier: MIT
// Manual pages as man(7) text.
#include <fmt/format.h>

#include "tools/command/description.h"
#include "tools/command/exit_codes.h"

namespace cox::tools {
namespace {

/// Escapes what man(7) would read as a request or as a typographic character.
std::string escaped(const std::string &text) {
  std::string out;
  for (const char c : text) {
    const bool line_begins = out.empty() || out.back() == '\n';
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      case '\'': out += "\\(aq"; break;
      case '`': out += "\\(ga"; break;
      case '^': out += "\\(ha"; break;
      case '~': out += "\\(ti"; break;
      default: out += c;
    }
  }
  return out;
}

std::string bold(const std::string &text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(const std::string &text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string page_name(const CommandDescription &cox, const CommandDescription &command) {
  return command.name == cox.name ? cox.name : cox.name + "-" + command.name;
}

std::string sentence(const std::string &text) { return text.empty() || text.back() == '.' ? text : text + "."; }

std::string entry(const OptionDescription &option, bool positional) {
  std::string text = ".TP\n";
  for (const std::string &name : option.names) {
    if (&name != option.names.data()) text += ", ";
    text += positional ? italic(name) : bold(name);
  }
  if (!option.value.empty() && !(positional && option.value == "VALUE")) text += " " + italic(option.value);
  text += "\n" + escaped(sentence(option.text)) + "\n";
  if (!option.choices.empty()) text += escaped(fmt::format("One of {}.", fmt::join(option.choices, ", "))) + "\n";
  if (!option.range.empty()) text += escaped(option.range) + ".\n";
  if (!option.otherwise.empty()) text += "Default: " + escaped(option.otherwise) + ".\n";
  if (option.repeated) text += "May be given several times.\n";
  if (option.required) text += "Required.\n";
  return text;
}

std::string synopsis(const CommandDescription &cox, const CommandDescription &command) {
  std::string text = bold(cox.name);
  if (command.name != cox.name) text += " " + bold(command.name);
  text += " [" + italic("OPTIONS") + "]";
  if (!command.commands.empty()) text += " " + italic("COMMAND") + " ...";
  for (const OptionDescription &positional : command.positionals) {
    const std::string name = italic(positional.names.front());
    text += positional.required ? " " + name : " [" + name + "]";
  }
  return text + "\n";
}

/// Returns the footer of --help without the exit status, which has a section of its own.
std::string notes(std::string footer) {
  if (const std::size_t at = footer.find(kExitCodesHelp); at != std::string::npos) footer.erase(at);
  const std::size_t first = footer.find_first_not_of('\n'), last = footer.find_last_not_of('\n');
  return first == std::string::npos ? "" : footer.substr(first, last - first + 1);
}

}  // namespace

std::string manual_page(const CommandDescription &cox, const CommandDescription &command, const std::string &version,
                        const std::string &date) {
  const std::string name = page_name(cox, command);
  std::string upper;
  for (const char c : name) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  std::string page = fmt::format(".TH {} 1 {} \"Coxswain {}\" \"Coxswain\"\n", escaped(upper), date, version);
  page += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}", escaped(name), escaped(command.text), synopsis(cox, command));
  if (!command.commands.empty()) {
    page += ".SH COMMANDS\n";
    for (const CommandDescription &each : command.commands) page += ".TP\n" + bold(each.name) + "\n" + escaped(sentence(each.text)) + "\n";
  }
  if (!command.positionals.empty()) {
    page += ".SH ARGUMENTS\n";
    for (const OptionDescription &positional : command.positionals) page += entry(positional, true);
  }
  page += ".SH OPTIONS\n";
  for (const OptionDescription &option : command.options) page += entry(option, false);
  if (const std::string text = notes(command.footer); !text.empty()) page += ".SH NOTES\n.nf\n" + escaped(text) + "\n.fi\n";
  std::string exit_status(kExitCodesHelp);
  page += ".SH EXIT STATUS\n" + escaped(exit_status.substr(exit_status.find(": ") + 2)) + "\n.SH SEE ALSO\n";
  std::string others;
  const auto see = [&](const CommandDescription &other) {
    if (other.name == command.name) return;
    others += (others.empty() ? "" : ",\n") + std::string(".BR ") + escaped(page_name(cox, other)) + " (1)";
  };
  see(cox);
  for (const CommandDescription &other : cox.commands) see(other);
  return page + others + "\n";
}

}  // namespace cox::tools
