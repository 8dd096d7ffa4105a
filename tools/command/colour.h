// SPDX-License-Identifier: MIT
// Colours of messages and reports, on terminals only (docs/cox.md, Colours).
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace cox::tools {

enum class Colour { red, yellow, green };

/// Adds --color to `app` and to each of its subcommands. The words of the command line say whether there are colours before CLI11 has read
/// them, because its own errors have colours, too.
void add_colour_option(CLI::App &app, int argc, const char *const *argv);

/// Returns true if text for the descriptor (STDOUT_FILENO or STDERR_FILENO) gets colours: if --color always is given, or if the descriptor
/// is a terminal, the variable NO_COLOR is unset or empty, and --color never is not given.
[[nodiscard]] bool has_colours(int descriptor);

/// Returns the text in a colour if the descriptor gets colours, else the text.
[[nodiscard]] std::string painted(Colour colour, std::string_view text, int descriptor);

/// Returns a report with the words `error:` and `warning:` at the beginnings of its lines in their colours.
[[nodiscard]] std::string painted_report(std::string_view report, int descriptor);

/// Prints a message and a newline on standard error, with the part up to its first colon in a colour.
void print_message(Colour colour, std::string_view message);

}  // namespace cox::tools
