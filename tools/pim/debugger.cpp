// SPDX-License-Identifier: MIT
#include "tools/pim/debugger.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

#include "tools/file/error.h"
#include "tools/names/did_you_mean.h"
#include "tools/pim/fault_text.h"
#include "tools/pim/instruction_text.h"
#include "tools/pim/model_run.h"
#include "tools/pim/outcome_text.h"
#include "tools/pim/waiting_text.h"

namespace cox::tools::pim {
namespace {

using model::pim::Phase;

constexpr std::uint64_t kMostSteps = 1'000'000'000;
constexpr std::uint32_t kListed = 5;  // instructions before and behind the next one

constexpr std::string_view kCommands[] = {"step",      "continue", "break", "delete", "core", "cores",
                                          "registers", "memory",   "list",  "help",   "quit"};
constexpr const char *kHelp =
    "step [N]                    run one instruction, or N, of the selected core\n"
    "continue                    run all cores up to a breakpoint, a wait without end, or the end\n"
    "break [N:]NUMBER            halt core N, or the selected one, before an instruction\n"
    "delete [N:]NUMBER           remove a breakpoint\n"
    "core N                      select a core\n"
    "cores                       what each core does\n"
    "registers                   registers of the selected core that are not 0\n"
    "memory NAME [OFFSET [BYTES]]  bytes of a memory of the core, of array, or of dram0 to dram3\n"
    "list [N]                    instructions around the next one\n"
    "quit                        end\n"
    "An empty line repeats the last command; the first letter of a command is enough.\n";

std::optional<std::uint64_t> number_of(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number, hexadecimal ? 16 : 10);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string_view command_of(std::string_view word) {
  for (const std::string_view command : kCommands) {
    if (command == word) return command;
  }
  // `c` is continue, as in other debuggers.
  if (word == "c") return "continue";
  for (const std::string_view command : kCommands) {
    if (word.size() == 1 && command.starts_with(word)) return command;
  }
  return {};
}

}  // namespace

Debugger::Debugger(const isa::pim::Program &program, const model::pim::Settings &settings, WindowMemory &memory, std::ostream &out)
    : program_(program),
      settings_(settings),
      memory_(memory),
      out_(out),
      machine_(settings_.configuration, settings_.timing, settings_.energy, settings_.cores.value_or(model::pim::kDefaultCores),
               model::pim::Path::fast) {
  if (program.cores() > machine_.cores())
    throw FileError(fmt::format("the program has {} cores, the device {}", program.cores(), machine_.cores()));
  machine_.set_listener(&in_time_);
  for (unsigned core = 0; core < program.cores(); ++core) machine_.halt(core);
  machine_.start(program, memory, 0);
}

void Debugger::run(std::istream &in, bool prompt) {
  print_place();
  std::string line, last;
  for (;;) {
    if (prompt) out_ << "(pim) " << std::flush;
    if (!std::getline(in, line)) return;
    if (line.find_first_not_of(" \t\r") == std::string::npos) line = last;
    last = line;
    if (!obey(line)) return;
  }
}

bool Debugger::obey(const std::string &line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  if (words.empty()) return true;
  const std::string_view command = command_of(words[0]);
  const std::optional<std::uint64_t> number = words.size() > 1 ? number_of(words[1]) : std::nullopt;
  if (command == "quit") return false;
  if (command == "step") {
    step(number.value_or(1));
  } else if (command == "continue") {
    resume_all();
  } else if (command == "break" || command == "delete") {
    if (words.size() != 2) {
      out_ << command << ": the number of an instruction is missing\n";
    } else {
      breakpoint(words[1], command == "break");
    }
  } else if (command == "core") {
    if (number) {
      select(*number);
    } else {
      out_ << "core: the number of a core is missing\n";
    }
  } else if (command == "cores") {
    print_cores();
  } else if (command == "registers") {
    print_registers();
  } else if (command == "memory") {
    print_memory(words);
  } else if (command == "list") {
    print_place(static_cast<std::uint32_t>(std::min<std::uint64_t>(number.value_or(kListed), isa::pim::kMostInstructions)));
  } else if (command == "help") {
    out_ << kHelp;
  } else {
    out_ << fmt::format("'{}' is not a command{}; help lists them\n", words[0], did_you_mean(words[0], kCommands));
  }
  return true;
}

void Debugger::pump(unsigned core, bool any_halt) {
  std::vector<bool> held(program_.cores());
  for (unsigned i = 0; i < program_.cores(); ++i) held[i] = is_held(i);
  while (!machine_.done()) {
    const std::uint64_t next = machine_.next_event();
    if (next == model::pim::kNever) return;
    now_ = std::max(now_, next);
    machine_.step(now_);
    for (unsigned i = 0; i < program_.cores(); ++i) {
      const bool halts = is_held(i);
      if (any_halt && halts && !held[i]) {
        core_ = i;
        return;
      }
      held[i] = halts;
    }
    if (!any_halt && is_held(core)) return;
  }
}

void Debugger::step(std::uint64_t count) {
  for (std::uint64_t i = 0; i < std::min(count, kMostSteps) && !machine_.done(); ++i) {
    const Phase phase = machine_.state(core_).phase;
    if (phase == Phase::halted) machine_.step_instruction(core_);
    pump(core_, false);
    if (!is_held(core_)) break;
  }
  print_place();
}

void Debugger::resume_all() {
  for (unsigned core = 0; core < program_.cores(); ++core) machine_.resume(core);
  pump(core_, true);
  for (unsigned core = 0; core < program_.cores(); ++core) machine_.halt(core);
  print_place();
}

void Debugger::breakpoint(std::string_view word, bool set) {
  unsigned core = core_;
  if (const std::size_t colon = word.find(':'); colon != std::string_view::npos) {
    const std::optional<std::uint64_t> number = number_of(word.substr(0, colon));
    if (!number || *number >= program_.cores()) {
      out_ << fmt::format("'{}' is not a core of the program, which has {}\n", word.substr(0, colon), program_.cores());
      return;
    }
    core = static_cast<unsigned>(*number);
    word.remove_prefix(colon + 1);
  }
  const std::optional<std::uint64_t> number = number_of(word);
  const std::uint32_t instructions = program_.entry(core).instructions;
  if (!number || *number >= instructions) {
    out_ << fmt::format("'{}' is not an instruction of core {}, which has {}\n", word, core, instructions);
    return;
  }
  const auto instruction = static_cast<std::uint32_t>(*number);
  machine_.set_breakpoint(core, instruction, set);
  if (set) {
    breakpoints_.emplace(core, instruction);
  } else {
    breakpoints_.erase({core, instruction});
  }
  out_ << fmt::format("{} before {}\n", set ? "halts" : "does not halt", place_text(program_, {core, instruction}));
}

void Debugger::select(std::uint64_t core) {
  if (core >= program_.cores()) {
    out_ << fmt::format("there is no core {}; the program has {}\n", core, program_.cores());
    return;
  }
  core_ = static_cast<unsigned>(core);
  print_place();
}

void Debugger::print_place(std::uint32_t around) {
  if (machine_.done()) print_end();
  const model::pim::CoreState state = machine_.state(core_);
  if (!machine_.done()) out_ << fmt::format("cycle {}: {}\n", now_, waiting_text(program_, core_, state));
  if (around == 0) return;
  const std::uint32_t first = state.counter > around ? state.counter - around : 0;
  const std::uint64_t end = std::min<std::uint64_t>(std::uint64_t{state.counter} + around + 1, state.instructions);
  for (std::uint32_t number = first; number < end; ++number) {
    const char *mark = number == state.counter ? "->" : breakpoints_.contains({core_, number}) ? " *" : "  ";
    const std::string text = instruction_text(program_.code(core_, number), [number](std::int64_t distance) {
      return fmt::format("{}", static_cast<std::int64_t>(number) + distance);
    });
    out_ << fmt::format("{} {:>6}  {:08x}  {}\n", mark, number, program_.code(core_, number)[0], text);
  }
}

void Debugger::print_cores() {
  for (unsigned core = 0; core < program_.cores(); ++core)
    out_ << (core == core_ ? "-> " : "   ") << waiting_text(program_, core, machine_.state(core)) << "\n";
}

void Debugger::print_registers() {
  const isa::pim::Registers &registers = machine_.registers(core_);
  bool any = false;
  const auto print = [&](const std::string &name, std::uint32_t value) {
    if (value == 0) return;
    any = true;
    out_ << fmt::format("  {:<22} {:#010x}  {}\n", name, value, static_cast<std::int32_t>(value));
  };
  for (unsigned i = 0; i < isa::pim::kRegisters; ++i) print(fmt::format("r{}", i), registers.general[i]);
  for (const isa::EnumValue &special : isa::pim::detail::kSpecialValues)
    print(special.name, registers.read(settings_.configuration, static_cast<isa::pim::Special>(special.value)));
  if (!any) out_ << "  all registers are 0\n";
}

void Debugger::print_memory(const std::vector<std::string> &words) {
  if (words.size() < 2) {
    out_ << "memory: the name of a memory is missing\n";
    return;
  }
  std::vector<std::string> names;
  std::vector<std::byte> bytes;
  const auto offset = words.size() > 2 ? number_of(words[2]) : std::optional<std::uint64_t>(0);
  const auto count = words.size() > 3 ? number_of(words[3]) : std::optional<std::uint64_t>(64);
  if (!offset || !count || words.size() > 4) {
    out_ << "memory: NAME [OFFSET [BYTES]] is understood\n";
    return;
  }
  std::optional<std::uint64_t> size;
  unsigned space = isa::pim::kNowhere;
  const isa::pim::Configuration &configuration = settings_.configuration;
  for (unsigned i = 0; i < configuration.memories_count; ++i) {
    names.emplace_back(configuration.memories[i].name());
    if (names.back() == words[1]) space = i;
  }
  names.emplace_back("array");
  if (words[1] == "array") space = isa::pim::kArraySpace;
  for (unsigned window = 0; window < isa::pim::kWindows; ++window) {
    names.push_back(fmt::format("dram{}", window));
    if (names.back() == words[1]) space = isa::pim::kDramSpace + window;
  }
  if (space == isa::pim::kNowhere) {
    out_ << fmt::format("there is no memory '{}'{}\n", words[1], did_you_mean(words[1], names));
    return;
  }
  const bool dram = space >= isa::pim::kDramSpace;
  size = dram ? memory_.size(space - isa::pim::kDramSpace) : machine_.memory(core_, space).size();
  if (*offset > *size || *count > *size - *offset) {
    out_ << fmt::format("{} has {} bytes\n", words[1], *size);
    return;
  }
  bytes.resize(*count);
  if (dram) {
    static_cast<void>(memory_.read(space - isa::pim::kDramSpace, *offset, bytes));
  } else {
    std::ranges::copy(machine_.memory(core_, space).subspan(*offset, *count), bytes.begin());
  }
  constexpr std::size_t kInLine = 16;
  for (std::size_t at = 0; at < bytes.size(); at += kInLine) {
    out_ << fmt::format("  {:#08x} ", *offset + at);
    for (std::size_t i = at; i < std::min(at + kInLine, bytes.size()); ++i)
      out_ << fmt::format(" {:02x}", std::to_integer<unsigned>(bytes[i]));
    out_ << "\n";
  }
}

void Debugger::print_end() {
  if (end_printed_) return;
  end_printed_ = true;
  const model::pim::Outcome &outcome = machine_.outcome();
  if (outcome.status.ok()) {
    out_ << fmt::format("the program has ended at cycle {}\n", outcome.time);
    return;
  }
  out_ << fmt::format("the program has failed at cycle {}:\n{}\n", outcome.time, outcome_text(program_, machine_));
}

}  // namespace cox::tools::pim
