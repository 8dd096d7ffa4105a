// SPDX-License-Identifier: MIT
#include "tools/image/bindings.h"

#include <array>
#include <nlohmann/json.hpp>
#include <span>

#include "tools/file/file.h"
#include "tools/json/object.h"

namespace cox::tools {
namespace {

namespace image = firmware::image;
using nlohmann::ordered_json;

std::vector<std::uint8_t> from_hexadecimal(const JsonObject &object, const std::string &digits) {
  const auto digit = [&object](char c) -> unsigned {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
    object.fail("hex", std::string("'") + c + "' is not a hexadecimal digit");
  };
  if (digits.size() % 2 != 0) object.fail("hex", "an odd number of digits");
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(digit(digits[i]) << 4U | digit(digits[i + 1])));
  return bytes;
}

std::vector<std::uint8_t> read_bytes(const JsonObject &object, const std::filesystem::path &folder) {
  if (object.has("file") + object.has("hex") + object.has("zeros") != 1) object.fail("file", "needs one of file, hex and zeros");
  std::vector<std::uint8_t> bytes;
  if (object.has("file")) {
    try {
      bytes = read_file((folder / object.text("file")).string());
    } catch (const FileError &error) {
      object.fail("file", error.what());
    }
  } else if (object.has("hex")) {
    bytes = from_hexadecimal(object, object.text("hex"));
  } else {
    bytes.resize(object.number("zeros", 1, kMostZeros));
  }
  if (bytes.empty()) object.fail("file", "has no bytes");
  return bytes;
}

std::uint8_t window_index(const JsonObject &object, const char *key) {
  return static_cast<std::uint8_t>(object.number(key, 0, kImageWindows - 1));
}

std::optional<image::Format> find_format(const std::string &name) {
  for (const image::Format format : image::EnumValuesFormat()) {
    if (name == image::EnumNameFormat(format)) return format;
  }
  return std::nullopt;
}

/// MX9 has 16 elements of 9 bits in a block.
unsigned bits_of(image::Format format) {
  switch (format) {
    case image::Format::INT4: return 4;
    case image::Format::INT8: return 8;
    case image::Format::MX9: return 9;
    case image::Format::INT32:
    case image::Format::FP32: return 32;
    default: return 16;
  }
}

std::uint64_t bytes_of(const JsonObject &object, const Tensor &tensor) {
  const std::uint64_t bits = std::uint64_t{tensor.shape[1]} * bits_of(tensor.format);
  if (bits % 8 != 0) object.fail("shape", "channels do not fill whole bytes");
  if (tensor.format == image::Format::MX9 && tensor.shape[1] % 16 != 0) object.fail("shape", "MX9 needs a multiple of 16 channels");
  std::uint64_t bytes = bits / 8;
  if (tensor.padded) bytes = (bytes + 7) / 8 * 8;
  for (const unsigned i : {0U, 2U, 3U}) {
    bytes *= tensor.shape[i];
    if (bytes > kLargestOffset) object.fail("shape", "too large");
  }
  return bytes;
}

constexpr std::size_t kLongestInline = 64;  ///< the most bytes of a constant that are written as hexadecimal digits

std::string to_hexadecimal(const std::vector<std::uint8_t> &bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text.push_back(kDigits[byte >> 4U]);
    text.push_back(kDigits[byte & 15U]);
  }
  return text;
}

/// Returns for example `digits.constant0.bin` for `digits.bindings.json` and constant 0.
std::filesystem::path constant_path(const std::string &path, std::size_t index) {
  return std::filesystem::path(path).replace_extension().replace_extension("constant" + std::to_string(index) + ".bin");
}

}  // namespace

Window read_window(const JsonObject &object) {
  Window window;
  window.index = window_index(object, "index");
  window.size = object.number("size", 1, kLargestOffset);
  window.writable = object.flag_or("writable", false);
  return window;
}

Constant read_constant(const JsonObject &object, const std::filesystem::path &folder) {
  object.allow({"window", "offset", "file", "hex", "zeros"});
  Constant constant;
  constant.window = window_index(object, "window");
  constant.offset = object.number_or("offset", 0, 0, kLargestOffset);
  constant.data = read_bytes(object, folder);
  return constant;
}

Tensor read_tensor(const JsonObject &object, image::Format last) {
  object.allow({"name", "direction", "format", "shape", "window", "offset", "size", "padded"});
  constexpr std::uint64_t kLargestExtent = 1U << 24;
  Tensor tensor;
  tensor.name = object.text("name");
  if (tensor.name.empty()) object.fail("name", "is empty");
  const std::string direction = object.text("direction");
  if (direction != "input" && direction != "output")
    object.fail("direction", "'" + direction + "' is neither input nor output" + did_you_mean(direction, std::array{"input", "output"}));
  tensor.direction = direction == "input" ? Direction::input : Direction::output;
  const std::string format = object.text("format");
  const auto value = find_format(format);
  if (!value || *value > last) {
    const std::span known(image::EnumNamesFormat(), static_cast<std::size_t>(last) + 1);
    object.fail("format", "'" + format + "' is not a data format" + did_you_mean(format, known));
  }
  tensor.format = *value;
  const nlohmann::json &shape = object.at("shape");
  if (!shape.is_array() || shape.size() != tensor.shape.size()) object.fail("shape", "needs four numbers: N, C, H, W");
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    tensor.shape[i] = static_cast<std::uint32_t>(object.checked("shape", shape[i], 1, kLargestExtent));
  }
  tensor.window = window_index(object, "window");
  tensor.offset = object.number_or("offset", 0, 0, kLargestOffset);
  tensor.padded = object.flag_or("padded", false);
  tensor.size = bytes_of(object, tensor);
  if (object.has("size") && object.number("size", 1, kLargestOffset) != tensor.size) {
    object.fail("size", "the shape takes " + std::to_string(tensor.size) + " bytes");
  }
  return tensor;
}

void add_window(std::vector<Window> &windows, const Window &window, const JsonObject &object) {
  for (const Window &other : windows) {
    if (other.index == window.index) object.fail("index", "window " + std::to_string(window.index) + " is there twice");
  }
  windows.push_back(window);
}

std::string bindings_path(const std::string &stream_path) {
  return std::filesystem::path(stream_path).replace_extension("bindings.json").string();
}

std::optional<std::string> bindings_beside(const std::string &stream_path) {
  const std::string beside = bindings_path(stream_path);
  std::error_code error;
  return std::filesystem::is_regular_file(beside, error) ? std::optional(beside) : std::nullopt;
}

ordered_json constant_json(const std::string &path, const Constant &constant, std::size_t index) {
  ordered_json entry = {{"window", constant.window}, {"offset", constant.offset}};
  if (constant.data.size() <= kLongestInline) {
    entry["hex"] = to_hexadecimal(constant.data);
  } else {
    const std::filesystem::path file = constant_path(path, index);
    write_file(file.string(), constant.data);
    entry["file"] = file.filename().string();
  }
  return entry;
}

}  // namespace cox::tools
