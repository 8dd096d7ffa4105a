// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cox::tools::run {

/// The model's options (docs/model.md) from KEY=VALUE: dots in KEY name members (`geometry.doorbell_latency=0`), VALUE is JSON, or else a
/// string. Throws Failure(usage).
nlohmann::json parse_model_options(const std::vector<std::string> &options);

/// What the model would refuse, before anything is started. Throws Failure: usage for an option, bad_input for a file that one names.
void check_model_options(const nlohmann::json &options);

}  // namespace cox::tools::run
