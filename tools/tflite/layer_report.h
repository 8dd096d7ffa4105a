// SPDX-License-Identifier: MIT
// What `cox run` shows of a model's inferences: cycles of each operator, as text, JSON or a picture.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "tools/tflite/model_file.h"
#include "tools/tflite/session.h"

namespace cox::tools::tflite {

struct LayerReport {
  struct Layer {
    std::size_t index = 0;  ///< of the operator
    std::string name, output;
    std::uint64_t multiply_accumulates = 0;
    LayerTime time;  ///< in the first inference
  };
  std::string file;
  std::vector<Layer> layers;
  std::vector<std::uint64_t> cycles;  ///< of each inference
  Session::Sizes sizes;
};

[[nodiscard]] LayerReport report_of(const std::string &path, const ModelFile &file, const Session::Sizes &sizes,
                                    std::span<const InferenceTime> times);

[[nodiscard]] std::string text_of(const LayerReport &report);
[[nodiscard]] nlohmann::json json_of(const LayerReport &report);
/// Draws the first inference with a lane for each operator that has instructions, or for each unit if there are several.
void write_picture(std::ostream &out, const LayerReport &report);

}  // namespace cox::tools::tflite
