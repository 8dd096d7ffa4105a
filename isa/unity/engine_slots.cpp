// SPDX-License-Identifier: MIT
#include "coxswain/isa/unity/engine_slots.h"

#include <algorithm>
#include <iterator>

#include "coxswain/isa/tile/encode.h"
#include "coxswain/isa/tile/header.h"
#include "coxswain/isa/tile/table.h"

namespace cox::isa::unity {
namespace {

constexpr std::uint64_t kStreamAlignment = 8;

Status check_stream(const StreamSlot &slot, std::int32_t number) {
  const bool has_control =
      slot.control != 0 || std::any_of(std::begin(slot.reserved), std::end(slot.reserved), [](auto word) { return word != 0; });
  if (has_control) return {ErrorCode::reserved_bits, "slot", number, slot.control};
  if (slot.address % kStreamAlignment != 0) return {ErrorCode::field_out_of_range, "stream", number, signed_of(slot.address)};
  if (slot.bytes == 0 || slot.bytes % kStreamAlignment != 0) return {ErrorCode::field_out_of_range, "stream", number, slot.bytes};
  return {};
}

Status check_instruction(std::span<const std::byte> slot, unsigned queue, std::int32_t number) {
  tile::MachineCode code;
  std::memcpy(code.data(), slot.data(), sizeof code);
  if (tile::context_of(code) != 0 || tile::completion_of(code)) return {ErrorCode::reserved_bits, "slot", number, code[0]};
  if (const Status status = tile::check(code); !status) return status.at(number);
  if (static_cast<unsigned>(tile::find_instruction(tile::opcode_of(code))->queue) == queue) return {};
  return {ErrorCode::unknown_instruction, "slot", number, static_cast<std::int64_t>(tile::opcode_of(code))};
}

}  // namespace

Status check_slots(const EngineSubmission &submission, std::span<const std::byte> slots) {
  const unsigned last_queue = has_streams(submission.domain) ? 0 : tile::kClasses - 1;
  if (submission.queue > last_queue) return {ErrorCode::field_out_of_range, "queue", -1, submission.queue, last_queue};
  for (std::uint32_t number = 0; number < submission.slots; ++number) {
    const auto index = static_cast<std::int32_t>(number);
    const Status status = has_streams(submission.domain)
                              ? check_stream(stream_slot(slots, number), index)
                              : check_instruction(slots.subspan(std::size_t{number} * kSlotBytes, kSlotBytes), submission.queue, index);
    if (!status) return status;
  }
  return {};
}

}  // namespace cox::isa::unity
