// SPDX-License-Identifier: MIT
// What a plan of faults came to (docs/faults.md, The plan): the model's lines about it, and which of its faults did not happen.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace cox::tools::run {

/// The part of a line of the model's log that is about a plan: "injected at 20123: stuck ...", "planned: ...". Empty for other lines.
std::string_view fault_line(std::string_view line);

class FaultTally {
 public:
  /// The plan is that of the model's options, which must be right (check_model_options).
  explicit FaultTally(const nlohmann::json &options);

  /// A fault_line().
  void take(std::string_view line);
  /// A sentence on those that did not happen in any boot; empty: all did, or there is no plan.
  [[nodiscard]] std::string missed() const;

 private:
  std::map<std::string, std::size_t> open_;  ///< by the plan's line: how many of them have not happened yet
  std::size_t planned_ = 0;
};

}  // namespace cox::tools::run
