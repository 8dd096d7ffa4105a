// SPDX-License-Identifier: MIT
#include "tools/run/model_options.h"

#include <fmt/format.h>

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

}  // namespace cox::tools::run
