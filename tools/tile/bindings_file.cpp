// SPDX-License-Identifier: MIT
#include "tools/tile/bindings_file.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/file/file.h"
#include "tools/tile/bindings.h"

namespace cox::task {
namespace {

using nlohmann::ordered_json;

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

ordered_json constant_json(const std::string &path, const Constant &constant, std::size_t index) {
  ordered_json entry = {{"window", constant.window}, {"offset", constant.offset}};
  if (constant.data.size() <= kLongestInline) {
    entry["hex"] = to_hexadecimal(constant.data);
  } else {
    const std::filesystem::path file = constant_path(path, index);
    tools::write_file(file.string(), constant.data);
    entry["file"] = file.filename().string();
  }
  return entry;
}

ordered_json tensor_json(const Tensor &tensor) {
  return {{"name", tensor.name},
          {"direction", tensor.direction == Direction::input ? "input" : "output"},
          {"format", isa::tile::kDataFmt.find(static_cast<std::int64_t>(tensor.format))->name},
          {"shape", tensor.shape},
          {"window", tensor.window},
          {"offset", tensor.offset},
          {"size", tensor.size},
          {"padded", tensor.padded}};
}

}  // namespace

std::string bindings_path(const std::string &stream_path) {
  return std::filesystem::path(stream_path).replace_extension("bindings.json").string();
}

bool has_bindings(const Task &task) {
  if (!task.name.empty() || !task.constants.empty() || !task.tensors.empty()) return true;
  const Layout layout = layout_of(task.instructions);
  std::vector<Window> inferred;
  for (unsigned index = 0; index < isa::tile::kWindows; ++index) {
    const Layout::WindowUse &use = layout.windows[index];
    if (use.end > 0) inferred.push_back({static_cast<std::uint8_t>(index), use.end, use.written});
  }
  return task.windows != inferred;
}

void write_bindings(const std::string &path, const Task &task) {
  ordered_json root = ordered_json::object();
  if (!task.name.empty()) root["name"] = task.name;
  root["windows"] = ordered_json::array();
  for (const Window &window : task.windows) {
    root["windows"].push_back({{"index", window.index}, {"size", window.size}, {"writable", window.writable}});
  }
  root["constants"] = ordered_json::array();
  for (std::size_t i = 0; i < task.constants.size(); ++i) root["constants"].push_back(constant_json(path, task.constants[i], i));
  root["tensors"] = ordered_json::array();
  for (const Tensor &tensor : task.tensors) root["tensors"].push_back(tensor_json(tensor));
  tools::write_file(path, root.dump(2) + "\n");
}

}  // namespace cox::task
