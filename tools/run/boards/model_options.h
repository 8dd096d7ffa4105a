// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cox::tools::run {

/// Parses the model's options (docs/model.md) from KEY=VALUE. A dot in KEY leads to a member of an object (`geometry.doorbell_latency=0`).
/// VALUE is JSON; if it is not valid JSON, it is taken as a string. Throws Failure(usage).
nlohmann::json parse_model_options(const std::vector<std::string> &options);

/// Lets the model check the options before the board starts. Throws Failure: usage for an option, bad_input for a file that an option
/// names.
void check_model_options(const nlohmann::json &options);

/// Returns the name of the member of the option `geometry` that sets the number of cores.
const char *cores_parameter();

}  // namespace cox::tools::run
