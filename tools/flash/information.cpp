// SPDX-License-Identifier: MIT
#include "tools/flash/information.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "coxswain/base/image_version_text.h"
#include "tools/file/error.h"
#include "tools/flash/contents.h"
#include "tools/flash/signed_image.h"

namespace cox::tools::flash {
namespace {

constexpr const char *kContainerNames[] = {"ELF", "Intel HEX", "binary"};

struct Facts {
  Contents contents;
  std::optional<SignedImage> signed_image;
  std::optional<Record> record;
  std::span<const std::uint8_t> image;   ///< from the vectors on
  std::optional<std::uint32_t> vectors;  ///< their address

  Facts(std::span<const std::uint8_t> file, const std::string &name) : contents(read_contents(file, name)) {
    image = contents.bytes;
    vectors = contents.address;
    if (is_signed(contents.bytes)) {
      signed_image = parse_signed(contents.bytes, name);
      image = signed_image->image;
      if (vectors) *vectors += static_cast<std::uint32_t>(signed_image->header_bytes);
    }
    record = find_record(image, name);
  }

  [[nodiscard]] std::uint32_t word(std::size_t index) const {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i > 0; --i) value = value << 8 | image[4 * index + i - 1];
    return value;
  }
};

}  // namespace

bool is_image(std::span<const std::uint8_t> file, const std::string &name) {
  return is_elf(file) || is_hex(file) || is_signed(file) || find_record(file, name).has_value();
}

std::string text_of(std::span<const std::uint8_t> file, const std::string &name) {
  const Facts facts(file, name);
  std::string text = fmt::format("{}: {}image, {}\n", name, facts.signed_image ? "signed " : "",
                                 kContainerNames[static_cast<std::size_t>(facts.contents.container)]);
  if (facts.record) {
    for (const std::string &line : lines_of(*facts.record)) text += "  " + line + "\n";
  } else {
    text += "  without a version record; cox_image() in CMake makes one\n";
  }
  text += fmt::format("  {} bytes", facts.image.size());
  if (facts.vectors) text += fmt::format(" at 0x{:08x}", *facts.vectors);
  if (facts.image.size() >= 8) text += fmt::format(", stack 0x{:08x}, reset 0x{:08x}", facts.word(0), facts.word(1));
  text += '\n';
  if (facts.record && facts.record->version.header != 0 && !facts.signed_image) {
    text += fmt::format("  linked for a header of {} bytes; cox image-sign adds it\n", facts.record->version.header);
  }
  if (const auto &image = facts.signed_image) {
    text += fmt::format("  signed version {}, security counter {}, header of {} bytes\n", image->version.text(),
                        image->security_counter ? std::to_string(*image->security_counter) : "none", image->header_bytes);
    text += image->signature.empty() ? "  without a signature\n"
                                     : fmt::format("  signature by {}, not checked here; cox image-verify checks it\n",
                                                   kKeyKindNames[static_cast<std::size_t>(image->kind)]);
    if (image->padding != 0) text += fmt::format("  {} bytes of padding, with{} trailer\n", image->padding, image->trailer ? "" : "out");
  }
  return text;
}

nlohmann::ordered_json json_of(std::span<const std::uint8_t> file, const std::string &name) {
  const Facts facts(file, name);
  nlohmann::ordered_json json{{"file", name},
                              {"kind", "image"},
                              {"container", kContainerNames[static_cast<std::size_t>(facts.contents.container)]},
                              {"bytes", facts.image.size()}};
  if (facts.vectors) json["address"] = *facts.vectors;
  if (facts.record) {
    const cox_image_version &version = facts.record->version;
    json["name"] = image_version::text_of(version.name);
    json["version"] = fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
    json["revision"] = image_version::text_of(version.revision);
    json["board"] = image_version::text_of(version.board);
    json["header_bytes"] = version.header;
    json["lines"] = lines_of(*facts.record);
  }
  if (const auto &image = facts.signed_image) {
    json["signed"] = {{"version", image->version.text()}, {"header_bytes", image->header_bytes}, {"padding", image->padding}};
    if (image->security_counter) json["signed"]["security_counter"] = *image->security_counter;
    if (!image->signature.empty()) json["signed"]["signature"] = kKeyKindNames[static_cast<std::size_t>(image->kind)];
  }
  return json;
}

}  // namespace cox::tools::flash
