// SPDX-License-Identifier: MIT
#include "tests/sim/pim/reference/decode.h"

namespace cox::model::pim::oracle {
namespace {

class Word {
 public:
  explicit Word(std::uint32_t word) : word_(word) {}
  /// Bits `high` to `low`, as the specification writes them.
  [[nodiscard]] unsigned bits(unsigned high, unsigned low) const {
    unsigned value = 0;
    for (unsigned i = high + 1; i-- > low;) value = value * 2 + (word_ >> i & 1);
    return value;
  }
  [[nodiscard]] bool bit(unsigned place) const { return bits(place, place) != 0; }
  [[nodiscard]] std::int64_t signed_bits(unsigned high) const {
    const std::int64_t value = bits(high, 0), range = std::int64_t{1} << (high + 1);
    return value >= range / 2 ? value - range : value;
  }
  void reserved(unsigned high, unsigned low) const { require(bits(high, low) == 0, ErrorCode::reserved_bits); }

 private:
  std::uint32_t word_;
};

void existing_special(unsigned number) { require(number <= 8 || (number >= 16 && number <= 20)); }

Decoded pim(const Word &word) {
  Decoded d;
  d.rs1 = word.bits(19, 15), d.rs2 = word.bits(14, 10), d.rs3 = word.bits(9, 5), d.rs4 = word.bits(4, 0), d.rd = word.bits(4, 0);
  switch (word.bits(29, 28)) {
    case 0:
      d.opcode = Opcode::pim_compute;
      d.value_sparse = word.bit(23), d.bit_sparse = word.bit(22), d.group = word.bit(21), d.group_input_mode = word.bit(20);
      word.reserved(27, 24);
      word.reserved(4, 0);
      return d;
    case 1:
      d.opcode = Opcode::pim_batch;
      d.mask_mode = word.bit(22), d.meta_mode = word.bit(21), d.input_mode = word.bit(20);
      word.reserved(27, 23);
      return d;
    case 2:
      d.opcode = Opcode::pim_output;
      d.outsum_move = word.bit(21), d.outsum = word.bit(20);
      word.reserved(27, 22);
      word.reserved(9, 5);
      return d;
    default:
      d.opcode = Opcode::pim_transfer;
      word.reserved(27, 20);
      return d;
  }
}

Decoded simd(const Word &word) {
  Decoded d;
  d.opcode = Opcode::simd_compute;
  d.inputs = word.bits(29, 28) + 1;
  d.simd = word.bits(27, 20);
  d.rs1 = word.bits(19, 15), d.rs2 = word.bits(14, 10), d.rs3 = word.bits(9, 5), d.rd = word.bits(4, 0);
  if (d.inputs >= 3) require(d.rs1 != 31);
  if (d.inputs == 4) require(d.rs2 != 31);
  return d;
}

Decoded scalar(const Word &word) {
  Decoded d;
  const unsigned operation = word.bits(27, 26);
  d.rs1 = word.bits(25, 21), d.rs2 = word.bits(20, 16);
  switch (word.bits(29, 28)) {
    case 0: {
      constexpr Opcode kOperations[] = {Opcode::add, Opcode::sub, Opcode::mul, Opcode::div,
                                        Opcode::sll, Opcode::srl, Opcode::sra, Opcode::mod};
      d.opcode = kOperations[word.bits(2, 0)];
      d.rd = word.bits(15, 11);
      word.reserved(27, 26);
      word.reserved(10, 3);
      return d;
    }
    case 1: {
      require(operation != 3, ErrorCode::unknown_instruction);
      constexpr Opcode kOperations[] = {Opcode::addi, Opcode::muli, Opcode::lui};
      d.opcode = kOperations[operation];
      d.rd = word.bits(20, 16);
      d.immediate = word.signed_bits(15);
      return d;
    }
    case 2: {
      constexpr Opcode kOperations[] = {Opcode::load_local, Opcode::store_local, Opcode::load_global, Opcode::store_global};
      d.opcode = kOperations[operation];
      d.immediate = word.signed_bits(15);
      return d;
    }
    default: {
      constexpr Opcode kOperations[] = {Opcode::general_li, Opcode::special_li, Opcode::general_to_special, Opcode::special_to_general};
      d.opcode = kOperations[operation];
      if (operation < 2) {
        d.rd = word.bits(25, 21);
        d.immediate = word.bits(20, 0);
        if (operation == 1) existing_special(d.rd);
      } else {
        word.reserved(15, 0);
        existing_special(d.rs2);
      }
      return d;
    }
  }
}

Decoded move(const Word &word) {
  Decoded d;
  if (!word.bit(28)) {
    d.opcode = Opcode::trans;
    d.source_offset = word.bit(27), d.destination_offset = word.bit(26);
    d.rs1 = word.bits(25, 21), d.rs2 = word.bits(20, 16), d.rd = word.bits(15, 11);
    d.immediate = word.bits(10, 0);
    return d;
  }
  d.asynchronous = word.bit(26);
  d.id = word.bits(10, 6), d.length = word.bits(4, 0);
  if (!word.bit(27)) {
    d.opcode = Opcode::send;
    d.source = word.bits(25, 21), d.core = word.bits(20, 16), d.destination = word.bits(15, 11);
  } else {
    d.opcode = Opcode::receive;
    d.core = word.bits(25, 21), d.source = word.bits(20, 16), d.destination = word.bits(15, 11);
  }
  word.reserved(5, 5);
  return d;
}

Decoded control(const Word &word) {
  Decoded d;
  const unsigned type = word.bits(28, 26);
  require(type != 7, ErrorCode::unknown_instruction);
  constexpr Opcode kTypes[] = {Opcode::beq, Opcode::bne, Opcode::bgt, Opcode::blt, Opcode::jmp, Opcode::wait, Opcode::barrier};
  d.opcode = kTypes[type];
  if (type == 4) {
    d.immediate = word.signed_bits(25);
    return d;
  }
  d.rs1 = word.bits(25, 21), d.rs2 = word.bits(20, 16);
  if (type < 4) d.immediate = word.signed_bits(15);
  if (type > 4) word.reserved(15, 0);
  return d;
}

}  // namespace

Decoded decode(std::uint32_t bits) {
  const Word word(bits);
  switch (word.bits(31, 30)) {
    case 0: return pim(word);
    case 1: return simd(word);
    case 2: return scalar(word);
    default: return word.bit(29) ? control(word) : move(word);
  }
}

}  // namespace cox::model::pim::oracle
