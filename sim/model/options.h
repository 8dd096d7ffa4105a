// SPDX-License-Identifier: MIT
// The options that cox_model_create gets as JSON (docs/model.md, Options).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/faults/plan.h"
#include "sim/model/geometry.h"
#include "sim/model/parameter.h"

namespace cox::model {

/// For each submission queue, by its name: the durations in cycles of a task's instructions in this queue, in program order.
using Durations = std::map<std::string, std::vector<Cycle>, std::less<>>;

/// The arithmetic that the model uses. Both give the same bits.
enum class Path : std::uint8_t { reference, fast };

/// A file that describes the device of an engine (docs/model.md, Options).
struct ConfigurationFile {
  std::string path, text;
};

struct Options {
  Geometry geometry;
  ParameterValues parameters;                                            ///< the given parameters of engines
  std::map<std::string, ConfigurationFile, std::less<>> configurations;  ///< by the engine's key; its engine accepts the text
  Path path = Path::fast;
  bool hazards = false;
  std::string events;                   ///< path of the event log to write; empty: none
  std::string energy;                   ///< path of the file with engines' energy to write; empty: none
  std::optional<Durations> durations;   ///< durations to replay; empty: the model computes durations
  std::vector<faults::Planned> faults;  ///< the faults of the plan file, then the random ones
  std::size_t random_faults = 0;        ///< number of random faults, at the end of `faults`
};

/// A parameter of the option `geometry`, and the key of the engine that it is of; no key: it is of the device.
struct OwnedParameter {
  Parameter parameter;
  std::string_view engine;
};

/// Returns all parameters: those of the device, then those of each engine.
[[nodiscard]] std::vector<OwnedParameter> all_parameters();

/// Reads the text of a JSON object, and the files that it names. If `text` is nullptr, there are no options. On an error, returns
/// no value, and a sentence in `error`.
[[nodiscard]] std::optional<Options> parse_options(const char *text, std::string &error);

}  // namespace cox::model
