// SPDX-License-Identifier: MIT
// The subcommands of `cox` for programs of the tile cores.
#pragma once

namespace CLI {
class App;
}

namespace cox::tools::tile {

/// Adds the subcommand `cox lower` to `app`.
void add_commands(CLI::App &app);

}  // namespace cox::tools::tile
