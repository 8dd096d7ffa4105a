// SPDX-License-Identifier: MIT
// Machine code of every instruction, worked out without the encoder: the value of each field, shifted to its bit in docs/isa/tile.md. These
// bits are a contract with the device. Only a new version of the instruction set may change them.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "coxswain/isa/tile/encode.h"
#include "coxswain/isa/tile/table.h"

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
  const char *tag = nullptr;  ///< name of the test, if the instruction has several vectors
  unsigned core = 0;
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
    {"vp_cfg_gms", 0x000, 0x000, {{"USED", 0, 1}, {"SEGE", 0, 1}, {"SEGN", 0, 203}, {"MG0S", 0, 0}, {"SG1M", 0, 0}, {"MG0VS", 0, 0}, {"SG1VS", 0, 1}, {"SG1V", 0, 43.5}, {"MG0V", 0, 6.0}},
     {0x00000051, 0x00000000, 0x422e0000, 0x40c00000, 0x04019603, 0x00000000, 0x00000000, 0x00000000}},
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
    {"vp_self", 0x13b, 0x059, {{"IQEN", 0, 0}, {"QEN", 0, 3}, {"SHMD", 0, 0}, {"GPMD", 0, 201}, {"CMPD", 0, 0}, {"TREED", 0, 0}, {"ACCD", 0, 0}, {"TM", 0, 0}, {"SWRS", 0, 0}, {"LUT", 0, 235}, {"SBSG", 0, 8}, {"SBSG1", 0, 1}, {"DBSG", 0, 6}, {"STaddr", 0, 535260423}, {"STaddr1", 0, 3562460772}, {"DTaddr", 0, 885983485}},
     {0x00000058, 0x0000b33b, 0x1fe76d07, 0xd456d664, 0x34cf08fd, 0x00006486, 0x00618eb0, 0x00000000}},
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
    {"lda_cfg", 0x000, 0x000, {{"DF", 0, 6}, {"CVT", 0, 7}, {"STile", 0, 1}, {"STile", 1, 65535}, {"STile", 2, 1}, {"DTile", 0, 65535}, {"DTile", 1, 1}, {"DTile", 2, 65535}},
     {0x00060020, 0x00000000, 0xffff0001, 0xffff0001, 0xffff0001, 0x00000ec0, 0x00000000, 0x00000000}, "lda_cfg_to_fp32", 3},
    {"ldw_cfg", 0x000, 0x000, {{"RS", 0, 1}, {"BAS", 0, 2}, {"DF", 0, 0}, {"MKC", 0, 255}, {"MKEN", 0, 1}, {"SWsize", 0, 512}, {"SWsize", 1, 3}, {"SWsize", 2, 5}, {"DWsize", 0, 100}, {"DWsize", 1, 3}, {"DWsize", 2, 5}, {"C0", 0, 65534}},
     {0x00000022, 0x00000000, 0x00030200, 0x00640005, 0x00050003, 0x0001ff09, 0x0000fffe, 0x00000000}, "ldw_cfg_channels", 0},
    {"lw_cfg", 0x000, 0x000, {{"BAS", 0, 3}, {"DF", 0, 4}, {"SWsize", 0, 77}, {"SWsize", 1, 1}, {"SWsize", 2, 1}, {"DWsize", 0, 64}, {"DWsize", 1, 1}, {"DWsize", 2, 1}, {"C0", 0, 13}, {"MAP", 0, 1}},
     {0x00020030, 0x00000000, 0x0001004d, 0x00400001, 0x00010001, 0x00000013, 0x0001000d, 0x00000000}, "lw_cfg_map", 1},
    {"pe_cfg_pm", 0x000, 0x000, {{"ACTMD", 0, 5}, {"ACTPM", 0, -0.5}, {"QC", 0, 3}, {"QB", 0, 1.0}, {"QK", 0, 0.25}, {"ADDEN", 0, 1}, {"STRIDE", 0, 255}, {"STRIDE", 1, 1}, {"XYmode", 0, 4}, {"XYmode", 1, 2}, {"PSUM", 0, 1}},
     {0x00000041, 0x00000000, 0xbf000000, 0x3f800000, 0x3e800000, 0x2a00fff5, 0x00000000, 0x00000000}, "pe_cfg_pm_sums", 0},
    {"pe_cfg_dq", 0x000, 0x000, {{"DQC", 0, 3}, {"DQB", 0, -1.5}, {"DQK", 0, 0.125}},
     {0x00040042, 0x00000000, 0xbfc00000, 0x3e000000, 0x00000003, 0x00000000, 0x00000000, 0x00000000}, "pe_cfg_dq_clip", 2},
    {"pe_cfg_tp", 0x000, 0x000, {{"KERNEL", 0, 1}, {"KERNEL", 1, 255}, {"Tile", 0, 1}, {"Tile", 1, 512}, {"Tile", 2, 4}, {"Tile", 3, 65535}, {"Tile", 4, 2}, {"MTK0", 0, 0}, {"MTC0", 0, 255}, {"MTI", 0, 7}, {"MTI", 1, 8}, {"GROUPS", 0, 65535}, {"DILATION", 0, 255}, {"DILATION", 1, 2}, {"UPSAMPLE", 0, 3}, {"UPSAMPLE", 1, 254}},
     {0x00000043, 0x00000000, 0x02000001, 0xffff0004, 0xff010002, 0x0807ff00, 0x02ffffff, 0x0000fe03}, "pe_cfg_tp_groups", 0},
    {"pe_conv", 0x004, 0x010, {{"PS", 0, 255}, {"SPHI", 0, -32768}, {"SPWI", 0, 32767}, {"SBSG", 0, 1}, {"DBSG", 0, 2}, {"STaddr", 0, -2147483648}, {"SWaddr", 0, 18431}, {"DTaddr", 0, 4294967295}, {"PTaddr", 0, 2863311530}, {"PBSG", 0, 13}},
     {0x00000044, 0x00002004, 0x80000000, 0xffffffff, 0x7fff8000, 0x21ff47ff, 0xaaaaaaaa, 0x0000000d}, "pe_conv_partial", 0},
    {"pe_cfg_lut", 0x000, 0x000, {{"LO", 0, -8.0}, {"STEP", 0, 16.0}, {"TBSG", 0, 9}, {"Taddr", 0, 305419896}, {"SEGN", 0, 254}, {"SEGE", 0, 1}},
     {0x00000045, 0x00000000, 0xc1000000, 0x41800000, 0x00001fe9, 0x12345678, 0x00000000, 0x00000000}, "pe_cfg_lut", 0},
    {"vp_cfg_gcs", 0x000, 0x000, {{"CMPS", 0, 8}, {"SG0M", 0, 4}, {"CMPVS", 0, 1}, {"SG0VS", 0, 1}, {"SG0V", 0, 7.0}, {"CMPV", 0, 0.0009765625}},
     {0x00000050, 0x00000000, 0x40e00000, 0x3a800000, 0x00000348, 0x00000000, 0x00000000, 0x00000000}, "vp_cfg_gcs_modes", 0},
    {"vp_cfg_gms", 0x000, 0x000, {{"USED", 0, 0}, {"SEGE", 0, 1}, {"SEGN", 0, 255}, {"MG0S", 0, 1}, {"SG1M", 0, 3}, {"MG0VS", 0, 1}, {"SG1VS", 0, 0}, {"SG1V", 0, 0.5}, {"MG0V", 0, 7.0}},
     {0x00000051, 0x00000000, 0x3f000000, 0x40e00000, 0x0263fe02, 0x00000000, 0x00000000, 0x00000000}, "vp_cfg_gms_modes", 0},
    {"vp_cfg_sms", 0x000, 0x000, {{"SUMM", 0, 1}, {"MULVS", 0, 0}, {"SUMVS", 0, 1}, {"SUMV", 0, 3.0}, {"MULV", 0, -1.0}},
     {0x00000052, 0x00000000, 0x40400000, 0xbf800000, 0x00000021, 0x00000000, 0x00000000, 0x00000000}, "vp_cfg_sms_affine", 0},
    {"vp_cfg_qp", 0x000, 0x000, {{"QCS", 0, 1}, {"QSMD", 0, 1}, {"QB", 0, -128.0}, {"QK", 0, 2.0}},
     {0x00000053, 0x00000000, 0xc3000000, 0x40000000, 0x00000005, 0x00000000, 0x00000000, 0x00000000}, "vp_cfg_qp_subtract", 0},
    {"vp_cfg_fm", 0x000, 0x000, {{"IF", 0, 1}, {"OF", 0, 0}, {"IDF", 0, 0}, {"ODF", 0, 6}, {"VF32", 0, 1}, {"STile", 0, 1}, {"STile", 1, 2}, {"STile", 2, 3}, {"DTile", 0, 4}, {"DTile", 1, 5}, {"DTile", 2, 6}},
     {0x00000056, 0x00000000, 0x00020001, 0x00040003, 0x00060005, 0x00000581, 0x00000000, 0x00000000}, "vp_cfg_fm_floats", 0},
    {"vp_cfg_lut", 0x000, 0x000, {{"LO", 0, -4.0}, {"STEP", 0, 0.0625}, {"TBSG", 0, 15}, {"Taddr", 0, 4294967295}},
     {0x0000005a, 0x00000000, 0xc0800000, 0x3d800000, 0x0000000f, 0xffffffff, 0x00000000, 0x00000000}, "vp_cfg_lut", 0},
    {"vp_cfg_rs", 0x000, 0x000, {{"NUM", 0, 0}, {"NUM", 1, 65535}, {"DEN", 0, 1}, {"DEN", 1, 65535}, {"OFFSET", 0, -2147483648}, {"OFFSET", 1, 2147483647}},
     {0x0000005b, 0x00000000, 0xffff0000, 0xffff0001, 0x80000000, 0x7fffffff, 0x00000000, 0x00000000}, "vp_cfg_rs", 0},
    {"vp_self", 0x008, 0x040, {{"IQEN", 0, 1}, {"QEN", 0, 1}, {"SHMD", 0, 15}, {"GPMD", 0, 4}, {"CMPD", 0, 6}, {"TREED", 0, 1}, {"ACCD", 0, 7}, {"TM", 0, 0}, {"SWRS", 0, 8}, {"LUT", 0, 20}, {"SBSG", 0, 3}, {"SBSG1", 0, 4}, {"DBSG", 0, 5}, {"STaddr", 0, 4096}, {"STaddr1", 0, 8192}, {"DTaddr", 0, 12288}},
     {0x00020058, 0x00008008, 0x00001000, 0x00002000, 0x00003000, 0x038b027b, 0x00543148, 0x00000000}, "vp_self_reduction", 1},
    {"vp_pool", 0x010, 0x020, {{"IQEN", 0, 0}, {"QEN", 0, 3}, {"SHMD", 0, 1}, {"GPMD", 0, 4}, {"CMPD", 0, 1}, {"TREED", 0, 1}, {"ACCD", 0, 2}, {"SWRS", 0, 1}, {"LUT", 0, 49}, {"IPH", 0, 100}, {"IPW", 0, -1}, {"SBSG", 0, 6}, {"DBSG", 0, 7}, {"STaddr", 0, -8}, {"DTaddr", 0, 64}},
     {0x00000059, 0x00004010, 0xfffffff8, 0x00000040, 0xffff0064, 0x0908820e, 0x00007631, 0x00000000}, "vp_pool_resize", 0},
    {"dt_cal", 0x001, 0x100, {{"Order", 0, 13}, {"SBSG", 0, 15}, {"DBSG", 0, 0}, {"STaddr", 0, 1}, {"DTaddr", 0, 2}, {"Tile", 0, 3}, {"Tile", 1, 4}, {"Tile", 2, 5}, {"Tile", 3, 6}},
     {0x00060071, 0x00020001, 0x00000001, 0x00000002, 0x00040003, 0x00060005, 0x000000fd, 0x00000000}, "dt_cal_last_order", 3},
    {"sta_cfg", 0x000, 0x000, {{"SME", 0, 1}, {"RS", 0, 2}, {"BAS", 0, 1}, {"DF", 0, 1}, {"STile", 0, 10}, {"STile", 1, 11}, {"STile", 2, 12}, {"DTile", 0, 13}, {"DTile", 1, 14}, {"DTile", 2, 15}, {"CVT", 0, 1}},
     {0x00000080, 0x00000000, 0x000b000a, 0x000d000c, 0x000f000e, 0x0000022d, 0x00000000, 0x00000000}, "sta_cfg_to_int4", 0},
    {"si_cfg", 0x000, 0x000, {{"DF", 0, 2}, {"STile", 0, 4660}, {"STile", 1, 22136}, {"STile", 2, 39612}, {"DTile", 0, 57072}, {"DTile", 1, 4951}, {"DTile", 2, 9320}},
     {0x00040090, 0x00000000, 0x56781234, 0xdef09abc, 0x24681357, 0x00000002, 0x00000000, 0x00000000}, "si_cfg", 2},
    {"si_mov", 0x1c4, 0x194, {{"CORE", 0, 3}, {"DBSG", 0, 11}, {"STaddr", 0, 2309737967}, {"DTaddr", 0, 19088743}, {"Tile", 0, 1}, {"Tile", 1, 65535}, {"Tile", 2, 3855}, {"Tile", 3, 61680}, {"Prev_Cores", 0, 10}, {"Next_Cores", 0, 5}},
     {0x00020091, 0x000329c4, 0x89abcdef, 0x01234567, 0xffff0001, 0xf0f00f0f, 0x00005a2f, 0x00000000}, "si_mov", 1},
    {"si_sync", 0x100, 0x001, {{"Prev_Cores", 0, 8}, {"Next_Cores", 0, 1}},
     {0x00000092, 0x00000300, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00001800, 0x00000000}, "si_sync", 0},
    {"so_cfg", 0x000, 0x000, {{"DF", 0, 4}, {"STile", 0, 8}, {"STile", 1, 9}, {"STile", 2, 10}, {"DTile", 0, 11}, {"DTile", 1, 12}, {"DTile", 2, 13}},
     {0x000000a0, 0x00000000, 0x00090008, 0x000b000a, 0x000d000c, 0x00000004, 0x00000000, 0x00000000}, "so_cfg", 0},
    {"so_mov", 0x1ce, 0x1fe, {{"CORE", 0, 1}, {"SBSG", 0, 6}, {"STaddr", 0, 16702650}, {"DTaddr", 0, 1985229328}, {"Tile", 0, 2}, {"Tile", 1, 3}, {"Tile", 2, 5}, {"Tile", 3, 7}, {"Prev_Cores", 0, 15}, {"Next_Cores", 0, 2}},
     {0x000600a1, 0x0003fdce, 0x00fedcba, 0x76543210, 0x00030002, 0x00070005, 0x00002f19, 0x00000000}, "so_mov", 3},
    {"so_sync", 0x080, 0x002, {{"Prev_Cores", 0, 5}, {"Next_Cores", 0, 10}},
     {0x000600a2, 0x00000480, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x0000a500, 0x00000000}, "so_sync", 3},
};
// clang-format on

void PrintTo(const Vector &vector, std::ostream *out) { *out << (vector.tag == nullptr ? vector.name : vector.tag); }

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
  ASSERT_TRUE(set_core(code, vector.core).ok());
  EXPECT_EQ(code, vector.code);
}

TEST_P(Vectors, ReadsBackTheValues) {
  const Vector &vector = GetParam();
  const Instruction *instruction = find_instruction(opcode_of(vector.code));
  ASSERT_NE(instruction, nullptr);
  EXPECT_STREQ(instruction->name, vector.name);
  EXPECT_EQ(previous_of(vector.code), vector.previous);
  EXPECT_EQ(next_of(vector.code), vector.next);
  EXPECT_EQ(core_of(vector.code), vector.core);
  EXPECT_TRUE(check(vector.code).ok());
  for (const Element &element : vector.elements) {
    const Field &field = *find_field(*instruction, element.field);
    const double value = field.kind == Kind::floating_point ? static_cast<double>(read_float(vector.code, field, element.element))
                                                            : static_cast<double>(read_integer(vector.code, field, element.element));
    EXPECT_EQ(value, element.value) << element.field << " " << element.element;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryInstruction, Vectors, testing::ValuesIn(kVectors), [](const testing::TestParamInfo<Vector> &vector) {
  return std::string(vector.param.tag == nullptr ? vector.param.name : vector.param.tag);
});

TEST(VectorsTable, HasEveryField) {
  for (const Instruction &instruction : kInstructions) {
    for (const Field &field : instruction.fields) {
      const bool found = std::any_of(std::begin(kVectors), std::end(kVectors), [&](const Vector &vector) {
        if (instruction.name != std::string_view(vector.name)) return false;
        return std::any_of(vector.elements.begin(), vector.elements.end(),
                           [&](const Element &element) { return std::string_view(element.field) == field.name; });
      });
      EXPECT_TRUE(found) << instruction.name << " " << field.name;
    }
  }
}

TEST(VectorsTable, HasEveryInstruction) {
  for (const Instruction &instruction : kInstructions) {
    const bool found = std::any_of(std::begin(kVectors), std::end(kVectors),
                                   [&](const Vector &vector) { return instruction.name == std::string_view(vector.name); });
    EXPECT_TRUE(found) << instruction.name;
  }
}

}  // namespace
}  // namespace cox::isa::tile
