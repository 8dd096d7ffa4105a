// SPDX-License-Identifier: MIT
#include "sim/model/tile/admission.h"

#include <algorithm>

#include "coxswain/isa/tile/table.h"

namespace cox::model {

using isa::tile::Access;
using isa::tile::Space;

namespace {

std::uint32_t opcode_bits(const isa::tile::MachineCode &code) { return static_cast<std::uint32_t>(isa::tile::opcode_of(code)); }

/// Checks that the core whose queue holds the instruction is a core of the context, and that the instruction names this core. The fault's
/// detail is the core of the queue if the first check fails, and the core that the instruction names if the second one fails.
Fault check_core(const isa::tile::MachineCode &code, const TileContext &context, unsigned core) {
  if (core < context.first_core || core > context.last_core) return {FaultCode::core, core};
  const unsigned meant = context.first_core + isa::tile::core_of(code);
  if (meant != core) return {FaultCode::core, meant};
  return {};
}

/// Checks an access to another core's L2. The fault's detail is the number of the other core, or the first byte outside the context's
/// blocks.
Fault check_remote(const Access &access, const TileContext &context, const TileGeometry &geometry) {
  const unsigned remote = context.first_core + access.selector;
  if (remote > context.last_core || remote >= geometry.tile_cores) return {FaultCode::core, remote};
  const std::uint32_t last = std::min(context.l2_last, geometry.l2_blocks() - 1);
  if (isa::tile::check_remote(access.reach(), context.l2_first, last).ok()) return {};
  const std::int64_t first = std::int64_t{context.l2_first} * isa::tile::kBlockBytes;
  const std::int64_t end = (std::int64_t{last} + 1) * isa::tile::kBlockBytes;
  return {FaultCode::cut, static_cast<std::uint32_t>(access.start < first ? access.start : std::max(access.start, end))};
}

/// Checks an access to WL0. The fault's detail is the first accessed unit that is not in WL0 or does not belong to the context.
Fault check_weights(const Access &access, const TileContext &context, const TileGeometry &geometry) {
  const std::int64_t first = access.start / isa::tile::kWeightUnitBytes;
  const std::int64_t last = (access.end() - 1) / isa::tile::kWeightUnitBytes;
  const std::uint32_t last_allowed = std::min(context.wl0_last, geometry.wl0_units - 1);
  if (first < context.wl0_first || first > last_allowed) return {FaultCode::wl0, static_cast<std::uint32_t>(first)};
  if (last > last_allowed) return {FaultCode::wl0, last_allowed + 1};
  return {};
}

/// Checks an access against the memory that the context may touch.
Fault check_access(const Access &access, const isa::tile::MachineCode &code, const TileContext &context, std::span<const Window> windows,
                   unsigned core, const TileGeometry &geometry) {
  if (access.space == Space::dram) {
    const Window &window = windows[access.selector];
    return fault_of(isa::tile::check_window(access.reach(), window.size, window.readable, window.writable), code);
  }
  if (access.space == Space::remote_l2) return check_remote(access, context, geometry);
  if (access.space == Space::wl0) return check_weights(access, context, geometry);
  const isa::tile::Region &region = context.banks[core].configuration.region(access.selector);
  if (Fault fault = fault_of(isa::tile::check_region(access.reach(), region), code)) return fault;
  // The access may wrap to anywhere in its region, so the whole region must exist and belong to the context.
  const std::uint32_t last = std::uint32_t{region.first_block} + region.blocks - 1;
  const bool owned = region.first_block >= context.l2_first && last <= context.l2_last;
  const bool exists = region.first_byte() + region.bytes() <= static_cast<std::int64_t>(geometry.l2_bytes());
  if (!owned || !exists) return {FaultCode::cut, static_cast<std::uint32_t>(access.start)};
  return {};
}

}  // namespace

Fault fault_of(const Status &status, const isa::tile::MachineCode &code) {
  const auto address = static_cast<std::uint32_t>(status.value());
  switch (status.code()) {
    case ErrorCode::ok: return {};
    case ErrorCode::unknown_instruction: return {FaultCode::unknown_instruction, opcode_bits(code)};
    case ErrorCode::unsupported: return {FaultCode::unsupported, opcode_bits(code)};
    case ErrorCode::missing_configuration: return {FaultCode::missing_configuration, opcode_bits(code)};
    case ErrorCode::address_outside_window: return {FaultCode::window, address};
    case ErrorCode::address_outside_cut: return {FaultCode::cut, address};
    case ErrorCode::misaligned_address: return {FaultCode::misaligned, address};
    case ErrorCode::bad_buffer_cut: return {FaultCode::cut, opcode_bits(code)};
    // The error's `value` is one past the last byte of the access.
    case ErrorCode::address_outside_wl0: return {FaultCode::wl0, (address - 1) / isa::tile::kWeightUnitBytes};
    case ErrorCode::own_core:
    case ErrorCode::shape_mismatch: return {FaultCode::shape_mismatch, opcode_bits(code)};
    default: return {FaultCode::field_out_of_range, opcode_bits(code)};
  }
}

Fault admit(const isa::tile::MachineCode &code, isa::tile::Class queue, const TileContext &context, std::span<const Window> windows,
            unsigned core, const TileGeometry &geometry, isa::tile::Operation &operation, isa::tile::Footprint &footprint) {
  if (Fault fault = check_core(code, context, core)) return fault;
  if (Fault fault = fault_of(isa::tile::check(code), code)) return fault;
  // A queue accepts only instructions of its own class.
  if (isa::tile::find_instruction(isa::tile::opcode_of(code))->queue != queue) return {FaultCode::unknown_instruction, opcode_bits(code)};
  const Result<isa::tile::Operation> resolved = isa::tile::resolve(code, context.banks[core].configuration);
  if (!resolved) return fault_of(resolved.status(), code);
  operation = resolved.value();
  footprint = isa::tile::footprint(operation);
  for (unsigned i = 0; i < footprint.count; ++i) {
    if (Fault fault = check_access(footprint.accesses[i], code, context, windows, core, geometry)) return fault;
  }
  return {};
}

}  // namespace cox::model
