// SPDX-License-Identifier: MIT
#include "tools/unity/check_slots.h"

#include <fmt/format.h>

#include <span>

#include "coxswain/isa/unity/engine_slots.h"
#include "sim/model/pim/configuration/settings.h"
#include "tools/cube/check_stream.h"
#include "tools/mx/text.h"
#include "tools/pim/check_program.h"
#include "tools/unity/program_text.h"

namespace cox::tools::unity {

using isa::unity::Domain;
using isa::unity::EngineSubmission;

namespace {

bool lies_inside(std::span<const std::uint8_t> container, std::uint64_t first, std::uint64_t bytes) {
  return first <= container.size() && bytes <= container.size() - first;
}

Report check_stream(const CheckedProgram &checked, Domain domain, std::span<const std::uint8_t> stream) {
  const StreamImage &image = checked.bindings.image;
  switch (domain) {
    case Domain::mx: return mx::Text::check(stream);
    case Domain::cube: return check_cube_stream(stream);
    default:
      return pim::check_program({.stream = stream, .windows = image.windows, .constants = image.constants},
                                model::pim::settings_of(checked.device));
  }
}

/// Findings of a stream become those of the instruction that submits it.
void add(std::vector<Finding> &findings, const std::vector<Finding> &found, const std::string &place, std::int32_t instruction) {
  for (const Finding &finding : found) findings.push_back({finding.kind, {instruction}, place + ": " + finding.message, finding.mend});
}

}  // namespace

void check_slots(const CheckedProgram &checked, const EngineSubmission &submission, const std::string &place, std::int32_t instruction,
                 Report &report) {
  const auto refuse = [&](const Status &status, const std::string &text) {
    report.errors.push_back({error_name(status.code()), {instruction}, fmt::format("{}: {}", place, text), ""});
  };
  const std::uint64_t bytes = std::uint64_t{submission.slots} * isa::unity::kSlotBytes;
  if (!lies_inside(checked.container, submission.address, bytes)) {
    const Status outside(ErrorCode::address_outside_window, "address", -1, signed_of(submission.address));
    return refuse(outside,
                  fmt::format("{}: the slots at {:#x} do not lie in the container", error_name(outside.code()), submission.address));
  }
  const std::span<const std::byte> slots = std::as_bytes(checked.container).subspan(submission.address, bytes);
  if (const Status status = isa::unity::check_slots(submission, slots); !status) {
    const std::string_view what = status.what();
    const bool names_slot = status.index() < 0 || what == "slot";
    return refuse(status, names_slot ? refusal_text(status) : fmt::format("slot {}: {}", status.index(), refusal_text(status)));
  }
  for (std::uint32_t i = 0; isa::unity::has_streams(submission.domain) && i < submission.slots; ++i) {
    const isa::unity::StreamSlot slot = isa::unity::stream_slot(slots, i);
    if (!lies_inside(checked.container, slot.address, slot.bytes)) {
      const Status outside(ErrorCode::address_outside_window, "stream", static_cast<std::int32_t>(i), signed_of(slot.address));
      refuse(outside,
             fmt::format("{}: slot {}: the stream at {:#x} does not lie in the container", error_name(outside.code()), i, slot.address));
      continue;
    }
    const Report found = check_stream(checked, submission.domain, checked.container.subspan(slot.address, slot.bytes));
    const std::string where = fmt::format("{}, slot {}", place, i);
    add(report.errors, found.errors, where, instruction);
    add(report.warnings, found.warnings, where, instruction);
  }
}

}  // namespace cox::tools::unity
