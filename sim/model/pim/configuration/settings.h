// SPDX-License-Identifier: MIT
// What the model of the PIM cores can be told in a JSON file: memories, array, DRAM, bindings, SIMD inputs, number of cores, timing and
// energy (docs/pim.md, Configuration).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "isa/pim/configuration.h"
#include "sim/model/pim/machine/energy.h"
#include "sim/model/pim/machine/timing.h"

namespace cox::model::pim {

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

/// Returns a configuration file with every key, in the spelling of the specification. parse_settings() reads the same settings from it.
[[nodiscard]] std::string print_settings(const Settings &settings);

}  // namespace cox::model::pim
