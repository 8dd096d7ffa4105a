// SPDX-License-Identifier: MIT
// cox lower: lowers a quantised network to tile instructions.
#include "tools/tile/commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/command/device_option.h"
#include "tools/command/failure.h"
#include "tools/command/format_option.h"
#include "tools/command/usage.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/lower/task_files.h"
#include "tools/lower/wishes.h"

namespace cox::tools::tile {
namespace {

struct Arguments {
  std::string network, stream;
  std::string division = "cheapest";
  std::uint32_t batch = 0;
  lower::Wish wish;
  std::vector<std::string> device;
};

std::vector<std::string> names_of_divisions() {
  std::vector<std::string> names;
  for (const auto &[name, division] : lower::kDivisions) names.emplace_back(name);
  return names;
}

/// `name` is one of names_of_divisions().
lower::Division division_of(std::string_view name) {
  return std::ranges::find(lower::kDivisions, name, &lower::NamedDivision::name)->division;
}

// Returns why the task uses one core although it may use more, unless the control core is the reason (describe_control_core).
std::string why_one_core(const lower::Wish &wish, std::uint32_t batch, const lower::Lowering &lowering) {
  if (wish.cores == 1 || lowering.plan.cores > 1 || lowering.faster) return "";
  bool even = false;
  for (unsigned cores = 2; cores <= wish.cores; ++cores) even = even || batch % cores == 0;
  if (std::ranges::count(lowering.plan.spilled, true) > 0 && !even) {
    return "one core: with maps in DRAM cores share images alone, and " + std::to_string(batch) + (batch == 1 ? " image" : " images") +
           " cannot be divided\n";
  }
  return "one core: by the time model no more of them make it faster\n";
}

void run(const Arguments &arguments) {
  const lower::TaskFiles files = lower::files_for(arguments.stream);
  check_writable(files.stream);
  refuse_other_kinds(arguments.network, "a network file");
  lower::Network network = lower::read_network(arguments.network);
  if (arguments.batch != 0) network.batch = arguments.batch;

  const auto device = lower::geometry_of(device_of(arguments.device));
  lower::Wish wish = arguments.wish;
  if (wish.l2_kib > device.l2_blocks()) {
    throw Failure(ExitCode::usage, "--l2-kib " + std::to_string(wish.l2_kib) + ": the device has " + std::to_string(device.l2_blocks()));
  }
  wish.division = division_of(arguments.division);
  const lower::WeightImage weights = lower::pack_weights(network);
  const lower::Lowering lowering = lower::lower(network, weights, wish, device);
  lower::write_task(files, network, weights, lowering);
  std::printf("%s: %zu layers, %zu instructions, %zu bytes of weights, %" PRIu64 " cycles by the time model\n", files.stream.c_str(),
              network.layers.size(), lowering.program.size(), weights.bytes.size(), lowering.cycles);
  std::printf("%s\n%s%s", lower::describe(network, lowering.plan).c_str(), lower::describe_control_core(lowering).c_str(),
              why_one_core(wish, network.batch, lowering).c_str());
}

}  // namespace

void add_commands(CLI::App &app) {
  CLI::App *command = app.add_subcommand("lower", "Lower a quantised network to tile instructions");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("network", arguments->network, "Network file (docs/lowering.md)")->required()->type_name("NETWORK.json");
  command->add_option("-o,--output", arguments->stream, "Stream to write; FILE.bindings.json and FILE.weights.bin go beside it")
      ->required()
      ->type_name("FILE.jsonl");
  command->add_option("--batch", arguments->batch, "Images of a task, 1 to 256 (default: what the network file says)")
      ->check(in_range(1U, lower::kMostImages));
  command
      ->add_option("--cores", arguments->wish.cores, "Cores that the task may use, 1 to 4; it uses as many as make it faster (default: 1)")
      ->check(in_range(1U, isa::tile::kMostCores));
  command->add_option("--divide", arguments->division, "What the cores share: images, rows, kernels, or whatever is cheapest (default)")
      ->check(one_of(names_of_divisions()));
  command
      ->add_option("--l2-kib", arguments->wish.l2_kib,
                   "L2 of each core that the task may use, 1 to 8192 KiB (default: all of the device's); maps that do not fit are kept in "
                   "DRAM")
      ->check(in_range(1U, lower::kMostL2Kib));
  add_device_option(*command, arguments->device);
  command->footer(
      "Example:\n"
      "  cox lower examples/digits/network.json -o digits.jsonl\n"
      "  cox as digits.jsonl -o digits.cxt");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace cox::tools::tile
