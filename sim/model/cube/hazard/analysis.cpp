// SPDX-License-Identifier: MIT
#include <cstring>

#include "sim/model/cube/hazard/detector.h"

namespace cox::model::cube {

Analysis analyse(std::span<const std::byte> stream) {
  using isa::cube::kSlotBytes;
  Analysis analysis;
  Detector detector;
  isa::cube::Configuration configuration;
  const auto slots = static_cast<std::int32_t>(stream.size() / kSlotBytes);
  for (std::int32_t i = 0; i < slots; ++i) {
    isa::cube::MachineCode code;
    std::memcpy(code.data(), &stream[static_cast<std::size_t>(i) * kSlotBytes], kSlotBytes);
    const auto refuse = [&](const Status &status) {
      analysis.refusal = status.at(i);
      return analysis;
    };
    if (const Status status = isa::cube::check(code); !status) return refuse(status);
    const Result<isa::cube::Operation> operation = isa::cube::resolve(code, configuration);
    if (!operation) return refuse(operation.status());
    configuration.apply(operation.value());
    detector.add(code, operation.value(), analysis.findings);
  }
  if (stream.size() % kSlotBytes != 0) {
    analysis.refusal =
        Status(ErrorCode::stream_truncated, "instruction", slots, static_cast<std::int64_t>(stream.size() % kSlotBytes), kSlotBytes);
    return analysis;
  }
  detector.end(analysis.findings);
  return analysis;
}

}  // namespace cox::model::cube
