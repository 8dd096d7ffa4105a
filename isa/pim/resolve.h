// SPDX-License-Identifier: MIT
// What the sources of resolve() share. Each resolves the instructions of one class. Private to isa/pim.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/base/memory_range.h"
#include "coxswain/isa/pim/operation.h"
#include "coxswain/isa/pim/walk.h"

namespace cox::isa::pim::detail {

/// An instruction with the registers that it names.
class Operands {
 public:
  Operands(const MachineCode &code, const Surroundings &around) : code_(code), around_(around) {}

  [[nodiscard]] const MachineCode &code() const { return code_; }
  [[nodiscard]] const Surroundings &around() const { return around_; }

  /// The field itself.
  template <Opcode Op, FixedString Name>
  [[nodiscard]] auto field() const {
    return get<Op, Name>(code_);
  }
  /// The general register that a field names, or the one that many registers behind it.
  template <Opcode Op, FixedString Name>
  [[nodiscard]] std::uint32_t general(unsigned behind = 0) const {
    return around_.registers.general[get<Op, Name>(code_) + behind];
  }
  [[nodiscard]] std::uint32_t special(Special name) const { return around_.registers.read(around_.configuration, name); }

 private:
  const MachineCode &code_;
  const Surroundings &around_;
};

/// The name of a special register in errors and in assembly.
const char *name_of(Special name);

inline Status out_of_range(const char *what, std::int64_t value, std::int64_t limit) {
  return Status(ErrorCode::field_out_of_range, what, -1, value, limit);
}
/// Counts are signed numbers in their registers.
constexpr std::int64_t signed_count(std::uint32_t value) { return static_cast<std::int32_t>(value); }
/// Error: field_out_of_range below 0.
inline Status check_count(const char *what, std::uint32_t value) {
  return signed_count(value) < 0 ? out_of_range(what, signed_count(value), 0) : Status{};
}

/// Reads a width. Error: field_out_of_range unless it is 1, 2, 4, 8, 16 or 32.
Status read_width(const Operands &operands, Special name, std::uint8_t &width);

/// Checks that all bytes of an operation lie in memories.
template <typename Op>
Status check_accesses(const Op &op, const Surroundings &around) {
  Status status;
  MemoryRange last;  // the local memory of the last access: often that of the next one, too
  walk(op, {around.configuration, around.memory}, [&](const Need &need) {
    if (need.bytes == 0 || (need.reach != Reach::dram && last.contains({need.first, need.bytes}))) return true;
    const Place found = place(around.configuration, need.reach, need.first, need.bytes);
    if (found.is_local()) last = {need.first - found.offset, around.configuration.memories[found.space].bytes};
    if (!found.found()) status = outside(around.configuration, need.reach, need.field, need.first);
    return found.found();
  });
  return status;
}

/// The columns that work: registers weight_bit_width, group_size, activation_group_num and activation_column_num.
struct Columns {
  std::uint32_t columns = 0, groups = 1, group_macros = 0, group_columns = 0;  // as in Compute
};
/// `grouped`: false if there is one group of all macros. Errors: field_out_of_range for each register.
Status read_columns(const Operands &operands, bool grouped, std::uint8_t weight_width, Columns &columns);

/// Checks the number of the other core of a message. Errors: field_out_of_range, own_core.
Status check_other_core(const char *field, std::uint32_t core, const Surroundings &around);

Result<Operation> resolve_compute(const Operands &operands, const MachineCode *batch);
Result<Operation> resolve_output(const Operands &operands);
Result<Operation> resolve_transfer(const Operands &operands);
Result<Operation> resolve_simd(const Operands &operands);
Result<Operation> resolve_trans(const Operands &operands);
Result<Operation> resolve_send(const Operands &operands);
Result<Operation> resolve_receive(const Operands &operands);
/// Scalar instructions, loads and stores, and copies between registers.
Result<Operation> resolve_scalar(Opcode opcode, const Operands &operands);
/// Branches, jmp, wait and barrier.
Result<Operation> resolve_control(Opcode opcode, const Operands &operands);

}  // namespace cox::isa::pim::detail
