// SPDX-License-Identifier: MIT
// What is wrong with a task or a stream, for people and for programs.
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
  std::vector<std::int32_t> instructions;  ///< those concerned, the first one first; may be empty
  std::string message;                     ///< which instruction and why
  std::string mend;                        ///< what would mend it; may be empty
  /// The later instructions that would run too early for the same reason, if this is the root cause of a chain (tools/check/chains.h).
  std::vector<std::int32_t> following = {};
};

struct Report {
  std::vector<Finding> errors;
  std::vector<Finding> warnings;
  /// Single dependency bits, each of which alone makes the task pass.
  std::vector<model::hazard::DependencyBit> mending_bits;
};

/// As many findings of a kind, and as many mending bits, are printed; behind them, how many more there are.
inline constexpr std::size_t kPrinted = 16;

/// Errors and warnings, a paragraph each.
[[nodiscard]] std::string findings_text(const Report &report);
/// Mending bits, and a line that counts; `file` is for messages. Never empty.
[[nodiscard]] std::string conclusion_text(const Report &report, const task::Task &task, const std::string &file);
/// All of it.
[[nodiscard]] std::string report_text(const Report &report, const task::Task &task, const std::string &file);

/// Every one. {"file", "instructions", "errors": [{"kind", "instructions", "message", "mend", "following"}], "warnings": [...],
/// "mending_bits": [{"instruction", "line", "name", "list", "class", "stale_weights"}]}
[[nodiscard]] std::string report_json(const Report &report, const task::Task &task, const std::string &file);

/// Of what is not a task, an engine's stream: the same, and no mending bits.
[[nodiscard]] std::string report_text(const Report &report, std::size_t instructions, const std::string &file);
[[nodiscard]] std::string report_json(const Report &report, std::size_t instructions, const std::string &file);

}  // namespace cox::tools
