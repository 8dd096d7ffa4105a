// SPDX-License-Identifier: MIT
#include "tools/run/report/fault_tally.h"

#include <fmt/format.h>

#include "sim/model/options.h"

namespace cox::tools::run {
namespace {

constexpr std::string_view kInjected = "injected at ", kPlanned = "planned: ";
constexpr std::size_t kNamed = 4;  // the message names at most this many faults that did not happen

}  // namespace

std::string_view fault_line(std::string_view line) {
  for (const std::string_view begin : {kInjected, kPlanned}) {
    if (const std::size_t at = line.find(begin); at != std::string_view::npos) return line.substr(at);
  }
  return {};
}

FaultTally::FaultTally(const nlohmann::json &options) {
  std::string error;
  const std::optional<model::Options> parsed = model::parse_options(options.dump().c_str(), error);
  if (!parsed) return;
  planned_ = parsed->faults.size();
  for (const model::faults::Planned &fault : parsed->faults) ++open_[model::faults::text(fault)];
}

void FaultTally::take(std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (!line.starts_with(kInjected) || colon == std::string_view::npos) return;
  const auto found = open_.find(std::string(line.substr(colon + 2)));
  if (found != open_.end() && found->second > 0) --found->second;
}

std::string FaultTally::missed() const {
  std::size_t count = 0, named = 0;
  std::string lines;
  for (const auto &[text, times] : open_) {
    count += times;
    if (times == 0 || named == kNamed) continue;
    lines += (named++ == 0 ? "" : "; ") + text;
  }
  if (count == 0) return "";
  return fmt::format("{} of the plan's {} fault{} did not happen: {}{}", count, planned_, planned_ == 1 ? "" : "s", lines,
                     count > named ? "; ..." : "");
}

}  // namespace cox::tools::run
