// SPDX-License-Identifier: MIT
// What the model of the PIM cores can be told in a JSON file: memories, array, DRAM, bindings, SIMD inputs, number of cores, timing and
// energy (docs/pim.md, Configuration).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "coxswain/isa/pim/configuration.h"
#include "sim/model/pim/machine/energy.h"
#include "sim/model/pim/machine/timing.h"

namespace cox::model::pim {

/// Number of cores of a device that is told nothing about them.
inline constexpr unsigned kDefaultCores = 16;

/// The default is the device without a configuration file.
struct Settings {
  isa::pim::Configuration configuration = isa::pim::default_configuration();
  Timing timing;
  Energy energy;
  std::optional<unsigned> cores;  ///< 1 to 64; absent: the parameter pim_cores of the geometry says it
};

/// Reads the text of a configuration file. Parts that the file lacks keep their defaults. Comments (`//`, `/* */`) are allowed. On an
/// error, returns no value and sets `error` to a sentence with `file`, the place in it, and what would mend it.
[[nodiscard]] std::optional<Settings> parse_settings(std::string_view text, std::string_view file, std::string &error);

/// Returns the settings of a device. `text` is that of its configuration file, which parse_settings() accepts; a device without a file has
/// an empty text. `cores` is the parameter pim_cores of the geometry, if it is given, and overrides the number in the file. The result has
/// a number of cores.
[[nodiscard]] Settings settings_of(std::string_view text, std::optional<unsigned> cores);

/// As above, for a device with these model::Options. They are a template parameter, because this layer lies below the model's.
template <typename Options>
[[nodiscard]] Settings settings_of(const Options &options) {
  const auto file = options.configurations.find("pim");
  const auto cores = options.parameters.find("pim_cores");
  return settings_of(file == options.configurations.end() ? std::string_view() : std::string_view(file->second.text),
                     cores == options.parameters.end() ? std::nullopt : std::optional<unsigned>(cores->second));
}

/// Returns a configuration file with every key, in the spelling of the specification. parse_settings() reads the same settings from it.
[[nodiscard]] std::string print_settings(const Settings &settings);

}  // namespace cox::model::pim
