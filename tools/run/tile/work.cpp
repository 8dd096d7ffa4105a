// SPDX-License-Identifier: MIT
#include "tools/run/tile/work.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "isa/tile/operation.h"
#include "isa/tile/table.h"
#include "sim/model/observers/event_log.h"
#include "tools/command/failure.h"

namespace cox::tools::run {

std::uint64_t multiply_accumulates(const task::Task &task) {
  std::array<isa::tile::Configuration, isa::tile::kMostCores> configurations;
  std::uint64_t sum = 0;
  for (const task::Instruction &instruction : task.instructions) {
    isa::tile::Configuration &configuration = configurations.at(isa::tile::core_of(instruction.code));
    if (!isa::tile::check(instruction.code) || !configuration.apply(instruction.code)) continue;
    const Result<isa::tile::Operation> operation = isa::tile::resolve(instruction.code, configuration);
    if (operation) sum += static_cast<std::uint64_t>(isa::tile::multiply_accumulates(operation.value()));
  }
  return sum;
}

std::uint64_t images_of(const task::Task &task) {
  if (task.tensors.empty()) return 1;
  const auto images = task.tensors.front().shape[0];
  const bool alike = std::ranges::all_of(task.tensors, [&](const task::Tensor &tensor) { return tensor.shape[0] == images; });
  return alike ? images : 1;
}

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

void add_core_work(Statistics &statistics, const std::string &path, unsigned tile_cores) {
  std::vector<model::EventRecord> records;
  std::string error;
  if (!model::read_event_log(path, records, error)) throw Failure(ExitCode::failed, error);
  statistics.cores.resize(std::max<std::size_t>(statistics.cores.size(), tile_cores));
  for (const model::EventRecord &record : records) {
    if (record.kind != model::EventKind::instruction || record.core >= statistics.cores.size()) continue;
    if (record.queue >= firmware::job::kQueues) continue;
    Statistics::Work &work = statistics.cores[record.core].at(record.queue);
    ++work.instructions;
    work.occupied_cycles += record.end - record.start;
  }
}

}  // namespace cox::tools::run
