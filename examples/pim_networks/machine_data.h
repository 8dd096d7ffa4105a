// SPDX-License-Identifier: MIT
// The block at the base of DRAM through which host and application exchange data (README.md). Little-endian. Addresses are bus addresses,
// aligned to 64 bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "examples/machine/data_block.h"

namespace cox::pim_networks {

inline constexpr std::uint32_t kMachineDataMagic = 0x4E4D4950;  // "PIMN"
inline constexpr std::uint32_t kMachineDataVersion = 1;

using machine::Region;

enum class Program : std::uint32_t {
  layers,    ///< LayerChain
  pipeline,  ///< Pipeline; only ResNet-18
};

struct MachineData {
  machine::BlockHead head = {kMachineDataMagic, kMachineDataVersion, sizeof(MachineData)};

  // Members that the host writes.
  std::uint32_t layers = 0;  ///< of the network; tells which one it is
  Program program = Program::layers;
  std::uint32_t cores = 1;
  std::uint32_t image_count = 0;
  Region images;                                      ///< INT8, one behind the other; for the pipeline the padded image
  Region weights;                                     ///< packed; for the pipeline arrays of all cores, then their constants
  Region maps;                                        ///< for the application: maps of the layers
  Region code;                                        ///< for the application: the program
  Region outputs;                                     ///< INT8 outputs of all images, written by the application
  std::array<std::array<std::int32_t, 9>, 8> adds{};  ///< numbers of quantify-resadd, in the order of the layers with shortcuts

  // Members that the application writes.
  char error_text[192] = {};
  std::uint64_t build_instructions = 0;      ///< control core instructions to write the programs
  std::uint64_t load_cycles = 0;             ///< device cycles that bring weights into the arrays, once; 0 if each inference does
  std::uint64_t inference_cycles = 0;        ///< device cycles of all inferences, from submitting until the core sees the end
  std::uint64_t inference_instructions = 0;  ///< control core instructions to submit and wait, for all inferences
  std::uint32_t program_instructions = 0;    ///< PIM instructions in the program of an inference
  std::uint32_t program_bytes = 0;
};
inline constexpr machine::BlockHead kMachineDataHead = MachineData().head;
static_assert(std::is_standard_layout_v<MachineData> && std::is_trivially_copyable_v<MachineData>);

}  // namespace cox::pim_networks
