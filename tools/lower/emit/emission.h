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
inline constexpr std::uint32_t kTensorWindow = 0;  ///< has the images of the input, then those of the output
inline constexpr std::uint32_t kWeightWindow = 1;  ///< has WeightImage::bytes

/// The part of one image of a map that is in L2: all of it, or the current strip. The device treats rows and columns outside this part as
/// padding. That is correct for strips, because an instruction reads only rows and columns that are in its strip or outside the map.
struct Excerpt {
  Shape shape;
  std::int64_t first_row = 0;  ///< number of the first row within the map
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
  std::uint32_t l2_blocks;  ///< blocks of L2 that the task uses in each core
  Emitter &emitter;
  GridCuts &cuts;
  Links &links;
  Strips &strips;
};

// Defined in task_frame.cpp.
void begin_task(const Work &work);
void end_task(const Work &work);

// Defined in transfers.cpp.
void emit_load(const Work &work, const Step &step);
void emit_store(const Work &work, const Step &step);
/// The move of a part of a spilled map's strip, for one image: channels [first_channel, first_channel + channels) of rows [first_row,
/// first_row + rows).
struct StripMove {
  std::size_t map = 0;
  std::uint32_t image = 0, first_row = 0, rows = 1, first_channel = 0, channels = 1;
};
void load_strip(const Work &work, const Origin &origin, const StripMove &move);
void store_strip(const Work &work, const Origin &origin, const StripMove &move);

// Defined in convolution.cpp: convolution, transposed_convolution, fully_connected.
void emit_convolution(const Work &work, WeightSupply &supply, const Step &step);

// Defined in element_wise.cpp: quantise, functions of one tensor, and functions of two tensors.
void emit_function(const Work &work, const Step &step);
void emit_two_tensors(const Work &work, const Step &step);

// Defined in concatenation.cpp.
void emit_concatenation(const Work &work, const Step &step);

// Defined in pooling.cpp.
void emit_pool(const Work &work, const Step &step);
/// Emits the pool for the channels that are in L2. The first of them is channel `first_channel` of the map.
void emit_global_average_pool(const Work &work, const Step &step, std::uint32_t first_channel = 0);

// Defined in resize.cpp.
void emit_resize(const Work &work, const Step &step);

// Defined in constant_loads.cpp. Emits the loads of tables, gammas and betas, which begin at byte `offset` of the weight image.
void emit_constants(const Work &work, std::int64_t offset);
/// Returns the fields LO, STEP, TBSG and Taddr.
[[nodiscard]] Fields table_fields(const Work &work, TableFunction function);

// Common functions, defined in emission.cpp.

[[nodiscard]] const char *name_of(isa::tile::DataFmt format);
/// Returns a field with the shape's C, H, W.
[[nodiscard]] FieldValue shape_field(const char *name, const Shape &shape);

/// Returns the bytes of a feature map in DRAM, where it is NHWC without gaps.
[[nodiscard]] std::uint64_t dense_bytes(const FeatureMap &map);

[[nodiscard]] Excerpt excerpt_of(const Work &work, std::size_t map, std::uint32_t image);
/// Returns a field with the C, H, W of the map's part in L2.
[[nodiscard]] FieldValue excerpt_field(const Work &work, const char *name, std::size_t map);

/// Returns the L2 address of the first pixel of a row of a map.
[[nodiscard]] std::int64_t row_address(const Work &work, std::size_t map, std::uint32_t image, std::int64_t row);

/// The source pixel under the kernel's top left weight when the first output pixel of a piece is computed. It may lie in the padding.
/// With upsampling, `address` is that of the map's first pixel instead (docs/isa/tile.md, Feature maps).
struct Start {
  std::int64_t row = 0, column = 0, address = 0;
};
[[nodiscard]] Start start_of(const Work &work, const Layer &layer, const Piece &piece);

/// Returns the number of pieces into which work that lasts `cycles` is cut.
[[nodiscard]] std::uint32_t pieces_of(const Plan &plan, model::Cycle cycles);

// Return numbers that are rounded to FP32, as an instruction holds them. The tests compare outputs with those of
// examples/digits/reference.py, which rounds these numbers, too (docs/lowering.md, Arithmetic).
[[nodiscard]] double quantisation_scale(const FeatureMap &map);
[[nodiscard]] double dequantisation_scale(const FeatureMap &map);
[[nodiscard]] double dequantisation_offset(const FeatureMap &map);

}  // namespace cox::lower
