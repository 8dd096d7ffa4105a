// SPDX-License-Identifier: MIT
// cox as: a stream of tile instructions to a task image, or one of MX or CUBE instructions to the bytes that the engine reads.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/command/failure.h"
#include "tools/cox/commands.h"
#include "tools/cox/instruction_set.h"
#include "tools/cox/task_files.h"
#include "tools/cube/assemble.h"
#include "tools/mx/assemble.h"
#include "tools/tile/error.h"
#include "tools/tile/image.h"

namespace cox::tools {
namespace {

void assemble_for_engine(InstructionSet set, const std::string &file, const std::string &output) {
  const std::vector<std::uint8_t> bytes = read_input(file);
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  try {
    write_output(output, set == InstructionSet::mx ? mx::assemble(text, file) : cube::assemble(text, file));
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
      "Assemble a stream of instructions, one a line: tile instructions to a task image, MX and CUBE instructions to the bytes of their "
      "stream");
  command
      ->add_option("FILE", options->stream,
                   "Stream: strict JSON lines or the printed form; MX, CUBE: name and Field=value; - is standard input")
      ->required();
  command->add_option("-o,--output", options->image, "Task image to write; MX, CUBE: the stream")->required();
  command->add_option("--bindings", options->bindings,
                      "Windows, constants and tensors; default: FILE with the ending .bindings.json, where there is one");
  add_instruction_set_option(*command, options->isa, kTextEndings);
  command->footer(
      "Examples:\n"
      "  cox as digits.jsonl -o digits.cxt\n"
      "  cox as resnet50_b1.asm.txt -o resnet50.cxt --bindings resnet50.json\n"
      "  cox as layer.mx -o layer.mxs\n"
      "  cox as gemm.cube -o gemm.cubes\n"
      "Without bindings windows are as large as the addresses used, and there are no tensors.");
  command->callback([options] {
    const InstructionSet set = instruction_set_of(options->isa, options->stream, kTextEndings);
    if (set != InstructionSet::tile) {
      if (!options->bindings.empty()) throw Failure(ExitCode::usage, "--bindings: an engine's streams have none");
      assemble_for_engine(set, options->stream, options->image);
      return;
    }
    const task::Task loaded = load_task_file(options->stream, options->bindings);
    write_output(options->image, task::build_image(loaded));
  });
}

}  // namespace cox::tools
