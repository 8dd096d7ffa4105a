// SPDX-License-Identifier: MIT
#include "sim/model/device/stream_fault.h"

namespace cox::model {

FaultCode stream_fault_code(ErrorCode error) {
  switch (error) {
    case ErrorCode::ok: return FaultCode::none;
    case ErrorCode::unknown_instruction: return FaultCode::unknown_instruction;
    case ErrorCode::unsupported: return FaultCode::unsupported;
    case ErrorCode::missing_configuration: return FaultCode::missing_configuration;
    case ErrorCode::address_outside_window: return FaultCode::window;
    case ErrorCode::address_outside_buffer: return FaultCode::buffer;
    case ErrorCode::misaligned_address: return FaultCode::misaligned;
    case ErrorCode::shape_mismatch: return FaultCode::shape_mismatch;
    case ErrorCode::stream_truncated: return FaultCode::stream_truncated;
    case ErrorCode::base_not_written: return FaultCode::base_not_written;
    case ErrorCode::tensor_overlap: return FaultCode::overlap;
    case ErrorCode::flag_not_set: return FaultCode::flag_not_set;
    case ErrorCode::flag_overflow: return FaultCode::flag_overflow;
    case ErrorCode::deadlock: return FaultCode::deadlock;
    case ErrorCode::branch_outside_program: return FaultCode::branch;
    case ErrorCode::batch_without_compute: return FaultCode::batch;
    case ErrorCode::message_mismatch: return FaultCode::message;
    case ErrorCode::barrier_mismatch: return FaultCode::barrier;
    case ErrorCode::time_limit: return FaultCode::time_limit;
    default: return FaultCode::field_out_of_range;  // also for reserved bits
  }
}

Fault stream_fault(const Status &status, std::uint32_t offset, unsigned field_bit) {
  const bool reserved = status.code() == ErrorCode::reserved_bits;
  return stream_fault(stream_fault_code(status.code()), offset, reserved ? static_cast<unsigned>(status.index()) : field_bit);
}

}  // namespace cox::model
