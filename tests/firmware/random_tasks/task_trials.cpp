// SPDX-License-Identifier: MIT
#include "tests/firmware/random_tasks/task_trials.h"

#include <cstdio>
#include <set>
#include <sstream>

#include "coxswain/isa/tile/table.h"
#include "tests/firmware/random_tasks/legal.h"
#include "tests/firmware/random_tasks/task_check.h"

namespace cox::tests {

using campaign::Input;
using campaign::NoSense;
using campaign::Verdict;
using isa::tile::MachineCode;
using isa::tile::Opcode;

namespace {

/// The first and the last instruction, which every task has.
bool is_frame(Opcode opcode) { return opcode == Opcode::ct_st || opcode == Opcode::ct_ed; }
bool is_sync(Opcode opcode) { return opcode == Opcode::si_sync || opcode == Opcode::so_sync; }

std::string name_of(const MachineCode &code) { return isa::tile::find_instruction(isa::tile::opcode_of(code))->name; }

std::string line_of(const Graph::Added &added) {
  std::string line = name_of(added.code) + " core=" + std::to_string(added.core);
  std::size_t words = added.code.size();
  while (words > 1 && added.code[words - 1] == 0) --words;
  for (std::size_t i = 0; i < words; ++i) {
    char word[12];
    std::snprintf(word, sizeof word, " %08X", added.code[i]);
    line += word;
  }
  return line;
}

Graph::Added added_of(const std::string &line) {
  std::istringstream words(line);
  std::string name, core, word;
  words >> name >> core;
  Graph::Added added{.code = {}, .core = 0};
  if (!core.starts_with("core=") || core.size() != 6 || core[5] < '0' || core[5] > '9') throw NoSense(line + ": core=N is missing");
  added.core = static_cast<unsigned>(core[5] - '0');
  std::size_t count = 0;
  while (words >> word) {
    if (count == added.code.size() || word.find_first_not_of("0123456789ABCDEFabcdef") != std::string::npos || word.size() > 8)
      throw NoSense(line + ": words of machine code are wrong at " + word);
    added.code[count++] = static_cast<std::uint32_t>(std::stoul(word, nullptr, 16));
  }
  const isa::tile::Instruction *instruction = isa::tile::find_instruction(isa::tile::opcode_of(added.code));
  if (instruction == nullptr || name != instruction->name) throw NoSense(line + ": the name is not that of the machine code");
  return added;
}

std::string bytes_text(const std::vector<std::uint8_t> &bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", byte);
    text += digits;
  }
  return text;
}

std::vector<std::uint8_t> bytes_of(const std::string &text) {
  std::vector<std::uint8_t> bytes;
  if (text.size() % 2 != 0 || text.find_first_not_of("0123456789abcdef") != std::string::npos) throw NoSense("a window's bytes are wrong");
  for (std::size_t i = 0; i < text.size(); i += 2) bytes.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  return bytes;
}

/// Header lines of the windows: `window INDEX read-only|writable BYTES`.
void read_windows(const Input &input, RandomTask &task) {
  for (const std::string &line : input.header) {
    std::istringstream words(line);
    std::string word, access, bytes;
    unsigned index = 0;
    if (!(words >> word) || word != "window") continue;
    if (!(words >> index >> access >> bytes) || index >= task.contents.size() || (access != "read-only" && access != "writable"))
      throw NoSense("header line \"! window INDEX read-only|writable BYTES\" is wrong");
    task.contents[index] = bytes_of(bytes);
    task.text.windows.push_back({static_cast<std::uint8_t>(index), task.contents[index].size(), access == "writable"});
  }
}

/// A seed for the random choices of an instruction's tokens. It depends on the line and not on the lines before it, so that an instruction
/// keeps its choices when others are removed.
std::uint64_t seed_of(std::uint64_t seed, const std::string &line) {
  std::uint64_t hash = 0xCBF29CE484222325ULL ^ seed;
  for (const char each : line) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001B3ULL;
  return hash;
}

}  // namespace

RandomTask task_of(const Input &input, Random &random) {
  const std::uint64_t cores = input.number("cores");
  if (cores < 1 || cores > isa::tile::kMostCores) throw NoSense("header line \"! cores\" is out of range");
  RandomTask task{{}, Graph(static_cast<unsigned>(cores), random), {}};
  task.text.name = "random";
  task.text.l2_bytes = kRandomL2Bytes;
  task.text.tile_cores = static_cast<std::uint32_t>(cores);
  read_windows(input, task);
  const std::uint64_t seed = input.number("seed");
  task.graph.add(tests::make(Opcode::ct_st), 0);
  for (const std::string &line : input.lines) {
    const Graph::Added added = added_of(line);
    if (const std::string reason = reason_against(task, added.code, added.core); !reason.empty()) throw NoSense(line + ": " + reason);
    random.engine.seed(seed_of(seed, line));
    task.graph.add(added.code, added.core);
  }
  random.engine.seed(seed);
  task.graph.add(tests::make(Opcode::ct_ed), 0);
  task.text.code = task.graph.codes();
  return task;
}

Input TaskTrials::make(std::uint64_t seed) {
  Random random(seed);
  std::map<std::string, unsigned> functions;
  const RandomTask task = make_random_task(random, isa::tile::kMostCores, functions);
  Input input{.header = {"seed " + std::to_string(seed), "cores " + std::to_string(task.text.tile_cores)}, .lines = {}};
  for (const WindowText &window : task.text.windows) {
    input.header.push_back("window " + std::to_string(window.index) + (window.writable ? " writable " : " read-only ") +
                           bytes_text(task.contents[window.index]));
  }
  for (const Graph::Added &added : task.graph.added()) {
    if (!is_frame(isa::tile::opcode_of(added.code))) input.lines.push_back(line_of(added));
  }
  return input;
}

Verdict TaskTrials::run(const Input &input) {
  Random random(0);
  const RandomTask task = task_of(input, random);
  Verdict verdict{.what = problem_of(task), .coverage = {}};
  std::set<std::string> names;
  for (const Graph::Added &added : task.graph.added()) {
    const isa::tile::Instruction &instruction = *isa::tile::find_instruction(isa::tile::opcode_of(added.code));
    if (!instruction.configuration && !is_frame(instruction.opcode) && !is_sync(instruction.opcode)) names.insert(instruction.name);
  }
  const std::string cores = std::to_string(task.text.tile_cores) + (task.text.tile_cores == 1 ? " core" : " cores");
  for (const std::string &name : names) verdict.coverage.push_back({name, cores, verdict.what.empty() ? "right" : "wrong"});
  return verdict;
}

}  // namespace cox::tests

int main(int argc, char **argv) {
  cox::tests::TaskTrials trials;
  return cox::campaign::run_trials(trials, argc, argv);
}
