// SPDX-License-Identifier: MIT
// Files of firmware images: ELF, Intel HEX and plain binary, each also with the header and the TLVs of a signed image (docs/flashing.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coxswain/base/image_version.h"

namespace cox::tools::flash {

enum class Container : std::uint8_t { elf, hex, binary };

/// What a file puts into code memory.
struct Contents {
  Container container = Container::binary;
  std::vector<std::uint8_t> bytes;       ///< from the lowest address on; gaps are 0xFF, as erased flash
  std::optional<std::uint32_t> address;  ///< of the first byte; a binary file does not say it
};

/// Returns true if the bytes look like a file for read_contents() that says so itself: an ELF file for Arm, or Intel HEX.
[[nodiscard]] bool is_elf(std::span<const std::uint8_t> file);
[[nodiscard]] bool is_hex(std::span<const std::uint8_t> file);

/// Reads the contents of a file; `name` is for messages. Throws FileError if the file is ELF or HEX and broken, or too large for code
/// memory.
[[nodiscard]] Contents read_contents(std::span<const std::uint8_t> file, const std::string &name);

/// Writes bytes as Intel HEX.
[[nodiscard]] std::string hex_text(std::uint32_t address, std::span<const std::uint8_t> bytes);

/// The version record in an image.
struct Record {
  cox_image_version version{};
  std::optional<cox_build_id_note> build_id;
  std::size_t offset = 0;  ///< of the record in the bytes
};
/// Returns the first record in the bytes, or nullopt. Bytes of its texts that do not print are question marks. Throws FileError if its
/// layout is newer than this tool knows.
[[nodiscard]] std::optional<Record> find_record(std::span<const std::uint8_t> bytes, const std::string &name);

/// Returns the words for a record: two lines, as the firmware's console prints them.
[[nodiscard]] std::vector<std::string> lines_of(const Record &record);

}  // namespace cox::tools::flash
