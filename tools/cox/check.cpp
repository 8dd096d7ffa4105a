// SPDX-License-Identifier: MIT
// cox check: the verifier and the hazard detector; of a stream of the matrix unit what the unit checks, and its hazard detector.
#include "tools/check/check_task.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "isa/cube/instruction.h"
#include "tools/check/check_cube_stream.h"
#include "tools/command/failure.h"
#include "tools/cox/commands.h"
#include "tools/cox/instruction_set.h"
#include "tools/cox/task_files.h"
#include "tools/cube/assemble.h"
#include "tools/tile/error.h"

namespace cox::tools {
namespace {

/// A stream, or its text form, by the ending of its name.
std::vector<std::uint8_t> read_cube_stream(const std::string &file) {
  std::vector<std::uint8_t> bytes = read_input(file);
  if (!file.ends_with(kTextEndings.cube)) return bytes;
  try {
    return cube::assemble(std::string_view(reinterpret_cast<const char *>(bytes.data()), bytes.size()), file);
  } catch (const task::FileError &error) {
    throw Failure(ExitCode::bad_input, error.what());
  }
}

bool is_cube(const std::string &isa, const std::string &file) {
  return instruction_set_of(isa, file, kTextEndings) == InstructionSet::cube ||
         instruction_set_of(isa, file, kStreamEndings) == InstructionSet::cube;
}

void fail_where_refused(const Report &report, bool strict) {
  if (!report.errors.empty() || (strict && !report.warnings.empty())) throw Failure(ExitCode::bad_task, "");
}

}  // namespace

void add_check(CLI::App &app) {
  struct Options {
    std::string task, isa;
    bool strict = false;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand(
      "check", "Verify a task as the firmware does, or a CUBE stream as the unit does, and look for hazards: accesses that nothing orders");
  command->add_option("FILE", options->task, "Task image, or a stream: of tile instructions, or of CUBE")->required();
  command
      ->add_option("--isa", options->isa,
                   std::string("Instruction set; default: cube for a FILE that ends in ") + kStreamEndings.cube + " or " +
                       kTextEndings.cube + ", else tile")
      ->check(CLI::IsMember({"tile", "cube"}));
  command->add_flag("--strict", options->strict, "Warnings are errors");
  command->add_flag("--json", options->json, "Print the report as JSON");
  command->footer(
      "Examples:\n"
      "  cox check digits.cxt\n"
      "  cox check --strict --json digits.jsonl\n"
      "  cox check gemm.cubes\n"
      "Exit status 1: the task or stream is refused. Where one dependency bit is missing, every bit whose addition mends the task is "
      "listed.\n"
      "Of each kind of finding the first 16 are printed, and how many more there are; --json has them all.");
  command->callback([options] {
    if (is_cube(options->isa, options->task)) {
      const std::vector<std::uint8_t> stream = read_cube_stream(options->task);
      const Report report = check_cube_stream(stream);
      const std::size_t instructions = stream.size() / isa::cube::kSlotBytes;
      write_output("-",
                   options->json ? report_json(report, instructions, options->task) : report_text(report, instructions, options->task));
      fail_where_refused(report, options->strict);
      return;
    }
    const task::Task loaded = load_task_file(options->task);
    const Report report = check_task(loaded, [&options](const Report &found) {
      if (!options->json) write_output("-", findings_text(found));
    });
    write_output("-", options->json ? report_json(report, loaded, options->task) : conclusion_text(report, loaded, options->task));
    fail_where_refused(report, options->strict);
  });
}

}  // namespace cox::tools
