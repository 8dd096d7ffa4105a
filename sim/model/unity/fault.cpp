// SPDX-License-Identifier: MIT
#include "sim/model/unity/fault.h"

#include <string_view>

#include "coxswain/isa/unity/location.h"
#include "sim/model/device/stream_fault.h"

namespace cox::model::unity {

static_assert(isa::kNoField == registers::kNoFaultField);

Fault fault_of(const Status &status, std::uint32_t position, const isa::unity::MachineCode *code) {
  const bool of_memory = status.code() == ErrorCode::device_fault;
  const FaultCode fault = status.code() == ErrorCode::cancelled ? FaultCode::aborted
                          : of_memory                           ? static_cast<FaultCode>(status.value())
                                                                : stream_fault_code(status.code());
  if (fault == FaultCode::ecc) return {fault, static_cast<std::uint32_t>(status.limit())};
  if (code == nullptr)
    return stream_fault(fault, 0, std::string_view(status.what()) == "key" ? isa::unity::kKeyField : isa::unity::kContainerField);
  return stream_fault(fault, position, isa::unity::field_number(status.what(), code));
}

}  // namespace cox::model::unity
