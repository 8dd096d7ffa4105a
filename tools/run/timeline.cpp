// SPDX-License-Identifier: MIT
#include "tools/run/timeline.h"

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
  std::array<std::array<std::vector<std::size_t>, kClasses>, kClasses> pushes;
  for (std::size_t i = 0; i < timeline.instructions.size(); ++i) {
    const TimedInstruction &giver = timeline.instructions[i];
    for (std::size_t to = 0; to < kClasses; ++to) {
      if ((giver.next >> to & 1U) != 0) pushes.at(static_cast<std::size_t>(giver.queue)).at(to).push_back(i);
    }
  }
  std::vector<Token> tokens;
  std::array<std::array<std::size_t, kClasses>, kClasses> popped{};
  for (std::size_t i = 0; i < timeline.instructions.size(); ++i) {
    const TimedInstruction &taker = timeline.instructions[i];
    const auto to = static_cast<std::size_t>(taker.queue);
    for (std::size_t from = 0; from < kClasses; ++from) {
      if ((taker.previous >> from & 1U) == 0) continue;
      std::size_t &k = popped.at(from).at(to);
      const std::vector<std::size_t> &givers = pushes.at(from).at(to);
      if (k < givers.size()) tokens.push_back({givers[k], i});
      ++k;
    }
  }
  return tokens;
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
