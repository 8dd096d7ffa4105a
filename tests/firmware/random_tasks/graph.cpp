// SPDX-License-Identifier: MIT
#include "tests/firmware/random_tasks/graph.h"

#include <algorithm>

#include "coxswain/isa/tile/table.h"
#include "tests/firmware/task_builder.h"

namespace cox::tests {

using isa::tile::Class;
using isa::tile::kClasses;
using isa::tile::MachineCode;
using isa::tile::Opcode;

namespace {

constexpr auto kIn = static_cast<unsigned>(Class::SI);
constexpr auto kOut = static_cast<unsigned>(Class::SO);

bool exchanges(unsigned own) { return own == kIn || own == kOut; }
unsigned counterpart(unsigned own) { return kIn + kOut - own; }

void set_bit(MachineCode &code, unsigned at) { isa::insert_bits(code, at, 1, 1); }

/// Sets the bit of `core` in a list of cores: Prev_Cores or Next_Cores.
void set_core_bit(MachineCode &code, const char *name, unsigned core) {
  const isa::Field &field = *isa::tile::find_field(*isa::tile::find_instruction(isa::tile::opcode_of(code)), name);
  set_bit(code, field.bit_of(0) + core);
}

}  // namespace

bool Graph::is_before(std::size_t a, std::size_t b) const {
  const Node &first = nodes_[a];
  return nodes_[b].clock[first.lane] > first.position && a != b;
}

std::vector<Graph::Touch> Graph::touches_of(const MachineCode &code, unsigned core) const {
  std::vector<Touch> touches;
  isa::tile::Configuration after = configurations_[core];
  static_cast<void>(after.apply(code));
  if (isa::tile::opcode_of(code) == Opcode::ct_bc) {
    const std::int64_t first = isa::tile::get<Opcode::ct_bc, "BCS">(code) * isa::tile::kRegionsACut;
    return {{Touch::Place::region, core, first, first + isa::tile::kRegionsACut, true}};
  }
  const auto operation = isa::tile::resolve(code, after);
  if (!operation) return touches;
  const isa::tile::Footprint footprint = isa::tile::footprint(operation.value());
  for (unsigned i = 0; i < footprint.count; ++i) {
    const isa::tile::Access &access = footprint.accesses[i];
    Touch touch{Touch::Place::l2, core, access.start, access.end(), access.write};
    if (access.space == isa::tile::Space::l2) {
      // An access that wraps counts as an access to the whole region.
      const isa::tile::Region &region = after.region(access.selector);
      if (touch.end > region.first_byte() + region.bytes()) {
        touch.first = region.first_byte();
        touch.end = region.first_byte() + region.bytes();
      }
      touches.push_back({Touch::Place::region, core, access.selector, access.selector + 1, false});
    } else if (access.space == isa::tile::Space::remote_l2) {
      touch.number = access.selector;
    } else if (access.space == isa::tile::Space::wl0) {
      touch.place = Touch::Place::wl0;
    } else {
      touch.place = Touch::Place::dram;
      touch.number = access.selector;
    }
    touches.push_back(touch);
  }
  return touches;
}

void Graph::add(MachineCode code, unsigned core) {
  added_.push_back({code, core});
  const isa::tile::Instruction &instruction = *isa::tile::find_instruction(isa::tile::opcode_of(code));
  const unsigned lane = core * kClasses + static_cast<unsigned>(instruction.queue);
  std::vector<Touch> touches = touches_of(code, core);
  Clock needed(lanes());
  for (const Node &node : nodes_) {
    if (node.lane == lane || node.position < needed[node.lane]) continue;
    const bool conflict = std::any_of(node.touches.begin(), node.touches.end(), [&](const Touch &earlier) {
      return std::any_of(touches.begin(), touches.end(), [&](const Touch &later) { return earlier.conflicts(later); });
    });
    if (conflict) needed[node.lane] = node.position + 1;
  }
  // Sometimes makes the instruction wait for others of its core without need. The last instruction waits for all others of its core.
  const bool last = isa::tile::opcode_of(code) == Opcode::ct_ed;
  for (unsigned own = 0; own < kClasses && !instruction.configuration; ++own) {
    const unsigned from = core * kClasses + own;
    if (from == lane || (!last && !random_.chance(6))) continue;
    const auto giver = std::find_if(last_[from].rbegin(), last_[from].rend(), [&](std::size_t i) { return !nodes_[i].configuration; });
    if (giver != last_[from].rend()) needed[from] = std::max(needed[from], nodes_[*giver].position + 1);
  }
  append(code, core, needed, std::move(touches));
}

void Graph::link(std::size_t giver, MachineCode &taker, unsigned to, Clock &clock) {
  const Node &node = nodes_[giver];
  if (node.lane / kClasses == to / kClasses) {
    set_bit(codes_[giver], isa::tile::kNextBit + to % kClasses);
    set_bit(taker, isa::tile::kPreviousBit + node.lane % kClasses);
  } else {
    set_core_bit(codes_[giver], "Next_Cores", to / kClasses);
    set_core_bit(taker, "Prev_Cores", node.lane / kClasses);
  }
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], node.clock[i]);
  clock[node.lane] = std::max(clock[node.lane], node.position + 1);
}

std::size_t Graph::append(MachineCode code, unsigned core, Clock needed, std::vector<Touch> touches) {
  const isa::tile::Instruction &instruction = *isa::tile::find_instruction(isa::tile::opcode_of(code));
  const auto own = static_cast<unsigned>(instruction.queue);
  const unsigned lane = core * kClasses + own;
  isa::insert_bits(code, isa::tile::kCoreBit, isa::tile::kCoreWidth, core);

  // Only SI and SO can order instructions of different cores.
  for (unsigned from = 0; from < lanes(); ++from) {
    const unsigned other = from / kClasses;
    const unsigned theirs = from % kClasses;
    if (other == core || needed[from] <= now_[lane][from]) continue;
    if (exchanges(theirs) && own == counterpart(theirs)) continue;  // an SI and an SO of two cores exchange tokens directly
    unsigned giver = from;
    std::uint32_t count = needed[from];
    needed[from] = 0;
    unsigned out = exchanges(own) ? counterpart(own) : random_.pick({kIn, kOut});
    if (exchanges(theirs) && !exchanges(own)) out = theirs;
    if (theirs != out) {
      Clock first(lanes());
      first[from] = count;
      giver = other * kClasses + out;
      count = nodes_[append(make(out == kIn ? Opcode::si_sync : Opcode::so_sync), other, first, {})].position + 1;
    }
    if (own != counterpart(out)) {
      Clock second(lanes());
      second[giver] = count;
      giver = core * kClasses + counterpart(out);
      count = nodes_[append(make(out == kIn ? Opcode::so_sync : Opcode::si_sync), core, second, {})].position + 1;
    }
    needed[giver] = std::max(needed[giver], count);
  }

  Clock clock = now_[lane];
  for (unsigned from = 0; from < lanes(); ++from) {
    if (from == lane || needed[from] <= clock[from]) continue;
    link(last_[from][needed[from] - 1], code, lane, clock);
  }
  // Sometimes the instruction also takes a token of its own lane, which adds no order.
  if (!instruction.configuration && !last_[lane].empty() && !nodes_[last_[lane].back()].configuration && random_.chance(5)) {
    link(last_[lane].back(), code, lane, clock);
  }
  clock[lane] = static_cast<std::uint32_t>(last_[lane].size());
  now_[lane] = clock;
  static_cast<void>(configurations_[core].apply(code));
  const std::uint32_t position = clock[lane];
  nodes_.push_back({lane, position, instruction.configuration, std::move(clock), std::move(touches)});
  last_[lane].push_back(codes_.size());
  codes_.push_back(code);
  return codes_.size() - 1;
}

}  // namespace cox::tests
