// SPDX-License-Identifier: MIT
// The board's DRAM as a file: laid out before a run, read after it. What an application left there is checked before it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "examples/yolov5s/machine_data.h"
#include "isa/numbers/mx9_block.h"

namespace cox::yolov5s {

class DramImage {
 public:
  /// A DRAM of `bytes` with the block, the image ([channel][row][column], 0 to 1) and packed weights in it, ready for the application.
  /// Throws FileError where they do not fit.
  static DramImage lay_out(std::uint64_t bytes, std::uint32_t height, std::uint32_t width, std::span<const float> image,
                           std::span<const std::byte> weights);
  /// Throws FileError: no such file, or no block of this version at its start.
  static DramImage read(const std::string &path);
  void write(const std::string &path) const;

  [[nodiscard]] MachineData &data() { return *reinterpret_cast<MachineData *>(bytes_.data()); }
  [[nodiscard]] const MachineData &data() const { return *reinterpret_cast<const MachineData *>(bytes_.data()); }
  /// Bytes at a bus address. Throws FileError where they are not all in the DRAM; `what` names them.
  [[nodiscard]] std::span<std::byte> at(std::uint64_t address, std::uint64_t bytes, const char *what);
  /// An MX9 map [channel block][row][column] to [channel][row][column].
  [[nodiscard]] std::vector<float> unpack(std::uint64_t address, const Map &map, const char *what);

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace cox::yolov5s
