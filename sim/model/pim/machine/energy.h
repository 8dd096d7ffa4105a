// SPDX-License-Identifier: MIT
// The energy table of the PIM engine (docs/pim.md, Energy), in femtojoules.
#pragma once

#include <cstdint>

namespace cox::model::pim {

struct Energy {
  std::uint32_t mac_bit = 2;           ///< one bit of an input times one bit of a weight, with its share of the adders
  std::uint32_t sram_read_byte = 150;  ///< of local memories of type sram
  std::uint32_t sram_write_byte = 180;
  std::uint32_t buffer_read_byte = 30;  ///< of local memories of type reg_buffer
  std::uint32_t buffer_write_byte = 40;
  std::uint32_t array_read_byte = 150;  ///< of trans
  std::uint32_t array_write_byte = 200;
  std::uint32_t dram_byte = 32'000;     ///< 4 picojoules a bit
  std::uint32_t hop_byte = 800;         ///< a byte of a message from a core to its neighbour
  std::uint32_t simd_element = 1'000;   ///< an element of a SIMD instruction's output
  std::uint32_t output_element = 100;   ///< a result of pim-output, and one that pim-transfer moves
  std::uint32_t instruction = 2'000;    ///< fetch, decode and scalar part of each instruction
  std::uint32_t leakage_cycle = 5'000;  ///< of a core, from the program's start to its end
};

}  // namespace cox::model::pim
