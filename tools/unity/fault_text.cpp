// SPDX-License-Identifier: MIT
#include "tools/unity/fault_text.h"

#include <fmt/format.h>

#include <string_view>

#include "device/npu_registers.h"
#include "tools/registry/stream_job.h"
#include "tools/unity/program_text.h"

namespace cox::tools::unity {
namespace {

std::string units_text(std::uint64_t mask) {
  std::string text;
  for (unsigned unit = 0; unit < isa::unity::kMostUnits; ++unit) {
    if ((mask >> unit & 1) != 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", unit);
  }
  return text;
}

}  // namespace

bool is_deadlock(const Status &status) { return status.code() == ErrorCode::deadlock && std::string_view(status.what()) == "units"; }

std::string fault_text(std::span<const std::uint8_t> container, const Status &status) {
  const std::span<const std::byte> bytes = std::as_bytes(container);
  if (is_deadlock(status))
    return fmt::format("deadlock: units that wait for keys that never come: {}; cox check says for which",
                       units_text(static_cast<std::uint64_t>(status.value())));
  if (is_of_relocation(status) || status.value() < 0) return stream_error_text(status);
  if (status.code() != ErrorCode::device_fault || status.value() >= registers::kFaultCodes) {
    const bool has_place = status.index() > 0 && isa::unity::Container::open(bytes).ok();
    return has_place ? fmt::format("{}: {}", place_text(bytes, static_cast<std::uint32_t>(status.index())), refusal_text(status))
                     : stream_error_text(status);
  }
  const std::string_view field = status.what();
  std::string text = registers::kFaultCodeNames[status.value()];
  if (!field.empty() && field != "instruction") text += fmt::format(": {}", field);
  if (status.limit() == 0) return text;
  return fmt::format("{}: {}", place_text(bytes, static_cast<std::uint32_t>(status.limit())), text);
}

}  // namespace cox::tools::unity
