// SPDX-License-Identifier: MIT
#include "sim/model/admission.h"

#include "isa/tile/check.h"

namespace cox::model {

using isa::tile::Access;
using isa::tile::Space;

namespace {

std::uint32_t opcode_bits(const isa::tile::MachineCode &code) { return static_cast<std::uint32_t>(isa::tile::opcode_of(code)); }

/// An access in L2 or DRAM against what the context may touch. WL0 has been checked by resolve().
Fault check_access(const Access &access, const isa::tile::MachineCode &code, const Context &context, unsigned core,
                   const Geometry &geometry) {
  if (access.space == Space::dram) {
    const Window &window = context.windows[access.selector];
    return fault_of(isa::tile::check_window(access, window.size, window.readable, window.writable), code);
  }
  if (access.space == Space::remote_l2) return fault_of(isa::tile::check_remote(access, context.l2_first, context.l2_last), code);
  if (access.space != Space::l2) return {};
  const isa::tile::Region &region = context.banks[core].configuration.region(access.selector);
  if (Fault fault = fault_of(isa::tile::check_region(access, region), code)) return fault;
  // The access may wrap to anywhere in its region, so that all of the region must be the context's, and exist.
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
    case ErrorCode::bad_buffer_cut: return {FaultCode::cut, opcode_bits(code)};
    // `value` is one past the last byte.
    case ErrorCode::address_outside_wl0: return {FaultCode::wl0, (address - 1) / isa::tile::kWeightUnitBytes};
    case ErrorCode::shape_mismatch: return {FaultCode::shape_mismatch, opcode_bits(code)};
    default: return {FaultCode::field_out_of_range, opcode_bits(code)};
  }
}

Fault admit(const isa::tile::MachineCode &code, isa::tile::Class queue, const Context &context, unsigned core, const Geometry &geometry,
            isa::tile::Operation &operation, isa::tile::Footprint &footprint) {
  if (Fault fault = fault_of(isa::tile::check(code), code)) return fault;
  // To the engine behind a queue, another engine's instruction is none.
  if (isa::tile::find_instruction(isa::tile::opcode_of(code))->queue != queue) return {FaultCode::unknown_instruction, opcode_bits(code)};
  const Result<isa::tile::Operation> resolved = isa::tile::resolve(code, context.banks[core].configuration);
  if (!resolved) return fault_of(resolved.status(), code);
  operation = resolved.value();
  footprint = isa::tile::footprint(operation);
  for (unsigned i = 0; i < footprint.count; ++i) {
    if (Fault fault = check_access(footprint.accesses[i], code, context, core, geometry)) return fault;
  }
  return {};
}

}  // namespace cox::model
