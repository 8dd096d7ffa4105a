// SPDX-License-Identifier: MIT
#include "tools/command/device_option.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "tools/command/failure.h"
#include "tools/run/boards/model_options.h"

namespace cox::tools {

std::string configuration_option(const std::string &text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw Failure(ExitCode::usage, "--configuration " + text + ": it should be ENGINE=FILE");
  return "configuration." + text;
}

void add_device_option(CLI::App &command, std::vector<std::string> &options) {
  // Both options append: CLI11 would let a vector option replace what the other one has put there.
  command
      .add_option_function<std::vector<std::string>>(
          "--option", [&options](const std::vector<std::string> &given) { options.insert(options.end(), given.begin(), given.end()); },
          "Geometry of the device that the task is for (docs/model.md), e.g. geometry.wl0_units=8192 or geometry.l2_mib=4")
      ->allow_extra_args(false);  // each --option takes one value, so that a file name may follow it
  command
      .add_option_function<std::vector<std::string>>(
          "--configuration",
          [&options](const std::vector<std::string> &files) {
            for (const std::string &file : files) options.push_back(configuration_option(file));
          },
          "File that describes an engine of the device, as ENGINE=FILE (docs/model.md, Options)")
      ->allow_extra_args(false);
}

model::Options device_of(const std::vector<std::string> &options) {
  const nlohmann::json parsed = run::parse_model_options(options);
  for (const auto &[name, value] : parsed.items()) {
    if (name != "geometry" && name != "configuration")
      throw Failure(ExitCode::usage, "--option " + name + ": only geometry.NAME=VALUE describes a device here");
  }
  run::check_model_options(parsed);
  std::string error;
  return model::parse_options(parsed.dump().c_str(), error).value();
}

}  // namespace cox::tools
