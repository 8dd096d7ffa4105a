// SPDX-License-Identifier: MIT
// What a LanePicture has below its lanes: notes, the bar of its parts, and legends.
#pragma once

#include <cstddef>
#include <sstream>
#include <string>

#include "tools/run/picture/lane_picture.h"
#include "tools/run/picture/picture_layout.h"

namespace cox::tools::run {

class PictureDescription {
 public:
  PictureDescription(const LanePicture &picture, const PictureLayout &layout) : picture_(picture), layout_(layout) { describe(); }

  /// Height of the whole picture.
  [[nodiscard]] double bottom() const { return bottom_; }
  [[nodiscard]] std::string svg() const { return out_.str(); }

 private:
  void describe();
  double note(const std::string &text, double top);
  double heading(const std::string &text, double top);
  double parts(double top);
  void part_bar(double top, std::uint64_t all);
  double legend(const LanePicture::Legend &legend, double top);
  void chip(const LanePicture::Chip &chip, double left, double top, double width);

  const LanePicture &picture_;
  const PictureLayout &layout_;
  double bottom_ = 0;
  std::ostringstream out_;
};

}  // namespace cox::tools::run
