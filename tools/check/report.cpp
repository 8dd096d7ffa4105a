// SPDX-License-Identifier: MIT
#include "tools/check/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "coxswain/firmware/image/loader.h"
#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/table.h"
#include "tools/check/bits.h"
#include "tools/tile/message.h"

namespace cox::tools {
namespace {

using nlohmann::ordered_json;

/// Lists the first few instructions by number, and says how many more there are.
std::string following_text(const std::vector<std::int32_t> &following) {
  constexpr std::size_t kNamed = 4;
  const bool one = following.size() == 1;
  std::string text = fmt::format("{} later instruction{} from it: ", following.size(), one ? " follows" : "s follow");
  for (std::size_t i = 0; i < std::min(following.size(), kNamed); ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", following[i]);
  if (following.size() > kNamed) text += fmt::format(" and {} more, up to {}", following.size() - kNamed, following.back());
  return text;
}

std::string paragraph(const char *severity, const Finding &finding) {
  // The text of a Status already contains the error's name, after the instruction's name.
  const bool named = finding.message.find(finding.kind) != std::string::npos;
  std::string text =
      named ? fmt::format("{}: {}\n", severity, finding.message) : fmt::format("{}: {}: {}\n", severity, finding.kind, finding.message);
  if (!finding.following.empty()) text += fmt::format("  {}\n", following_text(finding.following));
  if (!finding.mend.empty()) text += fmt::format("  mend: {}\n", finding.mend);
  return text;
}

std::string counted(std::size_t number, const char *noun) { return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s"); }

ordered_json findings_json(const std::vector<Finding> &findings) {
  ordered_json list = ordered_json::array();
  for (const Finding &finding : findings) {
    list.push_back({{"kind", finding.kind},
                    {"instructions", finding.instructions},
                    {"message", finding.message},
                    {"mend", finding.mend},
                    {"following", finding.following}});
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

std::string paragraphs(const char *severity, const std::vector<Finding> &findings) {
  std::string text;
  std::map<std::string, std::size_t> of_kind;
  for (const Finding &finding : findings) {
    if (++of_kind[finding.kind] <= kPrinted) text += paragraph(severity, finding);
  }
  for (const auto &[kind, number] : of_kind) {
    if (number > kPrinted) text += fmt::format("{}: {}: and {} more\n", severity, kind, number - kPrinted);
  }
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

std::string findings_text(const Report &report) { return paragraphs("error", report.errors) + paragraphs("warning", report.warnings); }

std::string report_text(const Report &report, std::size_t instructions, const std::string &file) {
  return findings_text(report) + summary(report, instructions, file);
}

std::string report_json(const Report &report, std::size_t instructions, const std::string &file) {
  return common_json(report, instructions, file).dump(2) + "\n";
}

std::string conclusion_text(const Report &report, const task::Task &task, const std::string &file) {
  const std::vector<model::hazard::DependencyBit> &bits = report.mending_bits;
  std::string text;
  if (!bits.empty())
    text = bits.size() == 1 ? "The task passes with this bit added:\n" : "The task passes with any one of these bits added:\n";
  for (std::size_t i = 0; i < std::min(bits.size(), kPrinted); ++i) {
    text += fmt::format("  {}{}\n", bit_text(bits[i], task), bits[i].stale_weights ? " (weights are stale then)" : "");
  }
  if (bits.size() > kPrinted) {
    text += fmt::format("  and {} more, up to {}\n", bits.size() - kPrinted, task::instruction_name(task, bits.back().instruction));
  }
  return text + summary(report, task.instructions.size(), file);
}

std::string report_text(const Report &report, const task::Task &task, const std::string &file) {
  return findings_text(report) + conclusion_text(report, task, file);
}

std::string report_json(const Report &report, const task::Task &task, const std::string &file) {
  ordered_json bits = ordered_json::array();
  for (const model::hazard::DependencyBit &bit : report.mending_bits) bits.push_back(bit_json(bit, task));
  ordered_json root = common_json(report, task.instructions.size(), file);
  root["mending_bits"] = bits;
  root["workspace_bytes"] =
      firmware::image::workspace_bytes(task.instructions.size(), std::clamp(task.geometry.tile_cores, 1U, isa::tile::kMostCores));
  return root.dump(2) + "\n";
}

}  // namespace cox::tools
