// SPDX-License-Identifier: MIT
#include "tests/firmware/random_tasks/legal.h"

#include <algorithm>

#include "coxswain/isa/tile/table.h"

namespace cox::tests {

using isa::tile::Access;
using isa::tile::Configuration;
using isa::tile::MachineCode;
using isa::tile::Opcode;
using isa::tile::Space;

namespace {

std::string reason_of(const Status &status) { return std::string(error_name(status.code())) + " " + status.what(); }

std::string reason_against_access(const RandomTask &task, const Access &access, const Configuration &configuration, unsigned core) {
  switch (access.space) {
    case Space::l2: {
      const Status status = isa::tile::check_region(access.reach(), configuration.region(access.selector));
      return status.ok() ? "" : reason_of(status);
    }
    case Space::wl0: return access.end() > kRandomWl0Bytes ? "it goes beyond WL0" : "";
    case Space::dram: {
      const auto window = std::ranges::find(task.text.windows, access.selector, &WindowText::index);
      if (window == task.text.windows.end()) return "there is no such window";
      if (access.write && !window->writable) return "the window is read-only";
      return access.start < 0 || access.end() > static_cast<std::int64_t>(window->size) ? "it goes beyond the window" : "";
    }
    case Space::remote_l2:
      if (access.selector >= task.text.tile_cores || access.selector == core) return "there is no such other core";
      return access.start < 0 || access.end() > kRandomL2Bytes ? "it goes beyond the other core's L2" : "";
  }
  return "";
}

/// A ct_bc may define only regions inside of L2.
std::string reason_against_regions(const Configuration &configuration) {
  for (unsigned i = 0; i < isa::tile::kRegions; ++i) {
    const isa::tile::Region &region = configuration.region(i);
    if (region.first_byte() + region.bytes() > kRandomL2Bytes) return "the region goes beyond L2";
  }
  return "";
}

}  // namespace

std::string reason_against(const RandomTask &task, const MachineCode &code, unsigned core) {
  if (core >= task.text.tile_cores) return "there is no such core";
  const isa::tile::Instruction *instruction = isa::tile::find_instruction(isa::tile::opcode_of(code));
  if (instruction == nullptr) return "there is no such instruction";
  if (instruction->opcode == Opcode::ct_st || instruction->opcode == Opcode::ct_ed) return "every task has it already";
  if (const Status status = isa::tile::check(code); !status.ok()) return reason_of(status);
  Configuration configuration = task.graph.configuration(core);
  if (const Status status = configuration.apply(code); !status.ok()) return reason_of(status);
  if (instruction->opcode == Opcode::ct_bc) return reason_against_regions(configuration);
  if (instruction->configuration) return "";
  const auto operation = isa::tile::resolve(code, configuration);
  if (!operation) return reason_of(operation.status());
  const isa::tile::Footprint footprint = isa::tile::footprint(operation.value());
  for (unsigned i = 0; i < footprint.count; ++i) {
    if (const std::string reason = reason_against_access(task, footprint.accesses[i], configuration, core); !reason.empty()) return reason;
  }
  return "";
}

}  // namespace cox::tests
