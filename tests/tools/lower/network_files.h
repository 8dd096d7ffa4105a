// SPDX-License-Identifier: MIT
// Small networks in a folder, for tests of lowering.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace cox::lower::test {

using nlohmann::json;

/// A folder that the destructor removes.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "cox-lower-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  [[nodiscard]] std::string file(const std::string &name) const { return (path_ / name).string(); }

  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }

  /// Writes a weights file of `kernels` kernels: weights 1, scales 0.5, biases 2.
  void write_weights(const std::string &name, std::size_t kernels, std::size_t weights_each) const {
    std::string bytes(kernels * weights_each, '\1');
    for (const float value : {0.5F, 2.0F}) {
      for (std::size_t k = 0; k < kernels; ++k) bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    }
    write(name, bytes);
  }

 private:
  std::filesystem::path path_;
};

inline json map_of(std::uint32_t channels, std::uint32_t height, std::uint32_t width) {
  return {{"shape", {channels, height, width}}, {"format", "INT8"}, {"scale", 0.5}, {"zero_point", -128}};
}

/// Returns a network of these layers and output shapes: image [3, 8, 8], quantise, conv [16, 8, 8], pool [16, 4, 4], add(pool, pool),
/// logits [10, 1, 1].
inline json small_network() {
  json network;
  network["format"] = "coxswain-network";
  network["version"] = 1;
  network["name"] = "small";
  network["input"] = {{"name", "image"}, {"shape", {3, 8, 8}}, {"format", "FP16"}};
  network["output"] = {{"name", "logits"}, {"layer", "logits"}};
  network["layers"] = {
      {{"name", "quantise"}, {"operation", "quantise"}, {"inputs", {"image"}}, {"output", map_of(3, 8, 8)}},
      {{"name", "conv"},
       {"operation", "convolution"},
       {"inputs", {"quantise"}},
       {"kernel", {3, 3}},
       {"padding", {1, 1, 1, 1}},
       {"activation", "relu"},
       {"weights", "conv.bin"},
       {"output", map_of(16, 8, 8)}},
      {{"name", "pool"},
       {"operation", "maximum_pool"},
       {"inputs", {"conv"}},
       {"kernel", {2, 2}},
       {"stride", {2, 2}},
       {"output", map_of(16, 4, 4)}},
      {{"name", "add"}, {"operation", "add"}, {"inputs", {"pool", "pool"}}, {"activation", "relu"}, {"output", map_of(16, 4, 4)}},
      {{"name", "logits"},
       {"operation", "fully_connected"},
       {"inputs", {"add"}},
       {"weights", "logits.bin"},
       {"output", {{"shape", {10, 1, 1}}, {"format", "FP16"}}}},
  };
  return network;
}

inline void write_small_weights(const Folder &folder) {
  folder.write_weights("conv.bin", 16, 27);
  folder.write_weights("logits.bin", 10, 256);
}

}  // namespace cox::lower::test
