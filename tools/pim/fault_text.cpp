// SPDX-License-Identifier: MIT
#include "tools/pim/fault_text.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "coxswain/device/npu_registers.h"
#include "tools/assembly/refusal.h"
#include "tools/pim/instruction_text.h"
#include "tools/pim/open_program.h"
#include "tools/pim/refusal_reason.h"

namespace cox::tools::pim {
namespace {

/// What a fault of the device means in a PIM program; empty if its name says it.
const char *meaning_of(registers::FaultCode code) {
  using enum registers::FaultCode;
  switch (code) {
    case field_out_of_range: return "a value out of its range";
    case unsupported: return "no such SIMD operation";
    case window: return "an address of DRAM outside of the program's windows, or a write to a read-only window";
    case buffer: return "an address outside of the core's memories";
    case shape_mismatch: return "values that contradict each other";
    case branch: return "the target is not in the core's code";
    case batch: return "a pim-batch without its pim-compute";
    case message: return "the two sides of the message disagree, or the core names itself";
    case barrier: return "the cores name different numbers of cores, or a wrong one";
    case time_limit: return "the program did not end in its time";
    case bus_error: return "memory refused the access";
    case ecc: return "memory has an error that cannot be corrected";
    default: return "";
  }
}

/// An error that the device reported. Its value is the code of the fault.
std::string device_fault_text(const Status &status) {
  if (status.value() < 0 || status.value() >= registers::kFaultCodes) return assembly::refusal_text("", status);
  const auto code = static_cast<registers::FaultCode>(status.value());
  std::string text = registers::kFaultCodeNames[status.value()];
  if (const std::string_view what = status.what(); !what.empty() && what != "instruction") text += fmt::format(": {}", what);
  if (const std::string_view meaning = meaning_of(code); !meaning.empty()) text += fmt::format(": {}", meaning);
  return text;
}

}  // namespace

std::string cores_text(std::uint64_t cores) {
  std::vector<unsigned> numbers;
  for (unsigned core = 0; core < isa::pim::kMostCores; ++core) {
    if ((cores >> core & 1) != 0) numbers.push_back(core);
  }
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ", numbers[i]);
  return text;
}

std::string place_text(const isa::pim::Program &program, isa::pim::Position position) {
  const std::string place = fmt::format("core {}, instruction {}", position.core, position.instruction);
  if (position.core >= program.cores() || position.instruction >= program.entry(position.core).instructions) return place;
  std::string text = instruction_text(program.code(position.core, position.instruction));
  if (const std::size_t comment = text.find("  #"); comment != std::string::npos) text.resize(comment);
  return fmt::format("{} ({})", place, text);
}

std::string fault_text(const isa::pim::Program &program, isa::pim::Position position, const Status &status) {
  const bool of_device = status.code() == ErrorCode::device_fault;
  return fmt::format("{}: {}", place_text(program, position),
                     of_device ? device_fault_text(status) : refusal_reason(program, position, status));
}

std::string fault_text(const isa::pim::Program &program, const Status &status) {
  const std::string_view what = status.what();
  const auto cores = static_cast<std::uint64_t>(status.value());
  if (status.code() == ErrorCode::deadlock && what == "cores") {
    const bool one = (cores & (cores - 1)) == 0;
    return fmt::format("deadlock: core{} {} {} for another that never comes; cox check says for what", one ? "" : "s", cores_text(cores),
                       one ? "waits" : "wait");
  }
  const std::string text = status.code() == ErrorCode::device_fault ? device_fault_text(status) : assembly::refusal_text("", status);
  if (status.index() < 0) return text;
  if (what == "setting" || what == "copy") return container_text(status);
  if (what == "load" || what == "store") return fmt::format("copy {}, a {} of the program: {}", status.index(), what, text);
  return fmt::format("{}: {}", place_text(program, isa::pim::Position::unpack(static_cast<std::uint32_t>(status.index()))), text);
}

}  // namespace cox::tools::pim
