// SPDX-License-Identifier: MIT
// Encodings worked out by hand from the field tables of docs/isa/pim.md. Each word is written in its fields, from bit 31 down: class and
// type first. The functions of isa/pim/build.h, the table and check() must agree with it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "coxswain/isa/pim/build.h"

namespace cox::isa::pim {
namespace vectors_test {

using build::r;

struct Value {
  const char *field;
  std::int64_t value;
};

struct Vector {
  const char *name;
  std::uint32_t word;
  MachineCode built;
  std::vector<Value> fields;
};

// clang-format off
const Vector kVectors[] = {
    // pim-compute: class'type'reserved'value_sparse bit_sparse group group_input_mode'rs1'rs2'rs3'reserved
    {"pim-compute", 0b00'00'0000'0000'00001'00010'00011'00000, build::pim_compute(r(1), r(2), r(3)),
     {{"value_sparse", 0}, {"bit_sparse", 0}, {"group", 0}, {"group_input_mode", 0}, {"rs1", 1}, {"rs2", 2}, {"rs3", 3}}},
    {"pim-compute", 0b00'00'0000'1000'11111'00000'00000'00000, build::pim_compute(r(31), r(0), r(0), {.value_sparse = true}),
     {{"value_sparse", 1}, {"bit_sparse", 0}, {"group", 0}, {"group_input_mode", 0}, {"rs1", 31}, {"rs2", 0}, {"rs3", 0}}},
    {"pim-compute", 0b00'00'0000'0100'00000'11111'00000'00000, build::pim_compute(r(0), r(31), r(0), {.bit_sparse = true}),
     {{"value_sparse", 0}, {"bit_sparse", 1}, {"group", 0}, {"group_input_mode", 0}, {"rs1", 0}, {"rs2", 31}, {"rs3", 0}}},
    {"pim-compute", 0b00'00'0000'0010'00000'00000'11111'00000, build::pim_compute(r(0), r(0), r(31), {.group = true}),
     {{"value_sparse", 0}, {"bit_sparse", 0}, {"group", 1}, {"group_input_mode", 0}, {"rs1", 0}, {"rs2", 0}, {"rs3", 31}}},
    {"pim-compute", 0b00'00'0000'0001'10000'01000'00100'00000, build::pim_compute(r(16), r(8), r(4), {.group_input_mode = true}),
     {{"value_sparse", 0}, {"bit_sparse", 0}, {"group", 0}, {"group_input_mode", 1}, {"rs1", 16}, {"rs2", 8}, {"rs3", 4}}},
    {"pim-compute", 0b00'00'0000'1111'11111'11111'11111'00000, build::pim_compute(r(31), r(31), r(31), {true, true, true, true}),
     {{"value_sparse", 1}, {"bit_sparse", 1}, {"group", 1}, {"group_input_mode", 1}, {"rs1", 31}, {"rs2", 31}, {"rs3", 31}}},

    // pim-batch: class'type'reserved'mask_mode meta_mode input_mode'rs1'rs2'rs3'rs4
    {"pim-batch", 0b00'01'00000'000'00001'00010'00011'00100, build::pim_batch(r(1), r(2), r(3), r(4)),
     {{"mask_mode", 0}, {"meta_mode", 0}, {"input_mode", 0}, {"rs1", 1}, {"rs2", 2}, {"rs3", 3}, {"rs4", 4}}},
    {"pim-batch", 0b00'01'00000'100'11111'00000'00000'00000, build::pim_batch(r(31), r(0), r(0), r(0), {.mask = true}),
     {{"mask_mode", 1}, {"meta_mode", 0}, {"input_mode", 0}, {"rs1", 31}, {"rs2", 0}, {"rs3", 0}, {"rs4", 0}}},
    {"pim-batch", 0b00'01'00000'010'00000'11111'00000'00000, build::pim_batch(r(0), r(31), r(0), r(0), {.meta = true}),
     {{"mask_mode", 0}, {"meta_mode", 1}, {"input_mode", 0}, {"rs1", 0}, {"rs2", 31}, {"rs3", 0}, {"rs4", 0}}},
    {"pim-batch", 0b00'01'00000'001'00000'00000'11111'00000, build::pim_batch(r(0), r(0), r(31), r(0), {.input = true}),
     {{"mask_mode", 0}, {"meta_mode", 0}, {"input_mode", 1}, {"rs1", 0}, {"rs2", 0}, {"rs3", 31}, {"rs4", 0}}},
    {"pim-batch", 0b00'01'00000'111'00000'00000'00000'11111, build::pim_batch(r(0), r(0), r(0), r(31), {true, true, true}),
     {{"mask_mode", 1}, {"meta_mode", 1}, {"input_mode", 1}, {"rs1", 0}, {"rs2", 0}, {"rs3", 0}, {"rs4", 31}}},

    // pim-output: class'type'reserved'outsum_move outsum'rs1'rs2'reserved'rd
    {"pim-output", 0b00'10'000000'00'00000'00000'00000'00101, build::pim_output(r(5)),
     {{"outsum_move", 0}, {"outsum", 0}, {"rs1", 0}, {"rs2", 0}, {"rd", 5}}},
    {"pim-output", 0b00'10'000000'01'00110'00111'00000'01000, build::pim_output(r(8), r(6), r(7), {.outsum = true}),
     {{"outsum_move", 0}, {"outsum", 1}, {"rs1", 6}, {"rs2", 7}, {"rd", 8}}},
    {"pim-output", 0b00'10'000000'10'11111'00000'00000'00000, build::pim_output(r(0), r(31), r(0), {.outsum_move = true}),
     {{"outsum_move", 1}, {"outsum", 0}, {"rs1", 31}, {"rs2", 0}, {"rd", 0}}},
    {"pim-output", 0b00'10'000000'11'00000'11111'00000'11111, build::pim_output(r(31), r(0), r(31), {true, true}),
     {{"outsum_move", 1}, {"outsum", 1}, {"rs1", 0}, {"rs2", 31}, {"rd", 31}}},

    // pim-transfer: class'type'reserved'rs1'rs2'rs3'rd
    {"pim-transfer", 0b00'11'00000000'00001'00010'00011'00100, build::pim_transfer(r(4), r(1), r(2), r(3)),
     {{"rs1", 1}, {"rs2", 2}, {"rs3", 3}, {"rd", 4}}},
    {"pim-transfer", 0b00'11'00000000'11111'00000'11111'00000, build::pim_transfer(r(0), r(31), r(0), r(31)),
     {{"rs1", 31}, {"rs2", 0}, {"rs3", 31}, {"rd", 0}}},
    {"pim-transfer", 0b00'11'00000000'00000'11111'00000'11111, build::pim_transfer(r(31), r(0), r(31), r(0)),
     {{"rs1", 0}, {"rs2", 31}, {"rs3", 0}, {"rd", 31}}},

    // simd-compute: class'input_num'opcode'rs1'rs2'rs3'rd
    {"simd-compute", 0b01'01'00000000'00001'00010'00011'00100, build::simd_compute(SimdOpcode::add, 2, r(4), r(1), r(2), r(3)),
     {{"input_num", 1}, {"opcode", 0x00}, {"rs1", 1}, {"rs2", 2}, {"rs3", 3}, {"rd", 4}}},
    {"simd-compute", 0b01'01'00000001'11111'00000'00000'00000, build::simd_compute(SimdOpcode::add_scalar, 2, r(0), r(31), r(0), r(0)),
     {{"input_num", 1}, {"opcode", 0x01}, {"rs1", 31}, {"rs2", 0}, {"rs3", 0}, {"rd", 0}}},
    {"simd-compute", 0b01'01'00000010'00000'11111'00000'00000, build::simd_compute(SimdOpcode::multiply, 2, r(0), r(0), r(31), r(0)),
     {{"input_num", 1}, {"opcode", 0x02}, {"rs1", 0}, {"rs2", 31}, {"rs3", 0}, {"rd", 0}}},
    {"simd-compute", 0b01'10'00000011'00001'00001'11111'00000, build::simd_compute(SimdOpcode::quantify, 3, r(0), r(1), r(1), r(31)),
     {{"input_num", 2}, {"opcode", 0x03}, {"rs1", 1}, {"rs2", 1}, {"rs3", 31}, {"rd", 0}}},
    {"simd-compute", 0b01'11'00000011'11110'11110'00000'11111, build::simd_compute(SimdOpcode::quantify, 4, r(31), r(30), r(30), r(0)),
     {{"input_num", 3}, {"opcode", 0x03}, {"rs1", 30}, {"rs2", 30}, {"rs3", 0}, {"rd", 31}}},
    {"simd-compute", 0b01'10'00000100'01010'10101'01010'10101, build::simd_compute(SimdOpcode::quantify_resadd, 3, r(21), r(10), r(21), r(10)),
     {{"input_num", 2}, {"opcode", 0x04}, {"rs1", 10}, {"rs2", 21}, {"rs3", 10}, {"rd", 21}}},
    {"simd-compute", 0b01'10'00000101'00000'11111'00000'00000, build::simd_compute(SimdOpcode::quantify_multiply, 3, r(0), r(0), r(31), r(0)),
     {{"input_num", 2}, {"opcode", 0x05}, {"rs1", 0}, {"rs2", 31}, {"rs3", 0}, {"rd", 0}}},
    {"simd-compute", 0b01'01'10000000'00110'00111'01000'01001, build::simd_compute(SimdOpcode::maximum, 2, r(9), r(6), r(7), r(8)),
     {{"input_num", 1}, {"opcode", 0x80}, {"rs1", 6}, {"rs2", 7}, {"rs3", 8}, {"rd", 9}}},
    {"simd-compute", 0b01'00'10000001'11111'11111'11111'11111, build::simd_compute(SimdOpcode::relu, 1, r(31), r(31), r(31), r(31)),
     {{"input_num", 0}, {"opcode", 0x81}, {"rs1", 31}, {"rs2", 31}, {"rs3", 31}, {"rd", 31}}},
    {"simd-compute", 0b01'01'10000010'00010'00100'01000'10000, build::simd_compute(SimdOpcode::average, 2, r(16), r(2), r(4), r(8)),
     {{"input_num", 1}, {"opcode", 0x82}, {"rs1", 2}, {"rs2", 4}, {"rs3", 8}, {"rd", 16}}},
    {"simd-compute", 0b01'00'11111111'00000'00000'00000'00000, build::simd_compute(static_cast<SimdOpcode>(0xFF), 1, r(0), r(0), r(0), r(0)),
     {{"input_num", 0}, {"opcode", 0xFF}, {"rs1", 0}, {"rs2", 0}, {"rs3", 0}, {"rd", 0}}},

    // add to mod: class'type'reserved'rs1'rs2'rd'reserved'opcode
    {"add", 0b10'00'00'00001'00010'00011'00000000'000, build::add(r(3), r(1), r(2)), {{"rs1", 1}, {"rs2", 2}, {"rd", 3}}},
    {"add", 0b10'00'00'11111'11111'11111'00000000'000, build::add(r(31), r(31), r(31)), {{"rs1", 31}, {"rs2", 31}, {"rd", 31}}},
    {"sub", 0b10'00'00'00100'01000'10000'00000000'001, build::sub(r(16), r(4), r(8)), {{"rs1", 4}, {"rs2", 8}, {"rd", 16}}},
    {"mul", 0b10'00'00'11111'00000'00000'00000000'010, build::mul(r(0), r(31), r(0)), {{"rs1", 31}, {"rs2", 0}, {"rd", 0}}},
    {"div", 0b10'00'00'00000'11111'00000'00000000'011, build::div(r(0), r(0), r(31)), {{"rs1", 0}, {"rs2", 31}, {"rd", 0}}},
    {"sll", 0b10'00'00'00000'00000'11111'00000000'100, build::sll(r(31), r(0), r(0)), {{"rs1", 0}, {"rs2", 0}, {"rd", 31}}},
    {"srl", 0b10'00'00'10101'01010'10101'00000000'101, build::srl(r(21), r(21), r(10)), {{"rs1", 21}, {"rs2", 10}, {"rd", 21}}},
    {"sra", 0b10'00'00'01010'10101'01010'00000000'110, build::sra(r(10), r(10), r(21)), {{"rs1", 10}, {"rs2", 21}, {"rd", 10}}},
    {"mod", 0b10'00'00'00001'00010'00100'00000000'111, build::mod(r(4), r(1), r(2)), {{"rs1", 1}, {"rs2", 2}, {"rd", 4}}},

    // addi, muli, lui: class'type'opcode'rs1'rd'imm
    {"addi", 0b10'01'00'00001'00010'0000000000000011, build::addi(r(2), r(1), 3), {{"rs1", 1}, {"rd", 2}, {"imm", 3}}},
    {"addi", 0b10'01'00'11111'00000'1111111111111111, build::addi(r(0), r(31), -1), {{"rs1", 31}, {"rd", 0}, {"imm", -1}}},
    {"addi", 0b10'01'00'00000'11111'1000000000000000, build::addi(r(31), r(0), -32768), {{"rs1", 0}, {"rd", 31}, {"imm", -32768}}},
    {"muli", 0b10'01'01'00100'00101'0111111111111111, build::muli(r(5), r(4), 32767), {{"rs1", 4}, {"rd", 5}, {"imm", 32767}}},
    {"muli", 0b10'01'01'11111'11111'1111111111111110, build::muli(r(31), r(31), -2), {{"rs1", 31}, {"rd", 31}, {"imm", -2}}},
    {"lui", 0b10'01'10'00000'00111'0000000000010000, build::lui(r(7), 16), {{"rs1", 0}, {"rd", 7}, {"imm", 16}}},
    {"lui", 0b10'01'10'00000'11111'1000000000000000, build::lui(r(31), -32768), {{"rs1", 0}, {"rd", 31}, {"imm", -32768}}},

    // load and store: class'type'opcode'rs1'rs2'offset
    {"load-local", 0b10'10'00'00001'00010'0000000000000100, build::load_local(r(2), r(1), 4), {{"rs1", 1}, {"rs2", 2}, {"offset", 4}}},
    {"load-local", 0b10'10'00'11111'00000'1111111111111100, build::load_local(r(0), r(31), -4), {{"rs1", 31}, {"rs2", 0}, {"offset", -4}}},
    {"store-local", 0b10'10'01'00011'00100'0111111111111111, build::store_local(r(4), r(3), 32767), {{"rs1", 3}, {"rs2", 4}, {"offset", 32767}}},
    {"load-global", 0b10'10'10'00101'00110'1000000000000000, build::load_global(r(6), r(5), -32768), {{"rs1", 5}, {"rs2", 6}, {"offset", -32768}}},
    {"store-global", 0b10'10'11'00000'11111'0000000000000000, build::store_global(r(31), r(0)), {{"rs1", 0}, {"rs2", 31}, {"offset", 0}}},

    // general-li, special-li: class'type'opcode'rd'imm
    {"general-li", 0b10'11'00'00001'000000000000000000111, build::general_li(r(1), 7), {{"rd", 1}, {"imm", 7}}},
    {"general-li", 0b10'11'00'11111'111111111111111111111, build::general_li(r(31), 2097151), {{"rd", 31}, {"imm", 2097151}}},
    {"general-li", 0b10'11'00'00000'100000000000000000000, build::general_li(r(0), 1048576), {{"rd", 0}, {"imm", 1048576}}},  // not negative
    {"special-li", 0b10'11'01'00000'000000000000000001000, build::special_li(Special::input_bit_width, 8), {{"rd", 0}, {"imm", 8}}},
    {"special-li", 0b10'11'01'01000'111111111111111111111, build::special_li(Special::bit_sparse_meta, 2097151), {{"rd", 8}, {"imm", 2097151}}},
    {"special-li", 0b10'11'01'10100'000000000000000100000, build::special_li(Special::simd_output_bit_width, 32), {{"rd", 20}, {"imm", 32}}},

    // general-to-special, special-to-general: class'type'opcode'general'special'reserved
    {"general-to-special", 0b10'11'10'00010'00111'0000000000000000, build::general_to_special(Special::value_sparse_mask, r(2)),
     {{"rs1", 2}, {"rs2", 7}}},
    {"general-to-special", 0b10'11'10'11111'10000'0000000000000000, build::general_to_special(Special::simd_input1_bit_width, r(31)),
     {{"rs1", 31}, {"rs2", 16}}},
    {"special-to-general", 0b10'11'11'00011'00101'0000000000000000, build::special_to_general(r(3), Special::activation_column_num),
     {{"rs1", 3}, {"rs2", 5}}},
    {"special-to-general", 0b10'11'11'11111'10011'0000000000000000, build::special_to_general(r(31), Special::simd_input4_bit_width),
     {{"rs1", 31}, {"rs2", 19}}},

    // trans: class'type'source_offset destination_offset'rs1'rs2'rd'offset
    {"trans", 0b110'0'00'00001'00010'00011'00000000000, build::trans(r(3), r(1), r(2)),
     {{"source_offset", 0}, {"destination_offset", 0}, {"rs1", 1}, {"rs2", 2}, {"rd", 3}, {"offset", 0}}},
    {"trans", 0b110'0'10'11111'00000'00000'11111111111, build::trans(r(0), r(31), r(0), {2047, true, false}),
     {{"source_offset", 1}, {"destination_offset", 0}, {"rs1", 31}, {"rs2", 0}, {"rd", 0}, {"offset", 2047}}},
    {"trans", 0b110'0'01'00000'11111'00000'10000000000, build::trans(r(0), r(0), r(31), {1024, false, true}),
     {{"source_offset", 0}, {"destination_offset", 1}, {"rs1", 0}, {"rs2", 31}, {"rd", 0}, {"offset", 1024}}},
    {"trans", 0b110'0'11'00000'00000'11111'00000000001, build::trans(r(31), r(0), r(0), {1, true, true}),
     {{"source_offset", 1}, {"destination_offset", 1}, {"rs1", 0}, {"rs2", 0}, {"rd", 31}, {"offset", 1}}},

    // send: class'type'sync'rs'rd1'rd2'reg_id'0'reg_len
    {"send", 0b110'10'0'00001'00010'00011'00100'0'00101, build::send(r(2), {.source = r(1), .destination = r(3), .id = r(4), .bytes = r(5)}),
     {{"sync", 0}, {"rs", 1}, {"rd1", 2}, {"rd2", 3}, {"reg_id", 4}, {"reg_len", 5}}},
    {"send", 0b110'10'1'11111'00000'11111'00000'0'11111, build::send(r(0), {r(31), r(31), r(0), r(31)}, true),
     {{"sync", 1}, {"rs", 31}, {"rd1", 0}, {"rd2", 31}, {"reg_id", 0}, {"reg_len", 31}}},
    {"send", 0b110'10'0'00000'11111'00000'11111'0'00000, build::send(r(31), {r(0), r(0), r(31), r(0)}),
     {{"sync", 0}, {"rs", 0}, {"rd1", 31}, {"rd2", 0}, {"reg_id", 31}, {"reg_len", 0}}},

    // receive: class'type'sync'rs1'rs2'rd'reg_id'0'reg_len
    {"receive", 0b110'11'0'00001'00010'00011'00100'0'00101, build::receive(r(1), {.source = r(2), .destination = r(3), .id = r(4), .bytes = r(5)}),
     {{"sync", 0}, {"rs1", 1}, {"rs2", 2}, {"rd", 3}, {"reg_id", 4}, {"reg_len", 5}}},
    {"receive", 0b110'11'1'11111'00000'11111'00000'0'11111, build::receive(r(31), {r(0), r(31), r(0), r(31)}, true),
     {{"sync", 1}, {"rs1", 31}, {"rs2", 0}, {"rd", 31}, {"reg_id", 0}, {"reg_len", 31}}},
    {"receive", 0b110'11'0'00000'11111'00000'11111'0'00000, build::receive(r(0), {r(31), r(0), r(31), r(0)}),
     {{"sync", 0}, {"rs1", 0}, {"rs2", 31}, {"rd", 0}, {"reg_id", 31}, {"reg_len", 0}}},

    // branches: class'type'rs1'rs2'offset
    {"beq", 0b111'000'00001'00010'0000000000000011, build::beq(r(1), r(2), 3), {{"rs1", 1}, {"rs2", 2}, {"offset", 3}}},
    {"beq", 0b111'000'11111'00000'1111111111111111, build::beq(r(31), r(0), -1), {{"rs1", 31}, {"rs2", 0}, {"offset", -1}}},
    {"bne", 0b111'001'00000'11111'1000000000000000, build::bne(r(0), r(31), -32768), {{"rs1", 0}, {"rs2", 31}, {"offset", -32768}}},
    {"bgt", 0b111'010'00101'00110'0111111111111111, build::bgt(r(5), r(6), 32767), {{"rs1", 5}, {"rs2", 6}, {"offset", 32767}}},
    {"blt", 0b111'011'00111'01000'1111111111110110, build::blt(r(7), r(8), -10), {{"rs1", 7}, {"rs2", 8}, {"offset", -10}}},

    // jmp: class'type'offset
    {"jmp", 0b111'100'00000000000000000000000101, build::jmp(5), {{"offset", 5}}},
    {"jmp", 0b111'100'11111111111111111111111111, build::jmp(-1), {{"offset", -1}}},
    {"jmp", 0b111'100'01111111111111111111111111, build::jmp(33554431), {{"offset", 33554431}}},
    {"jmp", 0b111'100'10000000000000000000000000, build::jmp(-33554432), {{"offset", -33554432}}},

    // wait: class'type'rs_core'rs_id'reserved; barrier: class'type'rs_id'rs_num'reserved
    {"wait", 0b111'101'00001'00010'0000000000000000, build::wait(r(1), r(2)), {{"rs_core", 1}, {"rs_id", 2}}},
    {"wait", 0b111'101'11111'00000'0000000000000000, build::wait(r(31), r(0)), {{"rs_core", 31}, {"rs_id", 0}}},
    {"barrier", 0b111'110'00011'00100'0000000000000000, build::barrier(r(3), r(4)), {{"rs_id", 3}, {"rs_num", 4}}},
    {"barrier", 0b111'110'00000'11111'0000000000000000, build::barrier(r(0), r(31)), {{"rs_id", 0}, {"rs_num", 31}}},
};
// clang-format on

TEST(Vectors, BuildersGiveTheWords) {
  for (const Vector &vector : kVectors) EXPECT_EQ(vector.built[0], vector.word) << vector.name << std::hex << " " << vector.word;
}

TEST(Vectors, TheWordsAreLegal) {
  for (const Vector &vector : kVectors) EXPECT_TRUE(check(MachineCode{vector.word}).ok()) << vector.name << std::hex << " " << vector.word;
}

TEST(Vectors, TheTableReadsTheWords) {
  for (const Vector &vector : kVectors) {
    SCOPED_TRACE(testing::Message() << vector.name << std::hex << " " << vector.word);
    const Instruction *row = Set::find(MachineCode{vector.word});
    ASSERT_NE(row, nullptr);
    EXPECT_STREQ(row->name, vector.name);
    ASSERT_EQ(row->fields.size(), vector.fields.size());
    for (std::size_t i = 0; i < vector.fields.size(); ++i) {
      EXPECT_STREQ(row->fields[i].name, vector.fields[i].field);
      EXPECT_EQ(read_integer(MachineCode{vector.word}, row->fields[i]), vector.fields[i].value) << vector.fields[i].field;
    }
  }
}

TEST(Vectors, TheTableWritesTheWords) {
  for (const Vector &vector : kVectors) {
    const Instruction *row = Set::find(std::string_view(vector.name));
    ASSERT_NE(row, nullptr) << vector.name;
    MachineCode code = Set::begin(*row);
    for (const Value &value : vector.fields) EXPECT_TRUE(Set::set(code, *Set::find_field(*row, value.field), value.value).ok());
    EXPECT_EQ(code[0], vector.word) << vector.name;
  }
}

TEST(Vectors, EveryInstructionHasOne) {
  for (const Instruction &row : Set::instructions()) {
    bool found = false;
    for (const Vector &vector : kVectors) found = found || std::string(vector.name) == row.name;
    EXPECT_TRUE(found) << row.name;
  }
}

TEST(Vectors, NoOtherClassesExist) {
  // Type 111 of the control instructions is not used; neither are SIMD's neighbours of class 10 with another opcode.
  for (const std::uint32_t word : {0b111'111'00000'00000'0000000000000000U, 0b10'01'11'00000'00000'0000000000000000U}) {
    const Status status = check(MachineCode{word});
    EXPECT_EQ(status.code(), ErrorCode::unknown_instruction) << std::hex << word;
    EXPECT_STREQ(status.what(), "opcode");
  }
}

TEST(Vectors, Constants) {
  // Up to 21 bits one general-li; else lui and addi, which extends its sign.
  const build::Constant small = build::constant(r(3), 2097151);
  ASSERT_EQ(small.count, 1U);
  EXPECT_EQ(small.code()[0][0], 0b10'11'00'00011'111111111111111111111U);
  const build::Constant round = build::constant(r(3), 0x80000000);
  ASSERT_EQ(round.count, 1U);
  EXPECT_EQ(round.code()[0][0], 0b10'01'10'00000'00011'1000000000000000U);
  const build::Constant plain = build::constant(r(4), 0x12340005);
  ASSERT_EQ(plain.count, 2U);
  EXPECT_EQ(plain.code()[0][0], 0b10'01'10'00000'00100'0001001000110100U);
  EXPECT_EQ(plain.code()[1][0], 0b10'01'00'00100'00100'0000000000000101U);
  const build::Constant negative = build::constant(r(5), 0xFFFFFFFE);  // 0 * 65536 - 2
  ASSERT_EQ(negative.count, 2U);
  EXPECT_EQ(negative.code()[0][0], 0b10'01'10'00000'00101'0000000000000000U);
  EXPECT_EQ(negative.code()[1][0], 0b10'01'00'00101'00101'1111111111111110U);
}

}  // namespace vectors_test
}  // namespace cox::isa::pim
