// SPDX-License-Identifier: MIT
#include "firmware/schedule/plan.h"

#include <bit>

#include "isa/tile/table.h"

namespace cox::firmware::schedule {

using isa::tile::kClasses;
using isa::tile::MachineCode;

namespace {

constexpr std::uint8_t kNeverReady = 0xFF;  // more than a group can wait for: one token a class, and its turn

/// Cuts arrays off the front of the workspace, in falling order of alignment.
class Carver {
 public:
  explicit Carver(std::span<std::byte> memory) : next_(memory.data()) {}
  template <typename T>
  std::span<T> take(std::size_t count) {
    T *first = reinterpret_cast<T *>(next_);
    next_ += count * sizeof(T);
    return {first, count};
  }

 private:
  std::byte *next_;
};

bool is_configuration(const MachineCode &code) { return isa::tile::find_instruction(isa::tile::opcode_of(code))->configuration; }

/// Code in the order of the class, with the completion flags that the scheduler wants. Returns how many sinks there are.
std::uint32_t lay_out(std::span<const MachineCode> instructions, std::span<const std::uint16_t> order, std::span<MachineCode> code) {
  std::uint32_t sinks = 0;
  unsigned silent = 0;  // instructions since the last that asks for a completion
  for (std::size_t i = 0; i < order.size(); ++i) {
    code[i] = instructions[order[i]];
    const bool gives = isa::tile::next_of(code[i]) != 0;
    if (!gives && ++silent < kCompletionInterval && i + 1 < order.size()) continue;
    isa::insert_bits(code[i], isa::tile::kCompletionBit, 1, 1);
    silent = 0;
    if (!gives) ++sinks;
  }
  return sinks;
}

}  // namespace

std::span<std::uint16_t> plan_order(std::span<std::byte> workspace, std::size_t instruction_count) {
  constexpr std::size_t kBefore = sizeof(MachineCode) + kClasses * sizeof(Wake) + sizeof(Group);
  const std::size_t offset = instruction_count * kBefore + kClasses * sizeof(Group);
  return {reinterpret_cast<std::uint16_t *>(workspace.data() + offset), instruction_count};
}

std::span<verify::InstructionOrder> plan_scratch(std::span<std::byte> workspace, std::size_t instruction_count) {
  // Code comes first in the workspace, and the order of the classes behind it.
  static_assert(sizeof(verify::InstructionOrder) <= sizeof(MachineCode) && alignof(verify::InstructionOrder) <= kPlanAlignment);
  return {reinterpret_cast<verify::InstructionOrder *>(workspace.data()), instruction_count};
}

Plan build_plan(std::span<const MachineCode> instructions, const verify::Streams &streams, std::span<std::byte> workspace) {
  Carver carver(workspace);
  const std::span<MachineCode> code = carver.take<MachineCode>(instructions.size());
  const std::span<Wake> wakes = carver.take<Wake>(instructions.size() * kClasses);
  const std::span<Group> groups = carver.take<Group>(instructions.size() + kClasses);
  carver.take<std::uint16_t>(instructions.size());  // plan_order()
  const std::span<std::uint8_t> initial = carver.take<std::uint8_t>(groups.size());

  Plan plan;
  plan.groups = groups;
  plan.initial_missing = initial;

  std::size_t next_code = 0;
  std::size_t next_group = 0;
  for (unsigned own = 0; own < kClasses; ++own) {
    const std::span<const std::uint16_t> order = streams.classes[own];
    ClassPlan &own_plan = plan.classes[own];
    const std::span<MachineCode> own_code = code.subspan(next_code, order.size());
    own_plan.code = own_code;
    own_plan.indices = order;
    own_plan.first_group = next_group;
    plan.sinks += lay_out(instructions, order, own_code);
    next_code += order.size();

    bool open = false;  // a group that the next configuration may join
    for (const MachineCode &each : own_code) {
      const bool joins = open && is_configuration(each) && groups[next_group - 1].size < kMaximumGroup;
      if (!joins) {
        groups[next_group].size = 0;
        initial[next_group] = static_cast<std::uint8_t>(1 + std::popcount(isa::tile::previous_of(each)));
        ++next_group;
        open = true;
      }
      ++groups[next_group - 1].size;
    }
    groups[next_group].size = 0;
    initial[next_group] = kNeverReady;
    ++next_group;
  }

  // The taker of a pair's next token: in each class a walk along its groups, as far as tokens have been matched.
  struct Taker {
    std::size_t group = 0;
    std::size_t position = 0;  // of the group's first instruction in the class
  };
  std::array<std::array<Taker, kClasses>, kClasses> takers{};
  std::size_t next_wake = 0;
  for (unsigned from = 0; from < kClasses; ++from) {
    for (unsigned to = 0; to < kClasses; ++to) takers[from][to].group = plan.classes[to].first_group;
    const std::size_t first_wake = next_wake;
    for (const MachineCode &giver : plan.classes[from].code) {
      for (std::uint32_t mask = isa::tile::next_of(giver); mask != 0; mask &= mask - 1) {
        const auto to = static_cast<unsigned>(std::countr_zero(mask));
        Taker &taker = takers[from][to];
        const std::span<const MachineCode> taking = plan.classes[to].code;
        const auto step = [&] {
          taker.position += groups[taker.group].size;
          ++taker.group;
        };
        while ((isa::tile::previous_of(taking[taker.position]) >> from & 1) == 0) step();
        wakes[next_wake++] = Wake(taker.group, to);
        step();
      }
      if (isa::tile::next_of(giver) != 0) wakes[next_wake - 1].mark_last();
    }
    plan.classes[from].wakes = wakes.subspan(first_wake, next_wake - first_wake);
  }
  return plan;
}

}  // namespace cox::firmware::schedule
