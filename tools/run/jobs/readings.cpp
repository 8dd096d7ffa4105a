// SPDX-License-Identifier: MIT
#include "tools/run/jobs/readings.h"

#include <algorithm>
#include <cstring>

namespace cox::tools::run {

std::uint64_t corrected_errors(std::span<const std::byte> reading) {
  firmware::job::FaultReading head{};
  if (reading.size() < sizeof(head)) return 0;
  std::memcpy(&head, reading.data(), sizeof(head));
  const std::size_t entries = std::min<std::size_t>(head.faults, (reading.size() - sizeof(head)) / sizeof(firmware::job::FaultEntry));
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < entries; ++i) {
    firmware::job::FaultEntry entry{};
    std::memcpy(&entry, reading.data() + sizeof(head) + i * sizeof(entry), sizeof(entry));
    const bool corrected = entry.action == static_cast<std::uint8_t>(hal::FaultAction::corrected);
    if (corrected && entry.fault == static_cast<std::uint8_t>(hal::FaultCode::ecc))
      sum += entry.detail;  // corrected bits since the previous write to the log
  }
  return sum;
}

}  // namespace cox::tools::run
