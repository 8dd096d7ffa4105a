// SPDX-License-Identifier: MIT
#include "tools/unity/fault_text.h"

#include <fmt/format.h>

#include <bit>
#include <string_view>

#include "coxswain/device/npu_registers.h"
#include "tools/registry/stream_job.h"
#include "tools/unity/program_text.h"

namespace cox::tools::unity {
std::string fault_text(std::span<const std::uint8_t> container, const Status &status) {
  const std::span<const std::byte> bytes = std::as_bytes(container);
  const bool of_keys = status.code() == ErrorCode::deadlock && std::string_view(status.what()) == "units";
  if (of_keys) return deadlock_text(std::popcount(static_cast<std::uint64_t>(status.value())));
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
