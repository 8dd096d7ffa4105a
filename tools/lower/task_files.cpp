// SPDX-License-Identifier: MIT
#include "tools/lower/task_files.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/file/file.h"
#include "tools/lower/emit/emission.h"
#include "tools/tile/stream.h"

namespace cox::lower {
namespace {

using nlohmann::ordered_json;

ordered_json tensor(const std::string &name, const char *direction, const FeatureMap &map, std::uint32_t batch, std::uint64_t offset) {
  return {{"name", name},
          {"direction", direction},
          {"format", map.format == isa::tile::DataFmt::FP16 ? "FP16" : "INT8"},
          {"shape", {batch, map.shape.channels, map.shape.height, map.shape.width}},
          {"window", kTensorWindow},
          {"offset", offset}};
}

std::string bindings_of(const TaskFiles &files, const Network &network, const WeightImage &weights, const Lowering &lowering) {
  ordered_json bindings;
  bindings["name"] = network.name;
  bindings["windows"] = {{{"index", kTensorWindow}, {"size", lowering.tensor_window_bytes}, {"writable", true}}};
  bindings["constants"] = ordered_json::array();
  if (!weights.bytes.empty()) {
    bindings["windows"].push_back({{"index", kWeightWindow}, {"size", weights.bytes.size()}, {"writable", false}});
    bindings["constants"].push_back(
        {{"window", kWeightWindow}, {"offset", 0}, {"file", std::filesystem::path(files.weights).filename().string()}});
  }
  bindings["tensors"] = {tensor(network.maps[0].name, "input", network.maps[0], network.batch, 0),
                         tensor(network.output_name, "output", network.maps[network.output], network.batch, lowering.output_offset)};
  return bindings.dump(1) + "\n";
}

}  // namespace

TaskFiles files_for(const std::string &stream) {
  const std::filesystem::path path(stream);
  const auto beside = [&path](const char *ending) { return (path.parent_path() / (path.stem().string() + ending)).string(); };
  return {stream, beside(".bindings.json"), beside(".weights.bin")};
}

void write_task(const TaskFiles &files, const Network &network, const WeightImage &weights, const Lowering &lowering) {
  if (!weights.bytes.empty()) tools::write_file(files.weights, weights.bytes);
  tools::write_file(files.bindings, bindings_of(files, network, weights, lowering));
  tools::write_file(files.stream, task::write_stream(assembled(lowering.program)));
}

}  // namespace cox::lower
