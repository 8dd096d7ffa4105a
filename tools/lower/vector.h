// SPDX-License-Identifier: MIT
// What the operations of the vector processor have in common.
#pragma once

#include "tools/lower/emission.h"

namespace cox::lower {

/// What differs between them.
struct VectorSettings {
  const char *compare = "DEFAULT";
  double multiplier = 0;
  double scale0 = 1, offset0 = 0, scale1 = 0, offset1 = 0;
  bool two_tensors = false;
  double outside = 0;
};

void configure_vector(const Work &work, const Layer &layer, const Origin &origin, const VectorSettings &settings, std::uint32_t rows);

/// Of vp_self and vp_pool: without addresses.
[[nodiscard]] Fields vector_fields(bool dequantise, std::int64_t path, std::int64_t table);

/// The pieces of a layer, each of one image.
[[nodiscard]] std::vector<Piece> vector_pieces(const Work &work, const Layer &layer, const Step &step);

}  // namespace cox::lower
