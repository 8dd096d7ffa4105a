// SPDX-License-Identifier: MIT
#include "sim/model/pim/dram_port.h"

namespace cox::model::pim {
namespace {

Status fault(FaultCode code, std::uint64_t detail) {
  return {ErrorCode::device_fault, "memory", -1, static_cast<std::int64_t>(code), signed_of(detail)};
}

}  // namespace

Status DramPort::check(bool write, unsigned window, std::uint64_t offset, std::uint64_t bytes) {
  const model::Window &own = context_->windows[window];
  const bool permitted = write ? own.writable : own.readable;
  if (permitted && offset <= own.size && bytes <= own.size - offset) return {};
  return {ErrorCode::address_outside_window, "window", static_cast<std::int32_t>(window), signed_of(offset),
          permitted ? std::int64_t{own.size} : 0};
}

Status DramPort::read(unsigned window, std::uint64_t offset, std::span<std::byte> bytes) {
  const std::uint64_t first = address(window, offset);
  if (port_.refuses_access(now_)) return fault(FaultCode::bus_error, first);
  if (const Fault ecc = port_.check_ecc(first, bytes.size())) return fault(ecc.code, ecc.detail);
  if (!host_.read(first, bytes.data(), bytes.size())) return fault(FaultCode::bus_error, first);
  moved_ += bytes.size();
  return {};
}

Status DramPort::write(unsigned window, std::uint64_t offset, std::span<const std::byte> bytes) {
  const std::uint64_t first = address(window, offset);
  if (port_.refuses_access(now_)) return fault(FaultCode::bus_error, first);
  if (!host_.write(first, bytes.data(), bytes.size())) return fault(FaultCode::bus_error, first);
  if (!port_.memory().empty()) {
    port_.memory().begin_write();
    port_.memory().write({}, first, bytes.size());
  }
  moved_ += bytes.size();
  return {};
}

}  // namespace cox::model::pim
