// SPDX-License-Identifier: MIT
// The option that tells `cox as`, `cox check` and `cox lower` for which device a program is meant.
#pragma once

#include <string>
#include <vector>

#include "sim/model/options.h"

namespace CLI {
class App;
}

namespace cox::tools {

/// Adds `--option geometry.NAME=VALUE`, whose values go into `options`.
void add_device_option(CLI::App &command, std::vector<std::string> &options);

/// Returns the model's options for the default device, with the changes in `options`. Throws Failure(usage) for an option outside of
/// `geometry`.
[[nodiscard]] model::Options device_of(const std::vector<std::string> &options);

}  // namespace cox::tools
