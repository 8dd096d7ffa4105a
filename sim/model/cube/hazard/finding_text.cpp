// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "sim/model/cube/hazard/detector.h"

namespace cox::model::cube {

namespace {

using isa::cube::Memory;
using isa::cube::Pipe;

const char *name_of(Pipe pipe) { return isa::cube::detail::kPipe.find(static_cast<std::int64_t>(pipe))->name; }

const char *name_of(Memory memory) {
  switch (memory) {
    case Memory::dram: return "DRAM";
    case Memory::l1: return "L1";
    case Memory::l0a: return "L0A";
    case Memory::l0b: return "L0B";
    case Memory::l0c: return "L0C";
    case Memory::bias_table: return "bias table";
  }
  return "";
}

std::string text_of(const Party &party) {
  return fmt::format("{} (instruction {}, {})", party.name, party.instruction, name_of(party.pipe));
}

std::string hazard_text(const Finding &finding) {
  const Party &earlier = finding.earlier, &later = finding.later;
  const char *kind = !later.write ? "read after write" : earlier.write ? "write after write" : "write after read";
  return fmt::format(
      "hazard: {}: nothing orders {} and {}: {} and {} both touch {} bytes {:#x} to {:#x}, {} of them; "
      "it would take a flag that {} sets in instruction {} or after it and {} waits for in instruction {} or before it",
      kind, text_of(earlier), text_of(later), earlier.field, later.field, name_of(finding.memory), finding.first, finding.last,
      finding.bytes, name_of(earlier.pipe), earlier.instruction, name_of(later.pipe), later.instruction);
}

std::string deadlock_text(const Finding &finding) {
  const char *setter = name_of(finding.other);
  std::string text =
      fmt::format("deadlock: {} waits for flag {} of {}, and nothing sets it: {} of its sets and {} of its waits stand before it",
                  text_of(finding.later), finding.event, setter, finding.sets, finding.waits);
  if (finding.earlier.instruction < 0) return text + fmt::format("; no instruction of {} before it could set it", setter);
  return text + fmt::format("; the nearest that could is {}", text_of(finding.earlier));
}

}  // namespace

std::string Finding::text() const {
  switch (kind) {
    case FindingKind::hazard: return hazard_text(*this);
    case FindingKind::deadlock: return deadlock_text(*this);
    case FindingKind::flag_overflow:
      return fmt::format("flag overflow: {} sets flag {} for {} while {} of its sets are not waited for; at most {} may be", text_of(later),
                         event, name_of(other), sets - waits, isa::cube::kMostFlags);
    case FindingKind::flag_left:
      return fmt::format("flag left: {} sets flag {} for {}, and nothing waits for it: there are {} of its sets and {} of its waits",
                         text_of(earlier), event, name_of(other), sets, waits);
  }
  return {};
}

}  // namespace cox::model::cube
