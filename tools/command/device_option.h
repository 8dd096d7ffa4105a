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

/// Returns `configuration.ENGINE=FILE`, a value of --option, for the value ENGINE=FILE of --configuration. Throws Failure(usage).
[[nodiscard]] std::string configuration_option(const std::string &text);

/// Returns the model's options for the default device, with the changes in `options`. Each must be geometry.NAME=VALUE with a known name
/// and a valid value, or the function throws Failure(usage).
[[nodiscard]] model::Options device_of(const std::vector<std::string> &options);

}  // namespace cox::tools
