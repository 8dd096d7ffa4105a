// SPDX-License-Identifier: MIT
// Compares two runs by the statistics that `cox run --stats` wrote (docs/cox.md, cox stats).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace cox::tools::run {

struct Figure {
  enum class Unit : std::uint8_t { count, share, ratio };

  std::string name;  ///< for example "busy PE"
  Unit unit = Unit::count;
  std::optional<double> first, second;  ///< empty: not known

  /// Returns the second figure divided by the first. Returns nothing if one of them is not known, or if the first is 0.
  [[nodiscard]] std::optional<double> change() const;
};

/// Reads the file at `path`. Throws Failure(bad_input) with the path if the file cannot be read, is not JSON, or lacks a member of
/// statistics.
nlohmann::json read_statistics(const std::string &path);

/// Returns the figures of both runs, without classes and cores that did nothing in either run.
std::vector<Figure> compare(const nlohmann::json &first, const nlohmann::json &second);

void write_comparison_text(std::ostream &out, const std::vector<Figure> &figures, const std::string &first, const std::string &second);
/// Writes {"figures": [{"name", "first", "second", "change"}]}, with null for what is not known.
void write_comparison_json(std::ostream &out, const std::vector<Figure> &figures, const std::string &first, const std::string &second);

}  // namespace cox::tools::run
