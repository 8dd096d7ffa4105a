// SPDX-License-Identifier: MIT
// The board's DRAM as a file, written before a run and read after it. Data that an application has left there is checked before it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "coxswain/isa/numbers/mx9_block.h"
#include "examples/yolov5s/machine_data.h"

namespace cox::yolov5s {

class DramImage {
 public:
  /// Makes a DRAM of `bytes` bytes for the application. It holds MachineData at its base, the pixels of the pictures (Picture::pixels, one
  /// picture after the other) and the packed weights. Throws FileError if they do not fit, or if there are more than kMostPictures
  /// pictures.
  static DramImage lay_out(std::uint64_t bytes, std::uint32_t height, std::uint32_t width, std::span<const std::uint8_t> pictures,
                           std::span<const std::byte> weights);
  /// Throws FileError if the file does not exist or does not begin with MachineData of the version kMachineDataVersion.
  static DramImage read(const std::string &path);
  void write(const std::string &path) const;

  [[nodiscard]] MachineData &data() { return *reinterpret_cast<MachineData *>(bytes_.data()); }
  [[nodiscard]] const MachineData &data() const { return *reinterpret_cast<const MachineData *>(bytes_.data()); }
  /// Returns the bytes at a bus address. Throws FileError, which names `what`, if they are not completely in DRAM.
  [[nodiscard]] std::span<std::byte> at(std::uint64_t address, std::uint64_t bytes, const char *what);
  /// Returns the pixels of a picture: 8-bit RGB [row][column][channel]. Throws FileError if the application's data has no such picture.
  [[nodiscard]] std::span<const std::uint8_t> picture(std::uint32_t number);
  /// Reads an MX9 map [channel block][row][column] and returns it as [channel][row][column].
  [[nodiscard]] std::vector<float> unpack(std::uint64_t address, const Map &map, const char *what);

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace cox::yolov5s
