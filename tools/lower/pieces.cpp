// SPDX-License-Identifier: MIT
#include "tools/lower/pieces.h"

#include <algorithm>

namespace cox::lower {
namespace {

std::uint32_t divide_up(std::uint32_t value, std::uint32_t divisor) { return (value + divisor - 1) / divisor; }

}  // namespace

std::vector<Piece> divide(const Step &step, std::uint32_t height, std::uint32_t count) {
  if (count >= step.images) return divide_images(step, height, count);
  std::vector<Piece> pieces;
  const std::uint32_t images = divide_up(step.images, std::max(count, 1U));
  for (std::uint32_t i = 0; i < step.images; i += images)
    pieces.push_back({step.first_image + i, std::min(images, step.images - i), 0, height});
  return pieces;
}

std::vector<Piece> divide_images(const Step &step, std::uint32_t height, std::uint32_t count) {
  std::vector<Piece> pieces;
  const std::uint32_t of_image = std::clamp(divide_up(count, step.images), 1U, height);
  const std::uint32_t rows = divide_up(height, of_image);
  for (std::uint32_t i = 0; i < step.images; ++i) {
    for (std::uint32_t row = 0; row < height; row += rows) pieces.push_back({step.first_image + i, 1, row, std::min(rows, height - row)});
  }
  return pieces;
}

}  // namespace cox::lower
