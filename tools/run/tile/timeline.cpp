// SPDX-License-Identifier: MIT
#include "tools/run/tile/timeline.h"
#include "coxswain/base/bits.h"
#include "coxswain/isa/tile/lane.h"

#include <algorithm>

namespace cox::tools::run {

using isa::tile::Class;
using isa::tile::kClasses;

std::uint64_t Timeline::end_cycle() const {
  std::uint64_t end = 0;
  for (const TimedInstruction &instruction : instructions) end = std::max(end, instruction.end);
  return end;
}

std::array<std::uint64_t, kClasses> Timeline::busy_cycles() const {
  std::array<std::uint64_t, kClasses> busy{};
  for (const TimedInstruction &instruction : instructions) busy.at(static_cast<std::size_t>(instruction.queue)) += instruction.cycles();
  return busy;
}

std::vector<Token> tokens_of(const Timeline &timeline) {
  using isa::tile::kPorts;
  using isa::tile::lane_at;
  using isa::tile::port_back;
  // The instructions that give tokens. The first index is the taker's lane, the second the port at which this lane takes the tokens.
  std::array<std::array<std::vector<std::size_t>, kPorts>, isa::tile::kMostLanes> pushes;
  for (std::size_t i = 0; i < timeline.instructions.size(); ++i) {
    const auto from = static_cast<unsigned>(timeline.instructions[i].lane());
    for (std::uint32_t ports = timeline.instructions[i].next; ports != 0;) {
      const unsigned port = take_lowest(ports);
      pushes.at(lane_at(from, port)).at(port_back(from, port)).push_back(i);
    }
  }
  std::vector<Token> tokens;
  std::array<std::array<std::size_t, kPorts>, isa::tile::kMostLanes> popped{};
  for (std::size_t i = 0; i < timeline.instructions.size(); ++i) {
    const std::size_t to = timeline.instructions[i].lane();
    for (std::uint32_t ports = timeline.instructions[i].previous; ports != 0;) {
      const unsigned port = take_lowest(ports);
      std::size_t &k = popped.at(to).at(port);
      const std::vector<std::size_t> &givers = pushes.at(to).at(port);
      if (k < givers.size()) tokens.push_back({givers[k], i});
      ++k;
    }
  }
  return tokens;
}

bool has_several_cores(const Timeline &timeline) {
  return std::ranges::any_of(timeline.instructions, [](const TimedInstruction &instruction) { return instruction.core > 0; });
}

std::string lane_name(std::size_t lane, bool several_cores) {
  const std::string name = isa::tile::kClassNames[lane % kClasses];
  return several_cores ? name + ' ' + std::to_string(lane / kClasses) : name;
}

const char *class_description(Class queue) {
  switch (queue) {
    case Class::CT: return "control";
    case Class::LD: return "load from DRAM";
    case Class::LW: return "load weights";
    case Class::PE: return "matrix engine";
    case Class::VP: return "vector engine";
    case Class::DT: return "data transform";
    case Class::ST: return "store to DRAM";
    case Class::SI: return "from another core";
    case Class::SO: return "to another core";
  }
  return "";
}

}  // namespace cox::tools::run
