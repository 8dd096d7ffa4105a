// SPDX-License-Identifier: MIT
// The code of a PIM core in a form that runs fast. An instruction is decoded when a core first comes to it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "coxswain/isa/pim/configuration.h"
#include "coxswain/isa/pim/program.h"

namespace cox::model::pim {

/// What Core::run_quick() does for an instruction. Special registers that are bound are already replaced by their general ones.
enum class Quick : std::uint8_t {
  unread = 0,  ///< not decoded yet
  refused,     ///< isa::pim::check() finds an error
  slow,        ///< isa::pim::resolve() says what it does
  add,
  sub,
  mul,
  div,
  sll,
  srl,
  sra,
  mod,
  addi,
  muli,
  constant,  ///< general-li, lui, and special-li of a bound register
  copy,      ///< between general registers
  load,
  store,
  special_constant,
  to_special,
  from_special,
  beq,
  bne,
  bgt,
  blt,
  jmp,
};

struct Decoded {
  Quick quick = Quick::unread;
  std::uint8_t a = 0, b = 0, d = 0;  ///< numbers of registers: operands and result
  std::uint32_t value = 0;           ///< immediate, offset or target
};

/// A target that is not in the program. resolve() finds the error if the branch is taken.
inline constexpr std::uint32_t kNoTarget = UINT32_MAX;

/// The instructions of one core. Cores with the same code share it.
class Code {
 public:
  Code(const isa::pim::Configuration &configuration, const isa::pim::Program &program, unsigned core);

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] isa::pim::MachineCode word(std::uint32_t number) const { return program_.code(core_, number); }
  /// The instruction `number`, which must be less than size().
  [[nodiscard]] const Decoded &at(std::uint32_t number) {
    if (decoded_[number].quick == Quick::unread) decoded_[number] = decode(number);
    return decoded_[number];
  }

 private:
  [[nodiscard]] Decoded decode(std::uint32_t number) const;

  const isa::pim::Configuration &configuration_;
  const isa::pim::Program &program_;
  unsigned core_;
  std::uint32_t size_;
  std::vector<Decoded> decoded_;
};

}  // namespace cox::model::pim
