// SPDX-License-Identifier: MIT
// Builds task images field by field, so that a test can make each field wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "coxswain/firmware/image/stream_program.h"
#include "coxswain/isa/tile/table.h"

namespace cox::tests {

using Fields = std::vector<std::pair<const char *, std::vector<std::int64_t>>>;

constexpr std::uint32_t bit(isa::tile::Class queue) { return 1U << static_cast<unsigned>(queue); }

/// Returns an instruction with these fields; its other fields are 0. Values are not checked, because the tests need wrong ones.
/// The value of a floating-point field is its bits.
isa::tile::MachineCode make(isa::tile::Opcode opcode, const Fields &fields = {}, std::uint32_t previous = 0, std::uint32_t next = 0);

struct WindowText {
  std::uint8_t index = 0;
  std::uint64_t size = 0;
  bool writable = false;
};
struct ConstantText {
  std::uint8_t window = 0;
  std::uint64_t offset = 0;
  std::vector<std::uint8_t> data;
  bool same = false;  ///< shares the bytes of the previous constant in the image
};
struct TensorText {
  std::string name;
  bool output = false;
  std::uint8_t format = 1;
  std::vector<std::uint32_t> shape;
  std::uint8_t window = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  bool padded = false;
};

/// The program of an engine that runs streams.
struct ProgramText {
  std::uint8_t engine = 0;
  std::vector<std::uint8_t> code;
  std::vector<firmware::image::Relocation> relocations;
};

struct TaskText {
  std::string name = "task";
  std::uint32_t l2_bytes = 8U << 20, wl0_bytes = 0, tile_cores = 1;
  std::vector<isa::tile::MachineCode> code;
  std::size_t mapping = 0;  ///< number of entries in the image's table `mapping`, which gives each instruction its origin in the network
  std::vector<WindowText> windows;
  std::vector<ConstantText> constants;
  std::vector<TensorText> tensors;
  std::optional<ProgramText> program;
};

/// Bytes of the image. The payload behind its header is aligned to 64 bytes, as the loader's callers align it.
class Image {
 public:
  explicit Image(const TaskText &text);

  [[nodiscard]] std::span<std::byte> bytes() { return std::span(storage_).subspan(kShift, size_); }
  /// Writes the header anew, after bytes() was changed behind it.
  void seal();

 private:
  static constexpr std::size_t kAlignment = 64;
  static constexpr std::size_t kShift = kAlignment - 16;

  struct alignas(kAlignment) Line {
    std::byte bytes[kAlignment];
  };
  std::vector<Line> lines_;
  std::span<std::byte> storage_;
  std::size_t size_ = 0;
  std::uint32_t version_;  ///< of the header
};

/// Positions of the instructions of copy_task().
enum CopyIndex : std::size_t { kStart, kCut, kLoadConfiguration, kLoad, kStoreConfiguration, kStore, kEnd };

/// Returns a task that copies 128 bytes (1 x 8 x 4 x 4 INT8) from offset 0 of window 0 to offset 128, through L2 blocks `first` to `last`.
TaskText copy_task(std::int64_t first = 0, std::int64_t last = 8191);

}  // namespace cox::tests
