// SPDX-License-Identifier: MIT
// Machine code of every instruction, worked out apart from the encoder: the value of each field shifted to the bit that docs/isa/tile.md
// gives it. These bits are a contract with the device; they change with the version of the instruction set alone.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isa/tile/check.h"
#include "isa/tile/encode.h"

namespace cox::isa::tile {
namespace {

struct Element {
  const char *field;
  unsigned element;
  double value;
};

struct Vector {
  const char *name;
  std::uint32_t previous, next;
  std::vector<Element> elements;
  MachineCode code;
};

// clang-format off
const Vector kVectors[] = {
    {"ct_st", 0x155, 0x0ab, {},
     {0x00000010, 0x00015755, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000}},
    {"ct_bc", 0x150, 0x0a0, {{"BCS", 0, 3}, {"BufCut", 0, 7960}, {"BufCut", 1, 5537}, {"BufCut", 2, 3062}, {"BufCut", 3, 5159}, {"BufCut", 4, 7940}, {"BufCut", 5, 5405}, {"BufCut", 6, 7106}, {"BufCut", 7, 5635}},
     {0x00000011, 0x00014150, 0x6ad0fc63, 0xc1284ebf, 0x7bc2a8ef, 0x000002c0, 0x00000000, 0x00000000}},
    {"ct_ed", 0x15f, 0x0bd, {},
     {0x00000012, 0x00017b5f, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000}},
    {"lda_cfg", 0x000, 0x000, {{"SME", 0, 1}, {"RS", 0, 2}, {"BAS", 0, 3}, {"DF", 0, 5}, {"STile", 0, 31358}, {"STile", 1, 56902}, {"STile", 2, 22337}, {"DTile", 0, 10742}, {"DTile", 1, 49402}, {"DTile", 2, 2058}},
     {0x00000020, 0x00000000, 0xde467a7e, 0x29f65741, 0x080ac0fa, 0x000000bd, 0x00000000, 0x00000000}},
    {"lda_mov", 0x141, 0x087, {{"RS", 0, 0}, {"DBSG", 0, 5}, {"STaddr", 0, 3726489258}, {"DTaddr", 0, 854973131}, {"Tile", 0, 14782}, {"Tile", 1, 54743}, {"Tile", 2, 17647}, {"Tile", 3, 57982}},
     {0x00000021, 0x00010f41, 0xde1db6aa, 0x32f5dacb, 0xd5d739be, 0xe27e44ef, 0x00000014, 0x00000000}},
    {"ldw_cfg", 0x000, 0x000, {{"RS", 0, 3}, {"BAS", 0, 0}, {"DF", 0, 6}, {"MKC", 0, 18}, {"MKEN", 0, 1}, {"SWsize", 0, 16756}, {"SWsize", 1, 48785}, {"SWsize", 2, 3859}, {"DWsize", 0, 64213}, {"DWsize", 1, 27632}, {"DWsize", 2, 2434}},
     {0x00000022, 0x00000000, 0xbe914174, 0xfad50f13, 0x09826bf0, 0x00011263, 0x00000000, 0x00000000}},
    {"ldw_mov", 0x14b, 0x0e9, {{"RS", 0, 2}, {"DBSG", 0, 3}, {"STaddr", 0, 844500144}, {"DTaddr", 0, 1204571993}, {"Wsize", 0, 17458}, {"Wsize", 1, 14597}, {"Wsize", 2, 44095}, {"Wsize", 3, 51099}},
     {0x00000023, 0x0001d34b, 0x32560cb0, 0x47cc4f59, 0x39054432, 0xc79bac3f, 0x0000000e, 0x00000000}},
    {"lw_cfg", 0x000, 0x000, {{"BAS", 0, 1}, {"DF", 0, 5}, {"MKC", 0, 179}, {"MKEN", 0, 0}, {"SWsize", 0, 882}, {"SWsize", 1, 42145}, {"SWsize", 2, 9698}, {"DWsize", 0, 62511}, {"DWsize", 1, 49317}, {"DWsize", 2, 53206}},
     {0x00000030, 0x00000000, 0xa4a10372, 0xf42f25e2, 0xcfd6c0a5, 0x00002cd5, 0x00000000, 0x00000000}},
    {"lw_mov", 0x17d, 0x0f3, {{"SS", 0, 0}, {"XYmode", 0, 1}, {"XYmode", 1, 1}, {"SBSG", 0, 7}, {"STaddr", 0, 1439896516}, {"DTaddr", 0, 10973}, {"Wsize", 0, 5008}, {"Wsize", 1, 44216}, {"Wsize", 2, 23955}, {"Wsize", 3, 458}},
     {0x00000031, 0x0001e77d, 0x55d313c4, 0x13902add, 0x5d93acb8, 0x039201ca, 0x00000000, 0x00000000}},
    {"pe_cfg_fm", 0x000, 0x000, {{"IF", 0, 1}, {"OF", 0, 0}, {"SF", 0, 6}, {"WF", 0, 3}, {"DF", 0, 6}, {"PADV", 0, 6.0}, {"STile", 0, 36146}, {"STile", 1, 25921}, {"STile", 2, 64128}, {"DTile", 0, 13245}, {"DTile", 1, 52841}, {"DTile", 2, 28431}},
     {0x00000040, 0x00000000, 0x40c00000, 0x65418d32, 0x33bdfa80, 0x6f0fce69, 0x000018d9, 0x00000000}},
    {"pe_cfg_pm", 0x000, 0x000, {{"ACTMD", 0, 4}, {"ACTPM", 0, 43.5}, {"QC", 0, 0}, {"QB", 0, 6.0}, {"QK", 0, -2.25}, {"ADDEN", 0, 1}, {"STRIDE", 0, 91}, {"STRIDE", 1, 103}, {"XYmode", 0, 0}, {"XYmode", 1, 1}},
     {0x00000041, 0x00000000, 0x422e0000, 0x40c00000, 0xc0100000, 0x0433adc4, 0x00000000, 0x00000000}},
    {"pe_cfg_dq", 0x000, 0x000, {{"DQC", 0, 1}, {"DQB", 0, -128.0}, {"DQK", 0, 3.75}},
     {0x00000042, 0x00000000, 0xc3000000, 0x40700000, 0x00000001, 0x00000000, 0x00000000, 0x00000000}},
    {"pe_cfg_tp", 0x000, 0x000, {{"KERNEL", 0, 219}, {"KERNEL", 1, 86}, {"Tile", 0, 13959}, {"Tile", 1, 17615}, {"Tile", 2, 49072}, {"Tile", 3, 54936}, {"Tile", 4, 28197}, {"MTK0", 0, 159}, {"MTC0", 0, 28}, {"MTI", 0, 85}, {"MTI", 1, 154}},
     {0x00000043, 0x00000000, 0x44cf3687, 0xd698bfb0, 0x56db6e25, 0x9a551c9f, 0x00000000, 0x00000000}},
    {"pe_conv", 0x114, 0x024, {{"PS", 0, 143}, {"SPHI", 0, 11596}, {"SPWI", 0, -17979}, {"SBSG", 0, 10}, {"DBSG", 0, 11}, {"STaddr", 0, -679576456}, {"SWaddr", 0, 14209}, {"DTaddr", 0, 1217419350}},
     {0x00000044, 0x00004914, 0xd77e7c78, 0x48905856, 0xb9c52d4c, 0xba8f3781, 0x00000000, 0x00000000}},
    {"vp_cfg_gcs", 0x000, 0x000, {{"CMPS", 0, 0}, {"SG0M", 0, 0}, {"CMPVS", 0, 0}, {"SG0VS", 0, 1}, {"SG0V", 0, 0.0078125}, {"CMPV", 0, -2.25}},
     {0x00000050, 0x00000000, 0x3c000000, 0xc0100000, 0x00000200, 0x00000000, 0x00000000, 0x00000000}},
    {"vp_cfg_gms", 0x000, 0x000, {{"USED", 0, 1}, {"SEGE", 0, 170}, {"SEGN", 0, 203}, {"MG0S", 0, 0}, {"SG1M", 0, 0}, {"MG0VS", 0, 0}, {"SG1VS", 0, 1}, {"SG1V", 0, 43.5}, {"MG0V", 0, 6.0}},
     {0x00000051, 0x00000000, 0x422e0000, 0x40c00000, 0x04019755, 0x00000000, 0x00000000, 0x00000000}},
    {"vp_cfg_sms", 0x000, 0x000, {{"SUMM", 0, 0}, {"MULVS", 0, 1}, {"SUMVS", 0, 0}, {"SUMV", 0, -128.0}, {"MULV", 0, -2.25}},
     {0x00000052, 0x00000000, 0xc3000000, 0xc0100000, 0x00000010, 0x00000000, 0x00000000, 0x00000000}},
    {"vp_cfg_qp", 0x000, 0x000, {{"QCS", 0, 3}, {"QSMD", 0, 0}, {"QB", 0, 3.75}, {"QK", 0, 6.0}},
     {0x00000053, 0x00000000, 0x40700000, 0x40c00000, 0x00000003, 0x00000000, 0x00000000, 0x00000000}},
    {"vp_cfg_iq", 0x000, 0x000, {{"IQCS", 0, 2}, {"IQB0", 0, 0.0078125}, {"IQK0", 0, 3.75}},
     {0x00000054, 0x00000000, 0x3c000000, 0x40700000, 0x00000002, 0x00000000, 0x00000000, 0x00000000}},
    {"vp_cfg_iq1", 0x000, 0x000, {{"IQB1", 0, 3.75}, {"IQK1", 0, -2.25}},
     {0x00000055, 0x00000000, 0x40700000, 0xc0100000, 0x00000000, 0x00000000, 0x00000000, 0x00000000}},
    {"vp_cfg_fm", 0x000, 0x000, {{"IF", 0, 0}, {"OF", 0, 1}, {"IDF", 0, 6}, {"ODF", 0, 4}, {"VF32", 0, 0}, {"STile", 0, 55129}, {"STile", 1, 2919}, {"STile", 2, 9039}, {"DTile", 0, 17579}, {"DTile", 1, 52539}, {"DTile", 2, 47067}},
     {0x00000056, 0x00000000, 0x0b67d759, 0x44ab234f, 0xb7dbcd3b, 0x0000011a, 0x00000000, 0x00000000}},
    {"vp_cfg_tp", 0x000, 0x000, {{"STRIDE", 0, 120}, {"STRIDE", 1, 23}, {"KERNEL", 0, 201}, {"KERNEL", 1, 53}, {"Tile", 0, 1251}, {"Tile", 1, 52970}, {"Tile", 2, 63764}, {"T1F", 0, 6}, {"T0F", 0, 7}, {"PADV_AREA", 0, -128.0}},
     {0x00000057, 0x00000000, 0xc3000000, 0xceea04e3, 0x1778f914, 0x003e35c9, 0x00000000, 0x00000000}},
    {"vp_self", 0x13b, 0x059, {{"IQEN", 0, 0}, {"QEN", 0, 3}, {"SHMD", 0, 0}, {"GPMD", 0, 201}, {"CMPD", 0, 0}, {"TREED", 0, 0}, {"ACCD", 0, 0}, {"TM", 0, 5}, {"SWRS", 0, 0}, {"LUT", 0, 235}, {"SBSG", 0, 8}, {"SBSG1", 0, 1}, {"DBSG", 0, 6}, {"STaddr", 0, 535260423}, {"STaddr1", 0, 3562460772}, {"DTaddr", 0, 885983485}},
     {0x00000058, 0x0000b33b, 0x1fe76d07, 0xd456d664, 0x34cf08fd, 0x28006486, 0x00618eb0, 0x00000000}},
    {"vp_pool", 0x126, 0x056, {{"IQEN", 0, 1}, {"QEN", 0, 2}, {"SHMD", 0, 3}, {"GPMD", 0, 16}, {"CMPD", 0, 0}, {"TREED", 0, 0}, {"ACCD", 0, 0}, {"SWRS", 0, 0}, {"LUT", 0, 53}, {"IPH", 0, -19718}, {"IPW", 0, -22309}, {"SBSG", 0, 8}, {"DBSG", 0, 1}, {"STaddr", 0, -1150046458}, {"DTaddr", 0, 2506400247}},
     {0x00000059, 0x0000ad26, 0xbb73af06, 0x9564a1f7, 0xa8dbb2fa, 0x0000081d, 0x00001835, 0x00000000}},
    {"dt_cfg", 0x000, 0x000, {{"DF", 0, 5}, {"STile", 0, 29752}, {"STile", 1, 60810}, {"STile", 2, 659}, {"DTile", 0, 52886}, {"DTile", 1, 40372}, {"DTile", 2, 55815}},
     {0x00000070, 0x00000000, 0xed8a7438, 0xce960293, 0xda079db4, 0x00000005, 0x00000000, 0x00000000}},
    {"dt_cal", 0x128, 0x1b8, {{"Order", 0, 3}, {"SBSG", 0, 0}, {"DBSG", 0, 9}, {"STaddr", 0, 2378277534}, {"DTaddr", 0, 1616751023}, {"Tile", 0, 2385}, {"Tile", 1, 51125}, {"Tile", 2, 42513}, {"Tile", 3, 57667}},
     {0x00000071, 0x00037128, 0x8dc1a29e, 0x605da9af, 0xc7b50951, 0xe143a611, 0x00000903, 0x00000000}},
    {"sta_cfg", 0x000, 0x000, {{"SME", 0, 0}, {"RS", 0, 3}, {"BAS", 0, 0}, {"DF", 0, 2}, {"STile", 0, 19734}, {"STile", 1, 226}, {"STile", 2, 16728}, {"DTile", 0, 53925}, {"DTile", 1, 32305}, {"DTile", 2, 63726}},
     {0x00000080, 0x00000000, 0x00e24d16, 0xd2a54158, 0xf8ee7e31, 0x00000046, 0x00000000, 0x00000000}},
    {"sta_mov", 0x1d2, 0x182, {{"RS", 0, 1}, {"SBSG", 0, 14}, {"STaddr", 0, 648385519}, {"DTaddr", 0, 2727876396}, {"Tile", 0, 3158}, {"Tile", 1, 27774}, {"Tile", 2, 12038}, {"Tile", 3, 35630}},
     {0x00000081, 0x000305d2, 0x26a593ef, 0xa298172c, 0x6c7e0c56, 0x8b2e2f06, 0x00000039, 0x00000000}},
    {"si_cfg", 0x000, 0x000, {},
     {0x00000090, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000}},
    {"si_mov", 0x1c4, 0x194, {},
     {0x00000091, 0x000329c4, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000}},
    {"so_cfg", 0x000, 0x000, {},
     {0x000000a0, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000}},
    {"so_mov", 0x1ce, 0x1fe, {},
     {0x000000a1, 0x0003fdce, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000}},
};
// clang-format on

class Vectors : public testing::TestWithParam<Vector> {};

TEST_P(Vectors, EncodesToTheseBits) {
  const Vector &vector = GetParam();
  const Instruction *instruction = find_instruction(std::string_view(vector.name));
  ASSERT_NE(instruction, nullptr);
  MachineCode code = begin(instruction->opcode);
  for (const Element &element : vector.elements) {
    const Field *field = find_field(*instruction, element.field);
    ASSERT_NE(field, nullptr) << element.field;
    const Status status = field->kind == Kind::floating_point
                              ? set_float(code, *field, element.element, static_cast<float>(element.value))
                              : set_integer(code, *field, element.element, static_cast<std::int64_t>(element.value));
    ASSERT_TRUE(status.ok()) << element.field << " " << element.element;
  }
  ASSERT_TRUE(set_dependencies(code, vector.previous, vector.next).ok());
  EXPECT_EQ(code, vector.code);
}

TEST_P(Vectors, ReadsBackTheValues) {
  const Vector &vector = GetParam();
  const Instruction *instruction = find_instruction(opcode_of(vector.code));
  ASSERT_NE(instruction, nullptr);
  EXPECT_STREQ(instruction->name, vector.name);
  EXPECT_EQ(previous_of(vector.code), vector.previous);
  EXPECT_EQ(next_of(vector.code), vector.next);
  for (const Element &element : vector.elements) {
    const Field &field = *find_field(*instruction, element.field);
    const double value = field.kind == Kind::floating_point ? static_cast<double>(read_float(vector.code, field, element.element))
                                                            : static_cast<double>(read_integer(vector.code, field, element.element));
    EXPECT_EQ(value, element.value) << element.field << " " << element.element;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryInstruction, Vectors, testing::ValuesIn(kVectors),
                         [](const testing::TestParamInfo<Vector> &vector) { return std::string(vector.param.name); });

TEST(VectorsTable, HasEveryInstruction) {
  for (const Instruction &instruction : kInstructions) {
    const bool found = std::any_of(std::begin(kVectors), std::end(kVectors),
                                   [&](const Vector &vector) { return instruction.name == std::string_view(vector.name); });
    EXPECT_TRUE(found) << instruction.name;
  }
}

}  // namespace
}  // namespace cox::isa::tile
