// SPDX-License-Identifier: MIT
// A step's work, cut so that the next engine starts on the first piece while the second is computed.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/lower/plan/plan.h"

namespace cox::lower {

/// Whole images, or rows of one.
struct Piece {
  std::uint32_t first_image = 0, images = 1, first_row = 0, rows = 1;
};

/// Rows that a step computes of a map of that height.
[[nodiscard]] std::uint32_t rows_of(const Step &step, std::uint32_t height);

/// About `count` pieces, at least one; of whole images where there are as many.
[[nodiscard]] std::vector<Piece> divide(const Step &step, std::uint32_t height, std::uint32_t count);

/// As `divide`, each of one image at most.
[[nodiscard]] std::vector<Piece> divide_images(const Step &step, std::uint32_t height, std::uint32_t count);

}  // namespace cox::lower
