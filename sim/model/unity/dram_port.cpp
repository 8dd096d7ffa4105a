// SPDX-License-Identifier: MIT
#include "sim/model/unity/dram_port.h"

namespace cox::model::unity {
namespace {

Status fault(FaultCode code, std::uint64_t detail) {
  return {ErrorCode::device_fault, "memory", -1, static_cast<std::int64_t>(code), signed_of(detail)};
}

}  // namespace

Status DramPort::check(bool write, std::uint64_t address, std::uint64_t bytes) {
  for (const model::Window &window : context_->windows) {
    const std::uint64_t offset = address - window.base;
    if ((write ? window.writable : window.readable) && address >= window.base && offset <= window.size && bytes <= window.size - offset)
      return {};
  }
  return {ErrorCode::address_outside_window, "window", -1, signed_of(address)};
}

Status DramPort::read(std::uint64_t address, std::span<std::byte> bytes) {
  if (port_.refuses_access(now_)) return fault(FaultCode::bus_error, address);
  if (const Fault ecc = port_.check_ecc(address, bytes.size())) return fault(ecc.code, ecc.detail);
  if (!host_.read(address, bytes.data(), bytes.size())) return fault(FaultCode::bus_error, address);
  return {};
}

Status DramPort::write(std::uint64_t address, std::span<const std::byte> bytes) {
  if (port_.refuses_access(now_)) return fault(FaultCode::bus_error, address);
  if (!host_.write(address, bytes.data(), bytes.size())) return fault(FaultCode::bus_error, address);
  if (!port_.memory().empty()) {
    port_.memory().begin_write();
    port_.memory().write({}, address, bytes.size());
  }
  return {};
}

}  // namespace cox::model::unity
