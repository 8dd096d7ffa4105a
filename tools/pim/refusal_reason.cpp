// SPDX-License-Identifier: MIT
#include "tools/pim/refusal_reason.h"

#include <fmt/format.h>

#include <string_view>

#include "coxswain/isa/pim/table.h"
#include "tools/pim/form.h"
#include "tools/pim/instruction_text.h"

namespace cox::tools::pim {
namespace {

using isa::pim::Instruction;
using isa::pim::MachineCode;
using isa::pim::Opcode;
using isa::pim::Position;
using isa::pim::Program;

constexpr std::string_view kBatchPrefix = "batch_";

/// An error of one instruction, and how to say it.
class Reason {
 public:
  Reason(const Program &program, Position position, const Status &status)
      : program_(program), position_(position), status_(status), what_(status.what()) {
    if (position.core < program.cores() && position.instruction < program.entry(position.core).instructions) {
      code_ = program.code(position.core, position.instruction);
      row_ = isa::pim::Set::find(code_);
    }
  }

  [[nodiscard]] std::string text() const {
    switch (status_.code()) {
      case ErrorCode::field_out_of_range: return fmt::format("{}: {}", operand(), out_of_range());
      case ErrorCode::address_outside_buffer: return fmt::format("{}: {}", operand(), outside());
      case ErrorCode::address_outside_window: return fmt::format("{}: {}", operand(), status_.index() >= 0 ? outside_window() : outside());
      case ErrorCode::unsupported: return unsupported();
      case ErrorCode::branch_outside_program:
        return fmt::format("the target, instruction {}, is not in the core's code, which has {}", value(), limit());
      case ErrorCode::batch_without_compute: return "no pim-compute follows it";
      case ErrorCode::own_core: return fmt::format("{}: core {} names itself", operand(), value());
      case ErrorCode::message_mismatch: return mismatch();
      case ErrorCode::barrier_mismatch: return fmt::format("{}: {}", operand(), barrier());
      case ErrorCode::time_limit: return fmt::format("the program did not end in {} cycles", value());
      default: return "";
    }
  }

 private:
  [[nodiscard]] std::int64_t value() const { return status_.value(); }
  [[nodiscard]] std::int64_t limit() const { return status_.limit(); }
  [[nodiscard]] bool is(Opcode opcode) const { return row_ != nullptr && row_->opcode == opcode; }

  /// The field with the register that it names, for example `rs2 (r7)`, or the name of a special register.
  [[nodiscard]] std::string operand() const {
    if (what_.starts_with(kBatchPrefix) && position_.instruction > 0) {
      const MachineCode batch = program_.code(position_.core, position_.instruction - 1);
      return field(what_.substr(kBatchPrefix.size()), isa::pim::Set::find(batch), batch) + " of the pim-batch";
    }
    return field(what_, row_, code_);
  }
  [[nodiscard]] static std::string field(std::string_view name, const Instruction *row, const MachineCode &code) {
    const isa::Field *found = row == nullptr ? nullptr : isa::pim::Set::find_field(*row, name);
    if (found == nullptr || role_of(*row, *found) != Role::general) return std::string(name);
    return fmt::format("{} (r{})", name, isa::read_integer(code, *found));
  }

  [[nodiscard]] std::string out_of_range() const {
    if (what_.ends_with("bit_width")) {
      if (is(Opcode::pim_compute) && limit() == 1) return fmt::format("{} must be 1 with bit_sparse", value());
      if (limit() == isa::pim::kMostWidth) return fmt::format("{} is no width; 1, 2, 4, 8, 16 and 32 are", value());
    }
    const isa::Field *named = row_ == nullptr ? nullptr : isa::pim::Set::find_field(*row_, what_);
    if (named != nullptr && role_of(*row_, *named) == Role::special) return fmt::format("there is no special register {}", value());
    if (what_ == "group_size") return fmt::format("the array has no groups of {} macros", value());
    if (what_ == "value_sparse_mask")
      return fmt::format("{} inputs are set for macro {}, which has {} compartments", value(), status_.index(), limit());
    if (is(Opcode::pim_output) && what_ == "rs2" && limit() == value() - 1)
      return fmt::format("the last bit of the mask, {}, is set, but no sum follows", value());
    const bool names_core = (is(Opcode::send) && what_ == "rd1") || (is(Opcode::receive) && what_ == "rs1") || is(Opcode::wait);
    if (names_core) return fmt::format("there is no core {}; the program has {}", value(), limit() + 1);
    const std::string element = is(Opcode::simd_compute) && status_.index() >= 0 ? fmt::format("element {} is ", status_.index()) : "";
    if (value() < 0 && limit() == 0) return fmt::format("{}{} is below 0", element, value());
    return fmt::format("{}{}; {} is the {}", element, value(), limit(), value() < limit() ? "least" : "most");
  }

  [[nodiscard]] std::string outside() const {
    if (limit() != 0) return fmt::format("the bytes from {:#010x} on pass the end of their memory, {:#010x}", value(), limit());
    if (status_.code() == ErrorCode::address_outside_window) return fmt::format("{:#010x} is no address of DRAM", value());
    return fmt::format("{:#010x} is no address of a memory that {} reaches", value(), row_ == nullptr ? "it" : row_->name);
  }
  [[nodiscard]] std::string outside_window() const {
    if (limit() < 0) return fmt::format("byte {:#x} is in a window that the program may only read", value());
    return fmt::format("the bytes from {:#x} on pass the end of the program's window, which has {:#x}", value(), limit());
  }
  [[nodiscard]] std::string unsupported() const {
    if (what_ == "input_num") return fmt::format("the operation does not take {} inputs", value() + 1);
    return fmt::format("{}: {:#04x} is no SIMD operation", what_, value());
  }
  [[nodiscard]] std::string mismatch() const {
    const char *form = what_ == "reg_len" ? "{}: {} bytes here, {} on the other side" : "{}: {:#010x} here, {:#010x} on the other side";
    return fmt::format(fmt::runtime(form), operand(), value(), limit());
  }
  [[nodiscard]] std::string barrier() const {
    if (value() < 1) return fmt::format("a barrier of {} cores; 1 is the least", value());
    const std::string of = fmt::format("a barrier of {} core{}", value(), value() == 1 ? "" : "s");
    if (value() > program_.cores()) return fmt::format("{}; the program has {}", of, program_.cores());
    return fmt::format("{}; the core that came first says {}", of, limit());
  }

  const Program &program_;
  Position position_;
  const Status &status_;
  std::string_view what_;
  MachineCode code_{};
  const Instruction *row_ = nullptr;
};

}  // namespace

std::string refusal_reason(const Program &program, Position position, const Status &status) {
  const std::string reason = Reason(program, position, status).text();
  if (!reason.empty()) return fmt::format("{}: {}", error_name(status.code()), reason);
  const bool in_code = position.core < program.cores() && position.instruction < program.entry(position.core).instructions;
  return refusal_text(in_code ? isa::pim::Set::find(program.code(position.core, position.instruction)) : nullptr, status);
}

}  // namespace cox::tools::pim
