// SPDX-License-Identifier: MIT
// Small tasks for tests of the hazard detector. Each function makes one instruction. Maps are INT8 with 8 channels and one row: 8 bytes a
// pixel.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "sim/model/tile/hazard/analysis.h"
#include "tools/tile/assemble.h"

namespace cox::model::hazard::test {

/// Concatenates strings and numbers.
template <typename... Parts>
std::string text(const Parts &...parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

/// The classes from which an instruction takes tokens (`previous`) and to which it gives tokens (`next`), as in JSON lists: `"LD", "PE"`.
struct Classes {
  std::string previous;
  std::string next;
};

inline std::string dependencies(const Classes &classes) {
  return text(R"("Prev_Insts": [)", classes.previous, R"(], "Next_Insts": [)", classes.next, "]}]");
}
inline std::string start(const Classes &classes = {}) { return text(R"(["ct_st", {}, {)", dependencies(classes)); }
inline std::string end(const Classes &classes = {}) { return text(R"(["ct_ed", {}, {)", dependencies(classes)); }

/// Defines region 0 of L2 as `blocks` blocks. The last of them is block number `last` of L2.
inline std::string cut(int blocks, int last, const Classes &classes = {}) {
  return text(R"(["ct_bc", {}, {"BCS": 0, "BufCut": [)", blocks, ", ", last, ", 0, 0, 0, 0, 0, 0], ", dependencies(classes));
}

/// Configures loads: both maps are `width` pixels wide.
inline std::string load_configuration(int width) {
  const std::string map = text("[8, 1, ", width, "]");
  return text(R"(["lda_cfg", {}, {"SME": 1, "RS": 0, "BAS": 0, "DF": "INT8", "STile": )", map, R"(, "DTile": )", map, "}]");
}
inline std::string load(int from, int to, int pixels, const Classes &classes = {}) {
  return text(R"(["lda_mov", {}, {"RS": 0, "DBSG": 0, "STaddr": )", from, R"(, "DTaddr": )", to, R"(, "Tile": [1, 8, 1, )", pixels, "], ",
              dependencies(classes));
}
inline std::string store_configuration(int width) {
  const std::string map = text("[8, 1, ", width, "]");
  return text(R"(["sta_cfg", {}, {"SME": 1, "RS": 0, "BAS": 0, "DF": "INT8", "STile": )", map, R"(, "DTile": )", map, "}]");
}
inline std::string store(int from, int to, int pixels, const Classes &classes = {}) {
  return text(R"(["sta_mov", {}, {"RS": 0, "SBSG": 0, "STaddr": )", from, R"(, "DTaddr": )", to, R"(, "Tile": [1, 8, 1, )", pixels, "], ",
              dependencies(classes));
}

/// Configures transforms of maps with `channels` channels (a multiple of 8) and `width` pixels.
inline std::string transform_configuration(int width, int channels = 8) {
  const std::string map = text("[", channels, ", 1, ", width, "]");
  return text(R"(["dt_cfg", {}, {"DF": "INT8", "STile": )", map, R"(, "DTile": )", map, "}]");
}
/// Copies 8 channels of `pixels` pixels.
inline std::string transform(int from, int to, int pixels, const Classes &classes = {}) {
  return text(R"(["dt_cal", {}, {"Order": 0, "SBSG": 0, "DBSG": 0, "STaddr": )", from, R"(, "DTaddr": )", to, R"(, "Tile": [1, 8, 1, )",
              pixels, "], ", dependencies(classes));
}

/// Configures records of `channels` 1x1 weights, with align8(channels) + 32 bytes each.
inline std::string weight_configuration(int channels) {
  const std::string record = text("[", channels, ", 1, 1]");
  return text(R"(["lw_cfg", {}, {"BAS": 1, "DF": "INT8", "MKC": 0, "MKEN": 0, "SWsize": )", record, R"(, "DWsize": )", record, "}]");
}
/// Loads weights from address `from` of L2 to WL0, beginning at unit `unit` of WL0. A unit has 64 bytes.
inline std::string load_weights(int from, int unit, int kernels, int channels, const Classes &classes = {},
                                const std::string &layers = {}) {
  return text(R"(["lw_mov", {"clyr": [)", layers, R"(]}, {"SS": 1, "XYmode": ["CUT_K", "CUT_H"], "SBSG": 0, "STaddr": )", from,
              R"(, "DTaddr": )", unit, R"(, "Wsize": [)", kernels, ", ", channels, ", 1, 1], ", dependencies(classes));
}
/// Configures a 1x1 convolution from `channels` to `kernels` channels over one pixel.
inline std::vector<std::string> convolution_configuration(int kernels, int channels) {
  const std::string k = std::to_string(kernels);
  const std::string c = std::to_string(channels);
  return {
      R"(["pe_cfg_fm", {}, {"IF": "SIGNED", "OF": "SIGNED", "SF": "INT8", "WF": "INT8", "DF": "INT8", "PADV": 0, "STile": [)" + c +
          R"(, 1, 1], "DTile": [)" + k + ", 1, 1]}]",
      R"(["pe_cfg_pm", {}, {"ACTMD": "DISABLE", "ACTPM": 0, "QC": "ROUND", "QB": 0, "QK": 1, "ADDEN": 0, "STRIDE": [1, 1], "XYmode": ["CUT_K", "CUT_H"]}])",
      R"(["pe_cfg_dq", {}, {"DQC": 0, "DQB": 0, "DQK": 0}])",
      R"(["pe_cfg_tp", {}, {"KERNEL": [1, 1], "Tile": [1, )" + k + ", " + c + R"(, 1, 1], "MTK0": 0, "MTC0": 0, "MTI": [0, 0]}])"};
}
inline std::string convolution(int from, int unit, int to, const Classes &classes = {}, int layer = -1) {
  return text(R"(["pe_conv", {"slyr": )", layer, R"(}, {"PS": 0, "SPHI": 0, "SPWI": 0, "SBSG": 0, "DBSG": 0, "STaddr": )", from,
              R"(, "SWaddr": )", unit, R"(, "DTaddr": )", to, ", ", dependencies(classes));
}

/// Returns the instruction `line` for core `core`.
inline std::string on_core(int core, std::string line) { return line.replace(line.find("{}"), 2, text(R"({"core": )", core, "}")); }
/// Makes an si_sync or so_sync. `previous` and `next` are the bits of Prev_Cores and Next_Cores.
inline std::string exchange(const char *name, int previous, int next, const Classes &classes = {}) {
  return text(R"([")", name, R"(", {}, {"Prev_Cores": )", previous, R"(, "Next_Cores": )", next, ", ", dependencies(classes));
}
inline std::string exchange_configuration(const char *name, int width) {
  const std::string map = text("[8, 1, ", width, "]");
  return text(R"([")", name, R"(", {}, {"DF": "INT8", "STile": )", map, R"(, "DTile": )", map, "}]");
}
/// Makes an so_mov to core `core`.
inline std::string export_to(int core, int from, int to, int pixels, int previous, int next, const Classes &classes = {}) {
  return text(R"(["so_mov", {}, {"CORE": )", core, R"(, "SBSG": 0, "STaddr": )", from, R"(, "DTaddr": )", to, R"(, "Tile": [1, 8, 1, )",
              pixels, R"(], "Prev_Cores": )", previous, R"(, "Next_Cores": )", next, ", ", dependencies(classes));
}
/// Makes an si_mov from core `core`.
inline std::string import_from(int core, int from, int to, int pixels, int previous, int next, const Classes &classes = {}) {
  return text(R"(["si_mov", {}, {"CORE": )", core, R"(, "DBSG": 0, "STaddr": )", from, R"(, "DTaddr": )", to, R"(, "Tile": [1, 8, 1, )",
              pixels, R"(], "Prev_Cores": )", previous, R"(, "Next_Cores": )", next, ", ", dependencies(classes));
}

/// A task, assembled from its lines.
struct Program {
  explicit Program(const std::vector<std::string> &lines) {
    for (const std::string &line : lines) {
      instructions.push_back(task::assemble_line(line));
      codes.push_back(instructions.back().code);
    }
    for (const task::Instruction &instruction : instructions) {
      layers.push_back({instruction.mapping.slyr, instruction.mapping.clyr});
    }
    Result<std::vector<Step>> made = make_steps(codes);
    EXPECT_TRUE(made.ok()) << made.status().what() << " of " << made.status().index();
    steps = std::move(made).value();
  }

  [[nodiscard]] Analysis analysis() const { return analyse(steps, layers); }

  std::vector<task::Instruction> instructions;
  std::vector<isa::tile::MachineCode> codes;
  std::vector<Layers> layers;
  std::vector<Step> steps;
};

}  // namespace cox::model::hazard::test
