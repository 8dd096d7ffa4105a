// SPDX-License-Identifier: MIT
#include "sim/model/cube/hazard/detector.h"

#include <algorithm>
#include <array>
#include <bit>

#include "sim/model/cube/hazard/flag_clocks.h"
#include "sim/model/cube/hazard/memory_shadow.h"

namespace cox::model::cube {

using isa::cube::Pipe;

namespace {

constexpr std::size_t kMemories = static_cast<std::size_t>(isa::cube::Memory::bias_table) + 1;

}  // namespace

struct Detector::State {
  struct Slot {
    isa::cube::Opcode opcode;
    Pipe pipe;
    std::uint32_t sets;
  };
  /// An access. Shadows know an access by its index in `uses`.
  struct Use {
    std::int32_t instruction;
    bool write;
    const char *field;
  };

  FlagClocks flags;
  std::array<MemoryShadow, kMemories> shadows;
  std::vector<Slot> slots;
  std::vector<Use> uses;
  bool stopped = false;

  [[nodiscard]] std::int32_t last() const { return static_cast<std::int32_t>(slots.size()) - 1; }
  [[nodiscard]] Party party(std::int32_t instruction) const;
  [[nodiscard]] Party party(const Use &use) const;
  [[nodiscard]] std::int32_t could_have_set(Pipe setter, std::uint32_t bit) const;
  [[nodiscard]] Finding of_flag(FindingKind kind, Pipe from, Pipe to, unsigned event) const;

  void find_flags(Pipe own, const isa::cube::Flags &masks, std::vector<Finding> &findings);
  void touch(const isa::cube::Access &access, const Clock &clock, std::size_t known, std::vector<Finding> &findings);
  void add(const Shadow::Conflict &conflict, const Use &later, isa::cube::Memory memory, std::size_t known,
           std::vector<Finding> &findings) const;
};

Party Detector::State::party(std::int32_t instruction) const {
  if (instruction < 0) return {};
  const Slot &slot = slots[static_cast<std::size_t>(instruction)];
  return {.instruction = instruction, .name = isa::cube::instruction_of(slot.opcode).name, .pipe = slot.pipe};
}

Party Detector::State::party(const Use &use) const {
  Party result = party(use.instruction);
  result.write = use.write;
  result.field = use.field;
  return result;
}

std::int32_t Detector::State::could_have_set(Pipe setter, std::uint32_t bit) const {
  const auto found = std::find_if(slots.rbegin(), slots.rend(), [&](const Slot &slot) {
    return slot.pipe == setter && (slot.sets & bit) == 0 && slot.opcode != isa::cube::Opcode::BARRIER;
  });
  return static_cast<std::int32_t>(slots.rend() - found) - 1;
}

Finding Detector::State::of_flag(FindingKind kind, Pipe from, Pipe to, unsigned event) const {
  Finding finding;
  finding.kind = kind;
  finding.event = event;
  finding.sets = flags.history(from, to, event).sets;
  finding.waits = flags.history(from, to, event).waits;
  return finding;
}

/// Reports each flag that is not set although the last slot waits for it, or that is full although the last slot sets it.
void Detector::State::find_flags(Pipe own, const isa::cube::Flags &masks, std::vector<Finding> &findings) {
  for (std::uint32_t rest = flags.missing(own, masks.wait); rest != 0; rest &= rest - 1) {
    const auto bit = static_cast<unsigned>(std::countr_zero(rest));
    const Pipe from = isa::cube::other_pipe(own, bit);
    const unsigned event = bit % isa::cube::kEvents;
    Finding finding = of_flag(FindingKind::deadlock, from, own, event);
    finding.earlier = party(could_have_set(from, 1U << isa::cube::mask_bit(from, own, event)));
    finding.later = party(last());
    finding.other = from;
    findings.push_back(finding);
    stopped = true;
  }
  for (std::uint32_t rest = flags.overflowing(own, masks.set); rest != 0; rest &= rest - 1) {
    const auto bit = static_cast<unsigned>(std::countr_zero(rest));
    const Pipe to = isa::cube::other_pipe(own, bit);
    Finding finding = of_flag(FindingKind::flag_overflow, own, to, bit % isa::cube::kEvents);
    finding.later = party(last());
    finding.other = to;
    findings.push_back(finding);
    stopped = true;
  }
}

void Detector::State::touch(const isa::cube::Access &access, const Clock &clock, std::size_t known, std::vector<Finding> &findings) {
  const Use later{last(), access.write, access.field};
  const Pipe own = slots.back().pipe;
  const Shadow::Toucher toucher{static_cast<std::int32_t>(uses.size()), own, flags.started(own) - 1};
  uses.push_back(later);
  const auto on_conflict = [&](const Shadow::Conflict &conflict) { add(conflict, later, access.memory, known, findings); };
  shadows[static_cast<std::size_t>(access.memory)].touch(toucher, clock, access, on_conflict);
}

void Detector::State::add(const Shadow::Conflict &conflict, const Use &later, isa::cube::Memory memory, std::size_t known,
                          std::vector<Finding> &findings) const {
  const Use &earlier = uses[static_cast<std::size_t>(conflict.earlier.instruction)];
  const auto first = static_cast<std::uint64_t>(conflict.first), bytes = static_cast<std::uint64_t>(conflict.bytes);
  // A finding for the same pair of instructions and the same memory can only be among those of this slot, which begin at `known`.
  const auto before = std::find_if(findings.begin() + static_cast<std::ptrdiff_t>(known), findings.end(), [&](const Finding &finding) {
    return finding.earlier.instruction == earlier.instruction && finding.memory == memory;
  });
  if (before == findings.end()) {
    Finding finding;
    finding.earlier = party(earlier);
    finding.later = party(later);
    finding.memory = memory;
    finding.first = first;
    finding.last = first + bytes - 1;
    finding.bytes = bytes;
    findings.push_back(finding);
    return;
  }
  if (before->earlier.field != earlier.field || before->earlier.write != earlier.write) return;
  if (before->later.field != later.field || before->later.write != later.write) return;
  before->first = std::min(before->first, first);
  before->last = std::max(before->last, first + bytes - 1);
  before->bytes += bytes;
}

Detector::Detector() : state_(std::make_unique<State>()) {}
Detector::~Detector() = default;
Detector::Detector(Detector &&) noexcept = default;
Detector &Detector::operator=(Detector &&) noexcept = default;

void Detector::add(const isa::cube::MachineCode &code, const isa::cube::Operation &operation, std::vector<Finding> &findings) {
  State &state = *state_;
  if (state.stopped) return;
  const isa::cube::Flags masks = isa::cube::flags_of(code);
  const Pipe own = isa::cube::pipe_of(code);
  state.slots.push_back({isa::cube::find_instruction(code[0])->opcode, own, masks.set});
  if (const auto *barrier = std::get_if<isa::cube::Barrier>(&operation)) return state.flags.barrier(barrier->pipes);
  state.find_flags(own, masks, findings);
  if (state.stopped) return;

  const Clock &clock = state.flags.start(own, masks.wait);
  const isa::cube::Footprint footprint = isa::cube::footprint(operation);
  const std::size_t known = findings.size();
  // Reads first, so that an instruction that works in place does not race with itself.
  for (const bool write : {false, true}) {
    for (unsigned i = 0; i < footprint.count; ++i) {
      if (footprint.accesses[i].write == write) state.touch(footprint.accesses[i], clock, known, findings);
    }
  }
  state.flags.end(own, masks.set, state.last());
}

void Detector::end(std::vector<Finding> &findings) {
  const State &state = *state_;
  for (unsigned at = 0; at < isa::cube::kPipes * isa::cube::kPipes * isa::cube::kEvents && !state.stopped; ++at) {
    const auto from = static_cast<Pipe>(at / (isa::cube::kPipes * isa::cube::kEvents)),
               to = static_cast<Pipe>(at / isa::cube::kEvents % isa::cube::kPipes);
    const unsigned event = at % isa::cube::kEvents;
    for (std::uint32_t i = 0; i < state.flags.history(from, to, event).left(); ++i) {
      Finding finding = state.of_flag(FindingKind::flag_left, from, to, event);
      finding.earlier = state.party(state.flags.setter(from, to, event, i));
      finding.other = to;
      findings.push_back(finding);
    }
  }
  state_ = std::make_unique<State>();
}

}  // namespace cox::model::cube
