// SPDX-License-Identifier: MIT
// Divides a step's work into pieces, so that the next lane can start on the first piece while the second piece is computed.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/lower/plan/plan.h"

namespace cox::lower {

/// A piece of work: whole images, or rows of one image.
struct Piece {
  std::uint32_t first_image = 0, images = 1, first_row = 0, rows = 1;
};

/// Returns how many rows of a map the step computes. The whole map has `height` rows.
[[nodiscard]] std::uint32_t rows_of(const Step &step, std::uint32_t height);

/// Returns about `count` pieces, at least one. The pieces are whole images if there are enough images.
[[nodiscard]] std::vector<Piece> divide(const Step &step, std::uint32_t height, std::uint32_t count);

/// Like divide(), but each piece has at most one image.
[[nodiscard]] std::vector<Piece> divide_images(const Step &step, std::uint32_t height, std::uint32_t count);

/// Returns the number of images that the vector processor computes at once: all images of the step if each piece is an image, otherwise 1.
[[nodiscard]] std::uint32_t images_of_batch(const Step &step, const std::vector<Piece> &pieces);

}  // namespace cox::lower
