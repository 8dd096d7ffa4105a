// SPDX-License-Identifier: MIT
#include "tools/run/boards/model_options.h"

#include <fmt/format.h>

#include "sim/model/options.h"
#include "sim/model/registry.h"
#include "tools/command/failure.h"

namespace cox::tools::run {

nlohmann::json parse_model_options(const std::vector<std::string> &options) {
  nlohmann::json all = nlohmann::json::object();
  for (const std::string &option : options) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Failure(ExitCode::usage, fmt::format("--option {}: it should be KEY=VALUE", option));
    nlohmann::json *place = &all;
    std::string key = option.substr(0, equals);
    for (std::size_t dot = key.find('.'); dot != std::string::npos; dot = key.find('.')) {
      place = &(*place)[key.substr(0, dot)];
      if (!place->is_object() && !place->is_null())
        throw Failure(ExitCode::usage, fmt::format("--option {}: '{}' has a value already", option, key.substr(0, dot)));
      key.erase(0, dot + 1);
    }
    const std::string text = option.substr(equals + 1);
    nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
    (*place)[key] = value.is_discarded() ? nlohmann::json(text) : value;
  }
  return all;
}

void check_model_options(const nlohmann::json &options) {
  // First check the options that name no file. An error in them is a usage error; an error in a file is bad input.
  nlohmann::json alone = options;
  alone.erase("faults");
  alone.erase("durations");
  alone.erase("configuration");
  std::string error;
  if (!model::parse_options(alone.dump().c_str(), error)) throw Failure(ExitCode::usage, "--option: " + error);
  for (const char *file : {"faults", "durations"}) {
    if (options.contains(file) && !options[file].is_string())
      throw Failure(ExitCode::usage, fmt::format("--option {}: it should be the name of a file", file));
  }
  if (!model::parse_options(options.dump().c_str(), error)) throw Failure(ExitCode::bad_input, error);
}

const char *cores_parameter() { return model::cores_parameter(); }

}  // namespace cox::tools::run
