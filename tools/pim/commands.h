// SPDX-License-Identifier: MIT
// The subcommands of `cox` for programs of the PIM cores.
#pragma once

namespace CLI {
class App;
}

namespace cox::tools::pim {

/// Adds the subcommand `cox pim-configuration` to `app`.
void add_commands(CLI::App &app);

}  // namespace cox::tools::pim
