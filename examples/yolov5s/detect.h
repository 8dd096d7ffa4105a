// SPDX-License-Identifier: MIT
// From head outputs to boxes: decoding and non-maximum suppression. The control core and the host programs use the same code (README.md,
// Boxes). Freestanding: fixed arrays, no recursion.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "examples/yolov5s/machine_data.h"
#include "examples/yolov5s/network.h"
#include "isa/numbers/mx9_block.h"

namespace cox::yolov5s {

/// Head outputs of one scale after the sigmoid: values(channel, row * width + column).
template <typename V>
concept HeadValues = requires(const V &values, std::uint32_t channel, std::uint32_t pixel) {
  { values(channel, pixel) } -> std::convertible_to<float>;
};

/// The device's format: MX9 blocks, [channel block][pixel]. A block with an exponent of 7 or less counts as zeros, because its
/// magnitudes are below 2^-119.
struct DeviceValues {
  const isa::mx::Block *blocks = nullptr;
  std::uint32_t pixels = 0;  ///< height * width

  float operator()(std::uint32_t channel, std::uint32_t pixel) const {
    const std::uint32_t element = channel % isa::mx::kBlockElements;
    const isa::mx::Block &block = blocks[std::size_t{channel / isa::mx::kBlockElements} * pixels + pixel];
    const std::uint32_t bits = block.elements[element];
    const std::uint32_t shift = static_cast<std::uint32_t>(block.pair_shift) >> (element / 2) & 1U;
    if (block.exponent == isa::mx::kNanExponent) return std::bit_cast<float>(0x7FC00000U);
    constexpr std::uint32_t kMantissaBits = 6;
    if (block.exponent <= kMantissaBits + 1) return 0.0F;
    const auto unit = std::bit_cast<float>((block.exponent - kMantissaBits - shift) << 23U);
    const float magnitude = static_cast<float>(bits & 0x7FU) * unit;
    return (bits & 0x80U) != 0 ? -magnitude : magnitude;
  }
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
    least_score_ = least_score;
    most_overlap_ = most_overlap;
    count_ = offered_ = next_ = box_count_ = 0;
  }

  /// Adds the anchors of one scale whose score (objectness times the best class's value) exceeds least_score. If all scales together have
  /// more than kMostCandidates, the best are kept. Scales must come in ascending order. Equal scores rank in the order of addition
  /// (scale, anchor, row, column). If two classes have equal values, the one with the lower number wins. NaN never counts as a score.
  template <HeadValues V>
  void add_scale(std::uint32_t scale, std::uint32_t height, std::uint32_t width, const V &values) {
    for (std::uint32_t anchor = 0; anchor < kAnchors; ++anchor) {
      for (std::uint32_t pixel = 0; pixel < height * width; ++pixel) {
        const std::uint32_t rank = next_++;
        const std::uint32_t first = anchor * kValues;
        const float objectness = values(first + kBoxValues - 1, pixel);
        if (!(objectness > least_score_)) continue;
        float best = -1.0F;
        std::uint32_t best_class = 0;
        for (std::uint32_t number = 0; number < kClasses; ++number) {
          const float value = values(first + kBoxValues + number, pixel);
          if (value > best) {
            best = value;
            best_class = number;
          }
        }
        const float score = objectness * best;
        if (!(score > least_score_)) continue;
        Candidate candidate{decode(scale, anchor, pixel / width, pixel % width, values(first, pixel), values(first + 1, pixel),
                                   values(first + 2, pixel), values(first + 3, pixel)),
                            rank};
        candidate.box.score = score;
        candidate.box.class_number = best_class;
        offer(candidate);
      }
    }
  }

  /// Returns the boxes that are left after greedy suppression in each class, best score first; at most kMostBoxes. Call it once, after the
  /// last scale.
  std::span<const Box> finish() {
    std::sort_heap(candidates_.begin(), candidates_.begin() + count_, better);
    for (std::uint32_t i = 0; i < count_ && box_count_ < kMostBoxes; ++i) {
      const Box &box = candidates_[i].box;
      bool stays = true;
      for (std::uint32_t k = 0; k < box_count_ && stays; ++k) {
        stays = boxes_[k].class_number != box.class_number || !overlap_exceeds(boxes_[k], box, most_overlap_);
      }
      if (stays) boxes_[box_count_++] = box;
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

  /// The worst candidate is on top of the heap.
  void offer(const Candidate &candidate) {
    ++offered_;
    if (count_ == kMostCandidates) {
      if (!better(candidate, candidates_[0])) return;
      std::pop_heap(candidates_.begin(), candidates_.begin() + count_, better);
      --count_;
    }
    candidates_[count_++] = candidate;
    std::push_heap(candidates_.begin(), candidates_.begin() + count_, better);
  }

  float least_score_ = 0, most_overlap_ = 0;
  std::uint32_t count_ = 0, offered_ = 0, next_ = 0, box_count_ = 0;
  std::array<Candidate, kMostCandidates> candidates_{};
  std::array<Box, kMostBoxes> boxes_{};
};

}  // namespace cox::yolov5s
