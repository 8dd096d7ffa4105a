// SPDX-License-Identifier: MIT
#include "tools/tile/bindings.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/image/bindings.h"
#include "tools/json/object.h"
#include "tools/json/parse.h"

namespace cox::task {
namespace {

using nlohmann::json;

using tools::JsonObject;

Tensor read_tensor(const JsonObject &object) {
  const tools::Tensor tensor = tools::read_tensor(object, firmware::image::Format::FP32);
  return {tensor.name, tensor.direction, static_cast<isa::tile::DataFmt>(tensor.format), tensor.shape, tensor.window, tensor.offset,
          tensor.size, tensor.padded};
}

}  // namespace

void read_bindings(const std::string &path, Task &task, const Layout &layout) {
  const std::vector<std::uint8_t> bytes = tools::read_file(path);
  const json root = tools::parse_json(bytes, path);
  const JsonObject object(root, path);
  object.allow({"$schema", "name", "windows", "constants", "tensors"});
  if (object.has("name")) task.name = object.text("name");
  for (const JsonObject &entry : object.list("windows")) {
    entry.allow({"index", "size", "writable"});
    tools::add_window(task.windows, tools::read_window(entry), entry);
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const JsonObject &entry : object.list("constants")) task.constants.push_back(tools::read_constant(entry, folder));
  for (const JsonObject &entry : object.list("tensors")) task.tensors.push_back(read_tensor(entry));
  infer_windows(path, task, layout);
  tools::check_bindings(path, task);
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
