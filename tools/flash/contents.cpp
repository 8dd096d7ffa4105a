// SPDX-License-Identifier: MIT
#include "tools/flash/contents.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <sstream>
#include <string_view>

#include "coxswain/base/image_version_text.h"
#include "tools/file/error.h"

namespace cox::tools::flash {
namespace {

/// A part of an image at its address.
struct Piece {
  std::uint32_t address = 0;
  std::vector<std::uint8_t> bytes;
};

constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;  ///< more than any code memory: the addresses in the file are wrong

/// Replaces what does not print, because tools print the texts of a file that may be damaged.
void make_printable(std::span<char> text) {
  for (char &character : text) {
    if (character != '\0' && (character < ' ' || character > '~')) character = '?';
  }
}

/// Joins the pieces, in the order of their addresses.
Contents join(std::vector<Piece> pieces, Container container, const std::string &name) {
  if (pieces.empty()) throw FileError(name + ": the file has no contents for a memory");
  std::ranges::stable_sort(pieces, {}, &Piece::address);
  const std::uint32_t first = pieces.front().address;
  Contents contents{container, {}, first};
  for (const Piece &piece : pieces) {
    const std::uint64_t offset = piece.address - first;
    if (offset < contents.bytes.size()) {
      throw FileError(fmt::format("{}: two parts of the file lie at address 0x{:08x}", name, piece.address));
    }
    if (offset + piece.bytes.size() > kMostBytes) {
      throw FileError(fmt::format("{}: the file has bytes at 0x{:08x} and at 0x{:08x}, which is too far apart for one image", name, first,
                                  piece.address));
    }
    contents.bytes.resize(static_cast<std::size_t>(offset), 0xFF);
    contents.bytes.insert(contents.bytes.end(), piece.bytes.begin(), piece.bytes.end());
  }
  return contents;
}

template <typename Header>
Header header_at(std::span<const std::uint8_t> file, std::uint64_t offset, const char *what, const std::string &name) {
  if (offset > file.size() || file.size() - offset < sizeof(Header)) {
    throw FileError(fmt::format("{}: the file ends before its {}; it is truncated", name, what));
  }
  Header header;
  std::memcpy(&header, file.data() + offset, sizeof header);
  return header;
}

Contents read_elf(std::span<const std::uint8_t> file, const std::string &name) {
  const auto header = header_at<Elf32_Ehdr>(file, 0, "ELF header", name);
  if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != EM_ARM) {
    throw FileError(name + ": an ELF file, but not for a 32-bit little-endian Arm core");
  }
  if (header.e_type != ET_EXEC) throw FileError(name + ": an ELF file for Arm, but not an executable; link it with a board first");
  // Segments may also hold the ELF header itself, so the sections say what belongs to the image, as for objcopy.
  std::vector<Piece> pieces;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = header_at<Elf32_Phdr>(file, header.e_phoff + std::uint64_t{i} * sizeof(Elf32_Phdr), "program headers", name);
    if (segment.p_type != PT_LOAD || segment.p_filesz == 0) continue;
    for (unsigned j = 0; j < header.e_shnum; ++j) {
      const auto section = header_at<Elf32_Shdr>(file, header.e_shoff + std::uint64_t{j} * sizeof(Elf32_Shdr), "section headers", name);
      if ((section.sh_flags & SHF_ALLOC) == 0 || section.sh_type == SHT_NOBITS || section.sh_size == 0) continue;
      if (section.sh_offset < segment.p_offset || section.sh_offset - segment.p_offset >= segment.p_filesz) continue;
      if (section.sh_offset > file.size() || file.size() - section.sh_offset < section.sh_size) {
        throw FileError(fmt::format("{}: the file ends before the end of its section {}; it is truncated", name, j));
      }
      const auto bytes = file.subspan(section.sh_offset, section.sh_size);
      pieces.push_back({segment.p_paddr + (section.sh_offset - segment.p_offset), {bytes.begin(), bytes.end()}});
    }
  }
  return join(std::move(pieces), Container::elf, name);
}

/// Reads a line of Intel HEX, without its colon, as bytes.
std::vector<std::uint8_t> line_bytes(std::string_view digits, const std::string &where) {
  std::vector<std::uint8_t> bytes(digits.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char *first = digits.data() + 2 * i;
    const auto [end, error] = std::from_chars(first, first + 2, bytes[i], 16);
    if (error != std::errc{} || end != first + 2) throw FileError(where + ": a character is not a hexadecimal digit");
  }
  constexpr std::size_t kLeast = 5;  // count, address, type, check sum
  if (digits.size() % 2 != 0 || bytes.size() < kLeast || bytes.size() != bytes[0] + kLeast) {
    throw FileError(where + ": the line has not as many bytes as it says; it is truncated");
  }
  std::uint8_t sum = 0;
  for (const std::uint8_t byte : bytes) sum = static_cast<std::uint8_t>(sum + byte);
  if (sum != 0) throw FileError(where + ": the line's check sum is wrong");
  return bytes;
}

Contents read_hex(std::span<const std::uint8_t> file, const std::string &name) {
  std::string_view text(reinterpret_cast<const char *>(file.data()), file.size());
  std::vector<Piece> pieces;
  std::uint32_t base = 0;
  bool ended = false;
  for (unsigned line = 1; !text.empty(); ++line) {
    const std::string where = name + ":" + std::to_string(line);
    std::string_view rest = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), rest.size() + 1));
    while (!rest.empty() && (rest.back() == '\r' || rest.back() == ' ')) rest.remove_suffix(1);
    if (rest.empty()) continue;
    if (ended) throw FileError(where + ": there is a line behind the end of the HEX file");
    if (rest.front() != ':') throw FileError(where + ": a line of Intel HEX begins with a colon");
    const std::vector<std::uint8_t> bytes = line_bytes(rest.substr(1), where);
    const std::span<const std::uint8_t> data = std::span(bytes).subspan(4, bytes[0]);
    const auto two = [&data, &where] {
      if (data.size() != 2) throw FileError(where + ": the address in the line has not two bytes");
      return static_cast<std::uint32_t>(data[0] << 8 | data[1]);
    };
    switch (bytes[3]) {
      case 0: {
        const std::uint32_t address = base + static_cast<std::uint32_t>(bytes[1] << 8 | bytes[2]);
        if (pieces.empty() || pieces.back().address + pieces.back().bytes.size() != address) pieces.push_back({address, {}});
        pieces.back().bytes.insert(pieces.back().bytes.end(), data.begin(), data.end());
        break;
      }
      case 1: ended = true; break;
      case 2: base = two() << 4; break;
      case 4: base = two() << 16; break;
      case 3:
      case 5: break;  // the program's entry, which the vectors have too
      default: throw FileError(fmt::format("{}: Intel HEX has no line of type {}", where, bytes[3]));
    }
  }
  if (!ended) throw FileError(name + ": the HEX file has no line that ends it; it is truncated");
  return join(std::move(pieces), Container::hex, name);
}

void add_line(std::string &text, std::uint8_t type, std::uint32_t address, std::span<const std::uint8_t> data) {
  std::vector<std::uint8_t> bytes{static_cast<std::uint8_t>(data.size()), static_cast<std::uint8_t>(address >> 8),
                                  static_cast<std::uint8_t>(address), type};
  bytes.insert(bytes.end(), data.begin(), data.end());
  std::uint8_t sum = 0;
  text += ':';
  for (const std::uint8_t byte : bytes) {
    sum = static_cast<std::uint8_t>(sum + byte);
    text += fmt::format("{:02X}", byte);
  }
  text += fmt::format("{:02X}\n", static_cast<std::uint8_t>(0 - sum));
}

}  // namespace

bool is_elf(std::span<const std::uint8_t> file) { return file.size() >= SELFMAG && std::memcmp(file.data(), ELFMAG, SELFMAG) == 0; }

bool is_hex(std::span<const std::uint8_t> file) {
  constexpr std::size_t kShortest = 11;  // the line that ends a file
  return file.size() >= kShortest && file[0] == ':' &&
         std::ranges::all_of(file.subspan(1, kShortest - 1), [](std::uint8_t digit) { return std::isxdigit(digit) != 0; });
}

Contents read_contents(std::span<const std::uint8_t> file, const std::string &name) {
  if (is_elf(file)) return read_elf(file, name);
  if (is_hex(file)) return read_hex(file, name);
  return {Container::binary, {file.begin(), file.end()}, std::nullopt};
}

std::string hex_text(std::uint32_t address, std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kLine = 16;
  std::string text;
  std::uint32_t high = 0;
  for (std::size_t done = 0; done < bytes.size();) {
    const std::uint32_t at = address + static_cast<std::uint32_t>(done);
    if (at >> 16 != high || (done == 0 && high != 0)) {
      high = at >> 16;
      const std::uint8_t data[] = {static_cast<std::uint8_t>(high >> 8), static_cast<std::uint8_t>(high)};
      add_line(text, 4, 0, data);
    }
    const std::size_t count = std::min({kLine, bytes.size() - done, std::size_t{0x10000 - (at & 0xFFFF)}});
    add_line(text, 0, at & 0xFFFF, bytes.subspan(done, count));
    done += count;
  }
  add_line(text, 1, 0, {});
  return text;
}

std::optional<Record> find_record(std::span<const std::uint8_t> bytes, const std::string &name) {
  const std::string_view magic(COX_IMAGE_VERSION_MAGIC);
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  for (std::size_t at = text.find(magic); at != std::string_view::npos; at = text.find(magic, at + 1)) {
    Record record;
    record.offset = at;
    cox_image_version &version = record.version;
    if (at % alignof(cox_image_version) != 0 || bytes.size() - at < sizeof version) continue;
    std::memcpy(&version, bytes.data() + at, sizeof version);
    if (version.layout > COX_IMAGE_VERSION_LAYOUT && version.layout < 256) {
      throw FileError(fmt::format("{}: the version record at byte {} has layout {}, and this cox knows only {}; use a newer cox", name, at,
                                  version.layout, COX_IMAGE_VERSION_LAYOUT));
    }
    if (version.layout != COX_IMAGE_VERSION_LAYOUT || version.bytes < sizeof version) continue;
    make_printable(version.name);
    make_printable(version.revision);
    make_printable(version.board);
    cox_build_id_note note;
    const std::size_t behind = at + version.bytes;
    if (behind <= bytes.size() && bytes.size() - behind >= sizeof note) {
      std::memcpy(&note, bytes.data() + behind, sizeof note);
      if (note.name_bytes == sizeof note.name && note.id_bytes == sizeof note.id && note.type == NT_GNU_BUILD_ID &&
          std::memcmp(note.name, ELF_NOTE_GNU, sizeof note.name) == 0) {
        record.build_id = note;
      }
    }
    return record;
  }
  return std::nullopt;
}

std::vector<std::string> lines_of(const Record &record) {
  std::ostringstream version;
  image_version::write_version(version, record.version);
  std::ostringstream build;
  image_version::write_build(build, record.version, record.build_id ? &*record.build_id : nullptr);
  return {version.str(), build.str()};
}

}  // namespace cox::tools::flash
