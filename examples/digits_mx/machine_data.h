// SPDX-License-Identifier: MIT
// The block at the base of DRAM through which host and application exchange data (README.md). Little-endian. Addresses are bus addresses,
// aligned to 64 bytes. demo.py has the same layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "examples/machine/data_block.h"

namespace cox::digits_mx {

inline constexpr std::uint32_t kMachineDataMagic = 0x584D4744;  // "DGMX"
inline constexpr std::uint32_t kMachineDataVersion = 1;

using machine::Region;

struct MachineData {
  machine::BlockHead head = {kMachineDataMagic, kMachineDataVersion, sizeof(MachineData)};

  // Members that the host writes.
  std::uint32_t image_count = 0;
  std::uint32_t reserved = 0;
  Region images;       ///< FP32 [image][8][8]
  Region weights;      ///< packed weights, in the order of network.h
  Region arena;        ///< memory for the application: activations and the stream
  Region logits;       ///< FP32 [image][10], written by the application
  Region predictions;  ///< one byte per image, written by the application

  // Members that the application writes.
  char error_text[192] = {};
  std::uint64_t device_cycles = 0;         ///< cycles from submitting the stream until the core sees its end, summed over all images
  std::uint64_t build_instructions = 0;    ///< control core instructions to build the stream, once
  std::uint64_t pack_instructions = 0;     ///< control core instructions to pack all images
  std::uint64_t run_instructions = 0;      ///< control core instructions to submit the stream and wait for it, for all images
  std::uint64_t predict_instructions = 0;  ///< control core instructions to unpack the logits and find the largest, for all images
  std::uint32_t stream_instructions = 0;   ///< MX instructions per image
  std::uint32_t stream_bytes = 0;
};
inline constexpr machine::BlockHead kMachineDataHead = MachineData().head;
static_assert(std::is_standard_layout_v<MachineData> && std::is_trivially_copyable_v<MachineData>);
static_assert(offsetof(MachineData, images) == 24 && offsetof(MachineData, error_text) == 104 && sizeof(MachineData) == 344);

}  // namespace cox::digits_mx
