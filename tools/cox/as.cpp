// SPDX-License-Identifier: MIT
// cox as: a stream of tile instructions to a task image, or one of MX instructions to the bytes that the engine reads.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/command/failure.h"
#include "tools/cox/commands.h"
#include "tools/cox/instruction_set.h"
#include "tools/cox/task_files.h"
#include "tools/mx/assemble.h"
#include "tools/task/error.h"
#include "tools/task/image.h"

namespace cox::tools {
namespace {

void assemble_mx(const std::string &file, const std::string &output) {
  const std::vector<std::uint8_t> text = read_input(file);
  try {
    write_output(output, mx::assemble(std::string_view(reinterpret_cast<const char *>(text.data()), text.size()), file));
  } catch (const task::FileError &error) {
    throw Failure(ExitCode::bad_input, error.what());
  }
}

}  // namespace

void add_as(CLI::App &app) {
  struct Options {
    std::string stream, image, bindings, isa;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand(
      "as",
      "Assemble a stream of instructions, one a line: tile instructions to a task image, MX instructions to the bytes of their stream");
  command
      ->add_option("FILE", options->stream, "Stream: strict JSON lines or the printed form; MX: name and Field=value; - is standard input")
      ->required();
  command->add_option("-o,--output", options->image, "Task image to write; MX: the stream")->required();
  command->add_option("--bindings", options->bindings,
                      "Windows, constants and tensors; default: FILE with the ending .bindings.json, where there is one");
  add_instruction_set_option(*command, options->isa, kMxTextEnding);
  command->footer(
      "Examples:\n"
      "  cox as digits.jsonl -o digits.cxt\n"
      "  cox as resnet50_b1.asm.txt -o resnet50.cxt --bindings resnet50.json\n"
      "  cox as layer.mx -o layer.mxs\n"
      "Without bindings windows are as large as the addresses used, and there are no tensors.");
  command->callback([options] {
    if (is_mx(options->isa, options->stream, kMxTextEnding)) {
      if (!options->bindings.empty()) throw Failure(ExitCode::usage, "--bindings: MX streams have none");
      assemble_mx(options->stream, options->image);
      return;
    }
    const task::Task loaded = load_task_file(options->stream, options->bindings);
    write_output(options->image, task::build_image(loaded));
  });
}

}  // namespace cox::tools
