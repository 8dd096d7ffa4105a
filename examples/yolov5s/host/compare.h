// SPDX-License-Identifier: MIT
// Compares a device's results with FP32 (README.md, What is compared).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "examples/yolov5s/host/dram_image.h"
#include "examples/yolov5s/host/weights.h"

namespace cox::yolov5s {

inline constexpr double kLeastLayerDecibels = 30;   ///< LayerComparison::alone of each layer must be larger
inline constexpr double kLeastOutputDecibels = 20;  ///< LayerComparison::accumulated of each output of the network must be larger
inline constexpr double kLeastOverlap = 0.9;        ///< least overlap with which two boxes of one class count as matched
inline constexpr double kLeastMatched = 0.95;       ///< least Comparison::matched_share()

/// Returns the ratio of signal to noise in decibels: 10 log10(sum of wanted^2 / sum of (wanted - got)^2). Infinite if `wanted` and `got`
/// are equal; NaN if `got` has a NaN.
double signal_to_noise(std::span<const float> wanted, std::span<const float> got);

/// Matches boxes one to one. Each box of `wanted`, best first, takes the free box of `got` in its class with the largest overlap, if that
/// overlap is at least kLeastOverlap. Returns the number of matches.
std::uint32_t match_boxes(std::span<const Box> wanted, std::span<const Box> got);

struct LayerComparison {
  std::string name;
  LayerKind kind = LayerKind::convolution;
  std::uint32_t channels = 0, height = 0, width = 0;
  std::uint64_t multiply_accumulates = 0;
  double alone = 0;        ///< signal to noise in dB; the reference is this layer in FP32, computed from the device's inputs of the layer
  double accumulated = 0;  ///< signal to noise in dB; the reference is the network in FP32, computed from the image
  std::uint64_t device_cycles = 0, control_instructions = 0;
  bool is_output = false;
};

struct Comparison {
  std::vector<LayerComparison> layers;
  double input = 0;  ///< signal to noise of the packed image, in dB
  std::uint32_t wanted_boxes = 0, got_boxes = 0, matched_boxes = 0;
  std::vector<Box> boxes;         ///< the device's boxes, best first
  bool boxes_are_decoded = true;  ///< true if the device's boxes equal those that detect.h decodes from its outputs
  bool frames_agree = true;       ///< true if the first of the pictures in a row has these boxes, too

  /// Returns matched_boxes divided by the larger of wanted_boxes and got_boxes; 1 if both are 0.
  [[nodiscard]] double matched_share() const;
  /// Returns a sentence for each limit (kLeast...) that is not reached.
  [[nodiscard]] std::vector<std::string> misses() const;
};

/// Throws FileError if the run has failed or not ended, or if its records contradict the network.
Comparison compare(DramImage &dram, const Weights &weights);

std::string comparison_text(const Comparison &comparison, const MachineData &data);
std::string comparison_json(const Comparison &comparison, const MachineData &data);

}  // namespace cox::yolov5s
