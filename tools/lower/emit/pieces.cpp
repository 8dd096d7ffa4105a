// SPDX-License-Identifier: MIT
#include "tools/lower/emit/pieces.h"

#include <algorithm>

#include "coxswain/isa/tile/header.h"

namespace cox::lower {
namespace {

std::uint32_t divide_up(std::uint32_t value, std::uint32_t divisor) { return (value + divisor - 1) / divisor; }

}  // namespace

std::uint32_t rows_of(const Step &step, std::uint32_t height) { return step.rows == 0 ? height : step.rows; }

std::vector<Piece> divide(const Step &step, std::uint32_t height, std::uint32_t count) {
  if (count >= step.images) return divide_images(step, height, count);
  const std::uint32_t rows = rows_of(step, height);
  std::vector<Piece> pieces;
  const std::uint32_t images = divide_up(step.images, std::max(count, 1U));
  for (std::uint32_t i = 0; i < step.images; i += images)
    pieces.push_back({step.first_image + i, std::min(images, step.images - i), step.first_row, rows});
  return pieces;
}

std::vector<Piece> divide_images(const Step &step, std::uint32_t height, std::uint32_t count) {
  std::vector<Piece> pieces;
  const std::uint32_t all = rows_of(step, height);
  const std::uint32_t of_image = std::clamp(divide_up(count, step.images), 1U, all);
  const std::uint32_t rows = divide_up(all, of_image);
  for (std::uint32_t i = 0; i < step.images; ++i) {
    for (std::uint32_t row = 0; row < all; row += rows)
      pieces.push_back({step.first_image + i, 1, step.first_row + row, std::min(rows, all - row)});
  }
  return pieces;
}

std::uint32_t images_of_batch(const Step &step, const std::vector<Piece> &pieces) {
  const bool whole = pieces.size() == step.images && step.images <= isa::tile::kMaxImages;
  return whole ? step.images : 1;
}

}  // namespace cox::lower
