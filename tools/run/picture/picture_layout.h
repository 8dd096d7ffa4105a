// SPDX-License-Identifier: MIT
// The positions of the parts of a LanePicture, in pixels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/run/picture/lane_picture.h"

namespace cox::tools::run {

class PictureLayout {
 public:
  static constexpr double kMargin = 32;
  static constexpr double kTop = 124;          // of the first lane
  static constexpr double kUtilisation = 132;  // width of the column with each lane's share of busy time, on the right
  static constexpr double kPad = 4;            // between a lane's edge and its boxes
  static constexpr double kFoot = 10;          // room for ticks below the boxes

  explicit PictureLayout(const LanePicture &picture)
      : width_(picture.width), span_(std::max<std::uint64_t>(picture.span, 1)), row_height_(picture.row_height) {
    tops_.push_back(kTop);
    for (const LanePicture::Lane &lane : picture.lanes) {
      rows_.push_back(lane.rows.size());
      tops_.push_back(tops_.back() + 2 * kPad + boxes(rows_.size() - 1) + kFoot);
    }
  }

  [[nodiscard]] double width() const { return width_; }
  /// Width of the text below the lanes.
  [[nodiscard]] double text_width() const { return width_ - 2 * kMargin; }
  [[nodiscard]] double plot_left() const { return kMargin + kLabels; }
  [[nodiscard]] double plot_width() const { return width_ - 2 * kMargin - kLabels - kUtilisation; }
  [[nodiscard]] double plot_right() const { return plot_left() + plot_width(); }
  [[nodiscard]] double x(std::uint64_t cycle) const {
    return plot_left() + plot_width() * static_cast<double>(cycle) / static_cast<double>(span_);
  }
  [[nodiscard]] std::uint64_t span() const { return span_; }

  [[nodiscard]] double bottom() const { return tops_.back(); }
  [[nodiscard]] double lane_top(std::size_t lane) const { return tops_[lane]; }
  [[nodiscard]] double lane_height(std::size_t lane) const { return tops_[lane + 1] - tops_[lane]; }
  /// Height of all boxes of a lane, one row above the other.
  [[nodiscard]] double boxes(std::size_t lane) const { return rows_[lane] == 0 ? kBox : row_height_ * static_cast<double>(rows_[lane]); }
  [[nodiscard]] double box_height(std::size_t lane) const { return rows_[lane] == 0 ? kBox : row_height_ - kRowGap; }
  [[nodiscard]] double box_top(std::size_t lane, std::size_t row) const {
    return tops_[lane] + kPad + (rows_[lane] == 0 ? 0 : row_height_ * static_cast<double>(row));
  }
  /// Returns the y coordinate of the middle of the boxes of a row.
  [[nodiscard]] double middle(std::size_t lane, std::size_t row) const { return box_top(lane, row) + box_height(lane) / 2; }

 private:
  static constexpr double kLabels = 168;  // width of the lanes' names, on the left
  static constexpr double kBox = 32;      // height of a box in a lane without rows
  static constexpr double kRowGap = 1;    // between two rows

  double width_;
  std::uint64_t span_;
  double row_height_;
  std::vector<std::size_t> rows_;
  std::vector<double> tops_;  // and the bottom of the last lane
};

}  // namespace cox::tools::run
