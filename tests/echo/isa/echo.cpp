// SPDX-License-Identifier: MIT
#include "tests/echo/isa/echo.h"

#include <algorithm>

#include "coxswain/isa/instruction_set_code.h"

template class cox::isa::InstructionSet<cox::isa::echo::Traits>;

namespace cox::isa::echo {

Result<Operation> resolve(const MachineCode &code, const State & /*state*/, const OperandMemory & /*memory*/) {
  Operation operation;
  operation.opcode = Set::find(code)->opcode;
  if (operation.opcode == Opcode::FAIL) return Status(ErrorCode::unsupported, "FAIL");
  if (operation.opcode == Opcode::HANG) return operation;
  const bool fills = operation.opcode == Opcode::FILL;
  const std::span<const Field> fields = fills ? std::span<const Field>(kFillFields) : std::span<const Field>(kCopyFields);
  operation.bytes = static_cast<std::uint32_t>(read_integer(code, fields[0]));
  operation.destination = static_cast<std::uint64_t>(read_integer(code, fields[2]));
  if (fills) {
    operation.value = static_cast<std::uint8_t>(read_integer(code, fields[1]));
    return operation;
  }
  operation.source = static_cast<std::uint64_t>(read_integer(code, fields[1]));
  if (operation.source < operation.destination + operation.bytes && operation.destination < operation.source + operation.bytes)
    return Status(ErrorCode::tensor_overlap, "Destination", -1, static_cast<std::int64_t>(operation.destination));
  return operation;
}

Footprint footprint(const Operation &operation) {
  if (operation.bytes == 0) return {};
  const Access destination{"Destination", true, operation.destination, operation.bytes};
  if (operation.opcode == Opcode::FILL) return {{destination, {}}, 1};
  return {{{"Source", false, operation.source, operation.bytes}, destination}, 2};
}

Status check_windows(const Footprint &footprint, std::span<const Window> windows) {
  for (const Access &access : std::span(footprint.accesses).first(footprint.count)) {
    const bool inside = std::any_of(windows.begin(), windows.end(), [&](const Window &window) {
      return (access.write ? window.write : window.read) && access.first >= window.base && access.bytes <= window.bytes &&
             access.first - window.base <= window.bytes - access.bytes;
    });
    if (!inside) return Status(ErrorCode::address_outside_window, access.field, -1, static_cast<std::int64_t>(access.first));
  }
  return {};
}

}  // namespace cox::isa::echo
