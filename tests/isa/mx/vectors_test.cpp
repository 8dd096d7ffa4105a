// SPDX-License-Identifier: MIT
// Encodings worked out by hand. The comment beside each gives a block as the sum of its shifted fields, with the bits of docs/isa/mx.md.
#include <gtest/gtest.h>

#include <vector>

#include "tests/isa/mx/instruction.h"

namespace cox::isa::mx {
namespace {

struct OneField {
  Opcode opcode;
  const char *field;
  std::int64_t value;
  Blocks blocks;
};

/// Each field with its least and with its greatest value; all other fields are zero.
// clang-format off
const OneField kOneField[] = {
    // CONFBADDR: block 1, the first 64-bit word, has the opcode 0x0 in bits [3:0] and the funct 0 in bits [5:4].
    {Opcode::CONFBADDR, "InputBase1", 0, {0x0000000000000000}},  // block 1: 0x0 + (0<<6)
    {Opcode::CONFBADDR, "InputBase1", 31, {0x00000000000007C0}},  // block 1: 0x0 + (31<<6)
    {Opcode::CONFBADDR, "InputBase2", 0, {0x0000000000000000}},  // block 1: 0x0 + (0<<11)
    {Opcode::CONFBADDR, "InputBase2", 31, {0x000000000000F800}},  // block 1: 0x0 + (31<<11)
    {Opcode::CONFBADDR, "OutputBase1", 0, {0x0000000000000000}},  // block 1: 0x0 + (0<<16)
    {Opcode::CONFBADDR, "OutputBase1", 31, {0x00000000001F0000}},  // block 1: 0x0 + (31<<16)
    {Opcode::CONFBADDR, "OutputBase2", 0, {0x0000000000000000}},  // block 1: 0x0 + (0<<21)
    {Opcode::CONFBADDR, "OutputBase2", 31, {0x0000000003E00000}},  // block 1: 0x0 + (31<<21)
    {Opcode::CONFBADDR, "WeightBase", 0, {0x0000000000000000}},  // block 1: 0x0 + (0<<26)
    {Opcode::CONFBADDR, "WeightBase", 31, {0x000000007C000000}},  // block 1: 0x0 + (31<<26)
    // CONVACT: block 1, the first 64-bit word, has the opcode 0x9 in bits [3:0] and the funct 0 in bits [5:4].
    {Opcode::CONVACT, "InChannels", 0, {0x0000000000000009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (0<<6)
    {Opcode::CONVACT, "InChannels", 63, {0x0000000000000FC9, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (63<<6)
    {Opcode::CONVACT, "OutChannels", 0, {0x0000000000000009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (0<<13)
    {Opcode::CONVACT, "OutChannels", 63, {0x000000000007E009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (63<<13)
    {Opcode::CONVACT, "Kernel", 0, {0x0000000000000009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (0<<20)
    {Opcode::CONVACT, "Kernel", 1, {0x0000000000100009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (1<<20)
    {Opcode::CONVACT, "Stride", 0, {0x0000000000000009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (0<<21)
    {Opcode::CONVACT, "Stride", 1, {0x0000000000200009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (1<<21)
    {Opcode::CONVACT, "Padding", 0, {0x0000000000000009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (0<<22)
    {Opcode::CONVACT, "Padding", 1, {0x0000000000400009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (1<<22)
    {Opcode::CONVACT, "Activation", 0, {0x0000000000000009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (0<<23)
    {Opcode::CONVACT, "Activation", 1, {0x0000000000800009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (1<<23)
    {Opcode::CONVACT, "Activation", 2, {0x0000000001000009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (2<<23)
    {Opcode::CONVACT, "Split", 0, {0x0000000000000009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (0<<25)
    {Opcode::CONVACT, "Split", 1, {0x0000000002000009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (1<<25)
    {Opcode::CONVACT, "InHeight", 0, {0x0000000000000009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (0<<32)
    {Opcode::CONVACT, "InHeight", 1023, {0x000003FF00000009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (1023<<32)
    {Opcode::CONVACT, "InWidth", 0, {0x0000000000000009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (0<<42)
    {Opcode::CONVACT, "InWidth", 1023, {0x000FFC0000000009, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0x9 + (1023<<42)
    {Opcode::CONVACT, "InOffset", 0, {0x0000000000000009, 0x0000000000000000, 0x0000000000000000}},  // block 2: (0<<8)
    {Opcode::CONVACT, "InOffset", 0xFFFFFF, {0x0000000000000009, 0x00000000FFFFFF00, 0x0000000000000000}},  // block 2: (0xFFFFFF<<8)
    {Opcode::CONVACT, "WeightOffset", 0, {0x0000000000000009, 0x0000000000000000, 0x0000000000000000}},  // block 2: (0<<32)
    {Opcode::CONVACT, "WeightOffset", 0xFFFFFF, {0x0000000000000009, 0x00FFFFFF00000000, 0x0000000000000000}},  // block 2: (0xFFFFFF<<32)
    {Opcode::CONVACT, "OutOffset1", 0, {0x0000000000000009, 0x0000000000000000, 0x0000000000000000}},  // block 3: (0<<8)
    {Opcode::CONVACT, "OutOffset1", 0xFFFFFF, {0x0000000000000009, 0x0000000000000000, 0x00000000FFFFFF00}},  // block 3: (0xFFFFFF<<8)
    {Opcode::CONVACT, "OutOffset2", 0, {0x0000000000000009, 0x0000000000000000, 0x0000000000000000}},  // block 3: (0<<32)
    {Opcode::CONVACT, "OutOffset2", 0xFFFFFF, {0x0000000000000009, 0x0000000000000000, 0x00FFFFFF00000000}},  // block 3: (0xFFFFFF<<32)
    // ELADD: block 1, the first 64-bit word, has the opcode 0xB in bits [3:0] and the funct 0 in bits [5:4].
    {Opcode::ELADD, "InOffset1", 0, {0x000000000000000B, 0x0000000000000000}},  // block 1: 0xB + (0<<8)
    {Opcode::ELADD, "InOffset1", 0xFFFFFF, {0x00000000FFFFFF0B, 0x0000000000000000}},  // block 1: 0xB + (0xFFFFFF<<8)
    {Opcode::ELADD, "InOffset2", 0, {0x000000000000000B, 0x0000000000000000}},  // block 1: 0xB + (0<<32)
    {Opcode::ELADD, "InOffset2", 0xFFFFFF, {0x00FFFFFF0000000B, 0x0000000000000000}},  // block 1: 0xB + (0xFFFFFF<<32)
    {Opcode::ELADD, "Length2", 0, {0x000000000000000B, 0x0000000000000000}},  // block 1: 0xB + (0<<56)
    {Opcode::ELADD, "Length2", 255, {0xFF0000000000000B, 0x0000000000000000}},  // block 1: 0xB + (255<<56)
    {Opcode::ELADD, "OutOffset", 0, {0x000000000000000B, 0x0000000000000000}},  // block 2: (0<<8)
    {Opcode::ELADD, "OutOffset", 0xFFFFFF, {0x000000000000000B, 0x00000000FFFFFF00}},  // block 2: (0xFFFFFF<<8)
    {Opcode::ELADD, "Length1", 0, {0x000000000000000B, 0x0000000000000000}},  // block 2: (0<<32)
    {Opcode::ELADD, "Length1", 1023, {0x000000000000000B, 0x000003FF00000000}},  // block 2: (1023<<32)
    // ELMUL: block 1, the first 64-bit word, has the opcode 0xB in bits [3:0] and the funct 1 in bits [5:4].
    {Opcode::ELMUL, "InOffset1", 0, {0x000000000000001B, 0x0000000000000000}},  // block 1: 0xB + (1<<4) + (0<<8)
    {Opcode::ELMUL, "InOffset1", 0xFFFFFF, {0x00000000FFFFFF1B, 0x0000000000000000}},  // block 1: 0xB + (1<<4) + (0xFFFFFF<<8)
    {Opcode::ELMUL, "InOffset2", 0, {0x000000000000001B, 0x0000000000000000}},  // block 1: 0xB + (1<<4) + (0<<32)
    {Opcode::ELMUL, "InOffset2", 0xFFFFFF, {0x00FFFFFF0000001B, 0x0000000000000000}},  // block 1: 0xB + (1<<4) + (0xFFFFFF<<32)
    {Opcode::ELMUL, "Length2", 0, {0x000000000000001B, 0x0000000000000000}},  // block 1: 0xB + (1<<4) + (0<<56)
    {Opcode::ELMUL, "Length2", 255, {0xFF0000000000001B, 0x0000000000000000}},  // block 1: 0xB + (1<<4) + (255<<56)
    {Opcode::ELMUL, "OutOffset", 0, {0x000000000000001B, 0x0000000000000000}},  // block 2: (0<<8)
    {Opcode::ELMUL, "OutOffset", 0xFFFFFF, {0x000000000000001B, 0x00000000FFFFFF00}},  // block 2: (0xFFFFFF<<8)
    {Opcode::ELMUL, "Length1", 0, {0x000000000000001B, 0x0000000000000000}},  // block 2: (0<<32)
    {Opcode::ELMUL, "Length1", 1023, {0x000000000000001B, 0x000003FF00000000}},  // block 2: (1023<<32)
    // SMULI: block 1, the first 64-bit word, has the opcode 0xA in bits [3:0] and the funct 1 in bits [5:4].
    {Opcode::SMULI, "Immediate", 0, {0x000000000000001A, 0x0000000000000000}},  // block 1: 0xA + (1<<4) + (0<<6)
    {Opcode::SMULI, "Immediate", 0x3F80, {0x00000000000FE01A, 0x0000000000000000}},  // block 1: 0xA + (1<<4) + (0x3F80<<6)
    {Opcode::SMULI, "Immediate", 0xFFFF, {0x00000000003FFFDA, 0x0000000000000000}},  // block 1: 0xA + (1<<4) + (0xFFFF<<6)
    {Opcode::SMULI, "Length1", 0, {0x000000000000001A, 0x0000000000000000}},  // block 1: 0xA + (1<<4) + (0<<22)
    {Opcode::SMULI, "Length1", 1023, {0x00000000FFC0001A, 0x0000000000000000}},  // block 1: 0xA + (1<<4) + (1023<<22)
    {Opcode::SMULI, "InOffset", 0, {0x000000000000001A, 0x0000000000000000}},  // block 1: 0xA + (1<<4) + (0<<32)
    {Opcode::SMULI, "InOffset", 0xFFFFFF, {0x00FFFFFF0000001A, 0x0000000000000000}},  // block 1: 0xA + (1<<4) + (0xFFFFFF<<32)
    {Opcode::SMULI, "Length2", 0, {0x000000000000001A, 0x0000000000000000}},  // block 1: 0xA + (1<<4) + (0<<56)
    {Opcode::SMULI, "Length2", 255, {0xFF0000000000001A, 0x0000000000000000}},  // block 1: 0xA + (1<<4) + (255<<56)
    {Opcode::SMULI, "OutOffset", 0, {0x000000000000001A, 0x0000000000000000}},  // block 2: (0<<8)
    {Opcode::SMULI, "OutOffset", 0xFFFFFF, {0x000000000000001A, 0x00000000FFFFFF00}},  // block 2: (0xFFFFFF<<8)
    // SIGMOID: block 1, the first 64-bit word, has the opcode 0xA in bits [3:0] and the funct 2 in bits [5:4].
    {Opcode::SIGMOID, "Length1", 0, {0x000000000000002A, 0x0000000000000000}},  // block 1: 0xA + (2<<4) + (0<<22)
    {Opcode::SIGMOID, "Length1", 1023, {0x00000000FFC0002A, 0x0000000000000000}},  // block 1: 0xA + (2<<4) + (1023<<22)
    {Opcode::SIGMOID, "InOffset", 0, {0x000000000000002A, 0x0000000000000000}},  // block 1: 0xA + (2<<4) + (0<<32)
    {Opcode::SIGMOID, "InOffset", 0xFFFFFF, {0x00FFFFFF0000002A, 0x0000000000000000}},  // block 1: 0xA + (2<<4) + (0xFFFFFF<<32)
    {Opcode::SIGMOID, "Length2", 0, {0x000000000000002A, 0x0000000000000000}},  // block 1: 0xA + (2<<4) + (0<<56)
    {Opcode::SIGMOID, "Length2", 255, {0xFF0000000000002A, 0x0000000000000000}},  // block 1: 0xA + (2<<4) + (255<<56)
    {Opcode::SIGMOID, "OutOffset", 0, {0x000000000000002A, 0x0000000000000000}},  // block 2: (0<<8)
    {Opcode::SIGMOID, "OutOffset", 0xFFFFFF, {0x000000000000002A, 0x00000000FFFFFF00}},  // block 2: (0xFFFFFF<<8)
    // SOFTMAX: block 1, the first 64-bit word, has the opcode 0xA in bits [3:0] and the funct 3 in bits [5:4].
    {Opcode::SOFTMAX, "Length1", 0, {0x000000000000003A, 0x0000000000000000}},  // block 1: 0xA + (3<<4) + (0<<22)
    {Opcode::SOFTMAX, "Length1", 1023, {0x00000000FFC0003A, 0x0000000000000000}},  // block 1: 0xA + (3<<4) + (1023<<22)
    {Opcode::SOFTMAX, "InOffset", 0, {0x000000000000003A, 0x0000000000000000}},  // block 1: 0xA + (3<<4) + (0<<32)
    {Opcode::SOFTMAX, "InOffset", 0xFFFFFF, {0x00FFFFFF0000003A, 0x0000000000000000}},  // block 1: 0xA + (3<<4) + (0xFFFFFF<<32)
    {Opcode::SOFTMAX, "Length2", 0, {0x000000000000003A, 0x0000000000000000}},  // block 1: 0xA + (3<<4) + (0<<56)
    {Opcode::SOFTMAX, "Length2", 255, {0xFF0000000000003A, 0x0000000000000000}},  // block 1: 0xA + (3<<4) + (255<<56)
    {Opcode::SOFTMAX, "OutOffset", 0, {0x000000000000003A, 0x0000000000000000}},  // block 2: (0<<8)
    {Opcode::SOFTMAX, "OutOffset", 0xFFFFFF, {0x000000000000003A, 0x00000000FFFFFF00}},  // block 2: (0xFFFFFF<<8)
    // POOL: block 1, the first 64-bit word, has the opcode 0xC in bits [3:0] and the funct 0 in bits [5:4].
    {Opcode::POOL, "Channels", 0, {0x000000000000000C, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xC + (0<<6)
    {Opcode::POOL, "Channels", 63, {0x0000000000000FCC, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xC + (63<<6)
    {Opcode::POOL, "Padding", 0, {0x000000000000000C, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xC + (0<<20)
    {Opcode::POOL, "Padding", 7, {0x000000000070000C, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xC + (7<<20)
    {Opcode::POOL, "Mode", 0, {0x000000000000000C, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xC + (0<<23)
    {Opcode::POOL, "Mode", 1, {0x000000000080000C, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xC + (1<<23)
    {Opcode::POOL, "Kernel", 1, {0x000000000400000C, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xC + (1<<26)
    {Opcode::POOL, "Kernel", 15, {0x000000003C00000C, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xC + (15<<26)
    {Opcode::POOL, "Stride", 1, {0x000000004000000C, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xC + (1<<30)
    {Opcode::POOL, "Stride", 3, {0x00000000C000000C, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xC + (3<<30)
    {Opcode::POOL, "InHeight", 0, {0x000000000000000C, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xC + (0<<32)
    {Opcode::POOL, "InHeight", 1023, {0x000003FF0000000C, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xC + (1023<<32)
    {Opcode::POOL, "InWidth", 0, {0x000000000000000C, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xC + (0<<42)
    {Opcode::POOL, "InWidth", 1023, {0x000FFC000000000C, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xC + (1023<<42)
    {Opcode::POOL, "InOffset", 0, {0x000000000000000C, 0x0000000000000000, 0x0000000000000000}},  // block 2: (0<<8)
    {Opcode::POOL, "InOffset", 0xFFFFFF, {0x000000000000000C, 0x00000000FFFFFF00, 0x0000000000000000}},  // block 2: (0xFFFFFF<<8)
    {Opcode::POOL, "OutOffset1", 0, {0x000000000000000C, 0x0000000000000000, 0x0000000000000000}},  // block 3: (0<<8)
    {Opcode::POOL, "OutOffset1", 0xFFFFFF, {0x000000000000000C, 0x0000000000000000, 0x00000000FFFFFF00}},  // block 3: (0xFFFFFF<<8)
    // MOVE: block 1, the first 64-bit word, has the opcode 0xD in bits [3:0] and the funct 0 in bits [5:4].
    {Opcode::MOVE, "InOffset", 0, {0x000000000000000D, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xD + (0<<8)
    {Opcode::MOVE, "InOffset", 0xFFFFFF, {0x00000000FFFFFF0D, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xD + (0xFFFFFF<<8)
    {Opcode::MOVE, "OutOffset", 0, {0x000000000000000D, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xD + (0<<32)
    {Opcode::MOVE, "OutOffset", 0xFFFFFF, {0x00FFFFFF0000000D, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xD + (0xFFFFFF<<32)
    {Opcode::MOVE, "Repeat", 0, {0x000000000000000D, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xD + (0<<56)
    {Opcode::MOVE, "Repeat", 255, {0xFF0000000000000D, 0x0000000000000000, 0x0000000000000000}},  // block 1: 0xD + (255<<56)
    {Opcode::MOVE, "InStride", 0, {0x000000000000000D, 0x0000000000000000, 0x0000000000000000}},  // block 2: 0
    {Opcode::MOVE, "InStride", 0xFFFFFF, {0x000000000000000D, 0x0000000000FFFFFF, 0x0000000000000000}},  // block 2: 0xFFFFFF
    {Opcode::MOVE, "OutStride", 0, {0x000000000000000D, 0x0000000000000000, 0x0000000000000000}},  // block 2: (0<<32)
    {Opcode::MOVE, "OutStride", 0xFFFFFF, {0x000000000000000D, 0x00FFFFFF00000000, 0x0000000000000000}},  // block 2: (0xFFFFFF<<32)
    {Opcode::MOVE, "Run", 0, {0x000000000000000D, 0x0000000000000000, 0x0000000000000000}},  // block 3: 0
    {Opcode::MOVE, "Run", 262143, {0x000000000000000D, 0x0000000000000000, 0x000000000003FFFF}},  // block 3: 262143
    {Opcode::MOVE, "Count", 0, {0x000000000000000D, 0x0000000000000000, 0x0000000000000000}},  // block 3: (0<<32)
    {Opcode::MOVE, "Count", 262143, {0x000000000000000D, 0x0000000000000000, 0x0003FFFF00000000}},  // block 3: (262143<<32)
};
// clang-format on

TEST(Vectors, OneField) {
  for (const OneField &vector : kOneField) {
    SCOPED_TRACE(testing::Message() << instruction_of(vector.opcode).name << " " << vector.field << " " << vector.value);
    EXPECT_EQ(blocks_of_code(instruction(vector.opcode, {{vector.field, vector.value}})), vector.blocks);
    const MachineCode code = code_of_blocks(vector.blocks);
    EXPECT_EQ(find_instruction(code[0]), &instruction_of(vector.opcode));
    EXPECT_EQ(read_integer(code, *find_field(instruction_of(vector.opcode), vector.field)), vector.value);
  }
}

/// The encoder refuses values that are one below a field's least value or one above its greatest. The code then stays unchanged.
TEST(Vectors, BeyondTheLimits) {
  for (std::size_t i = 0; i < std::size(kOneField); ++i) {
    const OneField &vector = kOneField[i];
    const bool least = i == 0 || kOneField[i - 1].field != vector.field || kOneField[i - 1].opcode != vector.opcode;
    const bool most = i + 1 == std::size(kOneField) || kOneField[i + 1].field != vector.field || kOneField[i + 1].opcode != vector.opcode;
    for (const std::int64_t beyond : {vector.value - 1, vector.value + 1}) {
      if (beyond < vector.value ? !least : !most) continue;
      SCOPED_TRACE(testing::Message() << instruction_of(vector.opcode).name << " " << vector.field << " " << beyond);
      MachineCode code = code_of_blocks(vector.blocks);
      const Status status = set(code, *find_field(instruction_of(vector.opcode), vector.field), beyond);
      EXPECT_EQ(status.code(), ErrorCode::field_out_of_range);
      EXPECT_STREQ(status.what(), vector.field);
      EXPECT_EQ(status.value(), beyond);
      EXPECT_EQ(blocks_of_code(code), vector.blocks);
    }
  }
}

struct Whole {
  Opcode opcode;
  std::vector<Setting> settings;
  Blocks blocks;
};

// Instructions with a different value in each field. The comment above each gives its blocks as sums of shifted fields.
const Whole kWhole[] = {
    // block 1: 0x0 + (1<<6) + (2<<11) + (3<<16) + (4<<21) + (31<<26)
    {Opcode::CONFBADDR,
     {{"InputBase1", 1}, {"InputBase2", 2}, {"OutputBase1", 3}, {"OutputBase2", 4}, {"WeightBase", 31}},
     {0x000000007C831040}},
    // block 1: 0x9 + (3<<6) + (7<<13) + (1<<20) + (1<<21) + (1<<22) + (1<<23) + (1<<25) + (639<<32) + (319<<42)
    // block 2: (0x123456<<8) + (0xABCDEF<<32)
    // block 3: (0x13579B<<8) + (0xFEDCBA<<32)
    {Opcode::CONVACT,
     {{"InChannels", 3},
      {"OutChannels", 7},
      {"Kernel", 1},
      {"Stride", 1},
      {"Padding", 1},
      {"Activation", 1},
      {"Split", 1},
      {"InHeight", 639},
      {"InWidth", 319},
      {"InOffset", 0x123456},
      {"WeightOffset", 0xABCDEF},
      {"OutOffset1", 0x13579B},
      {"OutOffset2", 0xFEDCBA}},
     {0x0004FE7F02F0E0C9, 0x00ABCDEF12345600, 0x00FEDCBA13579B00}},
    // block 1: 0xB + (0x111112<<8) + (0x222224<<32) + (0xAB<<56)
    // block 2: (0x333336<<8) + (0x155<<32)
    {Opcode::ELADD,
     {{"InOffset1", 0x111112}, {"InOffset2", 0x222224}, {"OutOffset", 0x333336}, {"Length1", 0x155}, {"Length2", 0xAB}},
     {0xAB2222241111120B, 0x0000015533333600}},
    // block 1: 0xB + (1<<4) + (0x0F0F0E<<8) + (0xF0F0F0<<32) + (0x80<<56)
    // block 2: (0x800000<<8) + (1<<32)
    {Opcode::ELMUL,
     {{"InOffset1", 0x0F0F0E}, {"InOffset2", 0xF0F0F0}, {"OutOffset", 0x800000}, {"Length1", 1}, {"Length2", 0x80}},
     {0x80F0F0F00F0F0E1B, 0x0000000180000000}},
    // block 1: 0xA + (1<<4) + (0xBF80<<6) + (1000<<22) + (0x654320<<32) + (3<<56)
    // block 2: (0x0A0B0C<<8)
    {Opcode::SMULI,
     {{"Immediate", 0xBF80}, {"Length1", 1000}, {"InOffset", 0x654320}, {"Length2", 3}, {"OutOffset", 0x0A0B0C}},
     {0x03654320FA2FE01A, 0x000000000A0B0C00}},
    // block 1: 0xA + (2<<4) + (513<<22) + (0x400002<<32) + (1<<56)
    // block 2: (0x400000<<8)
    {Opcode::SIGMOID,
     {{"Length1", 513}, {"InOffset", 0x400002}, {"Length2", 1}, {"OutOffset", 0x400000}},
     {0x014000028040002A, 0x0000000040000000}},
    // block 1: 0xA + (3<<4) + (2<<22) + (36<<32) + (254<<56)
    // block 2: (72<<8)
    {Opcode::SOFTMAX, {{"Length1", 2}, {"InOffset", 36}, {"Length2", 254}, {"OutOffset", 72}}, {0xFE0000240080003A, 0x0000000000004800}},
    // block 1: 0xC + (31<<6) + (6<<20) + (1<<23) + (13<<26) + (2<<30) + (19<<32) + (20<<42)
    // block 2: (0x7FFFFE<<8)
    // block 3: (0x000102<<8)
    {Opcode::POOL,
     {{"Channels", 31},
      {"Padding", 6},
      {"Mode", 1},
      {"Kernel", 13},
      {"Stride", 2},
      {"InHeight", 19},
      {"InWidth", 20},
      {"InOffset", 0x7FFFFE},
      {"OutOffset1", 0x000102}},
     {0x00005013B4E007CC, 0x000000007FFFFE00, 0x0000000000010200}},
    // block 1: 0xD + (0x100000<<8) + (0x200000<<32) + (1<<56)
    // block 2: 80 + (160<<32)
    // block 3: 79 + (39<<32)
    {Opcode::MOVE,
     {{"InOffset", 0x100000}, {"OutOffset", 0x200000}, {"Repeat", 1}, {"InStride", 80}, {"OutStride", 160}, {"Run", 79}, {"Count", 39}},
     {0x012000001000000D, 0x000000A000000050, 0x000000270000004F}},
};

TEST(Vectors, WholeInstructions) {
  for (const Whole &vector : kWhole) {
    SCOPED_TRACE(instruction_of(vector.opcode).name);
    EXPECT_EQ(vector.settings.size(), instruction_of(vector.opcode).fields.size());
    EXPECT_EQ(blocks_of_code(instruction(vector.opcode, vector.settings)), vector.blocks);
    EXPECT_TRUE(check(code_of_blocks(vector.blocks)).ok());
    for (const Setting &setting : vector.settings) {
      EXPECT_EQ(read_integer(code_of_blocks(vector.blocks), *find_field(instruction_of(vector.opcode), setting.field)), setting.value)
          << setting.field;
    }
  }
}

/// Every field of every instruction has its vectors.
TEST(Vectors, NoFieldIsLeftOut) {
  for (const Instruction &row : kInstructions) {
    for (const Field &field : row.fields) {
      int vectors = 0;
      for (const OneField &vector : kOneField)
        vectors += vector.opcode == row.opcode && std::string_view(vector.field) == field.name ? 1 : 0;
      EXPECT_GE(vectors, 2) << row.name << " " << field.name;
    }
  }
}

}  // namespace
}  // namespace cox::isa::mx
