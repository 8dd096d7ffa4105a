// SPDX-License-Identifier: MIT
#include "tools/tile/bindings_file.h"

#include <nlohmann/json.hpp>

#include "tools/file/file.h"
#include "tools/image/bindings.h"
#include "tools/tile/layout.h"

namespace cox::task {
using nlohmann::ordered_json;

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
  for (std::size_t i = 0; i < task.constants.size(); ++i) root["constants"].push_back(tools::constant_json(path, task.constants[i], i));
  root["tensors"] = ordered_json::array();
  for (const Tensor &tensor : task.tensors) root["tensors"].push_back(tools::tensor_json(tensor));
  tools::write_file(path, root.dump(2) + "\n");
}

}  // namespace cox::task
