// SPDX-License-Identifier: MIT
// What CLI11 knows of a command, as plain data, for its manual pages and for the completion of shells. So they agree with --help.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cox::tools {

struct OptionDescription {
  std::vector<std::string> names;    ///< `-o`, `--output`; the only name of a positional, such as `FILE`
  std::string value;                 ///< what its value is, such as `NAME=FILE`; empty for a flag
  std::vector<std::string> choices;  ///< the values of one_of(); empty if others are taken
  std::string range;                 ///< the range of in_range(), such as `1 to 4`; or empty
  std::string otherwise;             ///< the default; or empty
  std::string text;
  bool required = false;
  bool repeated = false;
  bool file = false;  ///< the value is the name of a file, or ends in one
};

struct CommandDescription {
  std::string name;  ///< `cox`, or that of the subcommand alone
  std::string text;
  std::string footer;
  std::vector<OptionDescription> options, positionals;
  std::vector<CommandDescription> commands;
};

/// Describes an app with its subcommands. Hidden options and subcommands are left out.
[[nodiscard]] CommandDescription describe(const CLI::App &app);

/// Returns the manual page of `cox` itself, or of a subcommand, as man(7) text. `version` and `date` (YYYY-MM-DD) go into its header and
/// footer.
[[nodiscard]] std::string manual_page(const CommandDescription &cox, const CommandDescription &command, const std::string &version,
                                      const std::string &date);

/// Returns a script for the shell that completes the words of `cox`.
[[nodiscard]] std::string bash_completion(const CommandDescription &cox);
[[nodiscard]] std::string zsh_completion(const CommandDescription &cox);
[[nodiscard]] std::string fish_completion(const CommandDescription &cox);

}  // namespace cox::tools
