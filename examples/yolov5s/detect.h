// SPDX-License-Identifier: MIT
// From head outputs to boxes: decoding and non-maximum suppression. The control core and the host programs use the same code (README.md,
// Boxes). Freestanding: fixed arrays, no recursion.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <span>

#include "examples/yolov5s/device_values.h"
#include "examples/yolov5s/machine_data.h"
#include "examples/yolov5s/network.h"

namespace cox::yolov5s {

/// Head outputs of one scale after the sigmoid: values(channel, row * width + column). The Detector has faster ways for DeviceValues.
template <typename V>
concept HeadValues = requires(const V &values, std::uint32_t channel, std::uint32_t pixel) {
  { values(channel, pixel) } -> std::convertible_to<float>;
};

/// Returns true if the intersection over union of two boxes exceeds `limit`. Boxes without area do not overlap.
inline bool overlap_exceeds(const Box &a, const Box &b, float limit) {
  const float width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
  const float height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  if (!(width > 0.0F) || !(height > 0.0F)) return false;
  const float intersection = width * height;
  const float areas = (a.x2 - a.x1) * (a.y2 - a.y1) + (b.x2 - b.x1) * (b.y2 - b.y1);
  return intersection > limit * (areas - intersection);
}

/// Returns the box of anchor `anchor` at a pixel of a scale. x, y, width and height are head outputs after the sigmoid. The box is not
/// clipped to the picture.
inline Box decode(std::uint32_t scale, std::uint32_t anchor, std::uint32_t row, std::uint32_t column, float x, float y, float width,
                  float height) {
  const auto stride = static_cast<float>(kStrides[scale]);
  const float center_x = (2.0F * x - 0.5F + static_cast<float>(column)) * stride;
  const float center_y = (2.0F * y - 0.5F + static_cast<float>(row)) * stride;
  const float half_width = 0.5F * (2.0F * width) * (2.0F * width) * kAnchorSizes[scale][anchor][0];
  const float half_height = 0.5F * (2.0F * height) * (2.0F * height) * kAnchorSizes[scale][anchor][1];
  return {center_x - half_width, center_y - half_height, center_x + half_width, center_y + half_height, 0.0F, 0};
}

/// Collects candidates of all scales, then suppresses overlapping ones. A Detector takes 120 KiB, so make it static on the control core.
class Detector {
 public:
  static constexpr std::uint32_t kMostCandidates = 4096;

  /// Removes all candidates and sets the limits (MachineData::least_score, MachineData::most_overlap).
  void start(float least_score, float most_overlap) {
    limit_ = ScoreLimit(least_score);
    most_overlap_ = most_overlap;
    count_ = offered_ = next_ = box_count_ = 0;
  }

  /// Adds the anchors of one scale whose score (objectness times the best class's value) exceeds least_score. If all scales together have
  /// more than kMostCandidates, the best are kept. Scales must come in ascending order. Equal scores rank in the order of addition
  /// (scale, anchor, row, column). If two classes have equal values, the one with the lower number wins. NaN never counts as a score.
  template <HeadValues V>
  void add_scale(std::uint32_t scale, std::uint32_t height, std::uint32_t width, const V &values) {
    const std::uint32_t pixels = height * width;
    for (std::uint32_t anchor = 0; anchor < kAnchors; ++anchor) {
      const std::uint32_t first = anchor * kValues;
      const std::uint32_t objectness_channel = first + kBoxValues - 1;
      for (std::uint32_t pixel = next_above(values, objectness_channel, 0, pixels); pixel < pixels;
           pixel = next_above(values, objectness_channel, pixel + 1, pixels)) {
        const float objectness = values(objectness_channel, pixel);
        const BestChannel best = best_class(values, first + kBoxValues, pixel, objectness);
        const float score = objectness * best.value;
        if (!(score > limit_.value())) continue;
        Candidate candidate{decode(scale, anchor, pixel / width, pixel % width, values(first, pixel), values(first + 1, pixel),
                                   values(first + 2, pixel), values(first + 3, pixel)),
                            next_ + anchor * pixels + pixel};
        candidate.box.score = score;
        candidate.box.class_number = best.number;
        offer(candidate);
      }
    }
    next_ += kAnchors * pixels;
  }

  /// Returns the boxes that are left after greedy suppression in each class, best score first; at most kMostBoxes. Call it once, after the
  /// last scale.
  std::span<const Box> finish() {
    if (count_ != kMostCandidates) std::make_heap(candidates_.begin(), candidates_.begin() + count_, better);
    std::sort_heap(candidates_.begin(), candidates_.begin() + count_, better);
    // The boxes of each class are a list, the last one first. The number 0 ends it; number i + 1 is box i.
    std::array<std::uint16_t, kClasses> last{};
    std::array<std::uint16_t, kMostBoxes> previous;
    for (std::uint32_t i = 0; i < count_ && box_count_ < kMostBoxes; ++i) {
      const Box &box = candidates_[i].box;
      std::uint16_t &last_of_class = last[box.class_number];
      std::uint32_t other = last_of_class;
      while (other != 0 && !overlap_exceeds(boxes_[other - 1], box, most_overlap_)) other = previous[other - 1];
      if (other != 0) continue;
      boxes_[box_count_] = box;
      previous[box_count_++] = last_of_class;
      last_of_class = static_cast<std::uint16_t>(box_count_);
    }
    return boxes();
  }

  [[nodiscard]] std::span<const Box> boxes() const { return {boxes_.data(), box_count_}; }
  [[nodiscard]] std::uint32_t candidates() const { return offered_; }  ///< includes candidates that were dropped because there was no room

 private:
  struct Candidate {
    Box box;
    std::uint32_t rank = 0;
  };
  static bool better(const Candidate &a, const Candidate &b) {
    return a.box.score != b.box.score ? a.box.score > b.box.score : a.rank < b.rank;
  }

  /// Returns the first pixel from `pixel` on whose value exceeds least_score, or `pixels`.
  template <HeadValues V>
  [[nodiscard]] std::uint32_t next_above(const V &values, std::uint32_t channel, std::uint32_t pixel, std::uint32_t pixels) const {
    if constexpr (std::same_as<V, DeviceValues>) {
      if (limit_.fits_elements()) return values.next_above(channel, pixel, limit_);
    }
    while (pixel < pixels && !(values(channel, pixel) > limit_.value())) ++pixel;
    return pixel;
  }

  /// Returns the class with the largest value. If no class gives a score above least_score, any class and value may be returned that give
  /// no such score.
  template <HeadValues V>
  [[nodiscard]] BestChannel best_class(const V &values, std::uint32_t first, std::uint32_t pixel, float objectness) const {
    if constexpr (std::same_as<V, DeviceValues>) {
      if (limit_.fits_elements()) return values.best_channel(first, kClasses, pixel, objectness, limit_);
    }
    BestChannel best;
    for (std::uint32_t number = 0; number < kClasses; ++number) {
      if (const float value = values(first + number, pixel); value > best.value) best = {value, number};
    }
    return best;
  }

  /// If there is no room, drops the worst candidate. Candidates are a heap with the worst one on top when there is no room.
  void offer(const Candidate &candidate) {
    ++offered_;
    if (count_ < kMostCandidates) {
      candidates_[count_++] = candidate;
      if (count_ == kMostCandidates) std::make_heap(candidates_.begin(), candidates_.end(), better);
      return;
    }
    if (!better(candidate, candidates_[0])) return;
    std::pop_heap(candidates_.begin(), candidates_.end(), better);
    candidates_.back() = candidate;
    std::push_heap(candidates_.begin(), candidates_.end(), better);
  }

  ScoreLimit limit_;
  float most_overlap_ = 0;
  std::uint32_t count_ = 0, offered_ = 0, next_ = 0, box_count_ = 0;
  std::array<Candidate, kMostCandidates> candidates_{};
  std::array<Box, kMostBoxes> boxes_{};
};

}  // namespace cox::yolov5s
