// SPDX-License-Identifier: MIT
// Random programs of the PIM cores as trials of `cox campaign`. The input of a program of one core has a line for each instruction. An
// instruction that is removed becomes one without effect, so that branches still lead where they led. The input of a program of several
// cores is only its seed: without one of its instructions, cores might wait for each other in another order.
#include <charconv>
#include <cstdio>

#include "tests/campaign/gtest_failures.h"
#include "tests/campaign/trials.h"
#include "tests/sim/pim/reference/equality.h"
#include "tests/sim/pim/reference/words.h"

namespace cox::model::pim::oracle {
namespace {

using campaign::Input;
using campaign::NoSense;

constexpr Shape kShapes[] = {
    {.most_cores = 1, .actions = 25}, {.most_cores = 6, .actions = 10}, {.most_cores = 6, .actions = 8, .wrong = 60}};

RandomProgram program_of(std::uint64_t seed) { return random_program(seed, kShapes[seed % std::size(kShapes)]); }

/// Reads "at INDEX WORD", both of them hexadecimal.
std::pair<std::size_t, std::uint32_t> instruction_of(const std::string &line) {
  std::size_t index = 0;
  std::uint32_t word = 0;
  const char *const end = line.data() + line.size();
  if (!line.starts_with("at ")) throw NoSense(line + ": should be \"at INDEX WORD\"");
  const auto first = std::from_chars(line.data() + 3, end, index, 16);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ' ') throw NoSense(line + ": should be \"at INDEX WORD\"");
  const auto second = std::from_chars(first.ptr + 1, end, word, 16);
  if (second.ec != std::errc() || second.ptr != end) throw NoSense(line + ": should be \"at INDEX WORD\"");
  return {index, word};
}

class PimTrials final : public campaign::Trials {
 public:
  Input make(std::uint64_t seed) override {
    Input input{.header = {"seed " + std::to_string(seed)}, .lines = {}};
    const RandomProgram program = program_of(seed);
    if (program.codes.size() != 1) return input;
    for (std::size_t i = 0; i < program.codes[0].size(); ++i) {
      char line[40];
      std::snprintf(line, sizeof line, "at %zx %08X", i, program.codes[0][i]);
      input.lines.emplace_back(line);
    }
    return input;
  }

  campaign::Verdict run(const Input &input) override {
    const std::uint64_t seed = input.number("seed");
    RandomProgram program = program_of(seed);
    if (program.codes.size() == 1) keep(program.codes[0], input.lines);
    std::map<ErrorCode, unsigned> codes;
    bool ended = true;
    const std::string what = campaign::first_failure([&] { ended = expect_equal(program, seed, codes); });
    if (!ended) throw NoSense("the program does not end");
    campaign::Verdict verdict{.what = what, .coverage = {}};
    const std::string cores = std::to_string(program.codes.size()) + (program.codes.size() == 1 ? " core" : " cores");
    if (codes.empty()) verdict.coverage.push_back({"no fault", cores, what.empty() ? "right" : "wrong"});
    for (const auto &[code, count] : codes) verdict.coverage.push_back({error_name(code), cores, what.empty() ? "right" : "wrong"});
    return verdict;
  }

 private:
  static void keep(Code &code, const std::vector<std::string> &lines) {
    const std::size_t size = code.size();
    code.assign(size, words::jmp(1));
    for (const std::string &line : lines) {
      const auto [index, word] = instruction_of(line);
      if (index >= size) throw NoSense(line + ": the program ends before it");
      code[index] = word;
    }
  }
};

}  // namespace
}  // namespace cox::model::pim::oracle

int main(int argc, char **argv) {
  cox::model::pim::oracle::PimTrials trials;
  return cox::campaign::run_trials(trials, argc, argv);
}
