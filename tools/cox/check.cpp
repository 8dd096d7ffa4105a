// SPDX-License-Identifier: MIT
// cox check: the verifier and the hazard detector.
#include "tools/check/check_task.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "tools/command/failure.h"
#include "tools/cox/commands.h"
#include "tools/cox/task_files.h"

namespace cox::tools {

void add_check(CLI::App &app) {
  struct Options {
    std::string task;
    bool strict = false;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("check", "Verify a task as the firmware does, and look for hazards: accesses that nothing orders");
  command->add_option("FILE", options->task, "Task image, or a stream")->required();
  command->add_flag("--strict", options->strict, "Warnings are errors");
  command->add_flag("--json", options->json, "Print the report as JSON");
  command->footer(
      "Examples:\n"
      "  cox check digits.cxt\n"
      "  cox check --strict --json digits.jsonl\n"
      "Exit status 1: the task is refused. Where one dependency bit is missing, every bit whose addition mends the task is listed.");
  command->callback([options] {
    const task::Task loaded = load_task_file(options->task);
    const Report report = check_task(loaded);
    write_output("-", options->json ? report_json(report, loaded, options->task) : report_text(report, loaded, options->task));
    if (!report.errors.empty() || (options->strict && !report.warnings.empty())) throw Failure(ExitCode::bad_task, "");
  });
}

}  // namespace cox::tools
