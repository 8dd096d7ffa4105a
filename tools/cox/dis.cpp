// SPDX-License-Identifier: MIT
// cox dis: a task image to a stream of instructions.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "tools/command/failure.h"
#include "tools/cox/commands.h"
#include "tools/cox/task_files.h"
#include "tools/task/bindings_file.h"
#include "tools/task/error.h"
#include "tools/task/stream.h"

namespace cox::tools {

void add_dis(CLI::App &app) {
  struct Options {
    std::string image, stream = "-";
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("dis", "Print a task image as a stream of instructions in strict JSON, one a line");
  command->add_option("FILE", options->image, "Task image")->required();
  command->add_option("-o,--output", options->stream, "Stream to write; default: standard output");
  command->footer(
      "Examples:\n"
      "  cox dis digits.cxt | head\n"
      "  cox dis digits.cxt -o digits.jsonl\n"
      "Assembling what dis writes with -o gives the same bytes: where the image has a name, constants, tensors, or windows of its own, "
      "they are written\n"
      "beside the stream, to STREAM with the ending .bindings.json, which `cox as` reads.");
  command->callback([options] {
    const task::Task loaded = load_task_file(options->image);
    std::string text;
    try {
      text = task::write_stream(loaded.instructions);
    } catch (const task::FileError &error) {
      throw Failure(ExitCode::bad_input, options->image + ": " + error.what());
    }
    write_output(options->stream, text);
    if (options->stream != "-" && task::has_bindings(loaded)) {
      try {
        task::write_bindings(task::bindings_path(options->stream), loaded);
      } catch (const task::OutputError &error) {
        throw Failure(ExitCode::bad_output, error.what());
      }
    }
  });
}

}  // namespace cox::tools
