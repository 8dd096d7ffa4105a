// SPDX-License-Identifier: MIT
#include "sim/model/mx/fault.h"

#include "hal/device/engine_descriptor.h"
#include "isa/mx/encode.h"

namespace cox::model::mx {

static_assert(isa::mx::kNoField == registers::kNoFaultField);

namespace {

FaultCode code_of(ErrorCode error) {
  switch (error) {
    case ErrorCode::ok: return FaultCode::none;
    case ErrorCode::unknown_instruction: return FaultCode::unknown_instruction;
    case ErrorCode::unsupported: return FaultCode::unsupported;
    case ErrorCode::missing_configuration: return FaultCode::missing_configuration;
    case ErrorCode::address_outside_window: return FaultCode::window;
    case ErrorCode::misaligned_address: return FaultCode::misaligned;
    case ErrorCode::shape_mismatch: return FaultCode::shape_mismatch;
    case ErrorCode::stream_truncated: return FaultCode::stream_truncated;
    case ErrorCode::base_not_written: return FaultCode::base_not_written;
    case ErrorCode::tensor_overlap: return FaultCode::overlap;
    default: return FaultCode::field_out_of_range;  // reserved bits too
  }
}

}  // namespace

Fault fault_of(const Status &status, const isa::mx::Instruction *instruction, std::uint32_t offset) {
  unsigned bit = isa::mx::kNoField;
  if (status.code() == ErrorCode::reserved_bits) {
    bit = static_cast<unsigned>(status.index());
  } else if (instruction != nullptr) {
    bit = isa::mx::field_bit(*instruction, status.what());
  }
  return {code_of(status.code()), registers::EngineFaultDetail{offset, bit}.pack()};
}

Fault fault_at(FaultCode code, std::uint32_t offset) { return {code, registers::EngineFaultDetail{offset}.pack()}; }

}  // namespace cox::model::mx
