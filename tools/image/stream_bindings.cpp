// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "tools/file/file.h"
#include "tools/image/stream_image.h"
#include "tools/json/object.h"
#include "tools/json/parse.h"

namespace cox::tools {
namespace {

using firmware::image::Relocation;
using nlohmann::json;
using nlohmann::ordered_json;

/// Windows begin at multiples of 16 MiB, which is how far an offset in an instruction reaches.
constexpr std::uint64_t kSpacing = std::uint64_t{1} << 24;
constexpr std::uint64_t kLargestAddress = (std::uint64_t{1} << 48) - 1;

/// An address is a number, or a string with a hexadecimal number.
std::uint64_t read_address(const JsonObject &object, const char *key, const json &value) {
  if (!value.is_string()) return object.checked(key, value, 0, kLargestAddress);
  const auto text = value.get<std::string>();
  const bool digits = text.size() > 2 && text.size() <= 14 && text.starts_with("0x") &&
                      text.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string::npos;
  if (!digits) object.fail(key, value.dump() + " is not an address of at most 48 bits, such as \"0x1000000\"");
  return std::stoull(text.substr(2), nullptr, 16);
}

/// Fails if the last window overlaps an earlier one.
void check_overlap(const StreamBindings &bindings, const JsonObject &object) {
  const std::vector<Window> &windows = bindings.image.windows;
  const std::uint64_t start = bindings.starts.back(), end = start + windows.back().size;
  for (std::size_t i = 0; i + 1 < windows.size(); ++i) {
    if (end <= bindings.starts[i] || start >= bindings.starts[i] + windows[i].size) continue;
    object.fail("base", "window " + std::to_string(windows.back().index) + " (" + address_text(start) + " to " + address_text(end - 1) +
                            ") overlaps window " + std::to_string(windows[i].index));
  }
}

void read_bases(const JsonObject &object, const json &list, unsigned base_registers, StreamBindings &bindings) {
  if (base_registers == 0) object.fail("bases", "the engine has no base registers");
  if (!list.is_array() || list.size() > base_registers)
    object.fail("bases", "must be a list of at most " + std::to_string(base_registers) + " addresses");
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_null()) bindings.bases.push_back({i, read_address(object, "bases", list[i])});
  }
}

}  // namespace

std::string address_text(std::uint64_t number) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string digits;
  for (; number > 0 || digits.empty(); number /= 16) digits.insert(digits.begin(), kDigits[number % 16]);
  return "0x" + digits;
}

StreamBindings read_stream_bindings(const std::string &path, unsigned base_registers) {
  const json root = parse_json(read_file(path), path);
  const JsonObject object(root, path);
  object.allow({"$schema", "name", "windows", "constants", "tensors", "bases"});
  StreamBindings bindings;
  StreamImage &image = bindings.image;
  if (object.has("name")) image.name = object.text("name");
  for (const JsonObject &entry : object.list("windows")) {
    entry.allow({"index", "size", "writable", "base"});
    add_window(image.windows, read_window(entry), entry);
    const std::uint64_t usual = (std::uint64_t{image.windows.back().index} + 1) * kSpacing;
    bindings.starts.push_back(entry.has("base") ? read_address(entry, "base", entry.at("base")) : usual);
    check_overlap(bindings, entry);
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const JsonObject &entry : object.list("constants")) image.constants.push_back(read_constant(entry, folder));
  for (const JsonObject &entry : object.list("tensors")) image.tensors.push_back(read_tensor(entry, firmware::image::Format::MAX));
  check_bindings(path, image);
  if (object.has("bases")) {
    read_bases(object, object.at("bases"), base_registers, bindings);
  } else if (base_registers > 0) {
    for (std::size_t i = 0; i < image.windows.size(); ++i) bindings.bases.push_back({image.windows[i].index, bindings.starts[i]});
    std::sort(bindings.bases.begin(), bindings.bases.end(),
              [](const PlacedAddress &a, const PlacedAddress &b) { return a.place < b.place; });
  }
  return bindings;
}

void write_stream_bindings(const std::string &path, const StreamBindings &bindings) {
  const StreamImage &image = bindings.image;
  ordered_json root = ordered_json::object();
  if (!image.name.empty()) root["name"] = image.name;
  root["windows"] = ordered_json::array();
  for (std::size_t i = 0; i < image.windows.size(); ++i) {
    const Window &window = image.windows[i];
    root["windows"].push_back(
        {{"index", window.index}, {"size", window.size}, {"writable", window.writable}, {"base", address_text(bindings.starts[i])}});
  }
  if (!bindings.bases.empty()) {
    root["bases"] = ordered_json::array();
    for (const PlacedAddress &base : bindings.bases) {
      while (root["bases"].size() < base.place) root["bases"].push_back(nullptr);
      root["bases"].push_back(address_text(base.address));
    }
  }
  root["constants"] = ordered_json::array();
  for (std::size_t i = 0; i < image.constants.size(); ++i) root["constants"].push_back(constant_json(path, image.constants[i], i));
  root["tensors"] = ordered_json::array();
  for (const Tensor &tensor : image.tensors) root["tensors"].push_back(tensor_json(tensor));
  write_file(path, root.dump(2) + "\n");
}

StreamBindings bindings_of(const StreamImage &image, unsigned base_registers) {
  StreamBindings bindings{.image = image, .starts = {}, .bases = {}};
  std::uint64_t next = kSpacing;
  for (const Window &window : image.windows) {
    bindings.starts.push_back(next);
    next += (window.size + kSpacing - 1) / kSpacing * kSpacing;
  }
  for (const Relocation &relocation : image.relocations) {
    if (relocation.place < base_registers) bindings.bases.push_back({relocation.place, address_of(bindings, relocation)});
  }
  return bindings;
}

std::uint64_t address_of(const StreamBindings &bindings, const Relocation &relocation) {
  for (std::size_t i = 0; i < bindings.starts.size(); ++i) {
    if (bindings.image.windows[i].index == relocation.window) return bindings.starts[i] + relocation.offset;
  }
  return relocation.offset;
}

std::optional<Relocation> relocation_of(const StreamBindings &bindings, const PlacedAddress &placed) {
  for (std::size_t i = 0; i < bindings.starts.size(); ++i) {
    const Window &window = bindings.image.windows[i];
    if (placed.address < bindings.starts[i] || placed.address - bindings.starts[i] >= window.size) continue;
    return Relocation{.offset = placed.address - bindings.starts[i], .place = placed.place, .window = window.index};
  }
  return std::nullopt;
}

}  // namespace cox::tools
