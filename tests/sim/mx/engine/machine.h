// SPDX-License-Identifier: MIT
// A machine with the MX engine. It submits streams of MX instructions, writes base registers, and reads and writes blocks in window 0.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "coxswain/isa/mx/operation.h"
#include "coxswain/isa/mx/table.h"
#include "coxswain/isa/numbers/mx9_block.h"
#include "tests/sim/engine_machine.h"

namespace cox::test {

namespace mx = isa::mx;

/// An instruction with the named fields.
inline mx::MachineCode make_mx(mx::Opcode opcode, std::initializer_list<std::pair<const char *, std::int64_t>> fields = {}) {
  mx::MachineCode code = mx::begin(opcode);
  for (const auto &[name, value] : fields) {
    const isa::Field *field = mx::find_field(mx::instruction_of(opcode), name);
    EXPECT_NE(field, nullptr) << name;
    EXPECT_TRUE(mx::set(code, *field, value).ok()) << name;
  }
  return code;
}

/// A CONFBADDR that selects base register 0 for all operands.
inline mx::MachineCode bases() { return make_mx(mx::Opcode::CONFBADDR); }

class MxMachine : public EngineMachine {
 public:
  static constexpr std::uint32_t kRingLog2 = 2;

  explicit MxMachine(const char *options = nullptr, bool mapped = true)
      : EngineMachine(registers::row_of(registers::Engine::mx), options, mapped) {}

  /// Sets base register 0 of context 0 to the start of window 0.
  void bring_up_mx(std::uint32_t coalesce = 0, std::uint32_t completions_log2 = 4) {
    bring_up_engine(kRingLog2, completions_log2, coalesce);
    write_base(0, 0, kWindow);
  }
  void write_base(unsigned context, unsigned index, std::uint64_t address) {
    write(r::mx::base::hi::offset(context, index), static_cast<std::uint32_t>(address >> 32));
    write(r::mx::base::lo::offset(context, index), static_cast<std::uint32_t>(address));
  }

  /// Address and length of a stream, which stream() writes behind the previous ones.
  struct Stream {
    std::uint64_t address;
    std::uint32_t bytes;
  };
  Stream stream(std::initializer_list<mx::MachineCode> codes) {
    std::vector<std::byte> program;
    for (const mx::MachineCode &code : codes) {
      const mx::Instruction *instruction = mx::find_instruction(code[0]);
      const std::span<const std::byte> bytes = std::as_bytes(std::span(code)).first(instruction == nullptr ? 8 : instruction->bytes);
      program.insert(program.end(), bytes.begin(), bytes.end());
    }
    return {place(program), static_cast<std::uint32_t>(program.size())};
  }

  using EngineMachine::submit, Machine::submit;
  void submit(std::initializer_list<mx::MachineCode> codes, unsigned context = 0, bool completion = true) {
    const Stream made = stream(codes);
    submit({made.address, made.bytes, registers::EngineDescriptor::control_of(context, completion), {}});
  }

  [[nodiscard]] mx::Block block(std::uint64_t offset_in_window) {
    mx::Block block;
    std::memcpy(&block, find(kWindow + offset_in_window, sizeof block), sizeof block);
    return block;
  }
  void set_block(std::uint64_t offset_in_window, const mx::Block &block) {
    std::memcpy(find(kWindow + offset_in_window, sizeof block), &block, sizeof block);
  }
  /// A block of sixteen equal values.
  static mx::Block uniform(float value) {
    std::array<float, mx::kBlockElements> values;
    values.fill(value);
    return mx::quantise(values);
  }
};

}  // namespace cox::test
