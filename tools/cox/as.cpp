// SPDX-License-Identifier: MIT
// cox as: a stream of instructions to a task image.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "tools/cox/commands.h"
#include "tools/cox/task_files.h"
#include "tools/task/image.h"

namespace cox::tools {

void add_as(CLI::App &app) {
  struct Options {
    std::string stream, image, bindings;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("as", "Assemble a stream of instructions, one a line, to a task image");
  command->add_option("FILE", options->stream, "Stream: strict JSON lines, or the printed form; - is standard input")->required();
  command->add_option("-o,--output", options->image, "Task image to write")->required();
  command->add_option("--bindings", options->bindings,
                      "Windows, constants and tensors; default: FILE with the ending .bindings.json, where there is one");
  command->footer(
      "Examples:\n"
      "  cox as digits.jsonl -o digits.cxt\n"
      "  cox as resnet50_b1.asm.txt -o resnet50.cxt --bindings resnet50.json\n"
      "Without bindings windows are as large as the addresses used, and there are no tensors.");
  command->callback([options] {
    const task::Task loaded = load_task_file(options->stream, options->bindings);
    write_output(options->image, task::build_image(loaded));
  });
}

}  // namespace cox::tools
