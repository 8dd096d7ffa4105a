// SPDX-License-Identifier: MIT
#include "tools/command/colour.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>

#include "tools/command/usage.h"

namespace cox::tools {
namespace {

enum class When { automatic, always, never };

When when = When::automatic;  // of this process; add_colour_option() sets it once

When when_of(std::string_view word) {
  if (word == "always") return When::always;
  return word == "never" ? When::never : When::automatic;
}

const char *code_of(Colour colour) {
  switch (colour) {
    case Colour::red: return "\033[1;31m";
    case Colour::yellow: return "\033[1;33m";
    case Colour::green: return "\033[32m";
  }
  return "";
}

void add_option(CLI::App &command) {
  command
      .add_option_function<std::string>(
          "--color", [](const std::string &) {}, "Colours of messages and reports; auto: on a terminal only")
      ->check(one_of({"auto", "always", "never"}))
      ->default_str("auto");
}

}  // namespace

void add_colour_option(CLI::App &app, int argc, const char *const *argv) {
  constexpr std::string_view kOption = "--color";
  add_option(app);
  for (CLI::App *command : app.get_subcommands([](CLI::App *) { return true; })) add_option(*command);
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == kOption && i + 1 < argc) when = when_of(argv[i + 1]);
    if (word.starts_with(kOption) && word.substr(kOption.size()).starts_with('=')) when = when_of(word.substr(kOption.size() + 1));
  }
}

bool has_colours(int descriptor) {
  if (when != When::automatic) return when == When::always;
  const char *none = std::getenv("NO_COLOR");
  return (none == nullptr || *none == '\0') && isatty(descriptor) != 0;
}

std::string painted(Colour colour, std::string_view text, int descriptor) {
  if (!has_colours(descriptor)) return std::string(text);
  return code_of(colour) + std::string(text) + "\033[0m";
}

std::string painted_report(std::string_view report, int descriptor) {
  if (!has_colours(descriptor)) return std::string(report);
  constexpr std::string_view kError = "error:", kWarning = "warning:";
  std::string out;
  while (!report.empty()) {
    const std::string_view line = report.substr(0, report.find('\n') == std::string_view::npos ? report.size() : report.find('\n') + 1);
    report.remove_prefix(line.size());
    std::size_t word = 0;
    if (line.starts_with(kError)) out += painted(Colour::red, line.substr(0, word = kError.size()), descriptor);
    if (line.starts_with(kWarning)) out += painted(Colour::yellow, line.substr(0, word = kWarning.size()), descriptor);
    out += line.substr(word);
  }
  return out;
}

void print_message(Colour colour, std::string_view message) {
  const std::size_t colon = message.find(':');
  const std::size_t head = colon == std::string_view::npos ? 0 : colon + 1;
  const std::string text = painted(colour, message.substr(0, head), STDERR_FILENO) + std::string(message.substr(head)) + "\n";
  std::fputs(text.c_str(), stderr);
}

}  // namespace cox::tools
