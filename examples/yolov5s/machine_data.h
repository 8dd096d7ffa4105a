// SPDX-License-Identifier: MIT
// The block at the base of DRAM through which the host programs and the application exchange data. The host writes a DRAM image with it
// (`yolov5s pack`), the application runs and adds its results, and the host reads them (`yolov5s compare`). Little-endian. All addresses
// are bus addresses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "examples/machine/data_block.h"
#include "examples/yolov5s/network.h"

namespace cox::yolov5s {

inline constexpr std::uint32_t kMachineDataMagic = 0x53355659;  // "YV5S"
inline constexpr std::uint32_t kMachineDataVersion = 2;
inline constexpr std::uint32_t kMostBoxes = 300;
inline constexpr std::uint32_t kMostPictures = 8;
inline constexpr std::uint32_t kStages = 8;

using machine::Region;
using machine::State;

/// Coordinates in pixels of the network's input.
struct Box {
  float x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  float score = 0;
  std::uint32_t class_number = 0;
};

/// A layer's output after the run (shape and address), and the cost of the layer. The application writes the records in the order of
/// network.h.
struct LayerRecord {
  LayerKind kind = LayerKind::convolution;
  std::uint32_t channels = 0, height = 0, width = 0;  ///< shape of the output, without padded channels
  std::uint64_t address = 0;                          ///< bus address of the output: blocks [channel block][row][column]
  /// Cycles in which the device ran only this layer, or 0 if the layer was not measured alone. The cycles of a pair of convolutions are in
  /// the record of the first one.
  std::uint64_t device_cycles = 0;
  std::uint64_t control_instructions = 0;  ///< instructions of the kernel call; 0 if they are not counted
};

/// The boxes of one picture.
struct Detection {
  std::uint32_t box_count = 0;
  std::uint32_t candidate_count = 0;  ///< number of candidates before non-maximum suppression
  std::array<Box, kMostBoxes> boxes;  ///< best first
};

/// A part of the run, for the printed report: "pack", "build", "network", "detect".
struct StageRecord {
  char name[16] = {};
  std::uint64_t device_cycles = 0;         ///< elapsed device cycles
  std::uint64_t control_instructions = 0;  ///< control core instructions; 0 if the board does not count them
};

struct MachineData {
  machine::BlockHead head = {kMachineDataMagic, kMachineDataVersion, sizeof(MachineData)};

  // Members that the host writes.
  std::uint32_t height = 0, width = 0;  ///< size of the network's input: multiples of kSizeMultiple
  float least_score = 0.25F;            ///< only boxes with a higher score are kept
  float most_overlap = 0.45F;           ///< if two boxes of a class have a larger intersection over union, only the better one stays
  Region pictures;                      ///< 8-bit RGB [picture][row][column][channel], red first; 255 stands for 1
  Region weights;                       ///< packed weights, in the order of network.h; `bytes` is their size
  Region arena;                         ///< memory for the application: activations, streams, scratch
  std::uint32_t picture_count = 0;      ///< 1 to kMostPictures

  // Members that the application writes.
  char error_text[192] = {};
  Region input;                      ///< the packed space-to-depth map of the first picture
  std::uint64_t network_cycles = 0;  ///< device cycles of all layers as one stream, from its start to its end
  std::uint64_t frames_cycles = 0;   ///< device cycles of all pictures in a row, from the packing of the first to the boxes of the last
  std::uint32_t layer_count = 0, stage_count = 0;
  std::array<LayerRecord, kLayers> layers;
  std::array<StageRecord, kStages> stages;
  Detection detection;                          ///< of the first picture, processed by itself
  std::array<Detection, kMostPictures> frames;  ///< of all pictures, processed in a row
};
inline constexpr machine::BlockHead kMachineDataHead = MachineData().head;
static_assert(std::is_standard_layout_v<MachineData> && std::is_trivially_copyable_v<MachineData>);
static_assert(offsetof(MachineData, pictures) == 32 && sizeof(Region) == 16 && sizeof(Box) == 24);
static_assert(sizeof(LayerRecord) == 40 && sizeof(StageRecord) == 32 && sizeof(Detection) == 7208);

}  // namespace cox::yolov5s
