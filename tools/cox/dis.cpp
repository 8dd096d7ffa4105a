// SPDX-License-Identifier: MIT
// cox dis: disassembles a task image, or the bytes of an engine's stream, to text.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "tools/command/format_option.h"
#include "tools/cox/commands.h"

namespace cox::tools {
namespace {

std::string examples_of_dis() {
  std::string text =
      "Examples:\n"
      "  cox dis digits.cxt | head\n"
      "  cox dis digits.cxt -o digits.jsonl\n";
  for (const ProgramFormat *format : program_formats()) {
    if (format->engine().has_ring()) text.append("  cox dis program").append(format->binary_ending()).append("\n");
  }
  return text +
         "Assembling what dis writes with -o gives the same bytes. If a task image has a name, constants, tensors, or windows of its own,\n"
         "dis writes them beside the stream, to STREAM with the ending .bindings.json, which `cox as` reads.";
}

}  // namespace

void add_dis(CLI::App &app) {
  struct Options {
    std::string program, text = "-", isa;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command =
      app.add_subcommand("dis", "Print the instructions of a task image, in strict JSON, or of an engine's stream, one a line");
  command->add_option("FILE", options->program, "Task image, or an engine's stream")->required();
  command->add_option("-o,--output", options->text, "Text to write; default: standard output");
  add_format_option(*command, options->isa, Form::binary);
  command->footer(examples_of_dis());
  command->callback([options] {
    const ProgramFormat &format = format_of(options->isa, options->program, Form::binary);
    refuse_other_kinds(options->program, format, Form::binary);
    format.disassemble(options->program, options->text);
  });
}

}  // namespace cox::tools
