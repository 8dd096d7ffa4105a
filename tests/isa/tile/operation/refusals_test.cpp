// SPDX-License-Identifier: MIT
// Everything that resolve() refuses: legal instructions in which one field contradicts another. Values and limits are worked out by hand.
#include <map>
#include <string>

#include "coxswain/isa/tile/operation.h"
#include "tests/isa/tile/operation/instruction.h"

namespace cox::isa::tile {
namespace {

using test::Values;
using Fields = std::map<std::string, Values>;
using Program = std::map<std::string, Fields>;

/// Instructions that resolve, together with their configurations.
Program legal() {
  Program program;
  for (const char *name : {"lda_cfg", "sta_cfg", "si_cfg", "so_cfg", "dt_cfg"}) {
    program[name] = {{"DF", {1}}, {"STile", {8, 4, 5}}, {"DTile", {8, 4, 5}}};
  }
  for (const char *name : {"lda_mov", "sta_mov", "si_mov", "so_mov", "dt_cal"}) program[name] = {{"Tile", {2, 8, 4, 5}}};
  program["si_mov"]["CORE"] = program["so_mov"]["CORE"] = {1};
  for (const char *name : {"ldw_cfg", "lw_cfg"}) program[name] = {{"DF", {1}}, {"SWsize", {16, 3, 3}}, {"DWsize", {16, 3, 3}}};
  for (const char *name : {"ldw_mov", "lw_mov"}) program[name] = {{"Wsize", {4, 16, 3, 3}}};
  program["pe_cfg_fm"] = {{"SF", {1}}, {"WF", {1}}, {"DF", {1}}, {"STile", {12, 9, 9}}, {"DTile", {8, 7, 7}}};
  program["pe_cfg_pm"] = {{"STRIDE", {1, 1}}};
  program["pe_cfg_tp"] = {{"KERNEL", {3, 3}}, {"Tile", {1, 8, 6, 7, 7}}, {"GROUPS", {2}}};
  program["pe_conv"] = {};
  program["si_sync"] = program["so_sync"] = {};
  program["vp_cfg_gcs"] = {{"CMPS", {1}}};
  program["vp_cfg_gms"] = {{"MG0V", {1}}};
  program["vp_cfg_sms"] = {};
  program["vp_cfg_qp"] = {};
  program["vp_cfg_iq"] = {};
  program["vp_cfg_iq1"] = {};
  program["vp_cfg_fm"] = {{"IDF", {1}}, {"ODF", {1}}, {"STile", {8, 4, 5}}, {"DTile", {8, 4, 5}}};
  program["vp_cfg_tp"] = {{"STRIDE", {1, 1}}, {"KERNEL", {1, 1}}, {"Tile", {8, 4, 5}}, {"T0F", {7}}, {"T1F", {7}}};
  program["vp_cfg_lut"] = {};
  program["vp_cfg_rs"] = {{"NUM", {1, 1}}, {"DEN", {1, 1}}};
  program["vp_self"] = {{"GPMD", {4}}, {"LUT", {16}}};
  program["vp_pool"] = {{"GPMD", {4}}, {"LUT", {17}}};
  return program;
}

MachineCode encode(const std::string &name, const Fields &fields) {
  MachineCode code = test::instruction(name, {});
  const Instruction &entry = *find_instruction(std::string_view(name));
  for (const auto &[field, values] : fields) {
    const Field *found = find_field(entry, field);
    EXPECT_NE(found, nullptr) << name << '.' << field;
    for (unsigned i = 0; i < values.size(); ++i) {
      const Status status = found->kind == Kind::floating_point ? set_float(code, *found, i, static_cast<float>(values[i]))
                                                                : set_integer(code, *found, i, static_cast<std::int64_t>(values[i]));
      EXPECT_TRUE(status.ok()) << name << '.' << field;
    }
  }
  return code;
}

Result<Operation> resolved(const Program &program, const std::string &name, unsigned core = 0) {
  Configuration configuration;
  for (const auto &[other, fields] : program) {
    if (find_instruction(std::string_view(other))->configuration && other != "ldw_cfg") {
      EXPECT_TRUE(configuration.apply(encode(other, fields)).ok());
    }
  }
  // ldw_cfg and lda_cfg write the same register set of LD, so ldw_mov is tested without lda_cfg.
  if (name == "ldw_mov") {
    configuration.clear();
    const auto cfg = program.find("ldw_cfg");
    if (cfg != program.end()) {
      EXPECT_TRUE(configuration.apply(encode("ldw_cfg", cfg->second)).ok());
    }
  }
  MachineCode code = encode(name, program.at(name));
  EXPECT_TRUE(set_core(code, core).ok());
  return resolve(code, configuration);
}

struct Change {
  const char *instruction;
  const char *field;
  Values values;
};

struct Refusal {
  const char *instruction;
  std::vector<Change> changes;
  ErrorCode code;
  const char *what;
  std::int32_t index = -1;
  std::int64_t value = 0, limit = 0;
};

constexpr ErrorCode kMismatch = ErrorCode::shape_mismatch, kOwnCore = ErrorCode::own_core, kUnsupported = ErrorCode::unsupported,
                    kRange = ErrorCode::field_out_of_range, kWeightBuffer = ErrorCode::address_outside_wl0,
                    kMisaligned = ErrorCode::misaligned_address;
constexpr std::int64_t kAddressable = std::int64_t{1} << 32;

const Refusal kRefusals[] = {
    // L2 addresses, which must be multiples of 8. DRAM addresses may have any value.
    {"lda_mov", {{"lda_mov", "STaddr", {3}}, {"lda_mov", "DTaddr", {1}}}, kMisaligned, "DTaddr", -1, 1, 8},
    {"sta_mov", {{"sta_mov", "DTaddr", {3}}, {"sta_mov", "STaddr", {4}}}, kMisaligned, "STaddr", -1, 4, 8},
    {"si_mov", {{"si_mov", "STaddr", {12}}}, kMisaligned, "STaddr", -1, 12, 8},
    {"so_mov", {{"so_mov", "DTaddr", {18}}}, kMisaligned, "DTaddr", -1, 18, 8},
    {"dt_cal", {{"dt_cal", "STaddr", {7}}}, kMisaligned, "STaddr", -1, 7, 8},
    {"dt_cal", {{"dt_cal", "Order", {1}}, {"dt_cal", "DTaddr", {2}}}, kMisaligned, "DTaddr", -1, 2, 8},
    {"dt_cal", {{"dt_cal", "Order", {1}}, {"dt_cal", "STaddr", {2}}}, kMisaligned, "STaddr", -1, 2, 8},
    {"ldw_mov", {{"ldw_mov", "STaddr", {3}}, {"ldw_mov", "DTaddr", {4}}}, kMisaligned, "DTaddr", -1, 4, 8},
    {"lw_mov", {{"lw_mov", "STaddr", {20}}}, kMisaligned, "STaddr", -1, 20, 8},
    {"pe_conv", {{"pe_conv", "STaddr", {-9}}}, kMisaligned, "STaddr", -1, -9, 8},
    {"pe_conv", {{"pe_conv", "DTaddr", {9}}}, kMisaligned, "DTaddr", -1, 9, 8},
    {"pe_conv", {{"pe_cfg_pm", "ADDEN", {1}}, {"pe_conv", "PTaddr", {4}}}, kMisaligned, "PTaddr", -1, 4, 8},
    {"pe_conv", {{"pe_cfg_pm", "ACTMD", {5}}, {"pe_cfg_lut", "Taddr", {4}}}, kMisaligned, "Taddr", -1, 4, 8},
    {"vp_self", {{"vp_self", "STaddr", {1}}}, kMisaligned, "STaddr", -1, 1, 8},
    {"vp_self", {{"vp_self", "DTaddr", {6}}}, kMisaligned, "DTaddr", -1, 6, 8},
    {"vp_self", {{"vp_self", "LUT", {18}}, {"vp_self", "GPMD", {69}}, {"vp_self", "STaddr1", {4}}}, kMisaligned, "STaddr1", -1, 4, 8},
    {"vp_self", {{"vp_self", "LUT", {32}}, {"vp_cfg_lut", "Taddr", {12}}}, kMisaligned, "Taddr", -1, 12, 8},
    {"vp_pool", {{"vp_pool", "STaddr", {-4}}}, kMisaligned, "STaddr", -1, -4, 8},
    {"vp_pool", {{"vp_pool", "DTaddr", {4}}}, kMisaligned, "DTaddr", -1, 4, 8},
    // Sizes of tiles and maps.
    {"lda_mov", {{"lda_mov", "Tile", {2, 9, 4, 5}}}, kMismatch, "STile", 0, 9, 8},
    {"lda_mov", {{"lda_mov", "Tile", {2, 8, 5, 5}}}, kMismatch, "STile", 1, 5, 4},
    {"lda_mov", {{"lda_mov", "Tile", {2, 8, 4, 6}}}, kMismatch, "STile", 2, 6, 5},
    {"sta_mov", {{"sta_cfg", "DTile", {7, 4, 5}}}, kMismatch, "DTile", 0, 8, 7},
    {"sta_mov", {{"sta_cfg", "DTile", {8, 4, 4}}}, kMismatch, "DTile", 2, 5, 4},
    {"lda_mov", {{"lda_cfg", "STile", {65535, 65535, 65535}}}, kMismatch, "STile", -1, std::int64_t{65536} * 65535 * 65535, kAddressable},
    {"dt_cal", {{"dt_cfg", "DTile", {8, 3, 5}}}, kMismatch, "DTile", 1, 4, 3},
    // Transforms. The orders 9 to 11 exchange two dimensions.
    {"dt_cal", {{"dt_cal", "Order", {9}}}, kMismatch, "DTile", 1, 5, 4},
    {"dt_cal", {{"dt_cal", "Order", {10}}}, kMismatch, "DTile", 2, 8, 5},
    {"dt_cal", {{"dt_cal", "Order", {11}}}, kMismatch, "DTile", 1, 8, 4},
    {"dt_cal", {{"dt_cal", "Order", {1}}, {"dt_cal", "Tile", {1, 8, 4, 6}}}, kMismatch, "STile", 2, 6, 5},
    {"dt_cal", {{"dt_cal", "Order", {3}}, {"dt_cfg", "DTile", {7, 4, 5}}}, kMismatch, "DTile", 0, 8, 7},
    {"dt_cal",
     {{"dt_cal", "Order", {2}}, {"dt_cfg", "DF", {6}}, {"dt_cfg", "STile", {65535, 65535, 65535}}},
     kMismatch,
     "STile",
     -1,
     std::int64_t{65535} * 65535 * 262144,  // a row of 65,535 FP32 takes 262,140 bytes, padded to 262,144
     kAddressable},
    // Exchanges between cores.
    {"si_mov", {{"si_mov", "CORE", {2}}}, kOwnCore, "CORE", -1, 2, 2},
    {"so_mov", {{"so_mov", "CORE", {2}}}, kOwnCore, "CORE", -1, 2, 2},
    {"so_mov", {{"so_mov", "Prev_Cores", {5}}}, kOwnCore, "Prev_Cores", -1, 5, 2},
    {"si_mov", {{"si_mov", "Next_Cores", {4}}}, kOwnCore, "Next_Cores", -1, 4, 2},
    {"si_sync", {{"si_sync", "Prev_Cores", {15}}}, kOwnCore, "Prev_Cores", -1, 15, 2},
    {"so_sync", {{"so_sync", "Next_Cores", {4}}}, kOwnCore, "Next_Cores", -1, 4, 2},
    {"si_mov", {{"si_cfg", "STile", {7, 4, 5}}}, kMismatch, "STile", 0, 8, 7},
    {"so_mov", {{"so_cfg", "DTile", {8, 4, 4}}}, kMismatch, "DTile", 2, 5, 4},
    // Moves of weights.
    {"ldw_mov", {{"ldw_cfg", "DF", {5}}}, kUnsupported, "DF", -1, 5},
    {"lw_mov", {{"lw_cfg", "DF", {5}}}, kUnsupported, "DF", -1, 5},
    {"ldw_mov", {{"ldw_cfg", "SWsize", {15, 3, 3}}}, kMismatch, "SWsize", 0, 15, 16},
    {"ldw_mov", {{"ldw_cfg", "SWsize", {16, 4, 3}}}, kMismatch, "SWsize", 1, 4, 3},
    {"ldw_mov", {{"ldw_cfg", "DWsize", {17, 3, 3}}}, kMismatch, "DWsize", 0, 17, 16},
    {"ldw_mov", {{"ldw_cfg", "DWsize", {16, 3, 2}}}, kMismatch, "DWsize", 2, 2, 3},
    {"lw_mov", {{"lw_cfg", "C0", {1}}}, kMismatch, "SWsize", 0, 16, 17},
    {"lw_mov", {{"lw_cfg", "C0", {1}}, {"lw_cfg", "DF", {0}}, {"lw_cfg", "SWsize", {20, 3, 3}}}, kMismatch, "C0", -1, 1, 2},
    {"lw_mov", {{"lw_cfg", "MAP", {1}}}, kMismatch, "Wsize", 2, 3, 1},
    {"lw_mov", {{"lw_mov", "DTaddr", {65527}}}, kWeightBuffer, "DTaddr", -1, 65527 * 64 + 4 * 176, 65536 * 64},
    {"ldw_mov",
     {{"ldw_cfg", "SWsize", {65535, 65535, 65535}},
      {"ldw_cfg", "DWsize", {65535, 65535, 65535}},
      {"ldw_mov", "Wsize", {65535, 65535, 65535, 65535}}},
     kMismatch,
     "Wsize",
     1,
     std::int64_t{65535} * 65535 * 65536 + 32,
     kAddressable},
    {"ldw_mov",
     {{"ldw_cfg", "SWsize", {65535, 256, 256}}, {"ldw_cfg", "DWsize", {1, 256, 256}}, {"ldw_mov", "Wsize", {1, 1, 256, 256}}},
     kMismatch,
     "SWsize",
     0,
     std::int64_t{65536} * 65536 + 32,
     kAddressable},
    // Convolutions.
    {"pe_conv", {{"pe_cfg_fm", "SF", {5}}}, kMismatch, "WF", -1, 1, 5},
    {"pe_conv", {{"pe_cfg_fm", "WF", {5}}}, kMismatch, "WF", -1, 5, 1},
    {"pe_conv", {{"pe_cfg_fm", "WF", {3}}}, kMismatch, "WF", -1, 3, 1},
    {"pe_conv", {{"pe_cfg_fm", "SF", {3}}, {"pe_cfg_fm", "WF", {4}}}, kMismatch, "WF", -1, 4, 3},
    {"pe_conv", {{"pe_cfg_fm", "SF", {6}}}, kMismatch, "WF", -1, 1, 6},
    {"pe_conv", {{"pe_cfg_tp", "GROUPS", {3}}}, kMismatch, "GROUPS", -1, 3, 8},
    {"pe_conv", {{"pe_cfg_tp", "GROUPS", {4}}}, kMismatch, "Tile", 2, 24, 12},
    {"pe_conv", {{"pe_cfg_tp", "Tile", {1, 8, 7, 7, 7}}}, kMismatch, "Tile", 2, 14, 12},
    {"pe_conv", {{"pe_cfg_tp", "Tile", {1, 10, 6, 7, 7}}}, kMismatch, "DTile", 0, 10, 8},
    {"pe_conv", {{"pe_cfg_tp", "Tile", {1, 8, 6, 8, 7}}}, kMismatch, "DTile", 1, 8, 7},
    {"pe_conv", {{"pe_cfg_tp", "Tile", {1, 8, 6, 7, 8}}}, kMismatch, "DTile", 2, 8, 7},
    {"pe_conv", {{"pe_cfg_fm", "STile", {65535, 65535, 65535}}}, kMismatch, "STile", -1, std::int64_t{65536} * 65535 * 65535, kAddressable},
    // The INT8 map fits into 2^32 bytes. Its accumulators do not: each of 65,535 x 4,096 pixels has 8 accumulators of 8 bytes.
    {"pe_conv",
     {{"pe_cfg_fm", "DTile", {8, 65535, 4096}}, {"pe_cfg_pm", "ADDEN", {1}}, {"pe_cfg_fm", "SF", {2}}, {"pe_cfg_fm", "STile", {12, 9, 9}}},
     kMismatch,
     "DTile",
     -1,
     std::int64_t{65535} * 4096 * 64,
     kAddressable},
    {"pe_conv", {{"pe_conv", "SWaddr", {65529}}}, kWeightBuffer, "SWaddr", -1, 65529 * 64 + 8 * 104, 65536 * 64},
    // The number of bytes of a single record exceeds 32 bits.
    {"pe_conv",
     {{"pe_cfg_fm", "SF", {6}},
      {"pe_cfg_fm", "WF", {6}},
      {"pe_cfg_fm", "STile", {65535, 9, 9}},
      {"pe_cfg_tp", "KERNEL", {255, 255}},
      {"pe_cfg_tp", "Tile", {1, 8, 65535, 7, 7}},
      {"pe_cfg_tp", "GROUPS", {0}}},
     kWeightBuffer,
     "SWaddr",
     -1,
     8 * (std::int64_t{255} * 255 * 262144 + 32),
     65536 * 64},
    {"pe_conv", {{"pe_cfg_pm", "ACTMD", {5}}}, ErrorCode::missing_configuration, "pe_cfg_lut"},
    // Functions of vector instructions.
    {"vp_self", {{"vp_self", "LUT", {24}}}, kUnsupported, "LUT", -1, 24},
    {"vp_self", {{"vp_self", "LUT", {17}}}, kUnsupported, "LUT", -1, 17},
    {"vp_self", {{"vp_self", "GPMD", {6}}}, kUnsupported, "GPMD", -1, 6},
    {"vp_self", {{"vp_self", "GPMD", {5}}}, kUnsupported, "GPMD", -1, 5},
    {"vp_self", {{"vp_self", "LUT", {18}}}, kUnsupported, "GPMD", -1, 4},
    {"vp_self", {{"vp_self", "LUT", {19}}}, kUnsupported, "GPMD", -1, 4},
    {"vp_self", {{"vp_self", "LUT", {40}}, {"vp_self", "GPMD", {69}}}, kUnsupported, "GPMD", -1, 69},
    {"vp_self", {{"vp_self", "LUT", {41}}, {"vp_self", "GPMD", {5}}}, kUnsupported, "GPMD", -1, 5},
    {"vp_self", {{"vp_self", "LUT", {20}}, {"vp_self", "GPMD", {5}}}, kUnsupported, "GPMD", -1, 5},
    {"vp_self", {{"vp_self", "LUT", {19}}, {"vp_self", "GPMD", {5}}, {"vp_cfg_gcs", "CMPS", {0}}}, kUnsupported, "CMPS"},
    {"vp_pool", {{"vp_pool", "LUT", {16}}}, kUnsupported, "LUT", -1, 16},
    {"vp_pool", {{"vp_pool", "GPMD", {69}}}, kUnsupported, "GPMD", -1, 69},
    {"vp_pool", {{"vp_cfg_gcs", "CMPS", {0}}}, kUnsupported, "CMPS"},
    {"vp_pool", {{"vp_cfg_gcs", "CMPS", {3}}}, kUnsupported, "CMPS", -1, 3},
    // vp_pool refuses the settings of reductions.
    {"vp_pool", {{"vp_pool", "CMPD", {6}}}, kUnsupported, "CMPD", -1, 6},
    {"vp_pool", {{"vp_pool", "TREED", {1}}}, kUnsupported, "TREED", -1, 1},
    {"vp_pool", {{"vp_pool", "LUT", {56}}, {"vp_pool", "TREED", {1}}}, kUnsupported, "TREED", -1, 1},
    {"vp_pool", {{"vp_pool", "ACCD", {6}}}, kUnsupported, "ACCD", -1, 6},
    {"vp_pool", {{"vp_pool", "LUT", {48}}, {"vp_pool", "ACCD", {1}}}, kUnsupported, "ACCD", -1, 1},
    {"vp_pool", {{"vp_cfg_tp", "T0F", {3}}}, kMismatch, "T0F", -1, 3, 7},
    // Reductions of vector instructions.
    {"vp_self", {{"vp_self", "LUT", {20}}}, kMismatch, "ACCD", -1, 0, 7},
    {"vp_self", {{"vp_self", "LUT", {21}}, {"vp_self", "CMPD", {7}}}, kMismatch, "ACCD", -1, 0, 7},
    {"vp_self", {{"vp_self", "LUT", {22}}, {"vp_self", "ACCD", {7}}}, kMismatch, "CMPD", -1, 0, 7},
    {"vp_self", {{"vp_self", "LUT", {23}}}, kMismatch, "CMPD", -1, 0, 7},
    {"vp_self", {{"vp_self", "LUT", {20}}, {"vp_self", "ACCD", {6}}, {"vp_self", "SWRS", {1}}}, kMismatch, "SWRS", -1, 6, 7},
    {"vp_self", {{"vp_self", "SWRS", {8}}}, kMismatch, "SWRS", -1, 0, 7},
    {"vp_pool", {{"vp_pool", "SWRS", {1}}}, kMismatch, "SWRS", -1, 0, 7},
    // Tensors of vector instructions.
    {"vp_self", {{"vp_cfg_tp", "T0F", {0}}}, kMismatch, "T0F", -1, 0, 7},
    {"vp_self", {{"vp_self", "LUT", {18}}, {"vp_self", "GPMD", {69}}, {"vp_cfg_tp", "T1F", {0}}}, kMismatch, "T1F", -1, 0, 7},
    {"vp_self", {{"vp_self", "LUT", {41}}, {"vp_self", "GPMD", {69}}}, kMismatch, "T1F", -1, 7, 5},
    {"vp_self", {{"vp_cfg_fm", "STile", {7, 4, 5}}}, kMismatch, "STile", 0, 8, 7},
    {"vp_self", {{"vp_cfg_fm", "STile", {8, 4, 4}}}, kMismatch, "STile", 2, 5, 4},
    {"vp_self", {{"vp_cfg_fm", "DTile", {8, 3, 5}}}, kMismatch, "DTile", 1, 4, 3},
    {"vp_self", {{"vp_self", "LUT", {20}}, {"vp_self", "ACCD", {2}}, {"vp_cfg_fm", "DTile", {8, 3, 1}}}, kMismatch, "DTile", 1, 4, 3},
    {"vp_self",
     {{"vp_self", "LUT", {18}},
      {"vp_self", "GPMD", {69}},
      {"vp_cfg_tp", "T0F", {4}},
      {"vp_cfg_tp", "T1F", {2}},
      {"vp_cfg_fm", "STile", {1, 4, 4}}},
     kMismatch,
     "STile",
     2,
     5,
     4},
    {"vp_self", {{"vp_cfg_fm", "STile", {65535, 65535, 65535}}}, kMismatch, "STile", -1, std::int64_t{65536} * 65535 * 65535, kAddressable},
    {"vp_self", {{"vp_cfg_fm", "DTile", {65535, 65535, 65535}}}, kMismatch, "DTile", -1, std::int64_t{65536} * 65535 * 65535, kAddressable},
    {"vp_pool", {{"vp_cfg_fm", "STile", {7, 4, 5}}}, kMismatch, "STile", 0, 8, 7},
    {"vp_pool", {{"vp_cfg_fm", "DTile", {8, 4, 4}}}, kMismatch, "DTile", 2, 5, 4},
    // Vector instructions that take a scalar from a scalar register: the register's number must be an integer from 0 to 7.
    {"vp_self",
     {{"vp_self", "LUT", {18}}, {"vp_self", "GPMD", {5}}, {"vp_cfg_gcs", "SG0VS", {1}}, {"vp_cfg_gcs", "SG0V", {8}}},
     kRange,
     "SG0V",
     0,
     8,
     7},
    {"vp_self",
     {{"vp_self", "LUT", {19}}, {"vp_self", "GPMD", {5}}, {"vp_cfg_gcs", "CMPVS", {1}}, {"vp_cfg_gcs", "CMPV", {-1}}},
     kRange,
     "CMPV",
     0,
     -1,
     7},
    {"vp_self", {{"vp_self", "LUT", {41}}, {"vp_cfg_gcs", "CMPVS", {1}}, {"vp_cfg_gcs", "CMPV", {2.5}}}, kRange, "CMPV", 0, 8, 7},
    {"vp_self", {{"vp_cfg_gms", "MG0S", {1}}, {"vp_cfg_gms", "MG0VS", {1}}, {"vp_cfg_gms", "MG0V", {1e30}}}, kRange, "MG0V", 0, 8, 7},
    {"vp_self", {{"vp_cfg_gms", "SG1M", {3}}, {"vp_cfg_gms", "SG1VS", {1}}, {"vp_cfg_gms", "SG1V", {-1e30}}}, kRange, "SG1V", 0, -1, 7},
    {"vp_self", {{"vp_cfg_sms", "SUMM", {1}}, {"vp_cfg_sms", "MULVS", {1}}, {"vp_cfg_sms", "MULV", {7.001}}}, kRange, "MULV", 0, 8, 7},
    {"vp_self", {{"vp_cfg_sms", "SUMM", {1}}, {"vp_cfg_sms", "SUMVS", {1}}, {"vp_cfg_sms", "SUMV", {9}}}, kRange, "SUMV", 0, 8, 7},
    {"vp_pool", {{"vp_pool", "LUT", {56}}, {"vp_cfg_gms", "MG0VS", {1}}, {"vp_cfg_gms", "MG0V", {0.25}}}, kRange, "MG0V", 0, 8, 7},
};

TEST(Refusals, WhatIsLegalResolves) {
  for (const char *name :
       {"lda_mov", "sta_mov", "si_mov", "so_mov", "dt_cal", "ldw_mov", "lw_mov", "pe_conv", "si_sync", "so_sync", "vp_self", "vp_pool"}) {
    EXPECT_TRUE(resolved(legal(), name, 2).ok()) << name;
  }
}

TEST(Refusals, APoolComparesAsItsModeSays) {
  Program program = legal();
  EXPECT_EQ(std::get<Vector>(resolved(program, "vp_pool").value()).function, VectorFunction::maximum_pool);
  program["vp_cfg_gcs"]["CMPS"] = {2};
  const auto pool = std::get<Vector>(resolved(program, "vp_pool").value());
  EXPECT_EQ(pool.function, VectorFunction::minimum_pool);
  EXPECT_TRUE(pool.is_pool());
}

TEST(Refusals, AddressesOfDramCountInBytes) {
  for (const char *name : {"lda_mov", "ldw_mov"}) {
    Program program = legal();
    program[name]["STaddr"] = {3};
    EXPECT_TRUE(resolved(program, name).ok()) << name;
  }
  Program program = legal();
  program["sta_mov"]["DTaddr"] = {3};
  EXPECT_TRUE(resolved(program, "sta_mov").ok());
  program["lw_mov"]["STaddr"] = {3};
  EXPECT_EQ(resolved(program, "lw_mov").status().code(), kMisaligned);
  program["lw_mov"]["SS"] = {1};
  EXPECT_TRUE(resolved(program, "lw_mov").ok());
}

TEST(Refusals, AnIndexThatItsBatchDoesNotHave) {
  Configuration configuration;
  for (const auto &[other, fields] : legal()) {
    if (find_instruction(std::string_view(other))->queue == Class::VP && find_instruction(std::string_view(other))->configuration) {
      EXPECT_TRUE(configuration.apply(encode(other, fields)).ok());
    }
  }
  MachineCode code = encode("vp_self", legal()["vp_self"]);
  ASSERT_TRUE(set_batch(code, 3).ok());
  EXPECT_TRUE(resolve(code, configuration).ok()) << "machine code from before it held the number of images";
  ASSERT_TRUE(set_images(code, 4).ok());
  EXPECT_EQ(std::get<Vector>(resolve(code, configuration).value()).images, 4U);
  ASSERT_TRUE(set_images(code, 3).ok());
  const Status status = resolve(code, configuration).status();
  EXPECT_EQ(status.code(), kRange);
  EXPECT_STREQ(status.what(), "batch");
  EXPECT_EQ(status.value(), 3);
  EXPECT_EQ(status.limit(), 2);
}

TEST(Refusals, NameFieldElementValueAndLimit) {
  for (const Refusal &refusal : kRefusals) {
    Program program = legal();
    std::string trace = refusal.instruction;
    for (const Change &change : refusal.changes) {
      program[change.instruction][change.field] = change.values;
      trace.append(" ").append(change.instruction).append(".").append(change.field);
    }
    SCOPED_TRACE(trace);
    const Status status = resolved(program, refusal.instruction, 2).status();
    EXPECT_EQ(status.code(), refusal.code) << error_name(status.code());
    EXPECT_STREQ(status.what(), refusal.what);
    EXPECT_EQ(status.index(), refusal.index);
    EXPECT_EQ(status.value(), refusal.value);
    EXPECT_EQ(status.limit(), refusal.limit);
  }
}

struct Missing {
  const char *instruction;
  double function, path;
  const char *configuration;
};

TEST(Refusals, ConfigurationsThatAreNotThere) {
  const Missing cases[] = {
      {"lda_mov", 0, 0, "lda_cfg"},      {"sta_mov", 0, 0, "sta_cfg"},     {"si_mov", 0, 0, "si_cfg"},
      {"so_mov", 0, 0, "so_cfg"},        {"dt_cal", 0, 0, "dt_cfg"},       {"ldw_mov", 0, 0, "ldw_cfg"},
      {"lw_mov", 0, 0, "lw_cfg"},        {"pe_conv", 0, 0, "pe_cfg_fm"},   {"pe_conv", 0, 0, "pe_cfg_pm"},
      {"pe_conv", 0, 0, "pe_cfg_tp"},    {"vp_self", 16, 4, "vp_cfg_fm"},  {"vp_self", 16, 4, "vp_cfg_tp"},
      {"vp_self", 16, 4, "vp_cfg_qp"},   {"vp_pool", 17, 4, "vp_cfg_fm"},  {"vp_pool", 17, 4, "vp_cfg_tp"},
      {"vp_pool", 17, 4, "vp_cfg_qp"},   {"vp_self", 16, 4, "vp_cfg_iq"},  {"vp_self", 18, 69, "vp_cfg_iq"},
      {"vp_self", 18, 69, "vp_cfg_iq1"}, {"vp_self", 18, 5, "vp_cfg_gcs"}, {"vp_self", 19, 69, "vp_cfg_gcs"},
      {"vp_self", 41, 4, "vp_cfg_gcs"},  {"vp_self", 32, 4, "vp_cfg_gms"}, {"vp_self", 32, 4, "vp_cfg_lut"},
      {"vp_pool", 17, 4, "vp_cfg_gcs"},  {"vp_pool", 56, 4, "vp_cfg_gms"}, {"vp_pool", 48, 4, "vp_cfg_rs"},
      {"vp_pool", 49, 4, "vp_cfg_rs"},
  };
  for (const Missing &missing : cases) {
    SCOPED_TRACE(std::string(missing.instruction) + " " + missing.configuration + " " + std::to_string(missing.function));
    Program program = legal();
    if (missing.function != 0) {
      program[missing.instruction]["LUT"] = {missing.function};
      program[missing.instruction]["GPMD"] = {missing.path};
      program[missing.instruction]["IQEN"] = {1};
    }
    EXPECT_TRUE(resolved(program, missing.instruction).ok());
    program.erase(missing.configuration);
    const Status status = resolved(program, missing.instruction).status();
    EXPECT_EQ(status.code(), ErrorCode::missing_configuration);
    EXPECT_STREQ(status.what(), missing.configuration);
  }
}

/// These configurations are optional: an instruction resolves without them.
TEST(Refusals, ConfigurationsThatNeedNotBeThere) {
  Program program = legal();
  for (const char *name : {"vp_cfg_gcs", "vp_cfg_gms", "vp_cfg_sms", "vp_cfg_iq", "vp_cfg_iq1", "vp_cfg_lut", "vp_cfg_rs"})
    program.erase(name);
  EXPECT_TRUE(resolved(program, "vp_self").ok());
  program["vp_self"] = {{"LUT", {18}}, {"GPMD", {69}}};
  EXPECT_TRUE(resolved(program, "vp_self").ok());
}

/// An unused register may have any number.
TEST(Refusals, ARegisterThatIsNotUsedNeedNotBeThere) {
  Program program = legal();
  program["vp_cfg_gms"] = {{"MG0VS", {1}}, {"MG0V", {100}}, {"SG1VS", {1}}, {"SG1V", {100}}};
  program["vp_cfg_sms"] = {{"MULVS", {1}}, {"MULV", {100}}};
  program["vp_cfg_gcs"] = {{"CMPS", {1}}, {"SG0VS", {1}}, {"SG0V", {100}}, {"CMPVS", {1}}, {"CMPV", {100}}};
  EXPECT_TRUE(resolved(program, "vp_self").ok());
  EXPECT_TRUE(resolved(program, "vp_pool").ok());
  program["vp_self"] = {{"LUT", {18}}, {"GPMD", {69}}};
  EXPECT_TRUE(resolved(program, "vp_self").ok());
}

TEST(Refusals, RegionsAndRemoteBlocks) {
  Access access;
  access.field = "STaddr";
  access.start = 1024;
  access.run = 1024;
  EXPECT_TRUE(check_remote(access.reach(), 1, 1).ok());
  const Status below = check_remote(access.reach(), 2, 9);
  EXPECT_EQ(below.code(), ErrorCode::address_outside_cut);
  EXPECT_STREQ(below.what(), "STaddr");
  EXPECT_EQ(below.value(), 1024);
  EXPECT_EQ(below.limit(), 2048);
  access.count = {2, 1, 1};
  access.stride = {1, 0, 0};
  const Status above = check_remote(access.reach(), 0, 1);
  EXPECT_EQ(above.code(), ErrorCode::address_outside_cut);
  EXPECT_EQ(above.value(), 2049);
  EXPECT_EQ(above.limit(), 2048);
}

}  // namespace
}  // namespace cox::isa::tile
