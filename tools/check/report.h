// SPDX-License-Identifier: MIT
// A report on a task or a stream: errors and warnings, as text and as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/model/tile/hazard/mending.h"
#include "tools/tile/task.h"

namespace cox::tools {

struct Finding {
  std::string kind;                        ///< an error_name of base/status.h, or `hazard`, `stale_weights`, `unwritten`
  std::vector<std::int32_t> instructions;  ///< numbers of the instructions concerned; may be empty
  std::string message;                     ///< names the instruction and the reason
  std::string mend;                        ///< how to mend what was found; may be empty
  /// The later instructions that would run too early for the same reason, if this is the root cause of a chain (tools/check/chains.h).
  std::vector<std::int32_t> following = {};
};

struct Report {
  std::vector<Finding> errors;
  std::vector<Finding> warnings;
  /// Dependency bits. Any one of them, added to the task, makes the task pass.
  std::vector<model::hazard::DependencyBit> mending_bits;
};

/// The text report prints at most this many findings of each kind, and at most this many of Report::mending_bits. A line says how many more
/// there are.
inline constexpr std::size_t kPrinted = 16;

/// Returns the errors and warnings, one paragraph each.
[[nodiscard]] std::string findings_text(const Report &report);
/// Returns the dependency bits with which the task would pass (Report::mending_bits), then a line with the numbers of errors and warnings.
/// `file` is for messages. The text is never empty.
[[nodiscard]] std::string conclusion_text(const Report &report, const task::Task &task, const std::string &file);
/// Returns findings_text() and conclusion_text().
[[nodiscard]] std::string report_text(const Report &report, const task::Task &task, const std::string &file);

/// Returns all findings as JSON: {"file", "instructions", "errors": [{"kind", "instructions", "message", "mend", "following"}], "warnings":
/// [...], "mending_bits": [{"instruction", "line", "name", "list", "class", "stale_weights"}]}
[[nodiscard]] std::string report_json(const Report &report, const task::Task &task, const std::string &file);

/// Return the report on an engine's stream, as text and as JSON. Only tasks have dependency bits, so these reports propose none.
[[nodiscard]] std::string report_text(const Report &report, std::size_t instructions, const std::string &file);
[[nodiscard]] std::string report_json(const Report &report, std::size_t instructions, const std::string &file);

}  // namespace cox::tools
