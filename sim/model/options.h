// SPDX-License-Identifier: MIT
// The options that cox_model_create gets as JSON (docs/model.md, Options).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/faults/plan.h"
#include "sim/model/geometry.h"
#include "sim/model/parameter.h"

namespace cox::model {

/// Durations in cycles of the instructions of a task, by the name of their submission queue, in program order.
using Durations = std::map<std::string, std::vector<Cycle>, std::less<>>;

/// Which arithmetic; both give the same bits.
enum class Path : std::uint8_t { reference, fast };

struct Options {
  Geometry geometry;
  ParameterValues parameters;  ///< those of engines, as far as they were given
  Path path = Path::fast;
  bool hazards = false;
  std::string events;                   ///< path of the event log to write; empty: none
  std::optional<Durations> durations;   ///< replayed instead of computed
  std::vector<faults::Planned> faults;  ///< the plan: of the file, then the random ones
  std::size_t random_faults = 0;        ///< how many of them, at the end, a seed has made
};

/// Reads the text of a JSON object, and the durations file that it names. nullptr is no options. On an error `error` is a sentence and
/// there is no value.
[[nodiscard]] std::optional<Options> parse_options(const char *text, std::string &error);

}  // namespace cox::model
