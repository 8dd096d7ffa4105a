// SPDX-License-Identifier: MIT
#include "sim/model/pim/fault.h"

#include <string_view>

#include "coxswain/isa/pim/location.h"
#include "sim/model/device/stream_fault.h"

namespace cox::model::pim {

static_assert(isa::kNoField == registers::kNoFaultField);

Fault fault_of(const Status &status, isa::pim::Position position, const isa::pim::Program *program) {
  const bool of_memory = status.code() == ErrorCode::device_fault;
  const FaultCode code = of_memory ? static_cast<FaultCode>(status.value()) : stream_fault_code(status.code());
  if (code == FaultCode::ecc) return {code, static_cast<std::uint32_t>(status.limit())};
  const std::string_view what = status.what();
  if (program == nullptr || what == "cores") return stream_fault(code, 0, isa::pim::kProgramField);
  if (what == "load" || what == "store") {
    return stream_fault(code, static_cast<std::uint32_t>(status.index()), what == "load" ? isa::pim::kLoadField : isa::pim::kStoreField);
  }
  if (status.code() == ErrorCode::reserved_bits) return stream_fault(code, position.pack(), static_cast<unsigned>(status.value()));
  if (position.core >= program->cores() || position.instruction >= program->entry(position.core).instructions) {
    return stream_fault(code, position.pack());
  }
  const isa::pim::MachineCode word = program->code(position.core, position.instruction);
  return stream_fault(code, position.pack(), isa::pim::field_number(what, &word));
}

}  // namespace cox::model::pim
