// SPDX-License-Identifier: MIT
// cox help: prints the help of a command as --help does, as a manual page, or as a shell's completion.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "tools/command/description.h"
#include "tools/command/failure.h"
#include "tools/command/usage.h"
#include "tools/cox/commands.h"
#include "tools/file/file.h"

namespace cox::tools {
namespace {

/// Returns today's date, or that of SOURCE_DATE_EPOCH, which a build sets whose results must not depend on its time.
std::string date() {
  std::time_t now = std::time(nullptr);
  if (const char *epoch = std::getenv("SOURCE_DATE_EPOCH")) now = static_cast<std::time_t>(std::strtoll(epoch, nullptr, 10));
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[sizeof "YYYY-MM-DD"];
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

std::string written(const CLI::App &app, const std::string &format, const std::string &name) {
  const CLI::App *command = name.empty() ? &app : app.get_subcommand(name);
  // App::help() of cox would print the help of the subcommand that runs, which is this one.
  const std::string words = name.empty() ? app.get_name() : app.get_name() + " " + name;
  if (format == "text") return command->get_formatter()->make_help(command, words, CLI::AppFormatMode::Normal);
  const CommandDescription cox = describe(app);
  if (format == "man") return manual_page(cox, describe(*command), COX_VERSION, date());
  if (!name.empty()) throw Failure(ExitCode::usage, "--format " + format + ": completion is for all commands; leave out " + name);
  if (format == "bash") return bash_completion(cox);
  return format == "zsh" ? zsh_completion(cox) : fish_completion(cox);
}

}  // namespace

void add_help(CLI::App &app) {
  struct Options {
    std::string command, format = "text";
  };
  const auto options = std::make_shared<Options>();
  std::vector<std::string> names = {"help"};
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; })) names.push_back(command->get_name());
  CLI::App *help = app.add_subcommand("help", "Print the help of a command, its manual page, or the completion for a shell");
  help->add_option("COMMAND", options->command, "The command; default: cox itself")->check(one_of(names));
  help->add_option("--format", options->format, "text: as --help; man: a manual page; bash, zsh, fish: completion for this shell")
      ->check(one_of({"text", "man", "bash", "zsh", "fish"}))
      ->capture_default_str();
  help->footer(
      "Examples:\n"
      "  cox help run\n"
      "  cox help run --format man | man -l -\n"
      "  source <(cox help --format bash)");
  help->callback([options, &app] { write_file("-", written(app, options->format, options->command)); });
}

}  // namespace cox::tools
