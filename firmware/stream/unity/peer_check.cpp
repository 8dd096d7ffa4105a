// SPDX-License-Identifier: MIT
#include "coxswain/firmware/stream/unity/peer_check.h"

#include <algorithm>
#include <cstring>

#include "coxswain/isa/tile/header.h"
#include "coxswain/isa/unity/engine_domain.h"
#include "coxswain/isa/unity/engine_slots.h"

namespace cox::firmware::stream::unity {

using isa::unity::Domain;

namespace {

/// Number of cores that tile instructions need.
unsigned cores_of(std::span<const std::byte> slots) {
  unsigned cores = 1;
  for (; !slots.empty(); slots = slots.subspan(isa::unity::kSlotBytes)) {
    isa::tile::MachineCode code;
    std::memcpy(code.data(), slots.data(), sizeof code);
    cores = std::max(cores, isa::tile::core_of(code) + 1);
  }
  return cores;
}

}  // namespace

void PeerCheck::begin(std::span<const std::byte> copy, const CheckWindows &windows, bool is_relative) {
  copy_ = copy;
  windows_ = windows;
  is_relative_ = is_relative;
  slots_left_ = 0;
  kind_ = nullptr;
  needs_ = {};
}

Status PeerCheck::begin_instruction(const isa::unity::Stored &stored, std::int32_t position) {
  position_ = position;
  const Result<isa::unity::EngineSubmission> resolved = isa::unity::resolve_submission(stored.domain, stored.code, 0);
  if (!resolved) return resolved.status().at(position);
  const isa::unity::EngineSubmission &submission = resolved.value();
  if (!is_relative_) return {ErrorCode::unsupported, "flags", position};
  const std::uint64_t bytes = std::uint64_t{submission.slots} * isa::unity::kSlotBytes;
  const bool in_page = isa::unity::address_space(stored.code) == isa::unity::AddressSpace::bits16;
  if (in_page || submission.address > copy_.size() || bytes > copy_.size() - submission.address)
    return {ErrorCode::address_outside_window, "address", position, signed_of(submission.address), signed_of(copy_.size())};
  slots_ = copy_.subspan(static_cast<std::size_t>(submission.address), static_cast<std::size_t>(bytes));
  if (const Status status = isa::unity::check_slots(submission, slots_); !status) return status.at(position);
  if (!isa::unity::has_streams(stored.domain)) {
    needs_.cores = static_cast<std::uint8_t>(std::max<unsigned>(needs_.cores, cores_of(slots_)));
    return {};
  }
  const registers::Engine engine = isa::unity::engine_of(stored.domain);
  const ProgramKinds kinds = program_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [engine](const ProgramKind *kind) { return kind->engine() == engine; });
  if (found == kinds.end()) return {ErrorCode::unsupported, registers::engine_name(engine), position};
  needs_.engines |= 1U << registers::row_of(engine).number();
  engine_ = *found;
  slots_left_ = submission.slots;
  return {};
}

Status PeerCheck::begin_stream() {
  const isa::unity::StreamSlot slot = isa::unity::stream_slot(slots_, slots_.size() / isa::unity::kSlotBytes - slots_left_);
  if (slot.address > copy_.size() || slot.bytes > copy_.size() - slot.address)
    return {ErrorCode::address_outside_window, "stream", position_, signed_of(slot.address), signed_of(copy_.size())};
  kind_ = engine_;
  --slots_left_;
  const Status status = kind_->begin_peer_check(copy_.subspan(static_cast<std::size_t>(slot.address), slot.bytes), windows_);
  return status ? status : status.at(position_);
}

Status PeerCheck::step(load::Budget &budget) {
  while (!is_done() && budget.is_left()) {
    if (kind_ == nullptr) {
      if (const Status status = begin_stream(); !status) return status;
    }
    if (const Status status = kind_->check(budget); !status) return status.at(position_);
    if (kind_->is_checked()) kind_ = nullptr;
  }
  return {};
}

}  // namespace cox::firmware::stream::unity
