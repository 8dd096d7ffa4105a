// SPDX-License-Identifier: MIT
// Pictures: 8-bit RGB, from a PPM file or generated from a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cox::yolov5s {

struct Picture {
  std::uint32_t height = 0, width = 0;
  std::vector<std::uint8_t> pixels;  ///< [row][column][red, green, blue]
};

/// Reads a binary PPM (P6, 255 levels). Throws FileError for another format, sides of 0 or over 16,384, or too few bytes.
Picture parse_ppm(std::span<const std::byte> file);
std::vector<std::byte> write_ppm(const Picture &picture);

/// A disc of the scene; all members are in pixels.
struct Disc {
  std::int32_t row = 0, column = 0, radius = 0;
};

struct Scene {
  Picture picture;
  std::vector<Disc> discs;
};

/// Bright discs on a dark background with bars, gradients and noise. The picture shows nothing real, but has edges, areas and contrast. It
/// is the same on every machine.
Scene synthetic_scene(std::uint64_t seed, std::uint32_t height, std::uint32_t width, std::uint32_t discs);
/// Makes a synthetic scene with a number of discs that follows from the picture's area.
Scene synthetic_scene(std::uint64_t seed, std::uint32_t height, std::uint32_t width);

/// Scales the picture to fit (bilinear) and centres it on grey 114, as ultralytics does.
Picture letterbox(const Picture &picture, std::uint32_t height, std::uint32_t width);

/// Converts Picture::pixels to FP32 [channel][row][column], 0 to 1.
std::vector<float> planes_of(std::span<const std::uint8_t> pixels);

}  // namespace cox::yolov5s
