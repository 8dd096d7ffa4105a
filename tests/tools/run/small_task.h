// SPDX-License-Identifier: MIT
// A task that is easy to follow, for tests of code that runs tasks.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tile/image.h"
#include "tools/tile/stream.h"
#include "tools/tile/task.h"

namespace cox::tools::run {

/// Copies an INT8 tensor of 1 x 8 x 4 x 4 (128 bytes) from DRAM through L2 back to DRAM. Window 0 holds `x` at 0 and `y` at 128.
inline constexpr std::string_view kCopyStream =
    R"(["ct_st", {"slyr": 0, "clyr": [], "s_flyr": 0, "c_flyr": [], "wkl": 0, "tile": -1}, {"Prev_Insts": [], "Next_Insts": []}]
["ct_bc", {"slyr": 0, "clyr": [], "s_flyr": 0, "c_flyr": [], "wkl": 0, "tile": -1}, {"BCS": 0, "BufCut": [0, 8191, 0, 0, 0, 0, 0, 0], "Prev_Insts": [], "Next_Insts": ["LD"]}]
["lda_cfg", {"slyr": 0, "clyr": [], "s_flyr": 0, "c_flyr": [], "wkl": 0, "tile": -1}, {"SME": 1, "RS": 0, "BAS": 0, "DF": "INT8", "STile": [8, 4, 4], "DTile": [8, 4, 4]}]
["lda_mov", {"slyr": 0, "clyr": [], "s_flyr": 0, "c_flyr": [], "wkl": 0, "tile": -1}, {"RS": 0, "DBSG": 0, "STaddr": 0, "DTaddr": 4096, "Tile": [1, 8, 4, 4], "Prev_Insts": ["CT"], "Next_Insts": ["ST"]}]
["sta_cfg", {"slyr": 1, "clyr": [], "s_flyr": 0, "c_flyr": [], "wkl": 0, "tile": -1}, {"SME": 1, "RS": 0, "BAS": 0, "DF": "INT8", "STile": [8, 4, 4], "DTile": [8, 4, 4]}]
["sta_mov", {"slyr": 1, "clyr": [], "s_flyr": 0, "c_flyr": [], "wkl": 0, "tile": -1}, {"RS": 0, "SBSG": 0, "STaddr": 4096, "DTaddr": 128, "Tile": [1, 8, 4, 4], "Prev_Insts": ["LD"], "Next_Insts": ["CT"]}]
["ct_ed", {"slyr": 1, "clyr": [], "s_flyr": 0, "c_flyr": [], "wkl": 0, "tile": -1}, {"Prev_Insts": ["ST"], "Next_Insts": []}]
)";

inline constexpr std::size_t kTensor = 128;  ///< bytes of each tensor of copy_task()

inline task::Task copy_task() {
  task::Task task;
  task.name = "copy";
  task.geometry = {.l2_bytes = 8U << 20, .wl0_bytes = 0, .tile_cores = 1};
  task.instructions = task::read_stream(kCopyStream, "copy.jsonl");
  task.windows = {{.index = 0, .size = 2 * kTensor, .writable = true}};
  task.tensors = {
      {.name = "x", .direction = task::Direction::input, .shape = {1, 8, 4, 4}, .window = 0, .offset = 0, .size = kTensor},
      {.name = "y", .direction = task::Direction::output, .shape = {1, 8, 4, 4}, .window = 0, .offset = kTensor, .size = kTensor}};
  return task;
}

/// Returns kCopyStream with {"inst_idx", "time"} after the first {...} of each line, except for lines whose text in `times` is empty.
inline std::string timed_copy_stream(const std::vector<std::string> &times) {
  std::istringstream lines{std::string(kCopyStream)};
  std::string line;
  std::string trace;
  for (std::size_t i = 0; std::getline(lines, line); ++i) {
    if (!times.at(i).empty())
      line.insert(line.find('}') + 1, ", {\"inst_idx\": " + std::to_string(i + 1) + ", \"time\": " + times[i] + "}");
    trace += line + '\n';
  }
  return trace;
}

inline std::vector<std::uint8_t> counting(std::size_t size, unsigned first = 0) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(first + 7 * i);
  return bytes;
}

}  // namespace cox::tools::run
