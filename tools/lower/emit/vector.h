// SPDX-License-Identifier: MIT
// Common code of the vector processor's operations.
#pragma once

#include <array>

#include "isa/tile/enumerations.h"
#include "tools/lower/emit/emission.h"

namespace cox::lower {

/// The settings in which the operations differ.
struct VectorSettings {
  explicit VectorSettings(std::int64_t vector_function) : function(vector_function) {}

  std::int64_t function;            ///< LUT
  const char *compare = "DEFAULT";  ///< CMPS
  const char *group = "DEFAULT";    ///< SG0M
  const char *mean_over = "DEFAULT";
  double compare_value = 0, multiplier = 0, outside = 0;
  std::int64_t dimensions1 = 0;  ///< dimensions of the second tensor; 0: there is none
  std::optional<TableFunction> table;
  bool unchanged = false;  ///< the elements keep their encoding: they are neither dequantised nor quantised
  /// Shape of an intermediate FP32 result, if it is the source or the destination.
  std::optional<Shape> from_temporary, to_temporary;
};

/// Configures the processor for a tile of `rows` rows and the given channels and columns. `sources`: indices of the maps that are read; the
/// first one gives the format and the shape.
void configure_vector(const Work &work, const Layer &layer, const Origin &origin, const VectorSettings &settings,
                      std::array<std::size_t, 2> sources, const Shape &tile);

/// Returns the fields of vp_self and vp_pool without addresses.
[[nodiscard]] Fields vector_fields(const Work &work, const Layer &layer, const VectorSettings &settings, std::size_t source);

/// The pieces of a layer, each of one image.
[[nodiscard]] std::vector<Piece> vector_pieces(const Work &work, const Layer &layer, const Step &step);

}  // namespace cox::lower
