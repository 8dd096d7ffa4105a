// SPDX-License-Identifier: MIT
// cox check: checks a task with the firmware's verifier and the hazard detector, or an engine's stream with the engine's own checks and
// hazard detector.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/command/colour.h"
#include "tools/command/device_option.h"
#include "tools/command/failure.h"
#include "tools/command/format_option.h"
#include "tools/cox/commands.h"
#include "tools/file/file.h"

namespace cox::tools {
namespace {

std::string examples_of_check() {
  std::string text =
      "Examples:\n"
      "  cox check digits.cxt\n"
      "  cox check --strict --json digits.jsonl\n"
      "  cox check --option geometry.l2_mib=4 digits.cxt\n";
  for (const ProgramFormat *format : program_formats()) {
    if (format->engine().has_ring()) text.append("  cox check program").append(format->binary_ending()).append("\n");
  }
  return text +
         "Exit status 1: the program is refused. If one dependency bit is missing, every bit whose addition mends the task is listed.\n"
         "Of each kind of finding the first 16 are printed, and how many more there are; --json has them all.";
}

}  // namespace

void add_check(CLI::App &app) {
  struct Options {
    std::string program, isa;
    std::vector<std::string> device;
    bool strict = false;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand(
      "check", "Verify a task as the firmware does, or a stream as its engine does, and look for hazards: accesses that nothing orders");
  command->add_option("FILE", options->program, "Task image, or a stream, as text or as the engine reads it")->required();
  add_format_option(*command, options->isa, Form::either);
  add_device_option(*command, options->device);
  command->add_flag("--strict", options->strict, "Warnings are errors");
  command->add_flag("--json", options->json, "Print the report as JSON");
  command->footer(examples_of_check());
  command->callback([options] {
    const model::Options device = device_of(options->device);
    const ProgramFormat &format = format_of(options->isa, options->program, Form::either);
    refuse_other_kinds(options->program, format, Form::either);
    const auto print = [options](std::string_view text) {
      write_file("-", options->json ? std::string(text) : painted_report(text, STDOUT_FILENO));
    };
    const ProgramFormat::Verdict verdict = format.check(options->program, device, options->json, print);
    if (verdict.errors || (options->strict && verdict.warnings)) throw Failure(ExitCode::bad_task, "");
  });
}

}  // namespace cox::tools
