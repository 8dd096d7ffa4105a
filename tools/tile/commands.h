// SPDX-License-Identifier: MIT
// The subcommands of `cox` that only tasks have.
#pragma once

namespace CLI {
class App;
}

namespace cox::tools::tile {

/// Adds `cox lower`.
void add_commands(CLI::App &app);

}  // namespace cox::tools::tile
