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

Status copy(Stream &stream, std::uint64_t source, std::uint64_t destination, std::uint32_t bytes) {
  if (bytes == 0 || bytes > isa::echo::kMostBytes) return Status(ErrorCode::invalid_argument, "bytes", -1, bytes, isa::echo::kMostBytes);
  if ((source | destination) >> 32 != 0) return Status(ErrorCode::address_outside_window, "Source", -1, static_cast<std::int64_t>(source));
  const isa::echo::MachineCode code = isa::echo::copy(source, destination, bytes);
  const Result<isa::echo::Operation> operation = isa::echo::resolve(code);
  if (!operation) return operation.status();
  if (const Status status = isa::echo::check_windows(isa::echo::footprint(operation.value()), stream.windows()); !status.ok())
    return status;
  std::byte *const place = stream.reserve(sizeof code);
  if (place == nullptr) return stream.status();
  std::memcpy(place, &code, sizeof code);
  return {};
}

}  // namespace cox::kernels::echo

template class cox::kernels::Engine<cox::kernels::echo::Set>;
