// SPDX-License-Identifier: MIT
#include "tests/echo/kernels/echo.h"

#include <cstring>

#include "tests/echo/kernels/build.h"

namespace cox::kernels::echo {

void Set::explain(std::span<const std::byte> stream, const registers::EngineFaultDetail &detail, StreamFault &fault) {
  const isa::Location place = isa::echo::Set::locate(stream, detail.offset, detail.field_bit);
  fault.instruction = place.instruction;
  fault.name = place.name;
  fault.field = place.field;
}

namespace {

/// Appends an instruction if the engine would take it.
Status append(Stream &stream, const isa::echo::MachineCode &code) {
  const Result<isa::echo::Operation> operation = isa::echo::resolve(code);
  if (!operation) return operation.status();
  if (const Status status = isa::echo::check_windows(isa::echo::footprint(operation.value()), stream.windows()); !status.ok())
    return status;
  std::byte *const place = stream.reserve(sizeof code);
  if (place == nullptr) return stream.status();
  std::memcpy(place, &code, sizeof code);
  return {};
}

Status check_bytes(std::uint32_t bytes) {
  if (bytes != 0 && bytes <= isa::echo::kMostBytes) return {};
  return Status(ErrorCode::invalid_argument, "bytes", -1, bytes, isa::echo::kMostBytes);
}

Status check_address(const char *field, std::uint64_t address) {
  if (address >> 32 == 0) return {};
  return Status(ErrorCode::address_outside_window, field, -1, static_cast<std::int64_t>(address));
}

}  // namespace

Status copy(Stream &stream, std::uint64_t source, std::uint64_t destination, std::uint32_t bytes) {
  if (const Status status = check_bytes(bytes); !status.ok()) return status;
  if (const Status status = check_address("Source", source); !status.ok()) return status;
  if (const Status status = check_address("Destination", destination); !status.ok()) return status;
  return append(stream, isa::echo::copy(source, destination, bytes));
}

Status fill(Stream &stream, std::uint8_t value, std::uint64_t destination, std::uint32_t bytes) {
  if (const Status status = check_bytes(bytes); !status.ok()) return status;
  if (const Status status = check_address("Destination", destination); !status.ok()) return status;
  return append(stream, isa::echo::fill(value, destination, bytes));
}

}  // namespace cox::kernels::echo

template class cox::kernels::Engine<cox::kernels::echo::Set>;
