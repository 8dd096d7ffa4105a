// SPDX-License-Identifier: MIT
#include "examples/yolov5s/host/dram_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "boards/qemu-npu-soc/board_map.h"
#include "coxswain/kernels/mx/mx9_unpack.h"
#include "examples/yolov5s/host/error.h"
#include "examples/yolov5s/host/file.h"

namespace cox::yolov5s {
namespace {

constexpr std::uint64_t kDramBase = BOARD_DRAM_BUS_BASE;
constexpr std::uint64_t kAlignment = 64;
/// One base register of the MX engine addresses 16 MiB. Weights with this alignment need only one register (docs/kernels/mx.md, Streams).
constexpr std::uint64_t kWeightAlignment = 1U << 24;

constexpr std::uint64_t aligned(std::uint64_t value, std::uint64_t alignment) { return (value + alignment - 1) / alignment * alignment; }

}  // namespace

DramImage DramImage::lay_out(std::uint64_t bytes, std::uint32_t height, std::uint32_t width, std::span<const std::uint8_t> pictures,
                             std::span<const std::byte> weights) {
  MachineData data;
  data.height = height;
  data.width = width;
  data.pictures = {kDramBase + aligned(sizeof(MachineData), kAlignment), pictures.size()};
  data.picture_count = static_cast<std::uint32_t>(pictures.size() / (std::size_t{kImageChannels} * height * width));
  if (data.picture_count > kMostPictures) throw FileError(fmt::format("{} pictures; at most {} fit", data.picture_count, kMostPictures));
  data.weights = {aligned(data.pictures.address + data.pictures.bytes, kWeightAlignment), weights.size()};
  data.arena.address = aligned(data.weights.address + data.weights.bytes, kAlignment);
  if (data.arena.address >= kDramBase + bytes) {
    throw FileError(
        fmt::format("a DRAM of {} bytes does not hold pictures and weights, which end at byte {}", bytes, data.arena.address - kDramBase));
  }
  data.arena.bytes = kDramBase + bytes - data.arena.address;
  DramImage result;
  result.bytes_.resize(bytes);
  std::memcpy(result.bytes_.data(), &data, sizeof(data));
  std::memcpy(result.at(data.pictures.address, data.pictures.bytes, "pictures").data(), pictures.data(), pictures.size());
  std::memcpy(result.at(data.weights.address, data.weights.bytes, "weights").data(), weights.data(), weights.size());
  return result;
}

DramImage DramImage::read(const std::string &path) {
  DramImage result;
  result.bytes_ = read_file(path);
  if (result.bytes_.size() < sizeof(MachineData) || result.data().head.magic != kMachineDataMagic) {
    throw FileError(path + ": no data block of YOLOv5s at its start");
  }
  const machine::BlockHead &head = result.data().head;
  if (head.version != kMachineDataVersion || head.bytes != sizeof(MachineData)) {
    throw FileError(fmt::format("{}: a data block of version {} and {} bytes; this is version {} and {}", path, head.version, head.bytes,
                                kMachineDataVersion, sizeof(MachineData)));
  }
  return result;
}

void DramImage::write(const std::string &path) const { write_file(path, bytes_); }

std::span<std::byte> DramImage::at(std::uint64_t address, std::uint64_t bytes, const char *what) {
  if (address < kDramBase || address - kDramBase > bytes_.size() || bytes > bytes_.size() - (address - kDramBase)) {
    throw FileError(
        fmt::format("DRAM: {} is at {:#x}, {} bytes: outside of {} bytes from {:#x}", what, address, bytes, bytes_.size(), kDramBase));
  }
  return std::span(bytes_).subspan(address - kDramBase, bytes);
}

std::span<const std::uint8_t> DramImage::picture(std::uint32_t number) {
  const std::uint64_t pixels = std::uint64_t{data().height} * data().width;  // at most 2^64 - 2^33 + 1
  // Checked before anything is computed from the sides, because a damaged block may state huge ones.
  if (number >= data().picture_count || data().pictures.bytes / kImageChannels / (number + 1) < pixels) {
    throw FileError(fmt::format("DRAM: {} pictures of {} x {} do not have {} bytes", data().picture_count, data().height, data().width,
                                data().pictures.bytes));
  }
  const std::uint64_t bytes = kImageChannels * pixels;
  const std::span<const std::byte> memory = at(data().pictures.address + number * bytes, bytes, "a picture");
  return {reinterpret_cast<const std::uint8_t *>(memory.data()), memory.size()};
}

std::vector<float> DramImage::unpack(std::uint64_t address, const Map &map, const char *what) {
  const std::size_t pixels = std::size_t{map.height} * map.width;
  const std::size_t count = isa::mx::blocks_of(map.channels) * pixels;
  const std::span<const std::byte> bytes = at(address, count * isa::mx::kBlockBytes, what);
  std::vector<float> values(map.channels * pixels);
  const Status status =
      kernels::mx::mx9_unpack_planes({reinterpret_cast<const isa::mx::Block *>(bytes.data()), count}, map.channels, pixels, values);
  if (!status.ok()) throw FileError(fmt::format("DRAM: {}: {}", what, status.what()));
  return values;
}

}  // namespace cox::yolov5s
