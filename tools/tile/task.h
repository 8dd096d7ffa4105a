// SPDX-License-Identifier: MIT
// A task in memory: the contents of a task image (docs/task-image.md) in ordinary containers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "coxswain/isa/tile/enumerations.h"
#include "coxswain/isa/tile/header.h"
#include "tools/image/contents.h"

namespace cox::task {

/// The origin of an instruction: the second part of its line (docs/cox.md, Streams). A member that is -1 or an empty list does not apply to
/// the instruction.
struct Mapping {
  std::int32_t slyr = -1;
  std::vector<std::int32_t> clyr;
  std::int32_t s_flyr = -1;
  std::vector<std::int32_t> c_flyr;
  std::int32_t wkl = -1;
  std::int32_t tile = -1;

  bool operator==(const Mapping &) const = default;
};

/// Start and end of an instruction in cycles, from a trace file.
struct Times {
  std::int64_t index = 0;  ///< `inst_idx`, counted from 1
  std::int64_t start = 0;
  std::int64_t end = 0;

  bool operator==(const Times &) const = default;
};

struct Instruction {
  isa::tile::MachineCode code{};
  Mapping mapping;
  // These members exist only in streams; an image does not hold them.
  std::optional<Times> times;
  std::optional<std::int32_t> tiles;  ///< number of images of the batch, if the line states it; the machine code has the number, too
  int line = 0;                       ///< line of the stream, from 1; 0 if the task came from an image

  /// Compares machine code and mapping, but not the members that only streams have.
  [[nodiscard]] bool same_instruction(const Instruction &other) const { return code == other.code && mapping == other.mapping; }
};

/// The smallest device on which the task can run.
struct Geometry {
  std::uint32_t l2_bytes = 0;
  std::uint32_t wl0_bytes = 0;
  std::uint32_t tile_cores = 1;

  bool operator==(const Geometry &) const = default;
};

using tools::Constant;
using tools::Direction;
using tools::Window;

struct Tensor {
  std::string name;
  Direction direction = Direction::input;
  isa::tile::DataFmt format = isa::tile::DataFmt::INT8;
  std::array<std::uint32_t, 4> shape{1, 1, 1, 1};  ///< N, C, H, W; in memory the elements are in the order NHWC
  std::uint8_t window = 0;
  std::uint64_t offset = 0;  ///< bytes from the window's base
  std::uint64_t size = 0;    ///< bytes
  bool padded = false;       ///< each pixel's channels take a multiple of 8 bytes

  bool operator==(const Tensor &) const = default;
};

struct Task {
  std::string name;
  Geometry geometry;
  std::vector<Instruction> instructions;
  std::vector<Window> windows;
  std::vector<Constant> constants;
  std::vector<Tensor> tensors;
};

}  // namespace cox::task
