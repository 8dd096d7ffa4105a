// SPDX-License-Identifier: MIT
#include "examples/yolov5s/host/network_ends.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "coxswain/kernels/mx/mx9_pack_u8.h"
#include "examples/yolov5s/detect.h"
#include "examples/yolov5s/host/error.h"

namespace cox::yolov5s {

void pack_picture(std::span<const std::uint8_t> pixels, std::uint32_t height, std::uint32_t width, std::span<isa::mx::Block> map) {
  const auto conversion = std::make_unique<kernels::mx::ByteConversion>();
  Status status = conversion->init(1.0F / 255.0F);
  if (status.ok()) status = kernels::mx::mx9_pack_u8_space_to_depth(pixels, kImageChannels, height, width, *conversion, map);
  if (!status.ok()) throw FileError(fmt::format("a picture cannot be packed: {}", status.what()));
}

Detection find_boxes(const HeadBlocks &values, std::uint32_t height, std::uint32_t width, float least_score, float most_overlap) {
  const auto detector = std::make_unique<Detector>();
  detector->start(least_score, most_overlap);
  for (std::uint32_t scale = 0; scale < kScales; ++scale) {
    const std::uint32_t rows = height / kStrides[scale], columns = width / kStrides[scale];
    detector->add_scale(scale, rows, columns, DeviceValues{values[scale], rows * columns});
  }
  const std::span<const Box> boxes = detector->finish();
  Detection detection;
  std::copy(boxes.begin(), boxes.end(), detection.boxes.begin());
  detection.box_count = static_cast<std::uint32_t>(boxes.size());
  detection.candidate_count = detector->candidates();
  return detection;
}

}  // namespace cox::yolov5s
