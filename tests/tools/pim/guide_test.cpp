// SPDX-License-Identifier: MIT
// The first program of docs/pim.md: it assembles, has no mistakes, and computes what the page says.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "sim/model/pim/machine/machine.h"
#include "tests/tools/pim/text.h"
#include "tools/pim/check_program.h"
#include "tools/pim/open_program.h"
#include "tools/pim/window_memory.h"

namespace cox::tools::pim::guide_test {
namespace {

std::string first_program() {
  std::ifstream file(COX_SOURCE_DIR "/docs/pim.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::size_t section = page.find("## A first program"), begin = page.find("```\n", section) + 4;
  return page.substr(begin, page.find("```", begin) - begin);
}

TEST(GuidePim, TheFirstProgram) {
  const std::vector<std::uint8_t> bytes = build_program(assemble_program(first_program(), "first.pim").parts);
  const Report report = check_program({.stream = bytes, .windows = {}, .constants = {}}, {});
  for (const Finding &finding : report.errors) ADD_FAILURE() << finding.message;
  EXPECT_TRUE(report.warnings.empty());

  std::array<std::int8_t, 32> x{};
  std::array<std::array<std::int8_t, 8>, 32> w{};
  std::array<std::int32_t, 8> expected{};
  for (int k = 0; k < 32; ++k) {
    x[static_cast<std::size_t>(k)] = static_cast<std::int8_t>(k * 37 - 100);
    for (int j = 0; j < 8; ++j) {
      const auto weight = static_cast<std::int8_t>(k * 11 + j * 53 - 128);
      w[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)] = weight;
      expected[static_cast<std::size_t>(j)] += x[static_cast<std::size_t>(k)] * weight;
    }
  }
  const model::pim::Settings settings;
  model::pim::Machine machine(settings.configuration, settings.timing, settings.energy, 1, model::pim::Path::fast);
  WindowMemory memory;
  memory.add_window(0, 4096, false);
  memory.fill(0, 0, std::as_bytes(std::span(w)));
  std::memcpy(machine.memory(0, 0).data(), x.data(), sizeof x);
  const isa::pim::Program program = open_program(bytes, "first.pims");
  machine.start(program, memory, 0);
  while (!machine.done()) machine.step(machine.next_event());
  ASSERT_TRUE(machine.outcome().status.ok()) << machine.outcome().status.what();
  std::array<std::int32_t, 8> results{};
  std::memcpy(results.data(), machine.memory(0, 1).data(), sizeof results);
  EXPECT_EQ(results, expected);
}

}  // namespace
}  // namespace cox::tools::pim::guide_test
