// SPDX-License-Identifier: MIT
#include "tools/cube/check_stream.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <utility>

#include "sim/model/cube/hazard/detector.h"
#include "tools/check/chains.h"
#include "tools/cube/refusal.h"

namespace cox::tools {
namespace {

using model::cube::FindingKind;

const char *name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::hazard: return "hazard";
    case FindingKind::deadlock: return "deadlock";
    case FindingKind::flag_overflow: return "flag_overflow";
    case FindingKind::flag_left: return "flag_left";
  }
  return "";
}

Finding finding_of(const model::cube::Finding &found) {
  Finding finding;
  finding.kind = name_of(found.kind);
  for (const model::cube::Party *party : {&found.earlier, &found.later}) {
    if (party->instruction >= 0) finding.instructions.push_back(party->instruction);
  }
  // The text begins with the finding's kind, which the report prints itself.
  const std::string text = found.text();
  finding.message = text.substr(text.find(": ") + 2);
  return finding;
}

Finding refusal_of(std::int32_t number, const isa::cube::Instruction *instruction, const Status &status) {
  return {error_name(status.code()), {number}, cube::refusal_text(static_cast<std::size_t>(number), instruction, status), ""};
}

void warn(Report &report, std::int32_t number, const isa::cube::Operation &operation) {
  const auto *mad = std::get_if<isa::cube::Mad>(&operation);
  if (mad == nullptr) return;
  if (mad->empty()) {
    report.warnings.push_back({"empty_mad", {number}, fmt::format("instruction {} (MAD): m, k or n is 0: it does nothing", number), ""});
  }
  if (mad->bias_wraps()) {
    report.warnings.push_back({"bias_wrapped",
                               {number},
                               fmt::format("instruction {} (MAD): {} biases from {} pass the end of the bias table ({} bytes)", number,
                                           mad->n, mad->bias_address, isa::cube::kBiasTableBytes),
                               ""});
  }
}

/// Adds the findings to the report in their order. From each chain of hazards (tools/check/chains.h) it takes only the root.
void add(const std::vector<model::cube::Finding> &found, Report &report) {
  std::vector<UnorderedPair> pairs;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].kind != FindingKind::hazard) continue;
    const auto &earlier = found[i].earlier, &later = found[i].later;
    places.push_back(i);
    pairs.push_back({earlier.instruction, later.instruction, static_cast<unsigned>(earlier.pipe), static_cast<unsigned>(later.pipe)});
  }
  std::map<std::size_t, Chain> roots;
  for (Chain &chain : chains_of(pairs)) roots.emplace(places[chain.root], std::move(chain));
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto root = roots.find(i);
    if (found[i].kind == FindingKind::hazard && root == roots.end()) continue;
    report.errors.push_back(finding_of(found[i]));
    if (root != roots.end()) report.errors.back().following = std::move(root->second.following);
  }
}

}  // namespace

Report check_cube_stream(std::span<const std::uint8_t> stream) {
  Report report;
  std::vector<model::cube::Finding> found;
  model::cube::Detector detector;
  isa::cube::Configuration configuration;
  std::int32_t number = 0;
  for (; stream.size() >= isa::cube::kSlotBytes; stream = stream.subspan(isa::cube::kSlotBytes), ++number) {
    isa::cube::MachineCode code;
    std::memcpy(code.data(), stream.data(), isa::cube::kSlotBytes);
    Status refused = isa::cube::check(code);
    Result<isa::cube::Operation> operation = refused.ok() ? isa::cube::resolve(code, configuration) : refused;
    if (!operation) {
      report.errors.push_back(refusal_of(number, isa::cube::find_instruction(code[0]), operation.status()));
      break;
    }
    configuration.apply(operation.value());
    warn(report, number, operation.value());
    detector.add(code, operation.value(), found);
  }
  const bool refused = !report.errors.empty();
  if (!refused && (!stream.empty() || number == 0)) {
    const Status status(ErrorCode::stream_truncated, "stream", -1, static_cast<std::int64_t>(stream.size()), isa::cube::kSlotBytes);
    report.errors.push_back(refusal_of(number, nullptr, status));
  } else if (!refused) {
    detector.end(found);
  }
  add(found, report);
  return report;
}

}  // namespace cox::tools
