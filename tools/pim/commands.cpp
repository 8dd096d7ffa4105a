// SPDX-License-Identifier: MIT
// cox pim-configuration: prints a configuration of the PIM cores with every key.
#include "tools/pim/commands.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/pim/configuration/settings.h"
#include "tools/file/error.h"
#include "tools/file/file.h"

namespace cox::tools::pim {
namespace {

void print_configuration(const std::string &path) {
  model::pim::Settings settings;
  if (!path.empty()) {
    const std::vector<std::uint8_t> bytes = read_file(path);
    std::string error;
    const std::optional<model::pim::Settings> read =
        model::pim::parse_settings({reinterpret_cast<const char *>(bytes.data()), bytes.size()}, path, error);
    if (!read) throw FileError(error);
    settings = *read;
  }
  write_file("-", model::pim::print_settings(settings));
}

}  // namespace

void add_commands(CLI::App &app) {
  const auto path = std::make_shared<std::string>();
  CLI::App *command = app.add_subcommand("pim-configuration", "Print the configuration of the PIM cores as JSON, with every key");
  command->add_option("FILE", *path,
                      "Configuration file; what it lacks is printed as the device has it. Default: the default configuration");
  command->footer("Example:\n  cox pim-configuration > pim.json");
  command->callback([path] { print_configuration(*path); });
}

}  // namespace cox::tools::pim
