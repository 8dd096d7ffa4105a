// SPDX-License-Identifier: MIT
// What each line of a program becomes.
#include "tools/unity/assemble.h"

#include <gtest/gtest.h>

#include <cstring>

#include "coxswain/isa/unity/operand_table.h"
#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/sync.h"
#include "tools/unity/disassemble.h"
#include "tools/unity/program_text.h"

namespace cox::tools::unity::assemble_test {
namespace {

using namespace isa::unity;  // NOLINT(google-build-using-namespace)

template <typename T>
T at(const std::vector<std::uint8_t> &bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, &bytes[offset], sizeof value);
  return value;
}

TEST(AssembleUnity, TwoUnitsWithAKey) {
  const auto bytes = assemble(R"(# a sum
.tensor a   window=0 offset=0x100 bytes=256 in
.tensor sum window=1 offset=64 bytes=256 out
.equ N = 8 * 8
.time_limit 2000
.key 1:2 = 3
.unit 0
    ADD D=sum S0=a S1=a+4 LEN=N D_UNIT=s32 S0_UNIT=s32 S1_UNIT=s32 SAT=true deposit=0:5
.unit 1
    ADD space=64 D=sum S0=sum S1=sum LEN=N fetch=2*0:5 deposit=3:255 blk
    EXIT
)",
                              "sum.xdsa");
  const ContainerHeader header = at<ContainerHeader>(bytes.container, 0);
  EXPECT_EQ(header.magic, kContainerMagic);
  EXPECT_EQ(header.units, 2);
  EXPECT_EQ(header.flags, kFlagRelative);
  EXPECT_EQ(header.programs, 2U);
  EXPECT_EQ(header.keys, 1U);
  EXPECT_EQ(header.time_limit, 2U);  // in 1024 cycles, rounded up
  EXPECT_EQ(header.page, 0U);
  // Header 32, two entries, one key: the images begin at 64; 64 bytes and 32 + 3 * 16 = 80 bytes; then the tables, 24 and 36 bytes.
  const auto first = at<ProgramEntry>(bytes.container, 32), second = at<ProgramEntry>(bytes.container, 40);
  EXPECT_EQ(first.offset, 64U);
  EXPECT_EQ(first.instructions, 2);
  EXPECT_EQ(second.offset, 128U);
  EXPECT_EQ(second.instructions, 3);
  EXPECT_EQ(second.unit, 1);
  const auto key = at<InitialKey>(bytes.container, 48);
  EXPECT_EQ(key.table, 1);
  EXPECT_EQ(key.entry, 2);
  EXPECT_EQ(key.count, 3);
  const auto add = at<MachineCode>(bytes.container, 64 + 32);
  EXPECT_EQ(add, (MachineCode{0x3F | 1U << 6, 2 | 5U << 18, 208, 0}));
  const auto other = at<MachineCode>(bytes.container, 128 + 32);
  EXPECT_EQ(other, (MachineCode{0x3F | 2U << 6, 1 | 2 | 4 | 1U << 3 | 3U << 8 | 5U << 10 | 255U << 18, 208 + 20, 0}));
  EXPECT_EQ(at<MachineCode>(bytes.container, 128 + 48), (MachineCode{0x3F | 0x3FFFU << 8, 0, 0, 0}));
  EXPECT_EQ(bytes.container[128], 0x00);
  EXPECT_EQ(bytes.container[130], 0x7F);
  // S0, S1, D, LEN, OP Mode.
  EXPECT_EQ((at<std::array<std::uint32_t, 5>>(bytes.container, 208)),
            (std::array<std::uint32_t, 5>{0x1000100, 0x1000104, 0x2000040, 64, 8 | 8 << 4 | 8 << 8 | 1 << 16}));
  EXPECT_EQ(bytes.container.size(), 228U + 36);
  ASSERT_EQ(bytes.bindings.image.tensors.size(), 2U);
  EXPECT_EQ(bytes.bindings.image.tensors[0].name, "a");
  EXPECT_EQ(bytes.bindings.image.tensors[1].window, 1);
  EXPECT_EQ(bytes.bindings.image.tensors[1].offset, 64U);
}

TEST(AssembleUnity, LabelsAndData) {
  const auto bytes = assemble(R"(
.unit 0
    WHILE_LOOP PRED=flag BODY=body LIMIT=4 UNIT=u8
    ADD table=0x1234
.sub body
.data flag align=16
    .u8 1, 0xFF, 2 + 3
    .s4 -1, 2, 7
    .fp32 1.5, -2, 0x7FC00000
    .s16 -2
    .zero 3
    .u32 body, flag
.data second at=0x200
    .u64 0xFFFFFFFFFFFFFFFF
)",
                              "loop.xdsa")
                         .container;
  const Container container = open_container(bytes, "");
  const std::uint32_t body = container.sub_program(0).offset;
  EXPECT_EQ(body, 64U + 96);
  const auto table = own_table(container, container.instruction(container.program(0), 0));
  ASSERT_TRUE(table);
  const auto field = [&](const char *name) { return get_field(table->bits, find_field(*table->layout, name), table->space); };
  EXPECT_EQ(field("BODY"), body);
  const auto flag = static_cast<std::size_t>(field("PRED"));
  EXPECT_EQ(flag % 16, 0U);
  EXPECT_EQ(std::vector<std::uint8_t>(&bytes[flag], &bytes[flag] + 5), (std::vector<std::uint8_t>{1, 0xFF, 5, 0x2F, 0x07}));
  EXPECT_EQ(at<std::uint32_t>(bytes, flag + 5), 0x3FC00000U);
  EXPECT_EQ(at<std::uint32_t>(bytes, flag + 9), 0xC0000000U);
  EXPECT_EQ(at<std::uint32_t>(bytes, flag + 13), 0x7FC00000U);
  EXPECT_EQ(at<std::uint16_t>(bytes, flag + 17), 0xFFFEU);
  EXPECT_EQ(at<std::uint32_t>(bytes, flag + 22), body);
  EXPECT_EQ(at<std::uint32_t>(bytes, flag + 26), flag);
  EXPECT_EQ(at<std::uint64_t>(bytes, 0x200), ~std::uint64_t{0});
  EXPECT_EQ(bytes.size(), 0x208U);
  EXPECT_EQ(container.instruction(container.program(0), 1).code[2], 0x1234U);
}

TEST(AssembleUnity, OtherDomainsAndRawPayloads) {
  const auto bytes =
      assemble(".unit 0\nsubmit mx queue=1 slots=2 address=0x1000 fetch=0:1\n.payload pim 1, 2, 3, 4\n.payload 0x5, 6, 7, 8\n", "x")
          .container;
  EXPECT_EQ(bytes[64], 0x81);
  EXPECT_EQ(bytes[65], 0x83);
  EXPECT_EQ(bytes[66], 0x00);
  EXPECT_EQ(at<MachineCode>(bytes, 96), (MachineCode{1 | 1 << 6 | 2 << 8, 1 | 1 << 10, 0x1000, 0}));
  EXPECT_EQ(at<MachineCode>(bytes, 112), (MachineCode{1, 2, 3, 4}));
  EXPECT_EQ(at<MachineCode>(bytes, 128), (MachineCode{5, 6, 7, 8}));
}

TEST(AssembleUnity, Pages) {
  const auto bytes =
      assemble(".absolute 0x20000\n.page 0x20000\n.host_deposits\n.unit 0\nADD space=16 D=8 S0=4 S1=4 LEN=1\n", "x").container;
  EXPECT_EQ(at<ContainerHeader>(bytes, 0).flags, kFlagHostDeposits);
  EXPECT_EQ(at<ContainerHeader>(bytes, 0).page, 0x20000U);
  EXPECT_EQ(at<MachineCode>(bytes, 96), (MachineCode{0x3F, 0, 128, 0}));
  EXPECT_EQ((at<std::array<std::uint16_t, 4>>(bytes, 128)), (std::array<std::uint16_t, 4>{4, 4, 8, 1}));
}

TEST(AssembleUnity, ParametersWithAFraction) {
  const auto bytes = assemble(".unit 0\nMAX_POOL FM_UNIT=fp32 PAD=-1.5\nLRN_NORM ALPHA=1e-4 BETA=-inf BIAS=0x7fc00001\n", "x").container;
  const Container container = open_container(bytes, "");
  const auto field = [&](std::uint32_t instruction, const char *name) {
    const auto table = own_table(container, container.instruction(container.program(0), instruction));
    return get_field(table->bits, find_field(*table->layout, name), table->space);
  };
  EXPECT_EQ(field(0, "PAD"), 0xBFC00000);
  EXPECT_EQ(field(1, "ALPHA"), 0x38D1B717);
  EXPECT_EQ(field(1, "BETA"), 0xFF800000);
  EXPECT_EQ(field(1, "BIAS"), 0x7FC00001);
}

TEST(AssembleUnity, PrintedText) {
  const std::string text =
      ".units 2\n"
      ".key 1:2 = 3\n"
      "\n.unit 0\n"
      "    ADD S0=0x1000000 S1=0x1000100 D=0x2000000 LEN=64 S0_UNIT=s32 S1_UNIT=s32 D_UNIT=s32 S2_UNIT=u4 deposit=0:5  # 0\n"
      "    COND PRED=0x1000000 TRUE=sub0 UNIT=u8 fetch=2*0:6 blk  # 1\n"
      "\n.unit 1\n"
      "    ADD table=0x2000000 fetch=0:5  # 0\n"
      "    EXIT  # 1\n"
      "\n.sub sub0\n"
      "    submit cube queue=2 slots=1 address=0x3000000  # 0\n";
  EXPECT_EQ(disassemble(open_container(assemble(text, "text").container, "")), text);
}

}  // namespace
}  // namespace cox::tools::unity::assemble_test
