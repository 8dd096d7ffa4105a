// SPDX-License-Identifier: MIT
// cox dis: a task image, or the bytes of an MX or CUBE stream, to a stream of instructions as text.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "tools/command/failure.h"
#include "tools/cox/commands.h"
#include "tools/cox/instruction_set.h"
#include "tools/cox/task_files.h"
#include "tools/cube/disassemble.h"
#include "tools/mx/disassemble.h"
#include "tools/tile/bindings_file.h"
#include "tools/tile/error.h"
#include "tools/tile/stream.h"

namespace cox::tools {
namespace {

void print_for_engine(InstructionSet set, const std::string &file, const std::string &output) {
  const std::vector<std::uint8_t> stream = read_input(file);
  try {
    write_output(output, set == InstructionSet::mx ? mx::disassemble(stream, file) : cube::disassemble(stream, file));
  } catch (const task::FileError &error) {
    throw Failure(ExitCode::bad_input, error.what());
  }
}

}  // namespace

void add_dis(CLI::App &app) {
  struct Options {
    std::string image, stream = "-", isa;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command =
      app.add_subcommand("dis", "Print the instructions of a task image, in strict JSON, or of an MX or CUBE stream, one a line");
  command->add_option("FILE", options->image, "Task image, or MX or CUBE stream")->required();
  command->add_option("-o,--output", options->stream, "Stream to write; default: standard output");
  add_instruction_set_option(*command, options->isa, kStreamEndings);
  command->footer(
      "Examples:\n"
      "  cox dis digits.cxt | head\n"
      "  cox dis digits.cxt -o digits.jsonl\n"
      "  cox dis layer.mxs\n"
      "  cox dis gemm.cubes\n"
      "Assembling what dis writes with -o gives the same bytes: where the image has a name, constants, tensors, or windows of its own, "
      "they are written\n"
      "beside the stream, to STREAM with the ending .bindings.json, which `cox as` reads.");
  command->callback([options] {
    const InstructionSet set = instruction_set_of(options->isa, options->image, kStreamEndings);
    if (set != InstructionSet::tile) {
      print_for_engine(set, options->image, options->stream);
      return;
    }
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
