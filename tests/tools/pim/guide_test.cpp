// SPDX-License-Identifier: MIT
// The programs of the guide: they assemble, have no mistakes, and compute what the page says.
#include <gtest/gtest.h>

#include <algorithm>
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

std::string page(const std::string &name) {
  std::ifstream file(COX_SOURCE_DIR "/docs/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The first block of a section.
std::string program_of(const std::string &section, const std::string &name = "pim.md") {
  const std::string text = page(name);
  const std::size_t begin = text.find("```\n", text.find("## " + section)) + 4;
  return text.substr(begin, text.find("```", begin) - begin);
}

/// The blocks of a page that are programs.
std::vector<std::string> programs_of(const std::string &name) {
  const std::string text = page(name);
  std::vector<std::string> programs;
  for (std::size_t begin = text.find("\n```"); begin != std::string::npos; begin = text.find("\n```", begin + 1)) {
    const std::size_t first = text.find('\n', begin + 1) + 1, end = text.find("```", first);
    const std::string block = text.substr(first, end - first);
    if (begins_like_program(block)) programs.push_back(block);
    begin = end;
  }
  return programs;
}

void expect_no_mistakes(const std::vector<std::uint8_t> &bytes) {
  const Report report = check_program({.stream = bytes, .windows = {}, .constants = {}}, {});
  for (const Finding &finding : report.errors) ADD_FAILURE() << finding.message;
  EXPECT_TRUE(report.warnings.empty());
}

/// Windows 0 to 2, 4096 bytes each.
class GuideMachine {
 public:
  explicit GuideMachine(unsigned cores)
      : machine(settings_.configuration, settings_.timing, settings_.energy, cores, model::pim::Path::fast) {
    for (unsigned window = 0; window < 3; ++window) dram.add_window(window, 4096, true);
  }
  void run(const std::vector<std::uint8_t> &bytes) {
    const isa::pim::Program program = open_program(bytes, "guide.pims");
    machine.start(program, dram, 0);
    while (!machine.done()) machine.step(machine.next_event());
    ASSERT_TRUE(machine.outcome().status.ok()) << machine.outcome().status.what();
  }

 private:
  const model::pim::Settings settings_;

 public:
  model::pim::Machine machine;
  WindowMemory dram;
};

TEST(GuidePim, TheFirstProgram) {
  const std::vector<std::uint8_t> bytes = build_program(assemble_program(program_of("A first program"), "first.pim").parts);
  expect_no_mistakes(bytes);

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
  GuideMachine guide(1);
  guide.dram.fill(0, 0, std::as_bytes(std::span(w)));
  std::memcpy(guide.machine.memory(0, 0).data(), x.data(), sizeof x);
  guide.run(bytes);
  std::array<std::int32_t, 8> results{};
  std::memcpy(results.data(), guide.machine.memory(0, 1).data(), sizeof results);
  EXPECT_EQ(results, expected);
}

TEST(GuidePim, EveryProgramOfThePagesIsRight) {
  EXPECT_EQ(programs_of("pim.md").size(), 2U);
  EXPECT_EQ(programs_of("isa/pim.md").size(), 1U);
  for (const char *name : {"pim.md", "isa/pim.md", "pim-sparsity.md", "kernels/pim.md"}) {
    for (const std::string &program : programs_of(name)) expect_no_mistakes(build_program(assemble_program(program, name).parts));
  }
}

TEST(GuidePim, TheProgramOfTheInstructionsPage) {
  const Assembled assembled = assemble_program(program_of("Programs", "isa/pim.md"), "isa.pim");
  EXPECT_EQ(assembled.parts.codes.at(0), (Code{1U << 15 | 2U << 10 | 3U << 5, 2U << 28 | 4}));
  GuideMachine guide(1);
  constexpr std::array<std::int8_t, 16> kWeights{1, -2, 3, -4, 5, -6, 7, -8, 127, -128, 0, 11, -12, 13, -14, 15};
  constexpr std::array<std::int8_t, 2> kInputs{-100, 77};
  guide.dram.fill(0, 0, std::as_bytes(std::span(kWeights)));
  guide.dram.fill(1, 0, std::as_bytes(std::span(kInputs)));
  guide.run(build_program(assembled.parts));
  std::array<std::int32_t, 8> results{};
  ASSERT_TRUE(guide.dram.read(2, 0, std::as_writable_bytes(std::span(results))).ok());
  for (std::size_t j = 0; j < results.size(); ++j) EXPECT_EQ(results[j], -100 * kWeights[j] + 77 * kWeights[j + 8]) << j;
}

TEST(GuidePim, LayersOnSeveralCores) {
  constexpr std::size_t kLayers = 4, kSize = 32, kVectors = 8;
  const std::vector<std::uint8_t> bytes = build_program(assemble_program(program_of("Several cores"), "layers.pim").parts);
  expect_no_mistakes(bytes);
  std::array<std::array<std::array<std::int8_t, kSize>, kSize>, kLayers> weights{};
  std::array<std::array<std::int8_t, kSize>, kVectors> vectors{}, expected{}, results{};
  int next = 1;
  const auto any = [&next] { return static_cast<std::int8_t>(next = next * 75 % 65537); };
  for (auto &layer : weights) {
    for (auto &row : layer) std::ranges::generate(row, any);
  }
  for (auto &vector : vectors) std::ranges::generate(vector, any);
  expected = vectors;
  for (auto &vector : expected) {
    for (const auto &layer : weights) {
      std::array<std::int8_t, kSize> out{};
      for (std::size_t j = 0; j < kSize; ++j) {
        int sum = 0;
        for (std::size_t k = 0; k < kSize; ++k) sum += vector[k] * layer[k][j];
        out[j] = static_cast<std::int8_t>(sum);
      }
      vector = out;
    }
  }
  GuideMachine guide(kLayers);
  guide.dram.fill(0, 0, std::as_bytes(std::span(weights)));
  guide.dram.fill(1, 0, std::as_bytes(std::span(vectors)));
  guide.run(bytes);
  ASSERT_TRUE(guide.dram.read(2, 0, std::as_writable_bytes(std::span(results))).ok());
  EXPECT_EQ(results, expected);
}

}  // namespace
}  // namespace cox::tools::pim::guide_test
