// SPDX-License-Identifier: MIT
// Tells from the model's log which faults of a fault plan (docs/faults.md, The plan) happened.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace cox::tools::run {

/// Returns the part of a line of the model's log that is about a fault plan: "injected at 20123: stuck ...", "planned: ...". Returns an
/// empty text for other lines.
std::string_view fault_line(std::string_view line);

class FaultTally {
 public:
  /// Takes the plan from the model's options, which must be valid (check_model_options).
  explicit FaultTally(const nlohmann::json &options);

  /// Counts a line that fault_line() returned.
  void take(std::string_view line);
  /// Returns a sentence about the faults that did not happen in any boot. It is empty if all happened, or if there is no plan.
  [[nodiscard]] std::string missed() const;

 private:
  std::map<std::string, std::size_t> open_;  ///< for each line of the plan: number of its faults that have not happened yet
  std::size_t planned_ = 0;
};

}  // namespace cox::tools::run
