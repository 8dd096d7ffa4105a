// SPDX-License-Identifier: MIT
#include "tools/tile/bindings.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>

#include "isa/tile/format.h"
#include "isa/tile/layout.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/json/parse.h"
#include "tools/names/did_you_mean.h"
#include "tools/tile/bindings_file.h"

namespace cox::task {
namespace {

using nlohmann::json;

constexpr std::uint64_t kLargestOffset = std::uint64_t{1} << 40;

/// One object of the bindings file, with its position for messages: `digits.bindings.json: tensors[1]: shape: ...`.
class Object {
 public:
  Object(const json &value, std::string place) : value_(value), place_(std::move(place)) {
    if (!value_.is_object()) throw tools::FileError(place_ + ": must be an object");
  }

  /// Refuses every key that is not in `keys`.
  void allow(std::initializer_list<std::string_view> keys) const {
    for (const auto &[key, value] : value_.items()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) fail(key, "no such field" + tools::did_you_mean(key, keys));
    }
  }

  [[noreturn]] void fail(std::string_view key, const std::string &why) const {
    throw tools::FileError(place_ + ": " + std::string(key) + ": " + why);
  }

  [[nodiscard]] bool has(const char *key) const { return value_.contains(key); }

  [[nodiscard]] const json &at(const char *key) const {
    if (!has(key)) fail(key, "missing");
    return value_.at(key);
  }

  [[nodiscard]] std::uint64_t number(const char *key, std::uint64_t minimum, std::uint64_t maximum) const {
    return checked(key, at(key), minimum, maximum);
  }
  [[nodiscard]] std::uint64_t number_or(const char *key, std::uint64_t fallback, std::uint64_t minimum, std::uint64_t maximum) const {
    return has(key) ? number(key, minimum, maximum) : fallback;
  }

  [[nodiscard]] std::uint64_t checked(const char *key, const json &value, std::uint64_t minimum, std::uint64_t maximum) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < minimum || value.get<std::uint64_t>() > maximum) {
      fail(key, value.dump() + " is not a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum));
    }
    return value.get<std::uint64_t>();
  }

  [[nodiscard]] bool flag_or(const char *key, bool fallback) const {
    if (!has(key)) return fallback;
    if (!at(key).is_boolean()) fail(key, at(key).dump() + " is neither true nor false");
    return at(key).get<bool>();
  }

  [[nodiscard]] std::string text(const char *key) const {
    if (!at(key).is_string()) fail(key, at(key).dump() + " is not a string");
    return at(key).get<std::string>();
  }

  /// Returns the elements of a list, or [] if the list is absent.
  [[nodiscard]] std::vector<Object> list(const char *key) const {
    std::vector<Object> all;
    if (!has(key)) return all;
    if (!at(key).is_array()) fail(key, "must be a list");
    for (const json &element : at(key)) all.emplace_back(element, place_ + ": " + key + "[" + std::to_string(all.size()) + "]");
    return all;
  }

 private:
  const json &value_;
  std::string place_;
};

std::uint8_t window_index(const Object &object, const char *key) {
  return static_cast<std::uint8_t>(object.number(key, 0, isa::tile::kWindows - 1));
}

Window read_window(const Object &object) {
  object.allow({"index", "size", "writable"});
  Window window;
  window.index = window_index(object, "index");
  window.size = object.number("size", 1, kLargestOffset);
  window.writable = object.flag_or("writable", false);
  return window;
}

std::vector<std::uint8_t> from_hexadecimal(const Object &object, const std::string &digits) {
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

Constant read_constant(const Object &object, const std::filesystem::path &folder) {
  object.allow({"window", "offset", "file", "hex", "zeros"});
  if (object.has("file") + object.has("hex") + object.has("zeros") != 1) object.fail("file", "needs one of file, hex and zeros");
  Constant constant;
  constant.window = window_index(object, "window");
  constant.offset = object.number_or("offset", 0, 0, kLargestOffset);
  if (object.has("file")) {
    try {
      constant.data = tools::read_file((folder / object.text("file")).string());
    } catch (const tools::FileError &error) {
      object.fail("file", error.what());
    }
  } else if (object.has("hex")) {
    constant.data = from_hexadecimal(object, object.text("hex"));
  } else {
    constant.data.resize(object.number("zeros", 1, kLargestInferredWindow));
  }
  if (constant.data.empty()) object.fail("file", "has no bytes");
  return constant;
}

std::uint64_t bytes_of(const Object &object, const Tensor &tensor) {
  const std::uint64_t bits = std::uint64_t{tensor.shape[1]} * bits_of(tensor.format);
  if (bits % 8 != 0) object.fail("shape", "channels do not fill whole bytes");
  const auto pixel = static_cast<std::int64_t>(bits / 8);
  auto bytes = static_cast<std::uint64_t>(tensor.padded ? isa::tile::padded_pixel(pixel) : pixel);
  for (const unsigned i : {0U, 2U, 3U}) {
    bytes *= tensor.shape[i];
    if (bytes > kLargestOffset) object.fail("shape", "too large");
  }
  return bytes;
}

Tensor read_tensor(const Object &object) {
  object.allow({"name", "direction", "format", "shape", "window", "offset", "size", "padded"});
  constexpr std::uint64_t kLargestExtent = 1U << 24;
  Tensor tensor;
  tensor.name = object.text("name");
  if (tensor.name.empty()) object.fail("name", "is empty");
  const std::string direction = object.text("direction");
  if (direction != "input" && direction != "output") object.fail("direction", "'" + direction + "' is neither input nor output");
  tensor.direction = direction == "input" ? Direction::input : Direction::output;
  const std::string format = object.text("format");
  const isa::EnumValue *value = isa::tile::kDataFmt.find(std::string_view(format));
  if (value == nullptr) object.fail("format", "'" + format + "' is not a data format");
  tensor.format = static_cast<isa::tile::DataFmt>(value->value);
  const json &shape = object.at("shape");
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

/// Checks that constants and tensors lie inside their windows, that tensors' names differ, and that outputs' windows are writable.
void check(const std::string &path, const Task &task) {
  const auto check_inside = [&](std::uint8_t index, std::uint64_t end, const std::string &what) {
    for (const Window &window : task.windows) {
      if (window.index != index) continue;
      if (end > window.size) {
        std::string message = path;
        message.append(": ").append(what).append(": ends at byte ").append(std::to_string(end)).append(" of window ");
        throw tools::FileError(message.append(std::to_string(index)).append(", which has ").append(std::to_string(window.size)));
      }
    }
  };
  for (std::size_t i = 0; i < task.constants.size(); ++i) {
    const Constant &constant = task.constants[i];
    check_inside(constant.window, constant.offset + constant.data.size(), "constants[" + std::to_string(i) + "]");
  }
  for (std::size_t i = 0; i < task.tensors.size(); ++i) {
    const Tensor &tensor = task.tensors[i];
    check_inside(tensor.window, tensor.offset + tensor.size, "tensors[" + std::to_string(i) + "]");
    for (std::size_t other = 0; other < i; ++other) {
      if (task.tensors[other].name == tensor.name)
        throw tools::FileError(path + ": tensors[" + std::to_string(i) + "]: name: '" + tensor.name + "' is there twice");
    }
    const auto refuses = [&tensor](const Window &window) { return window.index == tensor.window && !window.writable; };
    if (tensor.direction == Direction::output && std::any_of(task.windows.begin(), task.windows.end(), refuses)) {
      const std::string window = std::to_string(tensor.window);
      throw tools::FileError(path + ": tensors[" + std::to_string(i) + "]: window: '" + tensor.name + "' is an output in window " + window +
                             ", which is read-only: say \"writable\": true of window " + window);
    }
  }
}

}  // namespace

std::optional<std::string> bindings_beside(const std::string &stream_path) {
  const std::string beside = bindings_path(stream_path);
  std::error_code error;
  return std::filesystem::is_regular_file(beside, error) ? std::optional(beside) : std::nullopt;
}

void read_bindings(const std::string &path, Task &task, const Layout &layout) {
  const std::vector<std::uint8_t> bytes = tools::read_file(path);
  const json root = tools::parse_json(bytes, path);
  const Object object(root, path);
  object.allow({"name", "windows", "constants", "tensors"});
  if (object.has("name")) task.name = object.text("name");
  for (const Object &entry : object.list("windows")) {
    const Window window = read_window(entry);
    for (const Window &other : task.windows) {
      if (other.index == window.index) entry.fail("index", "window " + std::to_string(window.index) + " is there twice");
    }
    task.windows.push_back(window);
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const Object &entry : object.list("constants")) task.constants.push_back(read_constant(entry, folder));
  for (const Object &entry : object.list("tensors")) task.tensors.push_back(read_tensor(entry));
  infer_windows(path, task, layout);
  check(path, task);
}

void infer_windows(const std::string &file, Task &task, const Layout &layout) {
  for (unsigned index = 0; index < isa::tile::kWindows; ++index) {
    const auto described = [index](const Window &window) { return window.index == index; };
    if (std::any_of(task.windows.begin(), task.windows.end(), described)) continue;
    Window window{static_cast<std::uint8_t>(index), layout.windows[index].end, layout.windows[index].written};
    for (const Constant &constant : task.constants) {
      if (constant.window == index) window.size = std::max(window.size, constant.offset + constant.data.size());
    }
    for (const Tensor &tensor : task.tensors) {
      if (tensor.window != index) continue;
      window.size = std::max(window.size, tensor.offset + tensor.size);
      window.writable = window.writable || tensor.direction == Direction::output;
    }
    if (window.size == 0) continue;
    if (window.size > kLargestInferredWindow) {
      throw tools::FileError(file + ": window " + std::to_string(index) + " would take " + std::to_string(window.size) +
                             " bytes, more than the " + std::to_string(kLargestInferredWindow) +
                             " that a task may take without saying so: describe it in a bindings file");
    }
    task.windows.push_back(window);
  }
  std::sort(task.windows.begin(), task.windows.end(), [](const Window &a, const Window &b) { return a.index < b.index; });
}

}  // namespace cox::task
