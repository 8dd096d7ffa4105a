// SPDX-License-Identifier: MIT
// Emits the instructions of a plan's steps. Each family of operations has its own source file.
#pragma once

#include <map>

#include "tools/lower/emit/grid.h"
#include "tools/lower/emit/pieces.h"
#include "tools/lower/plan/dram_places.h"
#include "tools/lower/plan/placement.h"
#include "tools/lower/plan/plan.h"
#include "tools/lower/program/emitter.h"
#include "tools/lower/weights/tables.h"
#include "tools/lower/weights/weights.h"

namespace cox::lower {

class Links;
class WeightSupply;

// Windows of the task, to which base address registers 0 and 1 point.
inline constexpr std::uint32_t kTensorWindow = 0;  ///< the images of the input at offset 0, those of the output after them
inline constexpr std::uint32_t kWeightWindow = 1;  ///< WeightImage::bytes

/// The part of one image of a map that is in L2: all of it, or the current strip. For the device, rows and columns outside it are padding.
/// Instructions on a strip either do not read those, or they are outside the map too.
struct Excerpt {
  Shape shape;
  std::int64_t first_row = 0;  ///< first row of the map that is in L2
  std::int64_t address = 0;    ///< L2 address of the first pixel
};

/// The strips that are in L2 now.
struct Strips {
  std::map<std::size_t, Excerpt> maps;  ///< excerpts of spilled maps
  std::int64_t temporary = 0;           ///< address of the room for intermediate results
};

/// Data that all emitters need.
struct Work {
  const Network &network;
  const Plan &plan;
  const Placement &placement;
  const DramPlaces &dram;
  std::uint32_t l2_blocks;  ///< blocks of L2 that maps and waiting weights take
  Emitter &emitter;
  GridCuts &cuts;
  Links &links;
  Strips &strips;
};

// task_frame.cpp
void begin_task(const Work &work);
void end_task(const Work &work);

// transfers.cpp
void emit_load(const Work &work, const Step &step);
void emit_store(const Work &work, const Step &step);
/// A move of channels [first_channel, first_channel + channels) of rows [first_row, first_row + rows) of a spilled map's strip, for one
/// image.
struct StripMove {
  std::size_t map = 0;
  std::uint32_t image = 0, first_row = 0, rows = 1, first_channel = 0, channels = 1;
};
void load_strip(const Work &work, const Origin &origin, const StripMove &move);
void store_strip(const Work &work, const Origin &origin, const StripMove &move);

// convolution.cpp: convolution, fully_connected
void emit_convolution(const Work &work, WeightSupply &supply, const Step &step);

// element_wise.cpp: quantise, functions of one tensor, and of two
void emit_function(const Work &work, const Step &step);
void emit_two_tensors(const Work &work, const Step &step);

// concatenation.cpp
void emit_concatenation(const Work &work, const Step &step);

// pooling.cpp
void emit_pool(const Work &work, const Step &step);
/// Handles the channels from first_channel on that are in L2.
void emit_global_average_pool(const Work &work, const Step &step, std::uint32_t first_channel = 0);

// resize.cpp
void emit_resize(const Work &work, const Step &step);

// constant_loads.cpp: tables, gammas and betas, from `offset` of the weight image
void emit_constants(const Work &work, std::int64_t offset);
/// LO, STEP, TBSG and Taddr.
[[nodiscard]] Fields table_fields(const Work &work, TableFunction function);

// Common functions, in emission.cpp.

[[nodiscard]] const char *name_of(isa::tile::DataFmt format);
/// C, H, W.
[[nodiscard]] FieldValue shape_field(const char *name, const Shape &shape);

/// Bytes of a feature map in DRAM: dense NHWC.
[[nodiscard]] std::uint64_t dense_bytes(const FeatureMap &map);

[[nodiscard]] Excerpt excerpt_of(const Work &work, std::size_t map, std::uint32_t image);
/// C, H, W of the excerpt in L2.
[[nodiscard]] FieldValue excerpt_field(const Work &work, const char *name, std::size_t map);

/// L2 address of the first pixel of a row of a map.
[[nodiscard]] std::int64_t row_address(const Work &work, std::size_t map, std::uint32_t image, std::int64_t row);

/// The source pixel under the kernel's corner for the first output pixel of a piece. The padding moves the address too, except for a map
/// whose pixels are spread.
struct Start {
  std::int64_t row = 0, column = 0, address = 0;
};
[[nodiscard]] Start start_of(const Work &work, const Layer &layer, const Piece &piece);

/// Returns the number of pieces into which work of `cycles` is cut.
[[nodiscard]] std::uint32_t pieces_of(const Plan &plan, model::Cycle cycles);

// Rounded to FP32, as in the instruction. The independent evaluation rounds at the same places (docs/lowering.md, Arithmetic).
[[nodiscard]] double quantisation_scale(const FeatureMap &map);
[[nodiscard]] double dequantisation_scale(const FeatureMap &map);
[[nodiscard]] double dequantisation_offset(const FeatureMap &map);

}  // namespace cox::lower
