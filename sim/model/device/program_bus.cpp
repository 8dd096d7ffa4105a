// SPDX-License-Identifier: MIT
#include "sim/model/device/program_bus.h"

namespace cox::model {
namespace {

Status status_of(FaultCode code, std::uint64_t detail) {
  return {ErrorCode::device_fault, "memory", -1, static_cast<std::int64_t>(code), signed_of(detail)};
}

}  // namespace

Status ProgramBus::read_bus(std::uint64_t address, std::span<std::byte> bytes) {
  if (port_.refuses_access(now_)) return status_of(FaultCode::bus_error, address);
  if (const Fault ecc = port_.check_ecc(address, bytes.size())) return status_of(ecc.code, ecc.detail);
  if (!host_.read(address, bytes.data(), bytes.size())) return status_of(FaultCode::bus_error, address);
  moved_ += bytes.size();
  return {};
}

Status ProgramBus::write_bus(std::uint64_t address, std::span<const std::byte> bytes) {
  if (port_.refuses_access(now_)) return status_of(FaultCode::bus_error, address);
  if (!host_.write(address, bytes.data(), bytes.size())) return status_of(FaultCode::bus_error, address);
  if (!port_.memory().empty()) {
    port_.memory().begin_write();
    port_.memory().write({}, address, bytes.size());
  }
  moved_ += bytes.size();
  return {};
}

}  // namespace cox::model
