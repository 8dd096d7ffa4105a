// SPDX-License-Identifier: MIT
// Task images with the program of an engine that runs streams (docs/task-image.md, Programs of streams), and their bindings.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coxswain/firmware/image/stream_program.h"
#include "tools/image/bindings.h"

namespace cox::tools {

struct StreamImage {
  std::string name;
  std::uint8_t engine = 0;
  std::vector<std::uint8_t> code;
  std::vector<firmware::image::Relocation> relocations;
  std::vector<Window> windows;
  std::vector<Constant> constants;
  std::vector<Tensor> tensors;
};

[[nodiscard]] std::vector<std::uint8_t> build_image(const StreamImage &image);
/// Throws FileError with an error code of images. Does not check relocations. `file` is for messages.
[[nodiscard]] StreamImage parse_stream_image(std::span<const std::uint8_t> bytes, const std::string &file);
/// Returns the number of the engine whose program the file holds, or nullopt if the file is not such an image.
[[nodiscard]] std::optional<std::uint8_t> engine_of_image(std::span<const std::uint8_t> bytes);

/// The DRAM address that a place of a program stands for (firmware::image::Relocation).
struct PlacedAddress {
  std::uint32_t place = 0;
  std::uint64_t address = 0;
};

/// Bindings of a stream, and where its windows and its base registers were when its addresses were written.
struct StreamBindings {
  StreamImage image;                  ///< without program
  std::vector<std::uint64_t> starts;  ///< address of each window
  std::vector<PlacedAddress> bases;   ///< base registers
};

/// Reads a bindings file. An engine has `base_registers` of these; without a list `bases`, the first registers hold the windows' addresses.
/// Throws FileError.
[[nodiscard]] StreamBindings read_stream_bindings(const std::string &path, unsigned base_registers);
/// Writes the bindings file `path`, and beside it a file for each long constant. Throws OutputError.
void write_stream_bindings(const std::string &path, const StreamBindings &bindings);

/// Returns for example `0x1000000`.
[[nodiscard]] std::string address_text(std::uint64_t address);
/// Returns bindings for an image: windows at multiples of 16 MiB, and a base register for each relocation if the engine has such registers.
[[nodiscard]] StreamBindings bindings_of(const StreamImage &image, unsigned base_registers);
/// Returns the address that a relocation stands for, or its offset if there is no such window.
[[nodiscard]] std::uint64_t address_of(const StreamBindings &bindings, const firmware::image::Relocation &relocation);
/// Returns the relocation of an address, or nullopt if no window holds it.
[[nodiscard]] std::optional<firmware::image::Relocation> relocation_of(const StreamBindings &bindings, const PlacedAddress &placed);

}  // namespace cox::tools
