// SPDX-License-Identifier: MIT
#include "tools/run/picture/layer_colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cox::tools::run {
namespace {

int srgb(double linear) {
  const double clipped = std::clamp(linear, 0.0, 1.0);
  const double encoded = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * std::pow(clipped, 1 / 2.4) - 0.055;
  return static_cast<int>(std::lround(encoded * 255));
}

// Returns a colour of Oklab (Ottosson 2020) as sRGB text. In Oklab, colours of equal lightness look equally light.
std::string oklch(double lightness, double chroma, double hue) {
  const double a = chroma * std::cos(hue);
  const double b = chroma * std::sin(hue);
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return fmt::format("#{:02x}{:02x}{:02x}", srgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                     srgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                     srgb(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
}

}  // namespace

std::string layer_colour(std::int32_t layer) {
  if (layer < 0) return "#aab2bd";
  // Steps by the golden angle never repeat a hue, and neighbouring layers have very different hues. Layers that are 8 or 13 apart have
  // similar hues, but they differ in lightness.
  const double golden_angle = std::numbers::pi * (3 - std::sqrt(5.0));
  const double lightness = 0.70 + 0.08 * (layer % 3);
  return oklch(lightness, 0.125, 4.2 + golden_angle * layer);
}

}  // namespace cox::tools::run
