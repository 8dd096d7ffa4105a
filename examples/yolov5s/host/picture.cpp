// SPDX-License-Identifier: MIT
#include "examples/yolov5s/host/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "examples/yolov5s/host/error.h"
#include "examples/yolov5s/host/random.h"

namespace cox::yolov5s {
namespace {

constexpr std::uint32_t kMostSide = 16384;
constexpr std::size_t kColours = 3;
constexpr std::uint64_t kPixelsPerDisc = 40'000;
constexpr std::uint32_t kDark = 80;
constexpr std::int32_t kBright = 160;
using Colour = std::array<std::int32_t, kColours>;

class PpmHeader {
 public:
  explicit PpmHeader(std::span<const std::byte> file) : file_(file) {}

  /// Skips spaces and comments, and reads a number.
  std::uint32_t number() {
    while (at_ < file_.size() && (is_space(peek()) || peek() == '#')) {
      if (peek() == '#') {
        while (at_ < file_.size() && peek() != '\n') ++at_;
      } else {
        ++at_;
      }
    }
    std::uint32_t value = 0;
    const std::size_t first = at_;
    for (; at_ < file_.size() && peek() >= '0' && peek() <= '9' && value <= kMostSide; ++at_) {
      value = value * 10 + static_cast<std::uint32_t>(peek() - '0');
    }
    if (at_ == first) throw FileError("picture: the PPM header wants a number");
    return value;
  }
  /// Returns the bytes behind the header, which ends with one space.
  std::span<const std::byte> rest() {
    if (at_ == file_.size() || !is_space(peek())) throw FileError("picture: the PPM header does not end in a space");
    return file_.subspan(at_ + 1);
  }

 private:
  static bool is_space(char character) { return character == ' ' || (character >= '\t' && character <= '\r'); }
  [[nodiscard]] char peek() const { return static_cast<char>(file_[at_]); }

  std::span<const std::byte> file_;
  std::size_t at_ = 2;
};

std::uint8_t level(std::int32_t value) { return static_cast<std::uint8_t>(std::clamp(value, 0, 255)); }

}  // namespace

Picture parse_ppm(std::span<const std::byte> file) {
  if (file.size() < 2 || static_cast<char>(file[0]) != 'P' || static_cast<char>(file[1]) != '6') {
    throw FileError("picture: not a binary PPM (P6)");
  }
  PpmHeader header(file);
  Picture picture;
  picture.width = header.number();
  picture.height = header.number();
  if (header.number() != 255) throw FileError("picture: a PPM of other than 255 levels");
  if (picture.width == 0 || picture.height == 0 || picture.width > kMostSide || picture.height > kMostSide) {
    throw FileError(fmt::format("picture: {} x {}; sides of 1 to {} are read", picture.width, picture.height, kMostSide));
  }
  const std::span<const std::byte> rest = header.rest();
  const std::size_t bytes = kColours * picture.width * picture.height;
  if (rest.size() < bytes) throw FileError(fmt::format("picture: {} bytes of pixels, {} are wanted", rest.size(), bytes));
  picture.pixels.resize(bytes);
  std::transform(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(bytes), picture.pixels.begin(),
                 [](std::byte value) { return std::to_integer<std::uint8_t>(value); });
  return picture;
}

std::vector<std::byte> write_ppm(const Picture &picture) {
  const std::string header = fmt::format("P6\n{} {}\n255\n", picture.width, picture.height);
  std::vector<std::byte> file(header.size() + picture.pixels.size());
  std::transform(header.begin(), header.end(), file.begin(), [](char character) { return static_cast<std::byte>(character); });
  std::transform(picture.pixels.begin(), picture.pixels.end(), file.begin() + static_cast<std::ptrdiff_t>(header.size()),
                 [](std::uint8_t value) { return static_cast<std::byte>(value); });
  return file;
}

Scene synthetic_scene(std::uint64_t seed, std::uint32_t height, std::uint32_t width, std::uint32_t discs) {
  Random random(seed);
  const auto below = [&random](std::uint32_t limit) { return static_cast<std::int32_t>((random.next() >> 32) * limit >> 32); };
  const auto colour = [&below](std::int32_t least, std::uint32_t range) {
    return Colour{least + below(range), least + below(range), least + below(range)};
  };
  const auto h = static_cast<std::int32_t>(height);
  const auto w = static_cast<std::int32_t>(width);
  std::vector<Colour> canvas(std::size_t{height} * width);
  const auto at = [&canvas, w](std::int32_t row, std::int32_t column) -> Colour & {
    return canvas[static_cast<std::size_t>(row) * static_cast<std::size_t>(w) + static_cast<std::size_t>(column)];
  };

  // Draws the background as a gradient between three random dark colours.
  const Colour corners[3] = {colour(0, kDark), colour(0, kDark), colour(0, kDark)};
  for (std::int32_t row = 0; row < h; ++row) {
    for (std::int32_t column = 0; column < w; ++column) {
      for (std::size_t c = 0; c < kColours; ++c) {
        at(row, column)[c] = corners[0][c] + (corners[1][c] - corners[0][c]) * row / h + (corners[2][c] - corners[0][c]) * column / w;
      }
    }
  }
  // Draws dark bars.
  for (std::uint32_t bar = 0; bar < 2 * discs; ++bar) {
    const std::int32_t middle_row = below(height);
    const std::int32_t middle_column = below(width);
    const std::int32_t half_height = 4 + below(29);
    const std::int32_t half_width = 4 + below(29);
    const Colour fill = colour(0, kDark);
    for (std::int32_t row = std::max(middle_row - half_height, 0); row < std::min(middle_row + half_height, h); ++row) {
      for (std::int32_t column = std::max(middle_column - half_width, 0); column < std::min(middle_column + half_width, w); ++column) {
        at(row, column) = fill;
      }
    }
  }
  // Draws bright discs, shaded from top to bottom.
  Scene scene;
  for (std::uint32_t i = 0; i < discs; ++i) {
    const Disc disc{below(height), below(width), 8 + below(9)};
    const Colour fill = colour(kBright, 256 - kBright);
    for (std::int32_t row = std::max(disc.row - disc.radius, 0); row < std::min(disc.row + disc.radius, h); ++row) {
      for (std::int32_t column = std::max(disc.column - disc.radius, 0); column < std::min(disc.column + disc.radius, w); ++column) {
        const std::int32_t y = row - disc.row;
        const std::int32_t x = column - disc.column;
        if (y * y + x * x > disc.radius * disc.radius) continue;
        for (std::size_t c = 0; c < kColours; ++c) at(row, column)[c] = fill[c] + 16 * y / disc.radius;
      }
    }
    scene.discs.push_back(disc);
  }
  Picture &picture = scene.picture;
  picture.height = height;
  picture.width = width;
  picture.pixels.reserve(canvas.size() * kColours);
  for (const Colour &pixel : canvas) {
    for (const std::int32_t value : pixel) picture.pixels.push_back(level(value + below(17) - 8));
  }
  return scene;
}

Scene synthetic_scene(std::uint64_t seed, std::uint32_t height, std::uint32_t width) {
  return synthetic_scene(seed, height, width, static_cast<std::uint32_t>(std::uint64_t{height} * width / kPixelsPerDisc) + 1);
}

Picture letterbox(const Picture &picture, std::uint32_t height, std::uint32_t width) {
  const double ratio = std::min(static_cast<double>(height) / picture.height, static_cast<double>(width) / picture.width);
  const auto scaled = [ratio](std::uint32_t side, std::uint32_t most) {
    return std::clamp(static_cast<std::uint32_t>(std::lround(side * ratio)), 1U, most);
  };
  const std::uint32_t inner_height = scaled(picture.height, height);
  const std::uint32_t inner_width = scaled(picture.width, width);
  const std::uint32_t top = (height - inner_height) / 2;
  const std::uint32_t left = (width - inner_width) / 2;
  constexpr std::uint8_t kGrey = 114;
  Picture result{height, width, std::vector<std::uint8_t>(kColours * height * width, kGrey)};
  // Says where a row (or column) of the result lies in the source picture: between its rows `low` and `high`. `part` is its distance
  // from row `low`, in rows (0 to 1).
  struct Place {
    std::size_t low, high;
    double part;
  };
  const auto place = [](std::uint32_t index, std::uint32_t inner, std::uint32_t outer) {
    const double position = std::clamp((index + 0.5) * outer / inner - 0.5, 0.0, static_cast<double>(outer - 1));
    const auto low = static_cast<std::size_t>(position);
    return Place{low, std::min<std::size_t>(low + 1, outer - 1), position - static_cast<double>(low)};
  };
  for (std::uint32_t row = 0; row < inner_height; ++row) {
    const Place y = place(row, inner_height, picture.height);
    for (std::uint32_t column = 0; column < inner_width; ++column) {
      const Place x = place(column, inner_width, picture.width);
      for (std::size_t c = 0; c < kColours; ++c) {
        const auto source = [&](std::size_t r, std::size_t k) {
          return double{1.0} * picture.pixels[(r * picture.width + k) * kColours + c];
        };
        const double upper = source(y.low, x.low) * (1 - x.part) + source(y.low, x.high) * x.part;
        const double lower = source(y.high, x.low) * (1 - x.part) + source(y.high, x.high) * x.part;
        result.pixels[(std::size_t{top + row} * width + left + column) * kColours + c] =
            level(static_cast<std::int32_t>(std::lround(upper * (1 - y.part) + lower * y.part)));
      }
    }
  }
  return result;
}

std::vector<float> planes_of(std::span<const std::uint8_t> pixels) {
  const std::size_t plane = pixels.size() / kColours;
  std::vector<float> planes(kColours * plane);
  for (std::size_t pixel = 0; pixel < plane; ++pixel) {
    for (std::size_t c = 0; c < kColours; ++c) planes[c * plane + pixel] = static_cast<float>(pixels[pixel * kColours + c]) / 255.0F;
  }
  return planes;
}

}  // namespace cox::yolov5s
