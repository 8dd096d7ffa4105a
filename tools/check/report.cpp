// SPDX-License-Identifier: MIT
#include "tools/check/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "isa/tile/table.h"
#include "tools/check/bits.h"

namespace cox::tools {
namespace {

using nlohmann::ordered_json;

std::string paragraph(const char *severity, const Finding &finding) {
  // A Status in words begins with its name already, after the instruction's.
  const bool named = finding.message.find(finding.kind) != std::string::npos;
  std::string text =
      named ? fmt::format("{}: {}\n", severity, finding.message) : fmt::format("{}: {}: {}\n", severity, finding.kind, finding.message);
  if (!finding.mend.empty()) text += fmt::format("  mend: {}\n", finding.mend);
  return text;
}

std::string counted(std::size_t number, const char *noun) { return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s"); }

ordered_json findings_json(const std::vector<Finding> &findings) {
  ordered_json list = ordered_json::array();
  for (const Finding &finding : findings) {
    list.push_back({{"kind", finding.kind}, {"instructions", finding.instructions}, {"message", finding.message}, {"mend", finding.mend}});
  }
  return list;
}

ordered_json bit_json(const model::hazard::DependencyBit &bit, const task::Task &task) {
  const task::Instruction &instruction = task.instructions[static_cast<std::size_t>(bit.instruction)];
  return {{"instruction", bit.instruction},
          {"line", instruction.line > 0 ? instruction.line : bit.instruction + 1},
          {"name", isa::tile::find_instruction(isa::tile::opcode_of(instruction.code))->name},
          {"list", list_name(bit, task)},
          {"class", element_name(bit, task)},
          {"stale_weights", bit.stale_weights}};
}

std::string findings_text(const Report &report) {
  std::string text;
  for (const Finding &finding : report.errors) text += paragraph("error", finding);
  for (const Finding &finding : report.warnings) text += paragraph("warning", finding);
  return text;
}

std::string summary(const Report &report, std::size_t instructions, const std::string &file) {
  return fmt::format("{}: {}: {}, {}\n", file, counted(instructions, "instruction"), counted(report.errors.size(), "error"),
                     counted(report.warnings.size(), "warning"));
}

ordered_json common_json(const Report &report, std::size_t instructions, const std::string &file) {
  return {{"file", file},
          {"instructions", instructions},
          {"errors", findings_json(report.errors)},
          {"warnings", findings_json(report.warnings)}};
}

}  // namespace

std::string report_text(const Report &report, std::size_t instructions, const std::string &file) {
  return findings_text(report) + summary(report, instructions, file);
}

std::string report_json(const Report &report, std::size_t instructions, const std::string &file) {
  return common_json(report, instructions, file).dump(2) + "\n";
}

std::string report_text(const Report &report, const task::Task &task, const std::string &file) {
  std::string text = findings_text(report);
  if (!report.mending_bits.empty()) {
    text +=
        report.mending_bits.size() == 1 ? "The task passes with this bit added:\n" : "The task passes with any one of these bits added:\n";
    for (const model::hazard::DependencyBit &bit : report.mending_bits) {
      text += fmt::format("  {}{}\n", bit_text(bit, task), bit.stale_weights ? " (weights are stale then)" : "");
    }
  }
  return text + summary(report, task.instructions.size(), file);
}

std::string report_json(const Report &report, const task::Task &task, const std::string &file) {
  ordered_json bits = ordered_json::array();
  for (const model::hazard::DependencyBit &bit : report.mending_bits) bits.push_back(bit_json(bit, task));
  ordered_json root = common_json(report, task.instructions.size(), file);
  root["mending_bits"] = bits;
  return root.dump(2) + "\n";
}

}  // namespace cox::tools
