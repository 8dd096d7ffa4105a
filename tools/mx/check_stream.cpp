// SPDX-License-Identifier: MIT
#include "tools/mx/check_stream.h"

#include <string_view>

#include "isa/mx/table.h"
#include "tools/mx/refusal.h"

namespace cox::tools::mx {
namespace {

constexpr std::int64_t kShortest = 8;  ///< bytes of the shortest instruction

Finding refusal_of(std::size_t number, std::size_t byte, const isa::mx::Instruction *instruction, const Status &status) {
  return {error_name(status.code()),
          {static_cast<std::int32_t>(number)},
          "instruction " + std::to_string(number) + " (byte " + std::to_string(byte) + "): " + refusal_text(instruction, status),
          ""};
}

}  // namespace

Report check_stream(std::span<const std::uint8_t> stream) {
  Report report;
  if (stream.empty()) {
    report.errors.push_back(refusal_of(0, 0, nullptr, Status(ErrorCode::stream_truncated, "stream", -1, 0, kShortest)));
  }
  std::size_t number = 0;
  for (std::size_t at = 0; at < stream.size() && report.errors.empty(); ++number) {
    const Result<isa::mx::Fetched> fetched = isa::mx::fetch(std::as_bytes(stream.subspan(at)));
    if (!fetched) {
      const isa::mx::Instruction *known = isa::mx::find_instruction(std::string_view(fetched.status().what()));
      report.errors.push_back(refusal_of(number, at, known, fetched.status()));
      break;
    }
    const isa::mx::Instruction &instruction = *fetched.value().instruction;
    const Status status = isa::mx::check(fetched.value().code);
    if (!status.ok()) report.errors.push_back(refusal_of(number, at, &instruction, status));
    at += instruction.bytes;
  }
  return report;
}

std::size_t count_instructions(std::span<const std::uint8_t> stream) {
  std::size_t number = 0;
  for (std::size_t at = 0; at < stream.size(); ++number) {
    const Result<isa::mx::Fetched> fetched = isa::mx::fetch(std::as_bytes(stream.subspan(at)));
    if (!fetched) return number + 1;
    at += fetched.value().instruction->bytes;
  }
  return number;
}

}  // namespace cox::tools::mx
