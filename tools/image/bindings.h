// SPDX-License-Identifier: MIT
// The bindings file beside a stream: windows, constants and tensors (docs/task-image.md, Bindings). The parts that all engines share.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "coxswain/firmware/image/task_generated.h"
#include "tools/file/error.h"
#include "tools/image/contents.h"

namespace cox::tools {

class JsonObject;

/// Largest size and offset that a bindings file may give, in bytes.
inline constexpr std::uint64_t kLargestOffset = std::uint64_t{1} << 40;
/// Most bytes of a constant of zeros.
inline constexpr std::uint64_t kMostZeros = std::uint64_t{256} << 20;
inline constexpr unsigned kImageWindows = 4;

struct Tensor {
  std::string name;
  Direction direction = Direction::input;
  firmware::image::Format format = firmware::image::Format::INT8;
  std::array<std::uint32_t, 4> shape{1, 1, 1, 1};  ///< N, C, H, W; in memory the elements are in the order NHWC
  std::uint8_t window = 0;
  std::uint64_t offset = 0;  ///< bytes from the window's base
  std::uint64_t size = 0;    ///< bytes
  bool padded = false;       ///< each pixel's channels take a multiple of 8 bytes
};

/// Returns `digits.bindings.json` for `digits.jsonl`.
[[nodiscard]] std::string bindings_path(const std::string &stream_path);
/// Returns bindings_path() if that file exists.
[[nodiscard]] std::optional<std::string> bindings_beside(const std::string &stream_path);

// These functions read an element of a list of the bindings file. They throw FileError.

/// Does not refuse unknown fields.
[[nodiscard]] Window read_window(const JsonObject &object);
/// A file's path starts in `folder`.
[[nodiscard]] Constant read_constant(const JsonObject &object, const std::filesystem::path &folder);
/// `last` is the last format that the engine has.
[[nodiscard]] Tensor read_tensor(const JsonObject &object, firmware::image::Format last);

/// Adds a window that `windows` must not have yet. Throws FileError.
void add_window(std::vector<Window> &windows, const Window &window, const JsonObject &object);

/// Returns a constant for the bindings file `path`. Writes a long constant to a file beside it. Throws OutputError.
[[nodiscard]] nlohmann::ordered_json constant_json(const std::string &path, const Constant &constant, std::size_t index);
template <typename AnyTensor>
[[nodiscard]] nlohmann::ordered_json tensor_json(const AnyTensor &tensor) {
  return {{"name", tensor.name},
          {"direction", tensor.direction == Direction::input ? "input" : "output"},
          {"format", firmware::image::EnumNameFormat(static_cast<firmware::image::Format>(tensor.format))},
          {"shape", tensor.shape},
          {"window", tensor.window},
          {"offset", tensor.offset},
          {"size", tensor.size},
          {"padded", tensor.padded}};
}

/// Checks that constants and tensors lie inside their windows, that tensors' names differ, and that outputs' windows are writable. `path`
/// is for messages. Throws FileError.
template <typename Bound>
void check_bindings(const std::string &path, const Bound &bound) {
  const auto check_inside = [&](std::uint8_t index, std::uint64_t end, const std::string &what) {
    for (const auto &window : bound.windows) {
      if (window.index != index) continue;
      if (end > window.size) {
        std::string message = path;
        message.append(": ").append(what).append(": ends at byte ").append(std::to_string(end)).append(" of window ");
        throw FileError(message.append(std::to_string(index)).append(", which has ").append(std::to_string(window.size)));
      }
    }
  };
  for (std::size_t i = 0; i < bound.constants.size(); ++i) {
    const Constant &constant = bound.constants[i];
    check_inside(constant.window, constant.offset + constant.data.size(), "constants[" + std::to_string(i) + "]");
  }
  for (std::size_t i = 0; i < bound.tensors.size(); ++i) {
    const auto &tensor = bound.tensors[i];
    check_inside(tensor.window, tensor.offset + tensor.size, "tensors[" + std::to_string(i) + "]");
    for (std::size_t other = 0; other < i; ++other) {
      if (bound.tensors[other].name == tensor.name)
        throw FileError(path + ": tensors[" + std::to_string(i) + "]: name: '" + tensor.name + "' is there twice");
    }
    const auto refuses = [&tensor](const auto &window) { return window.index == tensor.window && !window.writable; };
    if (tensor.direction == Direction::output && std::any_of(bound.windows.begin(), bound.windows.end(), refuses)) {
      const std::string window = std::to_string(tensor.window);
      throw FileError(path + ": tensors[" + std::to_string(i) + "]: window: '" + tensor.name + "' is an output in window " + window +
                      ", which is read-only: say \"writable\": true of window " + window);
    }
  }
}

}  // namespace cox::tools
