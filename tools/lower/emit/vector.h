// SPDX-License-Identifier: MIT
// Common code of the vector processor's operations.
#pragma once

#include <array>

#include "coxswain/isa/tile/enumerations.h"
#include "tools/lower/emit/emission.h"

namespace cox::lower {

/// The settings in which the vector operations of layers differ.
struct VectorSettings {
  explicit VectorSettings(std::int64_t vector_function) : function(vector_function) {}

  std::int64_t function;            ///< field LUT
  const char *compare = "DEFAULT";  ///< field CMPS
  const char *group = "DEFAULT";    ///< field SG0M
  const char *mean_over = "DEFAULT";
  double compare_value = 0, multiplier = 0, outside = 0;
  std::int64_t dimensions1 = 0;  ///< dimensions of the second tensor; 0: there is no second tensor
  std::optional<TableFunction> table;
  bool unchanged = false;  ///< the elements keep their encoding: they are neither dequantised nor quantised
  /// Shape of the intermediate FP32 result that takes the place of the source, or of the destination.
  std::optional<Shape> from_temporary, to_temporary;
};

/// Configures the vector processor for a tile of this shape. `sources`: indices of the maps that are read; the first map gives the input's
/// format and shape.
void configure_vector(const Work &work, const Layer &layer, const Origin &origin, const VectorSettings &settings,
                      std::array<std::size_t, 2> sources, const Shape &tile);

/// Returns the fields of a vp_self or vp_pool, except the addresses.
[[nodiscard]] Fields vector_fields(const Work &work, const Layer &layer, const VectorSettings &settings, std::size_t source);

/// Returns the pieces of a step of `layer`. No piece has more than one image.
[[nodiscard]] std::vector<Piece> vector_pieces(const Work &work, const Layer &layer, const Step &step);

}  // namespace cox::lower
