// SPDX-License-Identifier: MIT
// cox as: assembles a program's text to the bytes that its engine reads, or a task's stream to a task image.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "tools/command/device_option.h"
#include "tools/command/failure.h"
#include "tools/command/format_option.h"
#include "tools/cox/commands.h"
#include "tools/file/file.h"
#include "tools/image/container.h"

namespace cox::tools {
namespace {

std::string examples_of_as() {
  std::string text =
      "Examples:\n"
      "  cox as digits.jsonl -o digits.cxt\n"
      "  cox as resnet50_b1.asm.txt -o resnet50.cxt --bindings resnet50.json\n";
  for (const ProgramFormat *format : program_formats()) {
    if (!format->engine().has_ring()) continue;
    text.append("  cox as program").append(format->text_ending()).append(" -o program").append(format->binary_ending()).append("\n");
    text.append("  cox as program").append(format->text_ending()).append(" -o program").append(kImageEnding).append("\n");
  }
  return text +
         "A stream becomes a task image if the name after -o ends in .cxt; it needs bindings. A task without bindings has windows as large "
         "as the\n"
         "addresses used, and no tensors.";
}

}  // namespace

void add_as(CLI::App &app) {
  struct Options {
    std::string text, output, bindings, isa;
    std::vector<std::string> device;
    bool listing = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand(
      "as", "Assemble a program, one instruction a line: a task to a task image, an engine's stream to the bytes that the engine reads");
  command
      ->add_option("FILE", options->text,
                   "Program as text. A task: strict JSON lines or the printed form; a stream: name and Field=value; - is standard input")
      ->required();
  command->add_option("-o,--output", options->output, "Task image or stream to write");
  command->add_flag("--listing", options->listing, "Print the text with the numbers and the machine code of its instructions");
  command->add_option("--bindings", options->bindings,
                      "Windows, constants and tensors of a task image; default: FILE with the ending .bindings.json, if there is one");
  add_format_option(*command, options->isa, Form::text);
  add_device_option(*command, options->device);
  command->footer(examples_of_as());
  command->callback([options] {
    const model::Options device = device_of(options->device);
    if (options->output.empty() && !options->listing) throw Failure(ExitCode::usage, "--output is required, or --listing");
    const bool image = options->output.ends_with(kImageEnding);
    const Form form = image ? Form::either : Form::text;  // the bytes of a stream, too, can go into an image
    const ProgramFormat &format = format_of(options->isa, options->text, form);
    if (format.engine().has_ring() && !image && !options->bindings.empty())
      throw Failure(ExitCode::usage,
                    "--bindings: only a task image has bindings, so the name after -o must end in " + std::string(kImageEnding));
    refuse_other_kinds(options->text, format, form);
    if (options->listing) write_file("-", format.listing(options->text, device));
    if (options->output.empty()) return;
    format.assemble(options->text, options->bindings, device, options->output);
  });
}

}  // namespace cox::tools
