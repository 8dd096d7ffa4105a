// SPDX-License-Identifier: MIT
// What `cox info` says of a model.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "tools/tflite/kernel_sets.h"
#include "tools/tflite/model_file.h"

namespace cox::tools::tflite {

struct TensorInformation {
  std::int32_t index = -1;
  std::string name, type, shape;  ///< shape: for example `1x32x32x3`, or `scalar`
  std::uint64_t bytes = 0;
  std::string quantisation;  ///< for example `scale 0.5, zero point -3`, `8 scales`, or empty
};

struct OperatorInformation {
  std::string name;  ///< for example `CONV_2D`, or `CUSTOM name`
  std::int32_t version = 1;
  std::vector<TensorInformation> inputs, outputs;  ///< inputs without constants
  std::string details;                             ///< for example `3x3, stride 2x2, pads 0,0,1,1`
  std::uint64_t multiply_accumulates = 0;
  std::uint64_t constant_bytes = 0;
  std::string refusal;               ///< why the library does not run the operator; empty: it does
  std::vector<std::string> kernels;  ///< for each set: empty if it has a kernel, else why not
  bool copy = false;                 ///< the operator costs nothing, because its output is in its input's memory
};

struct Information {
  std::string file, description;
  std::uint64_t file_bytes = 0;
  std::vector<TensorInformation> inputs, outputs;
  std::vector<OperatorInformation> operators;
  std::vector<std::string> engines;  ///< of the sets
  std::uint64_t multiply_accumulates = 0, constant_bytes = 0;
  std::uint64_t arena_bytes = 0, live_bytes = 0;  ///< with the kernels of the first set
};

/// Collects the information. Throws FileError if ModelFile does.
[[nodiscard]] Information information_of(const std::string &path, std::span<const KernelSet> sets);

/// Returns the information as text for a terminal, or as JSON.
[[nodiscard]] std::string text_of(const Information &information);
[[nodiscard]] nlohmann::json json_of(const Information &information);

}  // namespace cox::tools::tflite
