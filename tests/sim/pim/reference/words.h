// SPDX-License-Identifier: MIT
// Encodes instructions for tests of the slow interpreter. Each function names the bits of the specification.
#pragma once

#include <cstdint>

namespace cox::model::pim::oracle::words {

// clang-format off
struct Sparsity { bool value = false, bits = false, group = false, table = false; };

constexpr std::uint32_t compute(unsigned rs1, unsigned rs2, unsigned rs3, Sparsity s = {}) {
  return (s.value ? 1U << 23 : 0) | (s.bits ? 1U << 22 : 0) | (s.group ? 1U << 21 : 0) | (s.table ? 1U << 20 : 0) | rs1 << 15 | rs2 << 10 | rs3 << 5;
}
struct Tables { bool mask = false, meta = false, input = false; };
constexpr std::uint32_t batch(unsigned rs1, unsigned input, unsigned meta, unsigned mask, Tables t = {}) {
  return 1U << 28 | (t.mask ? 1U << 22 : 0) | (t.meta ? 1U << 21 : 0) | (t.input ? 1U << 20 : 0) | rs1 << 15 | input << 10 | meta << 5 | mask;
}
constexpr std::uint32_t output(unsigned rs1, unsigned rs2, unsigned rd, bool outsum = false, bool move = false) {
  return 2U << 28 | (move ? 1U << 21 : 0) | (outsum ? 1U << 20 : 0) | rs1 << 15 | rs2 << 10 | rd;
}
constexpr std::uint32_t transfer(unsigned rs1, unsigned rs2, unsigned rs3, unsigned rd) { return 3U << 28 | rs1 << 15 | rs2 << 10 | rs3 << 5 | rd; }
constexpr std::uint32_t simd(unsigned inputs, unsigned opcode, unsigned rs1, unsigned rs2, unsigned rs3, unsigned rd) {
  return 1U << 30 | (inputs - 1) << 28 | opcode << 20 | rs1 << 15 | rs2 << 10 | rs3 << 5 | rd;
}
/// operation: add, sub, mul, div, sll, srl, sra, mod are 0 to 7.
constexpr std::uint32_t calculate(unsigned operation, unsigned rs1, unsigned rs2, unsigned rd) { return 8U << 28 | rs1 << 21 | rs2 << 16 | rd << 11 | operation; }
/// operation: addi, muli, lui are 0 to 2.
constexpr std::uint32_t immediate(unsigned operation, unsigned rs1, unsigned rd, int imm) {
  return 9U << 28 | operation << 26 | rs1 << 21 | rd << 16 | (static_cast<std::uint32_t>(imm) & 0xFFFF);
}
/// operation: load-local, store-local, load-global, store-global are 0 to 3.
constexpr std::uint32_t memory(unsigned operation, unsigned rs1, unsigned rs2, int offset) {
  return 10U << 28 | operation << 26 | rs1 << 21 | rs2 << 16 | (static_cast<std::uint32_t>(offset) & 0xFFFF);
}
constexpr std::uint32_t general_li(unsigned rd, std::uint32_t imm) { return 11U << 28 | rd << 21 | imm; }
constexpr std::uint32_t special_li(unsigned rd, std::uint32_t imm) { return 11U << 28 | 1U << 26 | rd << 21 | imm; }
constexpr std::uint32_t general_to_special(unsigned general, unsigned special) { return 11U << 28 | 2U << 26 | general << 21 | special << 16; }
constexpr std::uint32_t special_to_general(unsigned general, unsigned special) { return 11U << 28 | 3U << 26 | general << 21 | special << 16; }
constexpr std::uint32_t trans(unsigned rs1, unsigned rs2, unsigned rd, unsigned offset = 0, bool source = false, bool destination = false) {
  return 12U << 28 | (source ? 1U << 27 : 0) | (destination ? 1U << 26 : 0) | rs1 << 21 | rs2 << 16 | rd << 11 | offset;
}
struct Message { unsigned core, source, destination, id, length; bool asynchronous = false; };  // registers
constexpr std::uint32_t send(Message m) {
  return 13U << 28 | (m.asynchronous ? 1U << 26 : 0) | m.source << 21 | m.core << 16 | m.destination << 11 | m.id << 6 | m.length;
}
constexpr std::uint32_t receive(Message m) {
  return 13U << 28 | 1U << 27 | (m.asynchronous ? 1U << 26 : 0) | m.core << 21 | m.source << 16 | m.destination << 11 | m.id << 6 | m.length;
}
/// type: beq, bne, bgt, blt are 0 to 3.
constexpr std::uint32_t branch(unsigned type, unsigned rs1, unsigned rs2, int offset) {
  return 14U << 28 | type << 26 | rs1 << 21 | rs2 << 16 | (static_cast<std::uint32_t>(offset) & 0xFFFF);
}
constexpr std::uint32_t jmp(int offset) { return 15U << 28 | (static_cast<std::uint32_t>(offset) & 0x3FFFFFF); }
constexpr std::uint32_t wait(unsigned core, unsigned id) { return 15U << 28 | 1U << 26 | core << 21 | id << 16; }
constexpr std::uint32_t barrier(unsigned id, unsigned number) { return 15U << 28 | 2U << 26 | id << 21 | number << 16; }
// clang-format on

}  // namespace cox::model::pim::oracle::words
